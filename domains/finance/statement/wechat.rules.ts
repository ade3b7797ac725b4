import { yuan } from "../../../platform/kernel/fen.ts";
import {
  fenOfUnits,
  grossOf,
  momentOf,
  plain,
  sumOf,
  unitsOf,
  WRONG_AMOUNT,
  WRONG_TIME,
} from "./cell.rules.ts";
import {
  type Aside,
  type Columns,
  columnsOf,
  type Format,
  lacking,
  type Of,
  type Reading,
  type Row,
  type StatementLine,
  told,
} from "./format.rules.ts";

/** What older files call a column. */
const OLDER: Record<string, readonly string[]> = {
  应结订单金额: ["总金额"],
  订单金额: ["总金额", "应结订单金额"],
  代金券金额: ["企业红包金额"],
  申请退款金额: ["退款金额"],
  充值券退款金额: ["企业红包退款金额"],
  特约商户号: ["子商户号"],
  应结订单总金额: ["总交易额"],
  订单总金额: ["总交易额", "应结订单总金额"],
  退款总金额: ["总退款金额"],
  充值券退款总金额: ["总企业红包退款金额"],
  申请退款总金额: ["退款总金额", "总退款金额"],
};
const withOlder = (columns: Columns): Columns => {
  const all = new Map(columns);
  for (const [name, older] of Object.entries(OLDER))
    for (const other of older) if (!all.has(name) && columns.has(other)) all.set(name, columns.get(other)!);
  return all;
};

/** The totals of the file, each with the column that it sums. */
const SUMMED = {
  应结订单总金额: "应结订单金额",
  退款总金额: "退款金额",
  充值券退款总金额: "充值券退款金额",
  手续费总金额: "手续费",
  订单总金额: "订单金额",
  申请退款总金额: "申请退款金额",
} as const;

const yuanOf = (units: number) => yuan(fenOfUnits(units));
/** `文件合计与明细不符（合计 6,629.00，明细 6,549.00），可能下载不完整` */
export const unequal = (told: string, counted: string): string =>
  `文件合计与明细不符（合计 ${told}，明细 ${counted}），可能下载不完整`;
export const NO_TOTALS = "文件没有合计行，可能下载不完整";
const SEVERAL = "文件里有几份账单，请拆开后分别上传";

const TRADE = ["交易时间", "商户号", "微信订单号", "商户订单号", "交易状态", "货币种类"];

/** Reads a trade or fund bill of WeChat Pay whose header this is; a sentence where a column is missing; nothing for another format. */
export function wechatOf(header: Columns, of: Of): Reading | string | undefined {
  const columns = withOlder(header);
  if (columns.has("微信支付业务单号") && columns.has("记账时间")) return fund(columns);
  if (!columns.has("微信订单号") || !columns.has("交易时间")) return undefined;
  const format: Format = columns.has("退款成功时间")
    ? "wechatRefund"
    : columns.has("微信退款单号")
      ? "wechatAll"
      : "wechatSuccess";
  const refunds = format === "wechatSuccess" ? [] : ["微信退款单号", "商户退款单号", "申请退款金额"];
  const missing = lacking(columns, [...TRADE, "订单金额", "应结订单金额", ...refunds, "手续费"]);
  if (missing) return missing;

  const sums = new Map<string, number>();
  const summed = [...new Set(Object.values(SUMMED))].filter((column) => columns.has(column));
  let rows = 0;
  const totals = totalsOf("总交易单数");
  return {
    format,
    columns,
    row: (row) => {
      rows++;
      for (const column of summed)
        sums.set(column, (sums.get(column) ?? 0) + (unitsOf(row.get(column) || "0") ?? 0));
      return trade(row, of);
    },
    aside: totals.aside,
    refusal: () =>
      totals.refusal((values) => {
        const count = values.get("总交易单数") ?? "";
        if (Number(count) !== rows) return unequal(`${count} 笔`, `${rows} 笔`);
        for (const [total, column] of Object.entries(SUMMED)) {
          const written = values.get(total);
          if (written === undefined || !columns.has(column)) continue;
          const units = unitsOf(written);
          const counted = sums.get(column) ?? 0;
          if (units !== counted)
            return unequal(units === undefined ? written : yuanOf(units), yuanOf(counted));
        }
        return undefined;
      }),
  };
}

/** The header and the one line of totals that close a file of WeChat Pay, or of the embedded cashier. */
export function totalsOf(first: string) {
  let header: Columns | undefined;
  let values: ReadonlyMap<string, string> | undefined;
  /** Another bill follows in the same file, which would be left aside. */
  let another = false;
  return {
    aside: ({ text, cells }: Aside): boolean => {
      // nearly every line is a row, and a header takes long to read
      if (!header && !text.includes(first[0]!)) return false;
      if (header) {
        if (values) another ||= columnsOf(cells).has(first);
        else values = new Map([...header].map(([name, i]) => [name, plain(cells[i] ?? "")]));
        return true;
      }
      const columns = columnsOf(cells);
      if (!columns.has(first)) return false;
      header = withOlder(columns);
      return true;
    },
    refusal: (check: (values: ReadonlyMap<string, string>) => string | undefined): string | undefined =>
      another ? SEVERAL : values ? check(values) : NO_TOTALS,
  };
}

