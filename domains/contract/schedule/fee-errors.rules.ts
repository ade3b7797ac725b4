import { isDay, overlaps } from "../../../platform/kernel/day.ts";
import { AMOUNT_MAX } from "../../../platform/kernel/fen.ts";
import { sameRoom, sumError, within, type Report } from "./errors.rules.ts";
import { feeDays } from "./fees.rules.ts";
import { BASES, CYCLES, type DueRule, type ScheduleDiscount, type ScheduleInput } from "./terms.rules.ts";

export function dueErrors({ dueDays, dueDay, dueMonthOffset }: DueRule, at: string, report: Report): void {
  if (!within(dueDays, 0, 60)) report(`${at}.dueDays`, "请输入0到60之间的整数");
  if (!within(dueDay, 1, 31)) report(`${at}.dueDay`, "请输入1到31之间的整数");
  if (!within(dueMonthOffset, -1, 1)) report(`${at}.dueMonthOffset`, "请选择上月、当月或次月");
}

export function feeErrors(input: ScheduleInput, report: Report): void {
  type Run = { roomId: number | null; from: string; to: string };
  const running = new Map<number, Run[]>();
  input.fees.forEach((fee, i) => {
    const at = (field: string) => `fees.${i}.${field}`;
    const wrong = sumError(fee.amount, true);
    if (wrong) report(at("amount"), wrong);
    if (fee.cycleMonths !== undefined && !CYCLES.includes(fee.cycleMonths))
      report(at("cycleMonths"), "请选择付款周期");
    if (fee.basis && !BASES.includes(fee.basis)) report(at("basis"), "请选择不足整月计费方式");
    if (fee.due) dueErrors(fee.due, at("due"), report);
    const { fromDate, toDate } = fee;
    if ((fromDate && !isDay(fromDate)) || (toDate && !isDay(toDate)))
      return report(at("fromDate"), "请选择日期");
    if (fromDate && toDate && toDate < fromDate) return report(at("toDate"), "结束日期不能早于开始日期");
    const outside = (day: string) => day < input.start || day > input.end;
    if ((fromDate && outside(fromDate)) || (toDate && outside(toDate)))
      return report(at("fromDate"), "费用起止日期须在租期内");
    if (fee.kind !== "recurring") return;
    const run = { roomId: fee.roomId ?? null, ...feeDays(input, fee) };
    const others = running.get(fee.feeId) ?? [];
    if (others.some((o) => sameRoom(o, run) && overlaps(o, run)))
      report(at("feeId"), "该费用在同一期间已存在");
    running.set(fee.feeId, [...others, run]);
  });
}

const whole = (text: string, low: number, high: number) =>
  /^\d{1,10}$/.test(text) && within(Number(text), low, high);

function discountError({ kind, value }: ScheduleDiscount): string | undefined {
  if (kind === "firstMonths") return whole(value, 1, 12) ? undefined : "请输入1到12之间的整数";
  if (kind === "amount") return whole(value, 1, AMOUNT_MAX) ? undefined : "请输入正确的金额（最多两位小数）";
  const percent = /^\d{1,3}(\.\d{1,6})?$/.test(value) ? Number(value) : 0;
  return percent >= 0.1 && percent <= 100 ? undefined : "优惠比例须在0.1到100之间";
}

export function discountErrors({ discounts }: ScheduleInput, report: Report): void {
  discounts.forEach((discount, i) => {
    const { fromMonth, toMonth } = discount;
    const wrong = discountError(discount);
    if (wrong) report(`discounts.${i}.value`, wrong);
    if (!within(fromMonth ?? undefined, 1, 240)) report(`discounts.${i}.fromMonth`, "请输入1到240之间的整数");
    if (toMonth != null && !within(toMonth, fromMonth ?? 1, 240))
      report(`discounts.${i}.toMonth`, "结束月份不能早于开始月份");
  });
}
