import { isMobile, personName } from "../../../platform/kernel/texts/contact.ts";
import { type Day, addDays, addMonths } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { FieldError } from "../../../platform/kernel/refusal.ts";
import { KINDS } from "./kind.rules.ts";
import { planBills } from "../schedule/bills.rules.ts";
import type { Plan } from "../schedule/line.rules.ts";
import { contractMonths } from "../schedule/months.rules.ts";
import { firstRent } from "../schedule/steps.rules.ts";
import type { ScheduleInput } from "../schedule/terms.rules.ts";
import { areaFeeErrors } from "./area-fee.rules.ts";
import { validate } from "../schedule/fee-errors.rules.ts";
import { ruleErrors } from "./turnover-share.rules.ts";
import {
  type Limits,
  type RoomFacts,
  feeHints,
  isAttached,
  roomErrors,
  termErrors,
} from "./product.rules.ts";
import type { ContractForm, Terms } from "./terms.contract.ts";
import { isRuled, scheduleOf, termsOf } from "./terms.rules.ts";

/** The first rent of one room, or of all together. */
export const firstOf = (input: ScheduleInput, roomId: number | null): Fen =>
  input.rooms.reduce(
    (sum, room) => (roomId === null || room.roomId === roomId ? sum + firstRent(input, room) : sum),
    0,
  );

/** Places of the rents set by hand beside another first rent than the contract now has: somebody has to say what they mean. */
export const staleSteps = (steps: Terms["steps"], input: ScheduleInput): number[] =>
  steps.flatMap((step, i) =>
    step.firstRent !== undefined && step.firstRent !== firstOf(input, step.roomId ?? null) ? [i] : [],
  );

/** Everything that stops a contract from being handed in, named by the fields of the form; empty = it can be planned and signed. */
export function formErrors(form: ContractForm, limits: Limits): FieldError[] {
  const errors: FieldError[] = [];
  const report = (field: string, msg: string) => errors.push({ field, msg });
  if (!form.start) report("start", "请选择起租日");
  if (!form.end) report("end", "请选择结束日期");
  if (!form.rooms.length) report("rooms", "请选择房间");
  if (form.start && form.end && form.rooms.length) errors.push(...planErrors(form, limits));
  roomErrors(form, limits, report);
  occupantErrors(form, report);
  partyErrors(form, limits, report);
  const main = mainRoom(form, limits);
  if (main) errors.push(...termErrors(form, main));
  errors.push(...rangeErrors(form), ...ruleErrors(form.turnover));
  if (form.turnover && form.kind !== "merchant") report("turnover", "只有商户合同可以按营业额计租");
  if (form.openOn && form.kind !== "merchant") report("openOn", "只有商户合同可以填写开业日");
  if (form.openOn && form.end && form.openOn > form.end) report("openOn", "开业日不能晚于结束日期");
  if (form.titleId && form.kind === "renter") report("titleId", "只有企业合同和商户合同可以指定开票抬头");
  form.fees.forEach((fee, i) => {
    if (!fee.feeId) report(`fees.${i}.feeId`, "请选择费用科目");
  });
  errors.push(...payerErrors(form.kind, form.fees), ...areaFeeErrors(form, limits.rooms));
  return errors;
}

/** Occupants have the rooms of companies alone, and pay what recurs. */
export const payerErrors = (
  kind: ContractForm["kind"],
  fees: readonly Pick<Terms["fees"][number], "kind" | "payer">[],
): FieldError[] =>
  fees.flatMap((fee, i) => {
    if (fee.payer !== "occupant") return [];
    if (kind !== "company") return [{ field: `fees.${i}.payer`, msg: "只有企业合同的费用可以由入住人付款" }];
    return fee.kind === "recurring"
      ? []
      : [{ field: `fees.${i}.payer`, msg: "入住人付款的费用按月计算，请选择周期费用" }];
  });

type Report = (field: string, msg: string) => void;

