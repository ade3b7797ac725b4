import type { Words } from "../../../platform/kernel/field.ts";

/** Who has the room; the first that holds, see room_status_at in the migrations. */
export const OCCUPANCY = {
  vacant: ["空置", "green"],
  reserved: ["已预订", "cyan"],
  toMoveIn: ["待入住", "blue"],
  occupied: ["在租", "grey"],
  expiring: ["即将到期", "gold"],
  holdingOver: ["到期未退", "red"],
  leaving: ["退租中", "purple"],
} as const satisfies Words;
export type Occupancy = keyof typeof OCCUPANCY;
export const OCCUPANCIES = Object.keys(OCCUPANCY) as [Occupancy, ...Occupancy[]];

/** Whether it can be let at all. */
export const CONDITION = {
  rentable: ["可租", "green"],
  dirty: ["待保洁", "orange"],
  maintenance: ["维修/装修", "orange"],
  offline: ["停用", "grey"],
  selfUse: ["自用/样板", "grey"],
} as const satisfies Words;
export type Condition = keyof typeof CONDITION;
export const CONDITIONS = Object.keys(CONDITION) as [Condition, ...Condition[]];

/** What else wants an act; any number at once. */
export const FLAG = {
  arrears: ["欠费", "red"],
  signing: ["签约中", "gold"],
  unsettled: ["到期未结账", "purple"],
} as const satisfies Words;
export type Flag = keyof typeof FLAG;
export const FLAGS = Object.keys(FLAG) as [Flag, ...Flag[]];

/** One character for each value, so that weak colours and print need no colour. */
export const CHARACTER: Record<Occupancy | Condition | Flag, string> = {
  vacant: "空",
  reserved: "订",
  toMoveIn: "待",
  occupied: "租",
  expiring: "期",
  holdingOver: "逾",
  leaving: "退",
  rentable: "可",
  dirty: "洁",
  maintenance: "修",
  offline: "停",
  selfUse: "自",
  arrears: "欠",
  signing: "签",
  unsettled: "结",
};

/** Flags of a room as bits, in the order of FLAGS. */
export const bitsOf = (has: (flag: Flag) => boolean): number =>
  FLAGS.reduce((bits, flag, i) => (has(flag) ? bits | (1 << i) : bits), 0);
export const hasFlag = (bits: number, flag: Flag): boolean => (bits & (1 << FLAGS.indexOf(flag))) !== 0;
export const flagsOf = (bits: number): Flag[] => FLAGS.filter((flag) => hasFlag(bits, flag));

export type Counted = { base: number; let: number };

/** 空置率 = (rentable − let) ÷ rentable; rooms out of use leave the denominator. Nothing to let gives no rate. */
export const vacancyRate = ({ base, let: taken }: Counted): number | null =>
  base > 0 ? (base - taken) / base : null;

export const VACANCY_HELP =
  "空置率 =（可租 − 在租）÷ 可租；维修、装修、停用、自用、样板房不计入可租，待保洁计入";
