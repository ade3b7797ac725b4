/** By the hour of the day: before 9, until 11, until 13, before 20, otherwise (specification section 2). */
export function greeting(hour: number): string {
  if (hour < 9) return "早上好";
  if (hour <= 11) return "上午好";
  if (hour <= 13) return "中午好";
  return hour < 20 ? "下午好" : "晚上好";
}
