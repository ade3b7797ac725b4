import { addDays } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import {
  fenOfUnits,
  grossOf,
  headerOf,
  momentOf,
  sumOf,
  unitsOf,
  WRONG_AMOUNT,
  WRONG_TIME,
} from "./cell.rules.ts";
import {
  type Aside,
  type Columns,
  lacking,
  type Of,
  type Reading,
  type Row,
  type StatementLine,
  told,
} from "./format.rules.ts";
import { NO_TOTALS, unequal } from "./wechat.rules.ts";

const NEEDED = ["支付宝交易号", "商户订单号", "业务类型", "完成时间", "商家实收(元)", "服务费(元)"];
const FUND = ["账务流水号", "发生时间", "收入金额(+元)", "支出金额(-元)", "账户余额(元)", "业务类型"];

/** Comments of a file of Alipay: whose it is, of which days, its totals, and that it is whole. */
export function alipayComments() {
  const found = {
    account: undefined as string | undefined,
    from: undefined as string | undefined,
    to: undefined as string | undefined,
    /** By 交易, 退款, 收入, 支出: how many, and hundredths of a yuan. */
    totals: new Map<string, { count: number; amount: number }>(),
    ended: false,
  };
  return {
    found,
    take: ({ text }: Aside): boolean => {
      const line = headerOf(text);
      if (!line.startsWith("#")) return false;
      found.account ??= /账号:\[(\d+)\]/.exec(line)?.[1];
      const range = /起始日期:\[(.+?)\].*终止日期:\[(.+?)\]/.exec(text.replaceAll("：", ":"));
      if (range) [found.from, found.to] = [momentOf(range[1]!), momentOf(range[2]!)];
      const total = /#(交易|退款|收入|支出)合计:(\d+)笔,(?:商家实收(?:退款)?)?共(-?[\d.,]+?)元/.exec(line);
      if (total) {
        const amount = sumOf(total[3]!);
        if (typeof amount === "number") found.totals.set(total[1]!, { count: Number(total[2]), amount });
      }
      if (/明细列表结束/.test(line)) found.ended = true;
      return true;
    },
  };
}

/** The days that a file says it is about; one that ends at midnight has nothing of the day that begins then. */
function daysOf({ from, to }: { from?: string | undefined; to?: string | undefined }) {
  if (!from || !to || to < from) return undefined;
  const [first, last] = [from.slice(0, 10), to.slice(0, 10)];
  return { from: first, to: to.endsWith(" 00:00:00") && last > first ? addDays(last, -1) : last };
}
export type Comments = ReturnType<typeof alipayComments>;

/** Reads a business or account detail of Alipay whose header this is; a sentence where a column is missing; nothing for another format. */
export function alipayOf(columns: Columns, of: Of, comments: Comments): Reading | string | undefined {
  const { found } = comments;
  const isFund = columns.has("账务流水号") && columns.has("账户余额(元)");
  if (!isFund && !columns.has("支付宝交易号")) return undefined;
  const missing = lacking(columns, isFund ? FUND : NEEDED);
  if (missing) return missing;

  const counted = new Map<string, { count: number; amount: number }>();
  const add = (kind: string, amount: number) => {
    const sum = counted.get(kind) ?? { count: 0, amount: 0 };
    counted.set(kind, { count: sum.count + 1, amount: sum.amount + amount });
  };
  const within = (row: Row, column: string): string => {
    const at = momentOf(row.get(column));
    if (!at) row.say(column, WRONG_TIME);
    else if ((found.from && at < found.from) || (found.to && at > found.to))
      row.say(column, "日期超出文件区间");
    return at ?? "";
  };
  return {
    format: isFund ? "alipayFund" : "alipayTrade",
    columns,
    aside: comments.take,
    period: () => daysOf(found),
    row: (row) => (isFund ? fundRow(row, within, add) : tradeRow(row, within, add)),
    refusal: () => {
      if (of.mchId && found.account && !found.account.startsWith(of.mchId)) return "商户号与所选账户不符";
      if (!found.ended) return NO_TOTALS;
      for (const kind of isFund ? ["收入", "支出"] : ["交易", "退款"]) {
        const total = found.totals.get(kind);
        const sum = counted.get(kind) ?? { count: 0, amount: 0 };
        if (!total) return NO_TOTALS;
        // most files write what goes out below nothing, some do not
        const equal = Math.abs(total.amount) === Math.abs(sum.amount) && total.count === sum.count;
        if (!equal)
          return unequal(
            total.count === sum.count ? yuan(total.amount) : `${total.count} 笔`,
            total.count === sum.count ? yuan(sum.amount) : `${sum.count} 笔`,
          );
      }
      return undefined;
    },
  };
}

