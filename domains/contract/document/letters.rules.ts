import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { DISPUTED } from "../../finance/checkout/remind.rules.ts";

/** Letters in one file: printed within the time that a call may take. */
export const MOST_LETTERS = 2000;

export type Standing = {
  /** Whoever asks may read contracts of its kind. */
  readable: boolean;
  voided: boolean;
  receivable: boolean;
  outstanding: Fen;
  issued: boolean;
  dueDate: Day;
  disputed: boolean;
  contractId: number | null;
};

/** Why no letter is about a bill, or nothing. The letter of a contract is about all that is late and not disputed. */
export function whyNoLetter(bill: Standing, today: Day): string | undefined {
  if (!bill.readable) return "没有查看该类合同的权限";
  if (bill.voided) return "账单已作废";
  if (!bill.receivable) return "应付账单不需要催缴";
  if (bill.outstanding <= 0) return "账单没有未收金额";
  if (!bill.issued) return "账单未出账";
  if (bill.dueDate >= today) return "账单未逾期";
  if (bill.disputed) return DISPUTED;
  if (bill.contractId === null) return "账单没有合同，不能出具催缴函";
  return undefined;
}

/** Why there are too many letters for one file, or nothing. */
export const tooMany = (letters: number): string | undefined =>
  letters > MOST_LETTERS
    ? `一次最多打印${MOST_LETTERS}份催缴函，所选客户共 ${letters} 份，请分批选择客户`
    : undefined;

/** Why there is no letter at all, with how many bills each reason is about. */
export function whyNothing(reasons: readonly string[]): string {
  if (!reasons.length) return "所选客户没有逾期账单，不需要催缴";
  const counted = [...Map.groupBy(reasons, (why) => why)].map(([why, all]) => `${why} ${all.length} 笔`);
  return `没有可以出具的催缴函：${counted.join("，")}`;
}