/** What the schedule itself refuses, and the caps that need its figures. */
function planErrors(form: ContractForm, limits: Limits): FieldError[] {
  const facts = new Map(limits.rooms.map((r) => [r.roomId, r]));
  const terms = termsOf(form);
  const input = scheduleOf({
    start: form.start!,
    end: form.end!,
    terms,
    rooms: form.rooms.map((r) => ({
      ...r,
      unitPrice: r.unitPrice ?? null,
      area: facts.get(r.roomId)?.area ?? null,
    })),
  });
  const errors = scheduleErrors(terms, input);
  for (const i of staleSteps(terms.steps, input))
    errors.push({
      field: `steps.${i}.resultRent`,
      msg: "月租金已改，请选择保留手工填写的租金，或按新租金重算",
    });
  if (errors.length) return errors;
  if (form.start! < addDays(limits.today, -limits.backdateDays) && !limits.mayBackdate)
    errors.push({ field: "start", msg: "起租日超过可倒签天数" });
  const rent = input.rooms.reduce((sum, room) => sum + firstRent(input, room), 0);
  const { maxDepositMonths: most, maxPrepayMonths: ahead } = limits;
  const { deposit } = terms;
  const tooMuch = deposit.mode === "months" ? Number(deposit.months) > most : deposit.amount > most * rent;
  if (most && tooMuch)
    errors.push({
      field: deposit.mode === "months" ? "deposit.months" : "deposit.amount",
      msg: `押金不得超过 ${most} 个月租金`,
    });
  const months = terms.cycleMonths || contractMonths(input).length;
  if (ahead && months > ahead) errors.push({ field: "cycleMonths", msg: `预付租金不得超过 ${ahead} 个月` });
  return errors;
}

/** What the schedule refuses, under the names of the form: of rows that the rule makes, the rule is to blame. */
export function scheduleErrors(terms: Terms, input: ScheduleInput): FieldError[] {
  // whoever pays of the turnover alone may owe no rent besides
  const errors = validate(input, terms.turnover?.rentKind === "turnover");
  const ofRule = (field: string) => Number(/^steps\.(\d+)/.exec(field)?.[1] ?? -1) >= terms.steps.length;
  const named = errors.map((e) => (ofRule(e.field) ? { ...e, field: "stepRule.value" } : e));
  if (isRuled(terms) && !(terms.stepRule.every >= 1))
    named.push({ field: "stepRule.every", msg: "请输入正确的间隔" });
  return named.filter((e, i) => named.findIndex((o) => o.field === e.field && o.msg === e.msg) === i);
}

/** The room that is lived in: its product says how long, with which fees and how it is paid. */
const mainRoom = (form: ContractForm, { rooms }: Pick<Limits, "rooms">): RoomFacts | undefined =>
  form.rooms.flatMap((r) => rooms.find((f) => f.roomId === r.roomId && !isAttached(f.kind)) ?? [])[0];

function occupantErrors({ kind, occupants }: ContractForm, report: Report): void {
  if (kind !== "renter" && occupants.length) report("occupants", `${KINDS[kind].title}签署后再登记入住人`);
  occupants.forEach((o, i) => {
    // a line that was just added has nothing typed in it yet
    const wrong = personName(o.name ?? "");
    if (wrong) report(`occupants.${i}.name`, wrong);
    if (!isMobile(o.phone ?? "")) report(`occupants.${i}.phone`, "请输入正确的手机号");
  });
}

/** Grown up at 18; someone younger needs a guardian to sign. */
export const isMinor = (birthday: Day | null, today: Day) =>
  birthday !== null && addMonths(birthday, 216) > today;

function partyErrors(form: ContractForm, { party, today }: Limits, report: Report): void {
  if (!form.partyId || !party) return report("partyId", `请选择${KINDS[form.kind].party}`);
  if (isMinor(party.birthday, today) && !(party.guardianName && party.guardianPhone))
    report("partyId", "未满18周岁，需监护人签署");
}

