import { type Day, addDays, daysBetween } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { moves } from "../../../platform/kernel/moves.ts";
import { FROZEN } from "../../approval/examine/engine.rules.ts";
import type { MoveInRule } from "../config/config.rules.ts";
import { type RentFrom, rentsOver } from "../schedule/steps.rules.ts";
import { scheduleOf } from "../terms/terms.rules.ts";

/** The states as stored. */
export const STATES = {
  draft: "草稿",
  approving: "审批中",
  signing: "待签署",
  effective: "已签署",
  expired: "到期未退",
  ended: "已结束",
  terminated: "提前终止",
  voided: "作废",
  renewed: "已续租",
  changedRoom: "已换房",
} as const;
export type State = keyof typeof STATES;

/** The states as people read them: an effective contract is yet to start, running, or soon to end. */
export const PHASES = {
  draft: ["草稿", "grey"],
  approving: ["审批中", "blue"],
  signing: ["待签署", "gold"],
  toStart: ["待生效", "cyan"],
  living: ["在租", "green"],
  ending: ["即将到期", "orange"],
  expired: ["到期未退", "red"],
  ended: ["已结束", "grey"],
  terminated: ["提前终止", "red"],
  voided: ["作废", "grey"],
  renewed: ["已续租", "purple"],
  changedRoom: ["已换房", "purple"],
} as const satisfies Words;
export type Phase = keyof typeof PHASES;

/** A contract ends soon in its last 30 days. */
export const ENDING_DAYS = 30;

export function phaseOf(row: { state: State; start: Day | null; end: Day | null }, today: Day): Phase {
  if (row.state !== "effective") return row.state;
  if (row.start! > today) return "toStart";
  return daysBetween(today, row.end!) <= ENDING_DAYS ? "ending" : "living";
}

/** Why a room is not ready for its next tenant. */
export const HELD = ["lived", "leaving", "dirty"] as const;
export type RoomHeld = { why: (typeof HELD)[number]; room: string };

const heldText = ({ why, room }: RoomHeld) =>
  ({
    lived: "原租客尚未退房",
    leaving: "上一租约未结束，暂不能办理入住",
    dirty: `${room} 待保洁，完成保洁后才能办理入住`,
  })[why];

/** What the moves look at. The list and the detail carry it, so the console greys out by the same table. */
export type Facts = {
  today: Day;
  start: Day | null;
  handoverOn: Day | null;
  /** Was handed in for signing at least once. */
  submitted: boolean;
  received: Fen;
  /** Bills with something invoiced. */
  invoiced: number;
  /** Open sums of the bills due on signing, and of the deposit alone. */
  firstOpen: Fen;
  depositOpen: Fen;
  moveInRule: MoveInRule;
  /** A room of it in which somebody lives, that a tenant is leaving, or that is to be cleaned. */
  roomHeld: RoomHeld | null;
  /** The operator may hand over although the rule is not met. */
  mayOverride: boolean;
  /** The reader handed it in, or signs contracts of its kind: he may take it back. */
  mayWithdraw: boolean;
  /** Whose submission waits for approval: the reader's own, or somebody else's. */
  frozen: "mine" | "others" | null;
};

const frozen = (row: Facts) => row.frozen !== null && FROZEN;

/** What stands in the way of voiding, counted: 已收 14,000.00 元、已开发票 1 张、已办理入住. */
export function voidObstacles({ received, invoiced, handoverOn }: Facts): string[] {
  return [
    received > 0 && `已收 ${yuan(received)} 元`,
    invoiced > 0 && `已开发票 ${invoiced} 张`,
    handoverOn && "已办理入住",
  ].filter((text) => typeof text === "string");
}

export function moveInRefusal({ moveInRule, firstOpen, depositOpen }: Facts): string | undefined {
  if (moveInRule === "firstPaid" && firstOpen > 0)
    return `首期账单未付清（尚欠 ${yuan(firstOpen)} 元），不能办理入住`;
  if (moveInRule === "depositPaid" && depositOpen > 0)
    return `押金未付清（尚欠 ${yuan(depositOpen)} 元），不能办理入住`;
  return undefined;
}

/** Keys may change hands from a week before the first day on. */
export const HANDOVER_AHEAD_DAYS = 7;

function handoverRefusal(row: Facts): string | undefined {
  if (row.frozen) return FROZEN;
  if (row.handoverOn) return `已于 ${row.handoverOn} 办理入住`;
  if (row.start! > addDays(row.today, HANDOVER_AHEAD_DAYS))
    return `起租日前 ${HANDOVER_AHEAD_DAYS} 天内才能办理入住`;
  if (row.roomHeld) return heldText(row.roomHeld);
  return row.mayOverride ? undefined : moveInRefusal(row);
}

function voidRefusal(row: Facts & { status: State }): string | undefined {
  if (row.status === "draft" && !row.submitted) return "未提交过的草稿请直接删除";
  if (row.frozen) return FROZEN;
  const obstacles = voidObstacles(row);
  if (!obstacles.length) return undefined;
  return `${obstacles.join("、")}，不能作废${row.received > 0 ? "，请办理退房" : ""}`;
}

