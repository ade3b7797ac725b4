import type { Day } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { gbk as bytesInGbk } from "../../../platform/kernel/texts/gbk.ts";
import type { StatementLine } from "./format.rules.ts";
import { openStatement } from "./open.service.ts";
import { statementReader, type Choice, type Outcome } from "./reader.rules.ts";
import type { Of } from "./format.rules.ts";

/** Chinese as GBK has it; the letters of ASCII as they are. */
export const gbk = (text: string): Buffer => Buffer.from(bytesInGbk(text));

export const MERCHANT = "1230000109";
export const PID = "2088000000000156";
export const WECHAT: Of = { kind: "wechat", mchId: MERCHANT };
export const ALIPAY: Of = { kind: "alipay", mchId: PID };
export const BANK: Of = { kind: "bank" };

export type Paid = { no: string; at: string; amount: number; fee?: number; goods?: string };
/** A refund names its payment, and its own number; when it was paid where its file says that beside the refund's time. */
export type Given = Paid & { refund: string; paidAt?: string };

/** Three payments of one day. */
export const DAY: Paid[] = [635_000, 8_000, 19_900].map((amount, i) => ({
  no: `SK${i + 1}`,
  at: "2026-03-10 08:00:01",
  amount,
  fee: [3810, 48, 119][i]!,
}));
/** What tells the lines of a file apart. */
export const brief = (lines: readonly { rowKey: string; direction: string; amount: number; fee: number }[]) =>
  lines.map((l) => [l.rowKey, l.direction, l.amount, l.fee]);

const money = (fen: number) => yuan(fen, false);
const feeText = (fen: number) => `${money(fen)}000`;

const REFUNDS = "微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态";
const HEADERS = {
  all: `交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,${REFUNDS},商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注`,
  success:
    "交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,商品名称,商户数据包,手续费,费率,订单金额,费率备注",
  refund: `交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,退款申请时间,退款成功时间,${REFUNDS},商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注`,
};
const TOTALS = {
  all: "总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额",
  success: "总交易单数,应结订单总金额,手续费总金额,订单总金额",
};

/** A trade bill of WeChat Pay, as its documents describe it: with everything of a day, or its payments or refunds alone. */
export function wechatBill(
  paid: readonly Paid[],
  given: readonly Given[] = [],
  end = "\r\n",
  kind: keyof typeof HEADERS = "all",
): string {
  const line = (header: string, values: Record<string, string | number>) =>
    header
      .split(",")
      .map((name) => `\`${values[name] ?? ""}`)
      .join(",");
  const row = (of: Paid, refund?: Given) =>
    line(HEADERS[kind], {
      交易时间: refund?.paidAt ?? of.at,
      公众账号ID: "wx0000000000000001",
      商户号: MERCHANT,
      特约商户号: "0",
      微信订单号: `42000${of.no}`,
      商户订单号: of.no,
      用户标识: "o-1",
      交易类型: "NATIVE",
      交易状态: refund ? "REFUND" : "SUCCESS",
      付款银行: "OTHERS",
      货币种类: "CNY",
      应结订单金额: money(refund ? 0 : of.amount),
      代金券金额: "0.00",
      退款申请时间: of.at,
      退款成功时间: of.at,
      微信退款单号: refund ? `50300${refund.refund}` : "0",
      商户退款单号: refund ? refund.refund : "0",
      退款金额: money(refund ? of.amount : 0),
      充值券退款金额: "0.00",
      退款类型: refund ? "ORIGINAL" : "",
      退款状态: refund ? "PROCESSING" : "",
      商品名称: of.goods ?? "租金,押金",
      商户数据包: '{"a":"1,2"}',
      手续费: refund && of.fee ? `-${feeText(of.fee)}` : feeText(of.fee ?? 0),
      费率: "0.60%",
      订单金额: money(refund ? 0 : of.amount),
      申请退款金额: money(refund ? of.amount : 0),
    });
  const sum = (list: readonly Paid[], of: (one: Paid) => number) => list.reduce((s, one) => s + of(one), 0);
  const fees = sum(paid, (p) => p.fee ?? 0) - sum(given, (p) => p.fee ?? 0);
  const totals = TOTALS[kind === "success" ? "success" : "all"];
  return [
    HEADERS[kind],
    ...paid.map((p) => row(p)),
    ...given.map((g) => row(g, g)),
    totals,
    line(totals, {
      总交易单数: paid.length + given.length,
      应结订单总金额: money(sum(paid, (p) => p.amount)),
      退款总金额: money(sum(given, (p) => p.amount)),
      充值券退款总金额: "0.00",
      手续费总金额: fees < 0 ? `-${feeText(-fees)}` : feeText(fees),
      订单总金额: money(sum(paid, (p) => p.amount)),
      申请退款总金额: money(sum(given, (p) => p.amount)),
    }),
    "",
  ].join(end);
}

/** What came to an account or left it. */
export type Moved = { no: string; at: string; amount: number; out?: boolean; why?: string };
const moves = (moved: readonly Moved[]) => {
  const [came, went] = [moved.filter((m) => !m.out), moved.filter((m) => m.out)];
  const sum = (list: readonly Moved[]) => money(list.reduce((s, m) => s + m.amount, 0));
  let balance = 0;
  const rows = moved.map((m) => ({ ...m, balance: money((balance += m.out ? -m.amount : m.amount)) }));
  return { rows, came: came.length, went: went.length, sumIn: sum(came), sumOut: sum(went) };
};

