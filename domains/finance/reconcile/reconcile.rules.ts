import { addDays, type Day } from "../../../platform/kernel/day.ts";
import { yuan, type Fen } from "../../../platform/kernel/fen.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import type { AccountKind } from "../account/channel.rules.ts";

/** The page. */
export const CHECK = "/accountManage/accountCheck";

export const RESULT = {
  matched: ["一致", "green"],
  feeFixed: ["手续费已更正", "green"],
  onlyHere: ["系统有渠道无", "red"],
  onlyThere: ["渠道有系统无", "red"],
  amountDiffers: ["金额不符", "red"],
} as const satisfies Words;
export type Result = keyof typeof RESULT;

/** How a person deals with a difference; what is put right in the books is found by the next comparison. */
export const RESOLUTION = {
  wait: ["跨日等待", "grey"],
  accept: ["已确认", "grey"],
  settle: ["渠道结算", "grey"],
} as const satisfies Words;
/** What only a note is needed for; a settlement is booked. */
export const NOTED = { wait: RESOLUTION.wait, accept: RESOLUTION.accept };
export type Resolution = keyof typeof RESOLUTION;

/** What accepting a difference says of it. */
export const ACCEPTING: Partial<Record<Result, string>> = {
  onlyHere: "确认有效",
  onlyThere: "非本系统交易",
  amountDiffers: "确认有效",
};

export const DAY_STATE = {
  none: ["未导入", "grey"],
  different: ["有差异", "orange"],
  balanced: ["已平", "green"],
} as const satisfies Words;
export type DayState = keyof typeof DAY_STATE;

/** A payment just before midnight may stand in the file of the next day, or of the one after a holiday. */
export const WAITS_DAYS = 3;
const waitUntil = (day: Day): Day => addDays(day, WAITS_DAYS);

type Dealt = { result: Result; resolution: Resolution | null; day: Day; byHand: boolean };
/** What a record is known by among several: the flow, the movement at the channel, or its place in the statement. */
export const nameOfItem = (item: {
  flowNo: string | null;
  channelTradeNo: string | null;
  lineNo: number | null;
}): string => item.flowNo ?? item.channelTradeNo ?? `对账单第 ${item.lineNo} 行`;

/** Why a difference cannot be dealt with in this way, or nothing. */
export function whyNotResolve(item: Dealt, as: Resolution, today: Day): string | undefined {
  if (item.result === "matched" || item.result === "feeFixed") return "一致的记录不需要处理";
  if (item.resolution === "accept" || item.resolution === "settle") return "该差异已处理";
  if (as === "settle" && item.result !== "onlyThere") return "只有渠道有系统无的收款可以登记渠道结算";
  if (as !== "wait") return undefined;
  if (item.result !== "onlyHere") return "只有系统有渠道无的记录可以跨日等待";
  return waitUntil(item.day) < today ? `跨日等待最多${WAITS_DAYS}天` : undefined;
}

/** Accounts of channels, which give money back where a customer asks them to. */
const CHANNELS: readonly AccountKind[] = ["wechat", "alipay", "unionpay", "pos", "till"];
/** Why a movement that only the channel has cannot be registered as a refund, or nothing. */
export function whyNotRefund(
  item: Pick<Dealt, "result" | "resolution"> & { direction: "in" | "out"; accountKind: AccountKind },
): string | undefined {
  if (item.resolution) return "该差异已处理";
  return item.result !== "onlyThere" || item.direction !== "out" || !CHANNELS.includes(item.accountKind)
    ? "只有渠道有系统无的退款可以登记退款"
    : undefined;
}

/** Why a movement that only the statement has cannot be recorded as a flow, or nothing: what a channel gives back is a refund. */
export function whyNotRecord(
  item: Pick<Dealt, "result" | "resolution"> & { direction: "in" | "out"; accountKind: AccountKind },
): string | undefined {
  if (item.resolution) return "该差异已处理";
  return item.result !== "onlyThere" || (item.direction === "out" && CHANNELS.includes(item.accountKind))
    ? "只有渠道有系统无的收付款可以补录"
    : undefined;
}

/** Why a movement that only the bank has is no refund that somebody has paid, or nothing. */
export const whyNotPaid = (item: Parameters<typeof whyNotRecord>[0]): string | undefined =>
  item.accountKind !== "bank" || item.direction !== "out"
    ? "只有银行账户的付款可以确认退款"
    : whyNotRecord(item);

export const recordedAs = (flowNo: string): string => `该流水已补录 ${flowNo}，等待确认`;

/** Why two records cannot be put together by hand, or nothing. */
export function whyNotPair(
  ours: { result: Result; direction: "in" | "out" },
  theirs: { result: Result; direction: "in" | "out"; resolution: Resolution | null },
): string | undefined {
  if (theirs.resolution === "settle") return "该流水已登记渠道结算，请先重新打开";
  if (ours.result !== "onlyHere" || theirs.result !== "onlyThere")
    return "请选择一条系统有渠道无和一条渠道有系统无的记录";
  return ours.direction === theirs.direction ? undefined : "收支方向不一致，不能匹配";
}

/** A difference that nobody has dealt with is told of after so many days. */
export const PATIENCE_DAYS = 2;

type Split = Record<"onlyHere" | "onlyThere" | "amountDiffers", Fen>;
/** `差额 421.00 = 系统有渠道无 500.00 + 渠道有系统无 -80.00 + 金额不符 1.00` */
export function splitSaid(diff: Split): string {
  const parts = (["onlyHere", "onlyThere", "amountDiffers"] as const).filter((key) => diff[key] !== 0);
  const whole = parts.reduce((sum, key) => sum + diff[key], 0);
  if (!parts.length) return "差额 0.00";
  return `差额 ${yuan(whole)} = ${parts.map((key) => `${RESULT[key][0]} ${yuan(diff[key])}`).join(" + ")}`;
}

/** What came in and what of it was known already. */
export const saidOfLines = (done: { statementNo: string; lineCount: number; newCount: number }): string =>
  `已导入 ${done.statementNo}：共 ${done.lineCount} 行，新增 ${done.newCount}，重复 ${done.lineCount - done.newCount}`;
