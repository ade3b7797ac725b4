import { moves } from "../../../platform/kernel/moves.ts";
import { CHANGE_STATES, type ChangeState } from "./words.rules.ts";

type Row = { mine: boolean };
const NAMES = Object.fromEntries(Object.entries(CHANGE_STATES).map(([k, [text]]) => [k, text])) as Record<
  ChangeState,
  string
>;

export const CHANGE_MOVES = moves<ChangeState, Row>(NAMES)({
  edit: { label: "编辑", from: ["draft", "rejected"], to: "draft" },
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
  undo: { label: "回滚", from: ["scheduled", "effective"], to: "draft" },
});
