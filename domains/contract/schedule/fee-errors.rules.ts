import { type Day, addMonths, daysBetween, isDay, overlaps } from "../../../platform/kernel/day.ts";
import { AMOUNT_MAX } from "../../../platform/kernel/fen.ts";
import type { FieldError } from "../../../platform/kernel/refusal.ts";
import {
  type Report,
  amountErrors,
  freeErrors,
  roomErrors,
  sameRoom,
  stepErrors,
  steppedErrors,
  sumError,
  within,
} from "./errors.rules.ts";
import { feeDays } from "./fees.rules.ts";
import { monthIndex } from "./months.rules.ts";
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

/**
 * What a schedule refuses; empty = it can be planned, and the books take every bill of it. `mayBeFree`: rooms may cost nothing,
 * because something else than rent is paid for them.
 */
export function validate(input: ScheduleInput, mayBeFree = false): FieldError[] {
  const errors: FieldError[] = [];
  const report: Report = (field, msg) => errors.push({ field, msg });
  if (!termErrors(input, report)) return errors;
  roomErrors(input, report, mayBeFree);
  stepErrors(input, report, mayBeFree);
  freeErrors(input, report);
  termsErrors(input, report);
  feeErrors(input, report);
  discountErrors(input, report);
  if (!errors.length) steppedErrors(input, report, mayBeFree);
  if (!errors.length) amountErrors(input, report);
  return errors;
}

/** No lease runs longer than twenty years (Civil Code, article 705). */
export const tooLong = (start: Day, end: Day): string | undefined =>
  end >= addMonths(start, 240) ? "租赁期限不得超过二十年" : undefined;

/** The dates everything else is measured by; false when they cannot be used. */
function termErrors({ start, end, anchorDate, carriedDays }: ScheduleInput, report: Report): boolean {
  if (!isDay(start)) report("start", "请选择起租日");
  if (!isDay(end)) report("end", "请选择结束日期");
  if (!isDay(start) || !isDay(end)) return false;
  const long = tooLong(start, end);
  if (end < start) report("end", "结束日期不能早于开始日期");
  else if (long) report("end", long);
  else if (!isDay(anchorDate) || anchorDate > start) report("anchorDate", "计费起算日不能晚于起租日");
  else {
    const monthStart = addMonths(anchorDate, monthIndex(anchorDate, start));
    if (within(carriedDays ?? 0, 0, daysBetween(monthStart, start))) return true;
    report("carriedDays", "承接天数不能多于当月起租日之前的天数");
  }
  return false;
}

/** What is wrong with the way of paying, whatever is let and for how long. */
export function termsErrors(
  { cycleMonths, basis, due, deposit }: Pick<ScheduleInput, "cycleMonths" | "basis" | "due" | "deposit">,
  report: Report,
): void {
  if (!CYCLES.includes(cycleMonths)) report("cycleMonths", "请选择付款周期");
  if (!BASES.includes(basis)) report("basis", "请选择不足整月计费方式");
  dueErrors(due, "due", report);
  if (!within(due.firstDueDays, 0, 7)) report("due.firstDueDays", "请输入0到7之间的整数");
  if (deposit.mode === "amount") {
    const wrong = sumError(deposit.amount, true);
    if (wrong) report("deposit.amount", wrong);
  } else if (!/^(\d|1[01])(\.[05]0*)?$|^12(\.0+)?$/.test(deposit.months))
    report("deposit.months", "押金须为0到12个月，以半个月为单位");
}
