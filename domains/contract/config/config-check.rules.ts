import { metaOf } from "../../../platform/kernel/field.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { FieldError } from "../../../platform/kernel/refusal.ts";
import { lateFeeFields, type ComingTerms } from "../../finance/setting/late-terms.rules.ts";
import { AREA_BASIS } from "../schedule/errors.rules.ts";
import { termsErrors } from "../schedule/fee-errors.rules.ts";
import { rangeErrors } from "../terms/check.rules.ts";
import { DEFAULT_TERMS } from "../terms/plans.rules.ts";
import { payTextOf } from "../terms/terms.rules.ts";
import {
  BASIS_WORDS,
  CLAWBACK_WORDS,
  DUE_WORDS,
  PENALTY_WORDS,
  PRICING_WORDS,
  ROUNDING_WORDS,
  type Terms,
} from "../terms/terms.contract.ts";
import {
  CREDIT_RULES,
  FREE_ROOM_AT,
  MOVE_IN_RULES,
  type CreditRule,
  type MoveInRule,
  VERIFY_RULES,
  type VerifyRule,
} from "./config.rules.ts";

/** What a set says. */
export type ConfigValues = {
  holdDays: number;
  backdateDays: number;
  renewalWindowDays: number;
  renewNeedsPaid: boolean;
  moveInRule: MoveInRule;
  freeRoomAt: keyof typeof FREE_ROOM_AT;
  silentDays: number;
  creditRule: CreditRule;
  verifyRule: VerifyRule;
  maxDepositMonths: number;
  maxPrepayMonths: number;
  defaultTerms: Partial<Terms>;
};

/** What is wrong with a set: default terms that no contract could be signed with, or that its own limits refuse. */
export function configErrors({
  defaultTerms,
  maxDepositMonths,
  maxPrepayMonths,
}: ConfigValues): FieldError[] {
  const errors: FieldError[] = [];
  const report = (field: string, msg: string) => errors.push({ field, msg });
  const late = lateFeeFields.partial().safeParse(defaultTerms);
  for (const issue of late.error?.issues ?? []) report(String(issue.path[0]), issue.message);
  const known = new Set(errors.map((e) => e.field));
  errors.push(...rangeErrors(defaultTerms).filter((e) => !known.has(e.field)));
  const terms = { ...DEFAULT_TERMS, ...defaultTerms };
  termsErrors(terms, report);
  const { deposit, cycleMonths } = terms;
  if (terms.basis === "area" && terms.pricing === "month") report("basis", AREA_BASIS);
  if (maxDepositMonths && deposit.mode === "months" && Number(deposit.months) > maxDepositMonths)
    report("deposit.months", `押金不得超过 ${maxDepositMonths} 个月租金`);
  if (maxPrepayMonths && cycleMonths > maxPrepayMonths)
    report("cycleMonths", `预付租金不得超过 ${maxPrepayMonths} 个月`);
  return errors.map((e) => ({ ...e, field: `defaultTerms.${e.field}` }));
}

const days = (n: number) => `${n} 天`;
const yes = (on: boolean) => (on ? "是" : "否");
const months = (n: number) => (n ? `${n} 个月` : "不限");

