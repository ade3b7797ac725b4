import type { Words } from "../../../platform/kernel/field.ts";

/** The first axis of a room's status: who has it. */
export const OCCUPANCIES = {
  vacant: ["空置", "green"],
  reserved: ["已预订", "cyan"],
  toMoveIn: ["待入住", "blue"],
  occupied: ["在租", "grey"],
  expiring: ["即将到期", "gold"],
  holdingOver: ["到期未退", "red"],
  leaving: ["退租中", "purple"],
} as const satisfies Words;
export type Occupancy = keyof typeof OCCUPANCIES;

/** The second: whether it can be used. */
export const CONDITIONS = {
  rentable: ["可租", "green"],
  dirty: ["待保洁", "gold"],
  maintenance: ["维修/装修", "orange"],
  offline: ["停用", "grey"],
  selfUse: ["自用/样板", "purple"],
} as const satisfies Words;
export type Condition = keyof typeof CONDITIONS;

/** The third: what wants an act. */
export const FLAGS = {
  arrears: ["欠费", "red"],
  approval: ["待审批", "blue"],
  signing: ["签约中", "gold"],
  unsettled: ["到期未结账", "purple"],
  deviceOffline: ["设备离线", "grey"],
} as const satisfies Words;
export type Flag = keyof typeof FLAGS;

const keysOf = <K extends string>(words: Record<K, unknown>) => Object.keys(words) as [K, ...K[]];
export const OCCUPANCY_KEYS = keysOf<Occupancy>(OCCUPANCIES);
export const CONDITION_KEYS = keysOf<Condition>(CONDITIONS);
export const FLAG_KEYS = keysOf<Flag>(FLAGS);

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
  approval: "审",
  signing: "签",
  unsettled: "结",
  deviceOffline: "离",
};

/** Flags of a room as bits, in the order of FLAG_KEYS. */
export const bitsOf = (has: Partial<Record<Flag, boolean>>): number =>
  FLAG_KEYS.reduce((bits, flag, i) => (has[flag] ? bits | (1 << i) : bits), 0);
export const hasFlag = (bits: number, flag: Flag): boolean => (bits & (1 << FLAG_KEYS.indexOf(flag))) !== 0;
export const flagsOf = (bits: number): Flag[] => FLAG_KEYS.filter((flag) => hasFlag(bits, flag));

export type Counted = { base: number; let: number };

/** 空置率 = (rentable − let) ÷ rentable; rooms out of use leave the denominator. Nothing to let gives no rate. */
export const vacancyRate = ({ base, let: taken }: Counted): number | null =>
  base > 0 ? (base - taken) / base : null;

export const VACANCY_HELP =
  "空置率 =（可租 − 在租）÷ 可租；维修、装修、停用、自用、样板房不计入可租，待保洁计入";
