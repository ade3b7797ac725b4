import type { Words } from "../../../platform/kernel/field.ts";
import { moves } from "../../../platform/kernel/moves.ts";
import { quietMinutes } from "../../system/message/message.rules.ts";

export const CATEGORIES = {
  notice: ["通知", "grey"],
  reminder: ["提醒", "grey"],
  marketing: ["营销", "grey"],
} as const satisfies Words;
export type Category = keyof typeof CATEGORIES;

export const PUSH_STATES = {
  draft: ["草稿", "grey"],
  approving: ["审批中", "gold"],
  scheduled: ["待发送", "blue"],
  sending: ["发送中", "cyan"],
  sent: ["已发送", "green"],
  partly: ["部分失败", "orange"],
  cancelled: ["已取消", "grey"],
  stopped: ["已停止", "red"],
} as const satisfies Words;
export type PushState = keyof typeof PUSH_STATES;

export const RECIPIENT_STATES = {
  queued: ["待发送", "grey"],
  handed: ["发送中", "cyan"],
  delivered: ["已送达", "green"],
  failed: ["失败", "red"],
  skipped: ["已跳过", "orange"],
} as const satisfies Words;

/** Who sends: staff by hand, a rule, or what happens to the customer's own affairs. */
export const SENT_BY = {
  push: ["信息推送", "grey"],
  rule: ["自动提醒", "grey"],
  notice: ["业务通知", "grey"],
} as const satisfies Words;

export const KINDS = {
  renter: ["租客", "grey"],
  company: ["企业客户", "grey"],
  merchant: ["商户", "grey"],
} as const satisfies Words;
export type PartyKind = keyof typeof KINDS;

export const STAGES = {
  prospect: ["意向", "gold"],
  living: ["在租", "green"],
  former: ["历史", "grey"],
} as const satisfies Words;

export const PAGE = "/configuration/MessageManagement";
/** At most so many are named one by one. */
export const NAMED = 500;
/** What the page's address says when it shall open a push to these. */
export const writingTo = (kind: PartyKind, ids: readonly number[]) => ({
  tab: "tasks",
  write: kind,
  ids: ids.join(","),
});

/** Why somebody of the audience is not written to. */
export const SKIPS = {
  noAddress: "无手机号",
  noEmail: "无邮箱",
  optedOut: "已退订",
  black: "黑名单",
} as const;
/** Somebody was named whom the rest of the conditions does not reach. */
export const OUT_OF_REACH = "不在范围";
export type Skip = keyof typeof SKIPS;

/** So many at once anybody may write to who may write at all; more needs authority 1801. */
export const ALONE = 500;
export const MOST = 50_000;
/** Sent at a time. */
export const AT_A_TIME = 200;
/** A time in the future lies so far ahead. */
export const AHEAD_MS = 5 * 60_000;

/** Advertising says how to be rid of it. */
export const WAY_OUT = "拒收请回复R";
export const textFor = (category: Category, text: string): string =>
  category === "marketing" ? `${text} ${WAY_OUT}` : text;

/** Hours of a store in which reminders and advertising disturb; a notice goes at once. */
export type Quiet = { from: string; to: string };
/** What a store has until it chooses others. */
export const QUIET: Quiet = { from: "21:00", to: "08:30" };

/** Minutes that what is to go at this time of the day waits, so that nobody in these stores is disturbed. */
export const waits = (category: Category, clock: string, stores: readonly Quiet[]): number =>
  category === "notice" ? 0 : Math.max(0, ...stores.map(({ from, to }) => quietMinutes(clock, from, to)));

const NAMES = Object.fromEntries(
  Object.entries(PUSH_STATES).map(([state, [title]]) => [state, title]),
) as Record<PushState, string>;

export const PUSH_MOVES = moves<PushState, { failed: number }>(NAMES)({
  edit: { label: "编辑", from: ["draft"], to: "draft" },
  submit: { label: "提交", from: ["draft"], to: "scheduled" },
  cancel: { label: "取消", from: ["draft", "approving", "scheduled"], to: "cancelled" },
  stop: { label: "停止", from: ["sending"], to: "stopped" },
  retry: {
    label: "重发失败",
    from: ["partly", "stopped"],
    to: "sending",
    unless: (row) => row.failed === 0 && "没有发送失败的对象",
  },
  remove: { label: "删除", from: ["draft"], to: "draft" },
});

/** A notice belongs to the act that sent it: its paper or page sends it again. */
export const NOTICE_AGAIN = "业务通知请在对应的单据上重新发送";
