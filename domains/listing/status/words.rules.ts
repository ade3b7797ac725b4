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