function trade(row: Row, of: Of): StatementLine[] {
  const state = row.get("交易状态");
  const pays = state === "SUCCESS" || state === "REVOKED";
  const refunds = state === "REFUND" || state === "REVOKED";
  if (!pays && !refunds) row.say("交易状态", "交易状态无法识别");
  if (row.get("货币种类") !== "CNY") row.say("货币种类", "币种不是CNY");
  const OTHER = "商户号与所选账户不符";
  const sub = told(row.get("特约商户号"));
  if (of.mchId && row.get("商户号") !== of.mchId) row.say("商户号", OTHER);
  if (of.mchId && sub && sub !== (of.subMchId ?? "")) row.say("特约商户号", OTHER);
  // where a refund has a time of its own, the other may be that of its payment
  const time = state === "REFUND" && told(row.get("退款申请时间")) ? "退款申请时间" : "交易时间";
  const occurredAt = momentOf(row.get(time)) ?? row.say(time, WRONG_TIME);
  const order = row.get("微信订单号");
  if (!told(order)) row.say("微信订单号", "单号不能为空");
  const units = unitsOf(row.get("手续费") || "0");
  if (units === undefined) row.say("手续费", WRONG_AMOUNT);
  const fee = fenOfUnits(Math.abs(units ?? 0));
  /** A column of money, which must be above nothing. */
  const money = (column: string): number | undefined => {
    const amount = grossOf(row.get(column));
    if (typeof amount === "string") return row.say(column, amount);
    return amount > 0 ? amount : row.say(column, WRONG_AMOUNT);
  };
  const shared = {
    lineNo: row.no,
    occurredAt: occurredAt ?? "",
    outTradeNo: told(row.get("商户订单号")),
    channelTradeNo: order,
    summary: told(row.get("商品名称")),
    raw: row.raw,
  };
  const lines: StatementLine[] = [];
  if (pays) {
    const settled = grossOf(row.get("应结订单金额"));
    if (typeof settled === "string") row.say("应结订单金额", settled);
    lines.push({
      ...shared,
      rowKey: `P:${order}`,
      direction: "in",
      amount: money("订单金额") ?? 0,
      fee,
      settleAmount: typeof settled === "number" ? settled : 0,
    });
  }
  if (refunds) {
    const revoked = state === "REVOKED";
    const refund = told(row.get("微信退款单号"));
    if (!refund && !revoked) row.say("微信退款单号", "单号不能为空");
    lines.push({
      ...shared,
      rowKey: refund ? `R:${refund}` : `R:${order}`,
      direction: "out",
      amount: money(revoked ? "订单金额" : "申请退款金额") ?? 0,
      fee: fee && -fee,
      channelRefundNo: told(row.get("商户退款单号")),
    });
  }
  return lines;
}

/** The fund bill: what the account took and gave, with its balance after each. */
function fund(columns: Columns): Reading | string {
  const missing = lacking(columns, ["记账时间", "资金流水单号", "收支类型", "收支金额(元)", "账户结余(元)"]);
  if (missing) return missing;
  const totals = totalsOf("资金流水总笔数");
  const sums = { in: 0, out: 0 };
  const counts = { in: 0, out: 0 };
  return {
    format: "wechatFund",
    columns,
    row: (row) => {
      const type = row.get("收支类型");
      const direction =
        type === "收入" ? "in" : type === "支出" ? "out" : row.say("收支类型", "收支类型无法识别");
      const amount = grossOf(row.get("收支金额(元)"));
      const balance = sumOf(row.get("账户结余(元)"));
      const occurredAt = momentOf(row.get("记账时间")) ?? row.say("记账时间", WRONG_TIME);
      const serial = told(row.get("资金流水单号")) ?? row.say("资金流水单号", "单号不能为空");
      if (typeof amount === "string") row.say("收支金额(元)", amount);
      else if (amount <= 0) row.say("收支金额(元)", WRONG_AMOUNT);
      if (typeof balance === "string") row.say("账户结余(元)", balance);
      if (!direction || typeof amount === "string" || typeof balance === "string") return [];
      sums[direction] += amount;
      counts[direction]++;
      return [
        {
          lineNo: row.no,
          rowKey: `F:${serial}`,
          occurredAt: occurredAt ?? "",
          direction,
          amount,
          fee: 0,
          balance,
          channelTradeNo: told(row.get("微信支付业务单号")),
          summary: [row.get("业务名称"), row.get("业务类型"), told(row.get("备注"))]
            .filter(Boolean)
            .join(" "),
          raw: row.raw,
        },
      ];
    },
    aside: totals.aside,
    refusal: () =>
      totals.refusal((values) => {
        const wanted: [string, number, boolean][] = [
          ["资金流水总笔数", counts.in + counts.out, false],
          ["收入笔数", counts.in, false],
          ["收入金额", sums.in, true],
          ["支出笔数", counts.out, false],
          ["支出金额", sums.out, true],
        ];
        for (const [name, counted, money] of wanted) {
          const written = values.get(name);
          if (written === undefined) continue;
          const value = money ? sumOf(written) : Number(written);
          if (value !== counted)
            return money
              ? unequal(typeof value === "number" ? yuan(value) : written, yuan(counted))
              : unequal(`${written} 笔`, `${counted} 笔`);
        }
        return undefined;
      }),
  };
}
