import type { Day, Month } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Basis, Decimal } from "./terms.rules.ts";

/** What one contract month adds to a line. */
export type Slice = { from: Day; to: Day; amount: Fen };

/** n ÷ d, exact. */
export type Fraction = `${bigint}/${bigint}`;

/** A stretch of one price: whole contract months in a row … */
export type WholeMonths = { price: Fen; months: number; days: number };
/** … or some days of one month: the days after the first `counted` of its `monthDays`. */
export type MonthDays = {
  price: Fen;
  months: 0;
  days: number;
  monthDays: number;
  counted: number;
  /** Fen before rounding, and the month's running total before this stretch. */
  exact: Fraction;
  before: Fraction;
};
export type PricePart = WholeMonths | MonthDays;

type Why = { termsVersion: number; rounding: "halfUp" | "none"; formula: string };
export type PriceExplain = Why & {
  rule: "rent" | "fee";
  basis: Basis;
  days: number;
  parts: PricePart[];
  area?: { unitPrice: Decimal; area: Decimal; rent: Fen };
};
/** forgone = what the days would have cost. */
export type FreeExplain = Why & { rule: "free"; days: number; forgone: Fen };
export type WholeFeeExplain = Why & { rule: "wholePeriod"; price: Fen; months: number };
export type SumExplain = Why & { rule: "once" | "depositAmount"; price: Fen };
/** The deposit less what the contract before hands over of it. */
export type DepositRestExplain = Why & { rule: "depositRest"; price: Fen; carried: Fen };
export type DepositExplain = Why & { rule: "depositMonths"; price: Fen; months: Decimal };
/** base = what is left of the month's charge before this discount. */
export type MonthOff = { month: number; base: Fen };
/** A sum shared by several rooms: `budget` is taken from `whole`, of which `skipped` stands before this room. */
export type SharedOff = MonthOff & { budget: Fen; whole: Fen; skipped: Fen };
export type DiscountExplain =
  | (Why & { rule: "firstMonths"; value: Decimal; parts: MonthOff[] })
  | (Why & { rule: "percentOff"; value: Decimal; parts: MonthOff[] })
  | (Why & { rule: "amountOff"; value: Decimal; parts: SharedOff[] });

/** Why a line has its amount, as data: `recompute` gives the same fen, `sentence` says it in words. */
export type Explain =
  | PriceExplain
  | FreeExplain
  | WholeFeeExplain
  | SumExplain
  | DepositExplain
  | DepositRestExplain
  | DiscountExplain;

export type LineKind = "rent" | "fee" | "discount" | "deposit" | "once";
export type FeeKey = "rent" | "deposit" | number;

export type Line = {
  kind: LineKind;
  /** The fee subject: rent, deposit, or the id of a fee. A discount carries the key of what it lowers. */
  feeKey: FeeKey;
  roomId: number | null;
  /** Place of the fee (kind fee, once, deposit in kind) or discount in the input's list. */
  item: number | null;
  periodNo: number;
  from: Day;
  to: Day;
  amount: Fen;
  slices: Slice[];
  explain: Explain;
};

export type BillKind = "deposit" | "rent" | "fee" | "once";

export type PlannedBill = {
  /** Unique in the plan; the same before and after a trim. */
  key: string;
  kind: BillKind;
  /** Counted from 1; 0 for deposits and one-off bills. */
  periodNo: number;
  title: string;
  /** Set when the bill belongs to one room. */
  roomId: number | null;
  periodStart: Day;
  periodEnd: Day;
  /** null = there is no date but the signing. */
  dueRuleDate: Day | null;
  /** Due on signing + firstDueDays whatever the rule date says. */
  onSigning: boolean;
  amount: Fen;
  lines: Line[];
};

/** Bills that start in one natural month. Discounts are negative; free = what rent-free days would have cost. */
export type MonthBar = { month: Month; rent: Fen; fee: Fen; deposit: Fen; discount: Fen; free: Fen };

export type PlanTotals = {
  atSigning: Fen;
  deposit: Fen;
  /** Without the deposit. */
  contractTotal: Fen;
  /** Rent of the first period after discounts. */
  firstRent: Fen;
  rent: Fen;
  fees: Fen;
  discounts: Fen;
  forgone: Fen;
  /** 折后月租; null while the contract has no charged day. */
  netMonthlyRent: Fen | null;
  months: MonthBar[];
};

export type Plan = { bills: PlannedBill[]; totals: PlanTotals };