const changeRefusal = (what: string, row: Facts & { status: State }): string | undefined =>
  row.frozen !== null ? FROZEN : row.status === "expired" ? `到期未退的合同不能${what}` : undefined;

/** The state machine. Whatever stands not here is refused with the state's name. */
export const contractMoves = moves<State, Facts>(STATES)({
  edit: { label: "编辑", from: ["draft"], to: "draft", unless: frozen },
  submit: { label: "提交签约", from: ["draft"], to: "approving", unless: frozen },
  approve: { label: "审批通过", from: ["approving"], to: "signing" },
  withdraw: {
    label: "撤回",
    from: ["approving", "signing"],
    to: "draft",
    unless: (row) =>
      ((row as Facts & { status: State }).status === "signing" && frozen(row)) ||
      (!row.mayWithdraw && "只有提交人可以撤回"),
  },
  sign: { label: "确认签署", from: ["signing"], to: "effective", unless: frozen },
  fallBack: { label: "退回草稿", from: ["signing"], to: "draft" },
  expire: { label: "转为到期未退", from: ["effective"], to: "expired" },
  void: {
    label: "作废",
    from: ["draft", "signing", "effective"],
    to: "voided",
    unless: (row) => voidRefusal(row as Facts & { status: State }),
  },
  remove: {
    label: "删除",
    from: ["draft"],
    to: "draft",
    unless: (row) => row.submitted && "提交过的合同不能删除，请作废",
  },
  settle: { label: "退房", from: ["effective", "expired"], to: "terminated", unless: frozen },
  changeRoom: {
    label: "换房",
    from: ["effective", "expired"],
    to: "changedRoom",
    unless: (row) => changeRefusal("换房", row as Facts & { status: State }),
  },
  changeTenant: {
    label: "转租",
    from: ["effective", "expired"],
    to: "terminated",
    unless: (row) => changeRefusal("转租", row as Facts & { status: State }),
  },
  amend: { label: "变更条款", from: ["effective"], to: "effective", unless: frozen },
  addRooms: { label: "加房", from: ["effective"], to: "effective", unless: frozen },
  returnRooms: { label: "退部分房", from: ["effective"], to: "effective", unless: frozen },
  exchangeRooms: { label: "调换房间", from: ["effective"], to: "effective", unless: frozen },
  handover: { label: "办理入住", from: ["effective"], to: "effective", unless: handoverRefusal },
});
/** Whether rent runs: `in_force` of the database says the same of its rows. */
export const isInForce = (state: string): boolean => state === "effective" || state === "expired";

/** Why a contract's keeper cannot be changed now, or nothing: while it is drawn up, signed or lived in he can. */
export const whyNotKeeper = (state: State): string | undefined =>
  ["draft", "approving", "signing", "effective", "expired"].includes(state)
    ? undefined
    : `${STATES[state]}的合同不能换管家`;

/** Why no further file of a contract is taken now, or nothing. */
export const whyNotFurther = (state: State): string | undefined =>
  state === "draft" ? "合同提交之后才能补传文件" : undefined;

export type MoveName =
  | "edit"
  | "submit"
  | "approve"
  | "withdraw"
  | "sign"
  | "void"
  | "remove"
  | "handover"
  | "settle"
  | "changeRoom"
  | "changeTenant"
  | "amend"
  | "addRooms"
  | "returnRooms"
  | "exchangeRooms";

type Agreed = Parameters<typeof scheduleOf>[0];
type Shown = Pick<Agreed, "terms" | "rooms"> & Record<"startDate" | "endDate" | "anchorDate", string | null>;

/** The rents over the term as the bills charge them; of a draft without dates only the first. */
export function rentsOf({ startDate, endDate, anchorDate, terms, rooms }: Shown): RentFrom[] {
  if (!startDate || !endDate || !rooms.length) {
    const rents = rooms.map((room) => room.monthlyRent);
    return [{ fromDate: startDate ?? "", rent: rents.reduce((a, b) => a + b, 0), rooms: rents }];
  }
  return rentsOver(scheduleOf({ start: startDate, end: endDate, anchorDate, terms, rooms }));
}

/** The rooms that belong to a contract still; of one that has given back all, all of them. */
export function roomsLeft<R extends { leaveDate?: string | null | undefined }>(
  rooms: readonly R[],
): readonly R[] {
  const left = rooms.filter((room) => !room.leaveDate);
  return left.length ? left : rooms;
}

/** How many rooms there are, and how many were given back. */
export function roomCountText(rooms: Parameters<typeof roomsLeft>[0]): string {
  const left = roomsLeft(rooms).length;
  const gone = rooms.length - left;
  return `${left} 间${gone ? `，另有 ${gone} 间已退` : ""}`;
}

/** The rooms of a contract in a line of the log, which each of them bears: of many only the first, and how many there are. */
export function roomsText(roomNames: string): string {
  const names = roomNames.split("、");
  return names.length > 10 ? `${names.slice(0, 3).join("、")} 等 ${names.length} 间` : roomNames;
}
