import type { Words } from "../../../platform/kernel/field.ts";

/** How new prices come about. */
export const MODES = {
  percent: ["按百分比", "grey"],
  amount: ["按金额", "grey"],
  set: ["统一价格", "grey"],
  undo: ["恢复原价", "grey"],
} as const satisfies Words;
export type Mode = keyof typeof MODES;

/** What a person chooses from; going back is chosen on the change that it undoes. */
export const TYPED_MODES = {
  percent: MODES.percent,
  amount: MODES.amount,
  set: MODES.set,
} as const satisfies Words;

export const APPLY_TO = {
  list: ["标价", "grey"],
  lowest: ["底价", "grey"],
  both: ["标价和底价", "grey"],
} as const satisfies Words;
export type ApplyTo = keyof typeof APPLY_TO;

export const ROUNDS = {
  fen: ["取整到分", "grey"],
  jiao: ["取整到角", "grey"],
  yuan: ["取整到元", "grey"],
  tenYuan: ["取整到十元", "grey"],
} as const satisfies Words;
export type Round = keyof typeof ROUNDS;

/** What a change is of. */
export const CHANGE_KINDS = {
  batch: ["批量调价", "grey"],
  room: ["房间改价", "grey"],
  follow: ["恢复跟随产品", "grey"],
  product: ["产品调价", "grey"],
} as const satisfies Words;
export type ChangeKind = keyof typeof CHANGE_KINDS;

export const CHANGE_STATES = {
  draft: ["草稿", "grey"],
  approving: ["审批中", "gold"],
  running: ["执行中", "blue"],
  rejected: ["已驳回", "red"],
  scheduled: ["待生效", "blue"],
  effective: ["已生效", "green"],
  cancelled: ["已取消", "grey"],
} as const satisfies Words;
export type ChangeState = keyof typeof CHANGE_STATES;

/** Which lines of a preview or of a change are looked at. */
export const LINE_PARTS = {
  all: ["全部", "grey"],
  warned: ["有提醒", "orange"],
  edited: ["手工修改", "blue"],
  skipped: ["已跳过", "grey"],
} as const satisfies Words;
export type LinePart = keyof typeof LINE_PARTS;

export const MOST_ROOMS = 20_000;
export const SKIPPED_BY_HAND = "手动跳过";
