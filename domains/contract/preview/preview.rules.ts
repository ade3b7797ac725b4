import { daysBetween } from "../../../platform/kernel/day.ts";
import { yuan, type Fen } from "../../../platform/kernel/fen.ts";
import type { ActField, Values } from "../../approval/examine/condition.rules.ts";
import { canonical, effectiveMonthlyRent } from "../schedule/net.rules.ts";
import type { Line, Plan, PlannedBill } from "../schedule/line.rules.ts";
import { sentence } from "../schedule/sentence.rules.ts";
import type { ScheduleInput } from "../schedule/terms.rules.ts";
import type { Terms } from "../terms/terms.contract.ts";
import type { ContractKind } from "../terms/kind.rules.ts";
import { isRuled } from "../terms/terms.rules.ts";
import { DEAL_FIELDS, dealOf, type Dealt } from "./deal.rules.ts";

/** The fee subject of a line as people read it. */
export function subjectOf(line: Pick<Line, "feeKey" | "item">, fees: Terms["fees"]): string {
  if (line.feeKey === "rent") return "租金";
  if (line.feeKey === "deposit") return "押金";
  return fees.find((f) => f.feeId === line.feeKey)?.name || "费用";
}

/** How a line comes about; what a discount is called stands before it. */
export function howOf(
  line: Pick<Line, "kind" | "item" | "explain">,
  { discounts }: Pick<Terms, "discounts">,
): string {
  const name = line.kind === "discount" ? discounts?.[line.item!]?.name : undefined;
  return name ? `${name}：${sentence(line.explain)}` : sentence(line.explain);
}

/** A planned bill as the preview shows it. A rule date that has passed reads 签约当日. */
export function shownBill(bill: PlannedBill, terms: Pick<Terms, "fees" | "discounts">, today: string) {
  const { key, kind, periodNo, title, periodStart, periodEnd, amount, lines } = bill;
  const onSigning = bill.onSigning || bill.dueRuleDate === null || bill.dueRuleDate < today;
  return {
    key,
    kind,
    periodNo,
    title,
    periodStart,
    periodEnd,
    amount,
    dueOn: onSigning ? null : bill.dueRuleDate,
    lines: lines.map((line) => ({
      kind: line.kind,
      feeKey: line.feeKey,
      subject: subjectOf(line, terms.fees),
      roomId: line.roomId,
      from: line.from,
      to: line.to,
      amount: line.amount,
      how: howOf(line, terms),
      explain: line.explain as unknown as Record<string, unknown>,
    })),
  };
}

export type Hashed = {
  contractId: number;
  villageId: number;
  partyId: number | null;
  terms: Terms;
  input: ScheduleInput;
  /** Lowest prices by room, and who else has the rooms in the term. */
  lowest: readonly (Fen | null)[];
  taken: readonly { roomId: number; from: string; to: string | null; label: string }[];
  plan: Plan;
};

/**
 * The text a preview's hash is made of: what goes in and every figure that comes out. No clock, no row version: a preview
 * opened the next morning, or after the contract was handed in, has the same hash unless something about the money changed.
 */
export const hashText = ({
  contractId,
  villageId,
  partyId,
  terms,
  input,
  lowest,
  taken,
  plan,
}: Hashed): string =>
  canonical({
    act: "sign",
    contractId,
    villageId,
    partyId,
    // a rule whose rows were written out counts for nothing any more
    terms: isRuled(terms) ? terms : { ...terms, stepRule: null },
    rooms: input.rooms.map((room, i) => ({ ...room, lowest: lowest[i] ?? null })),
    start: input.start,
    end: input.end,
    anchorDate: input.anchorDate,
    taken: taken.map(({ roomId, from, to, label }) => ({ roomId, from, to, label })),
    bills: plan.bills.map((b) => ({
      key: b.key,
      due: b.dueRuleDate,
      onSigning: b.onSigning,
      amount: b.amount,
      lines: b.lines.map((l) => [l.kind, l.feeKey, l.roomId, l.from, l.to, l.amount]),
    })),
  });

/** The room whose rent after discounts lies furthest below its lowest price, in words; nothing when none does. */
export function belowLowest(
  input: ScheduleInput,
  lowest: readonly (Fen | null)[],
  turnover?: Terms["turnover"],
): string | undefined {
  // a share of the turnover has no lowest price
  if (turnover?.rentKind === "turnover") return undefined;
  for (const { roomId, net } of effectiveMonthlyRent(input).rooms) {
    const least = lowest[input.rooms.findIndex((r) => r.roomId === roomId)] ?? null;
    if (least !== null && net < least)
      return `折后月租 ${yuan(net)} 低于底价 ${yuan(least)}，需要“低于底价签约”权限或审批`;
  }
  return undefined;
}

/** The breach alone, without what it takes. */
export const breachOf = (below: string): string => below.split("，")[0]!;

/** The type of approval that handing in a contract waits for: of its kind, or of what it follows another as. */
export const approvalOf = ({ kind, terms }: { kind: ContractKind; terms: Pick<Terms, "takeOver"> }) =>
  terms.takeOver?.kind ?? (`${kind}Contract` as const);

/** What its processes are chosen by. */
export const APPROVAL_FIELDS: readonly ActField[] = [
  { key: "amount", title: "合同总额", kind: "money" },
  { key: "rent", title: "月租金", kind: "money" },
  { key: "yearRent", title: "年租金", kind: "money" },
  { key: "days", title: "租期天数", kind: "number", unit: "天" },
  { key: "belowLowest", title: "低于底价", kind: "flag" },
  ...DEAL_FIELDS,
];

export function approvalValues({
  plan,
  below,
  ...of
}: Dealt & { plan: Plan; below: string | undefined }): Values {
  const { monthlyRent, start, end } = of.contract;
  const { discount, months, depositMonths, freeDays } = dealOf(of);
  return {
    amount: plan.totals.contractTotal,
    rent: monthlyRent ?? 0,
    yearRent: (monthlyRent ?? 0) * 12,
    days: daysBetween(start!, end!) + 1,
    belowLowest: below ? 1 : 0,
    ...{ discount, months, depositMonths, freeDays },
  };
}