const RANGES: readonly (readonly [field: keyof Terms, low: number, high: number, msg: string])[] = [
  ["graceDays", 0, 60, "宽限天数为 0 至 60 天"],
  ["lateFeeDailyRate", 0, 1, "滞纳金每天为 0 至 1%"],
  ["lateFeeCapPercent", 0, 100, "滞纳金上限为 0 至 100%"],
  ["noticeDays", 0, 180, "通知期为 0 至 180 天"],
  ["penaltyMonths", 0, 12, "违约金为 0 至 12 个月租金"],
  ["penaltyPercent", 0, 100, "请输入0到100之间的整数"],
  ["penaltyCapMonths", 0, 12, "封顶为 0 至 12 个月租金"],
  ["holdoverPercent", 100, 300, "到期占用费为 100% 至 300%"],
];

/** Terms outside their ranges; terms that are left out are not looked at. */
export function rangeErrors(terms: Partial<Terms>): FieldError[] {
  return RANGES.flatMap(([field, low, high, msg]) => {
    const n = Number(terms[field]);
    return terms[field] === undefined || (n >= low && n <= high) ? [] : [{ field, msg }];
  });
}

/** Worth a look, but no refusal. */
export function formWarnings(
  form: ContractForm,
  limits: Pick<Limits, "rooms">,
  { plan, start, end }: { plan: Plan; start: Day; end: Day },
): string[] {
  const warnings = feeHints(form, mainRoom(form, limits)?.product);
  const [first] = contractMonths({
    start,
    end,
    anchorDate: form.calendarPeriods ? `${start.slice(0, 8)}01` : start,
  });
  if (first && first.days < 7) warnings.push(`首个计费期只有 ${first.days} 天`);
  const next = addDays(end, 1).slice(8);
  if (Number(start.slice(8)) > 28 && next !== start.slice(8) && !form.calendarPeriods)
    warnings.push(`到期日在短月，续租将从每月 ${Number(next)} 日起算计费期`);
  if (plan.totals.deposit === 0) warnings.push("未收押金");
  const penalty = penaltyMidTerm(form, plan);
  if (penalty > plan.totals.deposit && plan.totals.deposit > 0)
    warnings.push("违约金高于押金，过高部分可能被法院调低");
  return warnings;
}

/** What leaving at mid-term would cost by the penalty rule, roughly: enough to warn by. */
function penaltyMidTerm(form: ContractForm, { totals }: Plan): number {
  const rent = totals.netMonthlyRent ?? 0;
  if (form.penaltyRule === "months") return Math.round(rent * Number(form.penaltyMonths));
  if (form.penaltyRule !== "remainingPercent") return 0;
  const cap = Number(form.penaltyCapMonths) * rent || Infinity;
  return Math.min(Math.round((totals.rent / 2) * (form.penaltyPercent / 100)), cap);
}

/** Fields of the form that the bills do not follow from: while they are open the bills can be shown all the same. */
const ASIDE = /^(partyId|titleId|occupants|villageId|managerId|signerId|channel|agentId|openOn|remark)/;

export type Live = {
  /** Undefined while something that the bills rest on is missing or wrong. */
  plan: Plan | undefined;
  errors: FieldError[];
};

/** What the panel beside the form shows: the bills that signing would make, by the same functions as the server. */
export function liveBills(form: ContractForm, limits: Limits): Live {
  const errors = formErrors(form, limits);
  const { start, end } = form;
  if (!start || !end || !form.rooms.length || errors.some((e) => !ASIDE.test(e.field)))
    return { plan: undefined, errors };
  const areas = new Map(limits.rooms.map((r) => [r.roomId, r.area]));
  const rooms = form.rooms.map((r) => ({
    ...r,
    unitPrice: r.unitPrice ?? null,
    area: areas.get(r.roomId) ?? null,
  }));
  return { plan: planBills(scheduleOf({ start, end, terms: termsOf(form), rooms })), errors };
}
