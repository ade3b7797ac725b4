import { moves } from "../../../platform/kernel/moves.ts";
import { CHANGE_STATES, type ChangeKind, type ChangeState } from "./words.rules.ts";

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
