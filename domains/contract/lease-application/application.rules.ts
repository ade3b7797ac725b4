import { addDays, type Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { plainWords } from "../../../platform/kernel/field.ts";
import { moves } from "../../../platform/kernel/moves.ts";

export const APPLICATION_STATES = {
  submitted: ["待审核", "gold"],
  approved: ["已通过", "blue"],
  converted: ["已转合同", "green"],
  rejected: ["已拒绝", "red"],
  cancelled: ["已取消", "grey"],
  expired: ["已过期", "grey"],
} as const satisfies Words;
export type ApplicationState = keyof typeof APPLICATION_STATES;

export const APPLICANTS = plainWords({ renter: "个人", company: "企业", merchant: "商户" });
export type Applicant = keyof typeof APPLICANTS;

export const APPLICATION_SOURCES = plainWords({
  h5: "H5页面",
  miniProgram: "小程序",
  portal: "门户",
  staff: "前台登记",
});

/** Whether the wanted rooms can be had over the wanted term. */
export const ROOM_STATES = {
  free: ["空置", "green"],
  taken: ["已被占用", "red"],
} as const satisfies Words;

export const WARNINGS = {
  black: ["黑名单", "red"],
  owing: ["欠费", "orange"],
} as const satisfies Words;

/** So many days a request waits for its review; so many days before the end its reviewer is told. */
export const WAITS_DAYS = 15;
export const TOLD_BEFORE = 3;
/** A room is kept for an applicant without earnest money for so many days at most. */
export const HOLD_DAYS = 3;
/** Requests of one phone that may wait for their review at a time, as far as strangers make them. */
export const MOST_OPEN = 5;
export const TOO_MANY = "您有待审核的申请，请勿重复提交";
export const KEPT = "已保留房间，请先取消预订，再修改类型、手机号、门店、房间或租期";
export const MOST_DOCUMENTS = 10;
export const MOST_ROOMS = 20;

const NAMES = Object.fromEntries(
  Object.entries(APPLICATION_STATES).map(([state, [title]]) => [state, title]),
) as Record<ApplicationState, string>;

export type ApplicationFacts = {
  partyType: Applicant;
  roomIds: readonly number[];
  /** A room is kept for it already. */
  held: boolean;
};
type Row = ApplicationFacts & { status: ApplicationState };
const same = (row: ApplicationFacts) => (row as Row).status;

export const APPLICATION_MOVES = moves<ApplicationState, ApplicationFacts>(NAMES)({
  edit: { label: "修改", from: ["submitted"], to: "submitted" },
  assign: { label: "指派审核人", from: ["submitted"], to: "submitted" },
  approve: { label: "审核", from: ["submitted"], to: "approved" },
  reject: { label: "拒绝", from: ["submitted"], to: "rejected" },
  hold: {
    label: "保留房间",
    from: ["submitted", "approved"],
    to: same,
    unless: ({ held, roomIds }) =>
      (held && "已为该申请保留房间") ||
      (roomIds.length === 0 && "请先通过换房推荐选定房间") ||
      (roomIds.length > 1 && "申请了多间房，不能保留"),
  },
  changeRoom: {
    label: "换房",
    from: ["submitted", "approved"],
    to: same,
    unless: ({ held }) => held && "已保留房间，请先取消预订",
  },
  convert: {
    label: "转合同",
    from: ["approved"],
    to: "converted",
    unless: ({ roomIds, partyType }) =>
      (roomIds.length === 0 && "请先通过换房推荐选定房间") ||
      (partyType === "renter" && roomIds.length > 1 && "租客合同只能签一间房，请先选定房间"),
  },
  /** Its draft was deleted. */
  giveBack: { label: "退回", from: ["converted"], to: "approved" },
  cancel: { label: "取消", from: ["submitted", "approved"], to: "cancelled" },
  expire: { label: "过期", from: ["submitted"], to: "expired" },
});
export type ApplicationMove = Parameters<typeof APPLICATION_MOVES.next>[0];

/** The first day on which a request of a day is not reviewed any more. */
export const expiryOf = (day: Day): Day => addDays(day, WAITS_DAYS);

/** Why a room cannot be kept until a day, or nothing. */
export function holdUntilRefusal(until: Day, today: Day): string | undefined {
  if (until < today) return "保留至不能早于今天";
  return until > addDays(today, HOLD_DAYS) ? `免定金保留最多${HOLD_DAYS}天` : undefined;
}

/** The room that another takes the place of: of several, one that is named among them. */
export const insteadOf = (roomIds: readonly number[], named: number | undefined): number | undefined =>
  roomIds.length > 1 ? roomIds.find((id) => id === named) : roomIds[0];

/**
 * Rents of a month within which other rooms are offered: up to the budget where one was named, else a fifth around what
 * the wanted room costs. Without either every room is.
 */
export function priceRange(of: { budget: Fen | null; listPrice: Fen | null }): { from: Fen; to: Fen | null } {
  if (of.budget !== null) return { from: Math.floor(of.budget / 2), to: of.budget };
  if (of.listPrice === null) return { from: 0, to: null };
  return { from: Math.ceil((of.listPrice * 4) / 5), to: Math.floor((of.listPrice * 6) / 5) };
}