/** A fund bill of WeChat Pay. */
export function wechatFund(moved: readonly Moved[], end = "\r\n"): string {
  const { rows, came, went, sumIn, sumOut } = moves(moved);
  const line = (values: readonly unknown[]) => values.map((value) => `\`${String(value)}`).join(",");
  return [
    "记账时间,微信支付业务单号,资金流水单号,业务名称,业务类型,收支类型,收支金额(元),账户结余(元),资金变更提交申请人,备注,业务凭证号",
    ...rows.map((m) => {
      const why = m.why ?? "交易";
      const way = m.out ? "支出" : "收入";
      return line([
        m.at,
        `42000${m.no}`,
        m.no,
        why,
        why,
        way,
        money(m.amount),
        m.balance,
        "system",
        "",
        m.no,
      ]);
    }),
    "资金流水总笔数,收入笔数,收入金额,支出笔数,支出金额",
    line([moved.length, came, sumIn, went, sumOut]),
    "",
  ].join(end);
}

const inChinese = (day: Day) => day.replace(/(\d+)-(\d+)-(\d+)/, "$1年$2月$3日");

/** A business detail of Alipay from a day to another. */
export function alipayBill(
  paid: readonly Paid[],
  given: readonly Given[] = [],
  end = "\r\n",
  [from, to]: readonly [Day, Day] = ["2026-03-10", "2026-03-11"],
): string {
  const header =
    "支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注";
  const row = (of: Paid, refund?: Given) =>
    [
      `2026${of.no}`,
      of.no,
      refund ? "退款" : "交易",
      of.goods ?? "租金",
      of.at,
      of.at,
      "",
      "",
      "",
      "",
      "138****0000",
      (refund ? "-" : "") + money(of.amount),
      (refund ? "-" : "") + money(of.amount),
      "0.00",
      "0.00",
      "0.00",
      "0.00",
      "0.00",
      "",
      "0.00",
      "0.00",
      refund?.refund ?? "",
      (refund ? "" : "-") + money(of.fee ?? 0),
      "0.00",
      "",
    ]
      .map((value) => `${value}\t`)
      .join(",");
  const sum = (list: readonly Paid[]) => list.reduce((s, one) => s + one.amount, 0);
  return [
    "#支付宝业务明细查询",
    `#账号：[${PID}0156]`,
    `#起始日期：[${inChinese(from)} 00:00:00]   终止日期：[${inChinese(to)} 00:00:00]`,
    "#-----------------------------------------业务明细列表----------------------------------------",
    header,
    ...paid.map((p) => row(p)),
    ...given.map((g) => row(g, g)),
    "#-----------------------------------------业务明细列表结束------------------------------------",
    `#交易合计：${paid.length}笔，商家实收共${money(sum(paid))}元，商家优惠共0.00元`,
    `#退款合计：${given.length}笔，商家实收退款共-${money(sum(given))}元，商家优惠退款共0.00元`,
    "#导出时间：[2026年03月11日 09:00:00]",
    "",
  ].join(end);
}

/** An account detail of Alipay. */
export function alipayFund(
  moved: readonly Moved[],
  end = "\r\n",
  [from, to]: readonly [Day, Day] = ["2026-03-10", "2026-03-11"],
): string {
  const { rows, came, went, sumIn, sumOut } = moves(moved);
  return [
    "#支付宝账务明细查询",
    `#账号：[${PID}0156]`,
    `#起始日期：[${inChinese(from)} 00:00:00]   终止日期：[${inChinese(to)} 00:00:00]`,
    "#-----------------------------------------账务明细列表----------------------------------------",
    "账务流水号,业务流水号,商户订单号,商品名称,发生时间,对方账号,收入金额（+元）,支出金额（-元）,账户余额（元）,交易渠道,业务类型,备注",
    ...rows.map((m) =>
      [
        `${m.no}\t`,
        `2026${m.no}\t`,
        `${m.no}\t`,
        "租金\t",
        m.at,
        "张三 (138****0000)\t",
        m.out ? "0.00" : money(m.amount),
        m.out ? `-${money(m.amount)}` : "0.00",
        m.balance,
        "支付宝",
        m.why ?? "在线支付",
        "",
      ].join(","),
    ),
    "#----------------------------------------账务明细列表结束-------------------------------------",
    `#支出合计：${went}笔，共${went ? "-" : ""}${sumOut}元`,
    `#收入合计：${came}笔，共${sumIn}元`,
    "#导出时间：[2026年03月11日 09:00:00]",
    "",
  ].join(end);
}

/** What a file tells, its faults and what it comes to. */
export async function readAll(
  bytes: Buffer,
  of: Of,
  choice: Choice = {},
): Promise<{ lines: StatementLine[]; outcome: Outcome; encoding: string }> {
  const { encoding, lines } = await openStatement(bytes);
  const reader = statementReader(of, choice);
  const told: StatementLine[] = [];
  for await (const line of lines()) told.push(...reader.take(line));
  return { lines: told, outcome: reader.end(), encoding };
}
