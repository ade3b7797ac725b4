import { type Day, daysBetween } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { moves } from "../../../platform/kernel/moves.ts";
import { type Entry, credit, debit } from "../journal/journal.rules.ts";

export const REFUND_STATE = {
  applied: ["已申请", "gold"],
  approving: ["审批中", "blue"],
  toPay: ["待支付", "orange"],
  paying: ["支付中", "cyan"],
  failed: ["失败", "red"],
  paid: ["已退款", "green"],
  rejected: ["已驳回", "grey"],
  cancelled: ["已取消", "grey"],
} as const satisfies Words;
export type RefundState = keyof typeof REFUND_STATE;

export const REFUND_SOURCE = {
  prepaid: ["预存款", "grey"],
  deposit: ["押金", "grey"],
  earnest: ["定金", "grey"],
  settlement: ["退房结算", "grey"],
  transfer: ["误转退回", "grey"],
} as const satisfies Words;
export type RefundSource = keyof typeof REFUND_SOURCE;

export const ROUTES = {
  channel: ["原路退回", "grey"],
  bank: ["银行打款", "grey"],
  cash: ["现金", "grey"],
} as const satisfies Words;
export type Route = keyof typeof ROUTES;

export const ATTEMPT_STATE = {
  requested: ["已提交", "cyan"],
  success: ["成功", "green"],
  failed: ["失败", "red"],
  unknown: ["结果未知", "gold"],
  returned: ["已退回", "orange"],
  replaced: ["已更换", "grey"],
} as const satisfies Words;

/** Tabs of the list, each some states. */
export const TABS = {
  approving: { title: "待审批", states: ["applied", "approving"] },
  toPay: { title: "待支付", states: ["toPay"] },
  paying: { title: "支付中", states: ["paying"] },
  failed: { title: "失败", states: ["failed"] },
  paid: { title: "已退款", states: ["paid"] },
  ended: { title: "已驳回/取消", states: ["rejected", "cancelled"] },
} as const satisfies Record<string, { title: string; states: readonly RefundState[] }>;
export type RefundTab = keyof typeof TABS;
export const TAB_KEYS = ["all", ...Object.keys(TABS)] as ["all", ...RefundTab[]];

const NAMES = Object.fromEntries(
  Object.entries(REFUND_STATE).map(([key, [title]]) => [key, title]),
) as Record<RefundState, string>;
type Row = { route: Route; paid: Fen; payeeTail: string; unsure?: boolean };

const paidInPart = (row: Row) => row.paid > 0 && "部分款项已退出，不能取消";
export const REFUND_MOVES = moves<RefundState, Row>(NAMES)({
  submit: { label: "提交审批", from: ["applied"], to: "approving" },
  approve: { label: "通过", from: ["applied", "approving"], to: "toPay" },
  reject: { label: "驳回", from: ["applied", "approving"], to: "rejected" },
  cancel: { label: "取消", from: ["applied", "approving", "toPay"], to: "cancelled", unless: paidInPart },
  pay: {
    label: "支付",
    from: ["toPay"],
    to: "paying",
    unless: (row) => row.route !== "channel" && "该退款须打款后确认，不能由渠道支付",
  },
  retry: {
    label: "重试",
    from: ["failed"],
    to: "paying",
    unless: (row) => row.route !== "channel" && "请更换退款方式后重新支付",
  },
  reroute: { label: "更换方式", from: ["toPay", "failed"], to: "toPay" },
  file: {
    label: "导出付款文件",
    from: ["toPay", "paying"],
    to: "paying",
    unless: (row) =>
      (row.route !== "bank" && "只有银行打款的退款需要付款文件") ||
      (!row.payeeTail && "请先填写收款账号（更换方式）"),
  },
  confirm: {
    label: "确认已付",
    from: ["toPay", "paying"],
    to: "paid",
    unless: (row) =>
      (row.route === "channel" && "原路退回由渠道确认") ||
      (row.route === "bank" && !row.payeeTail && "请先填写收款账号（更换方式）"),
  },
  fail: {
    label: "付款失败",
    from: ["paying"],
    to: "failed",
    unless: (row) => row.route === "channel" && "原路退回由渠道确认",
  },
  returned: {
    label: "登记退回",
    from: ["paid"],
    to: "failed",
    unless: (row) => row.route !== "bank" && "只有银行打款的退款会被退回",
  },
  regain: { label: "撤销退回", from: ["failed"], to: "paid" },
});

/** Money that a refund can be taken from: what is left of one flow for it. */
export type Origin = {
  /** null: from before the take-over. */
  flowId: number | null;
  flowNo: string;
  channel: string;
  /** It came through a code of this channel and can go back through it. */
  coded: boolean;
  /** null: nobody knows any more. */
  paidOn: Day | null;
  available: Fen;
  /** What others that wait for approval want of that. */
  wanted: Fen;
  /** What is left of the whole payment at the channel. */
  rest: Fen;
  /** How many times some of it has gone back already. */
  times: number;
};
export type Part = Origin & { amount: Fen };

/** What can be asked of it. */
export const freeOf = (origin: Pick<Origin, "available" | "wanted">): Fen =>
  Math.max(0, origin.available - origin.wanted);
const sumOf = (parts: readonly { amount: Fen }[]): Fen => parts.reduce((sum, part) => sum + part.amount, 0);

