import { type Words, plainWords } from "../../../platform/kernel/field.ts";
import { moves } from "../../../platform/kernel/moves.ts";

/** How new prices come about. */
export const MODES = plainWords({ percent: "按百分比", amount: "按金额", set: "统一价格", undo: "恢复原价" });
export type Mode = keyof typeof MODES;

/** What a person chooses from; going back is chosen on the change that it undoes. */
export const TYPED_MODES = {
  percent: MODES.percent,
  amount: MODES.amount,
  set: MODES.set,
} as const satisfies Words;

export const APPLY_TO = plainWords({ list: "标价", lowest: "底价", both: "标价和底价" });
export type ApplyTo = keyof typeof APPLY_TO;

export const ROUNDS = plainWords({
  fen: "取整到分",
  jiao: "取整到角",
  yuan: "取整到元",
  tenYuan: "取整到十元",
});
export type Round = keyof typeof ROUNDS;

/** What a change is of. */
export const CHANGE_KINDS = plainWords({
  batch: "批量调价",
  room: "房间改价",
  follow: "恢复跟随产品",
  product: "产品调价",
});
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

type Row = { mine: boolean; kind: ChangeKind };
/** Only changes of many rooms are planned; the others were typed with the room or the product. */
const elsewhere = ({ kind }: Row) =>
  kind === "product" ? "请在产品中重新调价" : kind !== "batch" && "请在房间中重新改价";
/** What follows a product has no old price of its own to come back to. */
export const notUndone = (kind: ChangeKind): string | false =>
  (kind === "product" || kind === "follow") && "跟随产品的价格不能回滚，请重新调整产品或房间的价格";

const NAMES = Object.fromEntries(Object.entries(CHANGE_STATES).map(([k, [text]]) => [k, text])) as Record<
  ChangeState,
  string
>;

export const CHANGE_MOVES = moves<ChangeState, Row>(NAMES)({
  edit: { label: "编辑", from: ["draft", "rejected"], to: "draft", unless: elsewhere },
  submit: { label: "提交", from: ["draft", "rejected"], to: "approving" },
  withdraw: {
    label: "撤回",
    from: ["approving"],
    to: "draft",
    unless: (row) => !row.mine && "只有提交人可以撤回",
  },
  cancel: {
    label: "取消",
    from: ["draft", "rejected", "scheduled", "effective"],
    to: "cancelled",
    unless: (row) => (row as Row & { status: ChangeState }).status === "effective" && "调价已生效，不能取消",
  },
  undo: {
    label: "回滚",
    from: ["scheduled", "effective"],
    to: "draft",
    unless: (row) => notUndone(row.kind),
  },
});
