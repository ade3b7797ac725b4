import type { CycleMonths } from "../schedule/terms.rules.ts";
import type { Terms } from "./terms.contract.ts";

/** A way of paying: months of deposit, and months paid at a time. `percent` moves the list price, `usual` comes first. */
export type PayChip = {
  text: string;
  months: string;
  cycleMonths: CycleMonths;
  percent?: number;
  usual?: boolean;
};

/** What a new contract starts from where the village has set no terms of its own. */
export const DEFAULT_TERMS: Terms = {
  pricing: "month",
  rentRounding: "fen",
  basis: "actual",
  calendarPeriods: false,
  cycleMonths: 3,
  deposit: { mode: "months", months: "1" },
  due: { rule: "advance", dueDays: 7, firstDueDays: 0 },
  billGrouping: "period",
  graceDays: 3,
  lateFeeDailyRate: "0.05",
  lateFeeCapPercent: 100,
  stepRule: null,
  steps: [],
  rentFree: [],
  noticeDays: 30,
  leaveDayCharged: true,
  penaltyRule: "months",
  penaltyMonths: "1",
  penaltyPercent: 20,
  penaltyCapMonths: "2",
  rentFreeClawback: "none",
  holdoverPercent: 100,
  fees: [],
  policyNote: "",
};

/** 押一付三 and its kin: what the chips of the form stand for where no product offers its own. */
export const PAY_PLANS: readonly PayChip[] = [
  { text: "押一付一", months: "1", cycleMonths: 1 },
  { text: "押一付三", months: "1", cycleMonths: 3 },
  { text: "押二付一", months: "2", cycleMonths: 1 },
  { text: "半年付", months: "1", cycleMonths: 6 },
  { text: "年付", months: "1", cycleMonths: 12 },
  { text: "一次性付清", months: "1", cycleMonths: 0 },
];