type Within = (row: Row, column: string) => string;
type Add = (kind: string, amount: number) => void;

function tradeRow(row: Row, within: Within, add: Add): StatementLine[] {
  const type = row.get("业务类型");
  if (type !== "交易" && type !== "退款") row.say("业务类型", "业务类型无法识别");
  const received = grossOf(row.get("商家实收(元)"));
  if (typeof received === "string") row.say("商家实收(元)", received);
  const order = row.get("订单金额(元)");
  const ordered = order ? grossOf(order) : 0;
  if (typeof ordered === "string") row.say("订单金额(元)", ordered);
  const units = unitsOf(row.get("服务费(元)") || "0");
  if (units === undefined) row.say("服务费(元)", WRONG_AMOUNT);
  const trade = told(row.get("支付宝交易号")) ?? row.say("支付宝交易号", "单号不能为空");
  const occurredAt = within(row, "完成时间");
  if (typeof received === "string" || (type === "交易" && received < 0)) {
    if (typeof received === "number") row.say("商家实收(元)", WRONG_AMOUNT);
    return [];
  }
  add(type, received);
  // all of it was a merchant's own coupon: no money moved
  if (received === 0) return [];
  const fee = fenOfUnits(Math.abs(units ?? 0));
  const refund = told(row.get("退款批次号/请求号"));
  const discount = typeof ordered === "number" ? Math.abs(ordered) - Math.abs(received) : 0;
  return [
    {
      lineNo: row.no,
      // a payment may be given back in parts that have no number of their own
      rowKey:
        type === "交易" ? `P:${trade}` : `R:${trade}:${refund ?? `${occurredAt}:${Math.abs(received)}`}`,
      occurredAt,
      direction: type === "交易" ? "in" : "out",
      amount: Math.abs(received),
      fee: type === "交易" ? fee : fee && -fee,
      outTradeNo: told(row.get("商户订单号")),
      channelTradeNo: trade,
      channelRefundNo: type === "退款" ? refund : undefined,
      counterAccount: told(row.get("对方账户")),
      summary: [
        told(row.get("商品名称")),
        discount > 0 ? `商家优惠 ${yuan(discount)}` : "",
        told(row.get("备注")),
      ]
        .filter(Boolean)
        .join(" "),
      raw: row.raw,
    },
  ];
}

function fundRow(row: Row, within: Within, add: Add): StatementLine[] {
  const serial = told(row.get("账务流水号")) ?? row.say("账务流水号", "单号不能为空");
  const parts = (["收入金额(+元)", "支出金额(-元)"] as const).map((column) => {
    const text = row.get(column);
    const amount = text ? grossOf(text) : 0;
    return typeof amount === "string" ? row.say(column, amount) : Math.abs(amount);
  });
  const balance = sumOf(row.get("账户余额(元)"));
  if (typeof balance === "string") row.say("账户余额(元)", balance);
  const occurredAt = within(row, "发生时间");
  const [income, outlay] = parts;
  if (income === undefined || outlay === undefined || typeof balance === "string") return [];
  if (income && outlay) row.say("支出金额(-元)", "收入和支出不能同时有金额");
  if (!income && !outlay) row.say("收入金额(+元)", WRONG_AMOUNT);
  add(income ? "收入" : "支出", income || outlay);
  return [
    {
      lineNo: row.no,
      rowKey: `F:${serial}`,
      occurredAt,
      direction: income ? "in" : "out",
      amount: income || outlay,
      fee: 0,
      balance,
      outTradeNo: told(row.get("商户订单号")),
      channelTradeNo: told(row.get("业务流水号")),
      counterAccount: told(row.get("对方账号")),
      summary: [told(row.get("业务类型")), told(row.get("商品名称")), told(row.get("备注"))]
        .filter(Boolean)
        .join(" "),
      raw: row.raw,
    },
  ];
}