/** The newest money first, as much as is asked for; what others want is taken last. All of them, also those that give nothing. */
export function sharesOf(origins: readonly Origin[], amount: Fen): Part[] {
  const newest = origins.toSorted((a, b) => {
    const [x, y] = [a.paidOn ?? "", b.paidOn ?? ""];
    return (x < y ? 1 : x > y ? -1 : 0) || (b.flowId ?? 0) - (a.flowId ?? 0);
  });
  let left = amount;
  const take = (most: Fen) => {
    const taken = Math.min(left, most);
    left -= taken;
    return taken;
  };
  const shares = newest.map((origin) => ({ ...origin, amount: take(freeOf(origin)) }));
  return shares.map((part) => ({ ...part, amount: part.amount + take(part.available - freeOf(part)) }));
}

/** How somebody wants a refund to be taken: so much of each flow. */
export type Split = readonly { flowId: number | null; amount: Fen }[];

/** The same as its applicant wants it. */
export const splitAs = <P extends Part>(shares: readonly P[], split: Split): P[] =>
  shares.map((part) => ({ ...part, amount: split.find((s) => s.flowId === part.flowId)?.amount ?? 0 }));

/** Why an amount cannot be taken so, or nothing. */
export function whyNotSplit(origins: readonly Origin[], split: Split, amount: Fen): string | undefined {
  for (const { flowId, amount: wanted } of split) {
    const origin = origins.find((o) => o.flowId === flowId);
    if (!origin) return "所选收款没有该款项的可退余额";
    if (wanted > freeOf(origin))
      return `${origin.flowNo ? `流水 ${origin.flowNo}` : "期初余额"} 最多可退 ${yuan(freeOf(origin))} 元`;
  }
  const sum = sumOf(split);
  return sum === amount ? undefined : `各笔合计 ${yuan(sum)} 元，须等于退款金额 ${yuan(amount)} 元`;
}

/** WeChat Pay gives back within so many days of the payment, and in so many parts. */
export const WECHAT_DAYS = 365;
const WECHAT_PARTS = 50;

/** Why a part cannot go back the way it came, or nothing. */
export function whyNotBack(
  part: Pick<Part, "channel" | "coded" | "paidOn" | "rest" | "times" | "amount">,
  today: Day,
): string | undefined {
  if (part.channel === "wechat" && part.paidOn && daysBetween(part.paidOn, today) > WECHAT_DAYS)
    return `已超过微信退款期限（${WECHAT_DAYS} 天）`;
  if (part.channel === "wechat" && part.times >= WECHAT_PARTS)
    return `已达微信部分退款上限（${WECHAT_PARTS}次）`;
  if (!part.coded) return "不是扫码收的款，渠道不能原路退回";
  return part.rest < part.amount ? "渠道内可退金额不足" : undefined;
}

export type Proposal = { route: Route; why: string };
/** The way that still works: back through the channel where every part can, else by a payout of the bank. */
export function proposedRoute(parts: readonly Part[], today: Day): Proposal {
  const reasons = parts.map((part) => whyNotBack(part, today)).filter((why) => why !== undefined);
  // the channel takes one number for one part of a payment
  if (new Set(parts.map((part) => part.flowId)).size < parts.length)
    reasons.push("同一笔收款分属押金和预存款，不能原路退回");
  return parts.length && !reasons.length
    ? { route: "channel", why: "" }
    : { route: "bank", why: reasons[0] ?? "" };
}

/** Why a way cannot be taken, or nothing. */
export function whyNotRoute(
  route: Route,
  of: { parts: readonly Part[]; amount: Fen; today: Day; cashLimit: Fen },
): string | undefined {
  if (route === "channel") {
    const { route: proposed, why } = proposedRoute(of.parts, of.today);
    return proposed === "channel" ? undefined : why || "没有可原路退回的款项";
  }
  return route === "cash" && of.amount > of.cashLimit
    ? `现金退款不能超过 ${(of.cashLimit / 100).toFixed(2)} 元`
    : undefined;
}

/** Minutes until a channel is asked again: soon at first, every half hour at last. */
export const askAfter = (asked: number): number => Math.min(30, 2 ** asked);

type Owed = {
  id: number;
  source: RefundSource;
  sourceId: number;
  villageId: number;
  partyId: number;
  contractId: number | null;
};

/** E12: money leaves what is held and is owed back from now on; prepaid money flow by flow, so that each keeps its balance. */
export function owedBackEntry(
  refund: Owed,
  parts: readonly { source: string; flowId: number | null; amount: Fen }[],
  businessDate: Day,
): Entry {
  const { villageId, partyId, contractId } = refund;
  const dims = { partyId, contractId, ...(refund.source === "earnest" && { billId: refund.sourceId }) };
  const amount = sumOf(parts);
  const prepaid = parts.filter((part) => part.source === "prepaid");
  const held = amount - sumOf(prepaid);
  const taken = [
    ...(held ? [debit("2241", villageId, held, dims)] : []),
    ...prepaid.map((part) => debit("2203", villageId, part.amount, { partyId, flowId: part.flowId })),
  ];
  return {
    event: "E12",
    sourceType: "refund",
    sourceId: refund.id,
    businessDate,
    legs: [...taken, credit("2202", villageId, amount, dims)],
  };
}