/** How a set reads, line by line: label and value; first its limits, then the terms a contract starts from. */
export function configLines(values: ConfigValues): [title: string, text: string][] {
  const terms = { ...DEFAULT_TERMS, ...values.defaultTerms };
  const { due, deposit } = terms;
  return [
    ["提交后占房", days(values.holdDays)],
    ["可倒签", days(values.backdateDays)],
    ["入住条件", MOVE_IN_RULES[values.moveInRule][0]],
    ["结算单未答复视为同意", days(values.silentDays)],
    ["可续租期", days(values.renewalWindowDays)],
    ["续租须结清欠费", yes(values.renewNeedsPaid)],
    ["企业超授信", CREDIT_RULES[values.creditRule][0]],
    ["未核验租客", VERIFY_RULES[values.verifyRule][0]],
    ["押金上限", months(values.maxDepositMonths)],
    ["预付租金上限", months(values.maxPrepayMonths)],
    ["计租方式", PRICING_WORDS[terms.pricing][0]],
    ["付款方式", payTextOf(terms) + (deposit.mode === "amount" ? ` ${yuan(deposit.amount)}` : "")],
    ["租金取整", ROUNDING_WORDS[terms.rentRounding][0]],
    ["不足整月计费", BASIS_WORDS[terms.basis][0]],
    ["计费期", terms.calendarPeriods ? "自然月" : "按起租日"],
    ["应收日", dueText(due)],
    ["宽限天数", days(terms.graceDays)],
    ["滞纳金日利率", `${terms.lateFeeDailyRate}%`],
    ["滞纳金上限", `${terms.lateFeeCapPercent}%`],
    ["通知期", days(terms.noticeDays)],
    ["退房当日计租", yes(terms.leaveDayCharged)],
    ["违约金", penaltyText(terms)],
    ["免租追回", CLAWBACK_WORDS[terms.rentFreeClawback][0]],
    ["到期占用费", `${terms.holdoverPercent}%`],
    ["补充约定", terms.policyNote || "空"],
  ];
}

const OFFSET = { [-1]: "上月", 0: "当月", 1: "次月" } as const;
function dueText({ rule, dueDays = 0, dueDay = 1, dueMonthOffset = 0, firstDueDays = 0 }: Terms["due"]) {
  const first = `首期签约后 ${days(firstDueDays)}`;
  if (rule === "signing") return `${DUE_WORDS.signing[0]}，${first}`;
  if (rule === "fixedDay") return `计费期开始${OFFSET[dueMonthOffset]} ${dueDay} 日，${first}`;
  return `提前 ${days(dueDays)}，${first}`;
}

function penaltyText(t: Terms): string {
  if (t.penaltyRule === "months") return `${t.penaltyMonths} 个月租金`;
  if (t.penaltyRule === "remainingPercent")
    return `剩余租金 ${t.penaltyPercent}%，封顶 ${t.penaltyCapMonths} 个月`;
  return PENALTY_WORDS[t.penaltyRule][0];
}

/** Kept for an act that looks at it; no screen asks for it. */
const keptLines = (values: ConfigValues): [title: string, text: string][] => [
  ["退房释放房间", FREE_ROOM_AT[values.freeRoomAt][0]],
];

type Kept = ConfigValues & { coming: readonly ComingTerms[] };

/** What a change did, as the log says it: 提交后占房：7 天 → 5 天. The first own set also says that it is one. */
export function configChanges(before: Kept, after: Kept, first?: string): string[] {
  const linesOf = (values: ConfigValues) => [...configLines(values), ...keptLines(values)];
  const then = linesOf(before);
  const changed = linesOf(after).flatMap(([title, text], i) =>
    text === then[i]![1] ? [] : [`${title}：${then[i]![1]} → ${text}`],
  );
  const known = new Set(before.coming.map((c) => JSON.stringify(c)));
  const ahead = after.coming.flatMap((c) =>
    known.has(JSON.stringify(c)) && !first ? [] : [`${c.from} 起 ${comingText(c)}`],
  );
  const all = [...(first ? [first] : []), ...changed, ...ahead];
  return all.length ? all : ["没有变化"];
}

/** Late-fee terms to come: 宽限天数 5 天，上限 20% 本金. */
export const comingText = ({ terms }: ComingTerms): string =>
  Object.entries(terms)
    .map(([key, value]) => {
      const meta = metaOf(lateFeeFields.shape[key as keyof typeof lateFeeFields.shape]);
      return `${meta?.title} ${value}${meta?.unit?.startsWith("%") ? "" : " "}${meta?.unit ?? ""}`;
    })
    .join("，");
