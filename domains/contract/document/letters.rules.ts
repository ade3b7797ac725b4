import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";

export type Standing = {
  voided: boolean;
  receivable: boolean;
  outstanding: Fen;
  issued: boolean;
  dueDate: Day;
  contractId: number | null;
};

/** Why no letter is about a bill, or nothing. The letter of a contract is about all that is late, disputed or not. */
export function whyNoLetter(bill: Standing, today: Day): string | undefined {
  if (bill.voided) return "账单已作废";
  if (!bill.receivable) return "应付账单不需要催缴";
  if (bill.outstanding <= 0) return "账单没有未收金额";
  if (!bill.issued) return "账单未出账";
  if (bill.dueDate >= today) return "账单未逾期";
  if (bill.contractId === null) return "账单没有合同，不能出具催缴函";
  return undefined;
}

/** Why there is no letter at all, with how many bills each reason is about. */
export function whyNothing(reasons: readonly string[]): string {
  if (!reasons.length) return "所选客户没有逾期账单，不需要催缴";
  const counted = [...Map.groupBy(reasons, (why) => why)].map(([why, all]) => `${why} ${all.length} 笔`);
  return `没有可以出具的催缴函：${counted.join("，")}`;
}
