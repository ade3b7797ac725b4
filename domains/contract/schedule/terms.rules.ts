import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";

/** How a partial month is charged: by its own days, by 30 days, by 365 days a year, or by area and day. */
export const BASES = ["actual", "30", "365", "area"] as const;
export type Basis = (typeof BASES)[number];
/** Months of one billing period; 0 = the whole term at once. */
export const CYCLES = [1, 2, 3, 6, 12, 0] as const;
export type CycleMonths = (typeof CYCLES)[number];
export type RentRounding = "fen" | "jiao" | "yuan";
/** A plain decimal such as "4.50"; never a floating-point number. */
export type Decimal = string;

/** A room of the contract. It is charged from the later of joinDate and start to the earlier of leaveDate and end. */
export type ScheduleRoom = {
  roomId: number;
  /** Ignored when pricing is areaDay: then it follows from unitPrice and area. */
  monthlyRent: Fen;
  /** m², 2 decimals. */
  area?: Decimal | null;
  /** Yuan per m² and day, 6 decimals. */
  unitPrice?: Decimal | null;
  joinDate: Day;
  leaveDate?: Day | null;
  /** Used when the deposit is an amount and every room names its own. */
  depositAmount?: Fen | null;
  /**
   * Rent before the steps that monthlyRent holds already, of a room taken over: percentBase goes on counting from it, and a day
   * by unitPrice and area weighs against it. See rentsAt.
   */
  baseRent?: Fen | null;
};

/** What a predecessor has charged of one rent or fee in the month that is taken over, where that is not simply its days at one price. */
export type Carried = {
  feeKey: "rent" | number;
  roomId: number | null;
  /** In force on the first day after it. Another price begins the month's running total anew. */
  price: Fen;
  /** Its own charged days, free ones included. */
  days: number;
  /** Exact fen, as units of the month's whole: "n/d". */
  cost: `${bigint}/${bigint}`;
  /** Of a fee that is whole for every started period: the predecessor did not charge the period begun, and so many months before it. */
  open?: number;
};

export type StepMode = "percentCompound" | "percentBase" | "amount" | "table";
/**
 * A new rent from a day on. Without roomId it changes every room by its mode and value; with roomId, or in a contract of one room,
 * resultRent is what is billed, so a figure corrected by hand counts.
 */
export type RentStep = {
  roomId?: number | null;
  fromDate: Day;
  mode: StepMode;
  /** Percent ("5"), or fen ("20000") for amount and table. percentBase counts from the first rent: year 3 of 5 % reads "10". */
  value: Decimal;
  resultRent: Fen;
  source: "rule" | "manual";
};

export type RentFree = {
  roomId?: number | null;
  fromDate: Day;
  toDate: Day;
  /** Fees that are free on these days too. */
  feeIds?: readonly number[];
};

export type DueRule = {
  rule: "advance" | "fixedDay" | "signing";
  dueDays?: number;
  dueDay?: number;
  dueMonthOffset?: -1 | 0 | 1;
};

export type ScheduleFee = {
  feeId: number;
  name?: string;
  roomId?: number | null;
  kind: "recurring" | "once" | "depositInKind";
  /** Per month when recurring, whatever the cycle; else the sum. */
  amount: Fen;
  cycleMonths?: CycleMonths;
  /** false = whole for every started period; else by the day. */
  prorate?: boolean;
  /** Both default to the contract's. */
  basis?: Basis | null;
  due?: DueRule | null;
  /** Recurring fees that occupants pay are billed to them month by month, each for the days he lived there. */
  payer?: "party" | "occupant";
  /** The days it is charged for; a one-off fee with fromDate joins the period of that day, without it is due on signing. */
  fromDate?: Day | null;
  toDate?: Day | null;
};

export type ScheduleDiscount = {
  kind: "firstMonths" | "percent" | "amount";
  /** Number of months, percent, or fen. */
  value: Decimal;
  /** Contract months, counted from 1; default the first to the last. */
  fromMonth?: number | null;
  toMonth?: number | null;
  /** amount only: true takes the sum off every month, false once. */
  everyMonth?: boolean;
  /** Order inside one kind. */
  order: number;
  /** Fees it lowers; empty = the rent. */
  feeIds?: readonly number[];
};

export type ScheduleDeposit = { mode: "months"; months: Decimal } | { mode: "amount"; amount: Fen };

/** Everything a contract's bills follow from. Plain data; there is no clock in it. */
export type ScheduleInput = {
  start: Day;
  end: Day;
  /** Months are counted from here: start, or the 1st of its month with calendar periods, or the old anchor after a change of room or tenant. */
  anchorDate: Day;
  calendarPeriods: boolean;
  cycleMonths: CycleMonths;
  pricing: "month" | "areaDay";
  basis: Basis;
  rentRounding: RentRounding;
  rooms: readonly ScheduleRoom[];
  steps: readonly RentStep[];
  rentFree: readonly RentFree[];
  fees: readonly ScheduleFee[];
  discounts: readonly ScheduleDiscount[];
  deposit: ScheduleDeposit;
  /** Fen of the deposit that the contract before hands over: only the rest of it is billed. */
  depositCarried?: Fen;
  due: DueRule & { firstDueDays?: number };
  billGrouping: "period" | "fee";
  /** One bill for each room instead of one for the contract. */
  billPerRoom?: boolean;
  /** Days of the first contract month that the predecessor charged; null or missing = nobody went before. See takeOver. */
  carriedDays?: number | null;
  carried?: readonly Carried[] | undefined;
  /** Lines end on the day before this one and begin anew on it. Their sums stay what they are. See restAfter. */
  splitAt?: Day | null;
  termsVersion?: number;
};
