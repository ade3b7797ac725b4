import { addMonths, daysBetween, isDay } from "../../../platform/kernel/day.ts";
import type { FieldError } from "../../../platform/kernel/refusal.ts";
import { amountErrors } from "./amount-errors.rules.ts";
import { sumError, within, type Report } from "./errors.rules.ts";
import { discountErrors, dueErrors, feeErrors } from "./fee-errors.rules.ts";
import { monthIndex } from "./months.rules.ts";
import { freeErrors, roomErrors, steppedErrors, stepErrors } from "./rent-errors.rules.ts";
import { BASES, CYCLES, type ScheduleInput } from "./terms.rules.ts";

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

/** The dates everything else is measured by; false when they cannot be used. */
function termErrors({ start, end, anchorDate, carriedDays }: ScheduleInput, report: Report): boolean {
  if (!isDay(start)) report("start", "请选择起租日");
  if (!isDay(end)) report("end", "请选择结束日期");
  if (!isDay(start) || !isDay(end)) return false;
  if (end < start) report("end", "结束日期不能早于开始日期");
  else if (end >= addMonths(start, 240)) report("end", "租赁期限不得超过二十年");
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
