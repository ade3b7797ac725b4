import { CONDITIONS, FLAGS, OCCUPANCIES, type Condition, type Flag, type Occupancy } from "./words.rules.ts";

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
