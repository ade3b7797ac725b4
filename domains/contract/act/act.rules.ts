import type { Words } from "../../../platform/kernel/field.ts";
import { moves } from "../../../platform/kernel/moves.ts";
import type { DocKind } from "../template/doc-kind.rules.ts";

/** What can be done to a running contract, each with the letters of its numbers. */
export const ACT_KINDS = {
  settle: "TF",
  renew: "XZ",
  changeRoom: "HF",
  changeTenant: "ZZ",
  amend: "BC",
  addRooms: "JF",
  returnRooms: "JF",
  exchangeRooms: "JF",
} as const;
export type ActKind = keyof typeof ACT_KINDS;

/** The document of each kind of act; a renewal is a contract of its own. */
export const ACT_DOCUMENTS = {
  settle: "settlementSheet",
  changeRoom: "changeRoom",
  changeTenant: "changeTenant",
  amend: "supplement",
  addRooms: "supplement",
  returnRooms: "supplement",
  exchangeRooms: "supplement",
} as const satisfies Partial<Record<ActKind, DocKind>>;
export const documentOf = (kind: ActKind): DocKind | undefined =>
  kind === "renew" ? undefined : ACT_DOCUMENTS[kind];

/** All kinds of acts, as a contract's own list names them. */
export const ACT_KIND_WORDS = {
  settle: ["退房", "grey"],
  renew: ["续租", "grey"],
  changeRoom: ["换房", "grey"],
  changeTenant: ["转租", "grey"],
  amend: ["变更条款", "grey"],
  addRooms: ["加房", "grey"],
  returnRooms: ["退部分房", "grey"],
  exchangeRooms: ["调换房间", "grey"],
} as const satisfies Words;

export const ACT_STATES = {
  requested: ["待受理", "gold"],
  inspecting: ["验房中", "blue"],
  settling: ["结算中", "blue"],
  handling: ["处理中", "blue"],
  approving: ["审批中", "blue"],
  confirming: ["待租客确认", "gold"],
  signing: ["待签署", "gold"],
  toPay: ["待收付", "orange"],
  done: ["已完成", "green"],
  rejected: ["已驳回", "grey"],
  cancelled: ["已取消", "grey"],
} as const satisfies Words;
export type ActState = keyof typeof ACT_STATES;

export const ACT_SOURCES = {
  staff: ["员工", "grey"],
  renter: ["租客", "grey"],
  job: ["系统", "grey"],
} as const satisfies Words;

/** While an act is open, no other begins on the contract. */
export const OPEN = [
  "requested",
  "inspecting",
  "settling",
  "handling",
  "approving",
  "confirming",
  "signing",
] as const satisfies readonly ActState[];

/** While what it comes to stands: from handing in on. What is worked on anew, or came to nothing, has no figure. */
export const FIGURED = [
  "approving",
  "confirming",
  "signing",
  "toPay",
  "done",
] as const satisfies readonly ActState[];

export const ACT_OPEN = "该合同有进行中的续租、换房、转租、退房或变更，请先完成或取消";

const NAMES = Object.fromEntries(Object.entries(ACT_STATES).map(([key, [title]]) => [key, title])) as Record<
  ActState,
  string
>;

export type ActFacts = {
  /** The party has agreed to what was worked out, or its agreement is not asked for. */
  agreed: boolean;
  frozen: boolean;
};

const frozen = ({ frozen }: ActFacts) => frozen && "审批中，不能修改";

/** A leaving: the home is looked at, settled, and the money comes through afterwards. */
export const ACT_MOVES = moves<ActState, ActFacts>(NAMES)({
  accept: { label: "受理", from: ["requested"], to: "inspecting" },
  reject: { label: "驳回", from: ["requested"], to: "rejected" },
  edit: {
    label: "编辑",
    from: ["inspecting", "settling", "confirming"],
    to: "settling",
    unless: frozen,
  },
  /** Also once more, when it comes to something else than was handed in. */
  submit: { label: "提交", from: ["inspecting", "settling", "confirming"], to: "confirming", unless: frozen },
  present: {
    label: "送达",
    from: ["confirming"],
    to: "confirming",
    unless: (row) => frozen(row) || (row.agreed && "租客已确认"),
  },
  agree: { label: "登记确认", from: ["confirming"], to: "confirming", unless: frozen },
  object: { label: "提出异议", from: ["confirming"], to: "settling" },
  confirm: {
    label: "确认结算",
    from: ["confirming"],
    to: "toPay",
    unless: (row) => frozen(row) || (!row.agreed && "租客尚未确认"),
  },
  finish: { label: "结清", from: ["toPay"], to: "done" },
  cancel: {
    label: "取消",
    from: ["requested", "inspecting", "settling", "confirming"],
    to: "cancelled",
    unless: frozen,
  },
  undo: { label: "撤销结算", from: ["toPay", "done"], to: "settling" },
});
export type ActMove =
  | "accept"
  | "reject"
  | "edit"
  | "submit"
  | "present"
  | "agree"
  | "object"
  | "confirm"
  | "cancel"
  | "undo";

/** A change of the lease: drawn up, signed by the tenant, in force. */
export const CHANGE_MOVES = moves<ActState, ActFacts>(NAMES)({
  accept: { label: "受理", from: ["requested"], to: "handling" },
  reject: { label: "驳回", from: ["requested"], to: "rejected" },
  edit: { label: "编辑", from: ["handling", "signing"], to: "handling", unless: frozen },
  submit: { label: "提交", from: ["handling"], to: "signing", unless: frozen },
  present: {
    label: "送达",
    from: ["signing"],
    to: "signing",
    unless: (row) => frozen(row) || (row.agreed && "租客已签署"),
  },
  agree: { label: "登记签署", from: ["signing"], to: "signing", unless: frozen },
  /** What was being signed came to nothing. */
  object: { label: "退回", from: ["signing"], to: "handling" },
  confirm: {
    label: "确认生效",
    from: ["signing"],
    to: "done",
    unless: (row) => frozen(row) || (!row.agreed && "租客尚未签署"),
  },
  cancel: { label: "取消", from: ["requested", "handling", "signing"], to: "cancelled", unless: frozen },
  undo: { label: "撤销", from: ["done"], to: "handling" },
});

/** How a kind of act goes from step to step. */
export const movesOf = (kind: ActKind) => (kind === "settle" ? ACT_MOVES : CHANGE_MOVES);
