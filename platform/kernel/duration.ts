const UNITS = [
  ["天", 86_400],
  ["小时", 3600],
  ["分钟", 60],
  ["秒", 1],
] as const;

/** How long something takes, in its largest unit and the next smaller one, neither of them 0: "2 天 3 小时", "1 天", "45 秒". */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const at = UNITS.findIndex(([, size]) => whole >= size);
  if (at < 0) return "不到 1 秒";
  const [title, size] = UNITS[at]!;
  const next = UNITS[at + 1];
  const rest = next ? Math.floor((whole % size) / next[1]) : 0;
  return `${Math.floor(whole / size)} ${title}${rest ? ` ${rest} ${next![0]}` : ""}`;
}

/** The same of what is only known in whole hours. */
export const hoursText = (hours: number): string => (hours < 1 ? "不到 1 小时" : durationText(hours * 3600));
