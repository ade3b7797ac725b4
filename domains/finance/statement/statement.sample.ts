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
/** A refund names its payment, and its own number. */
export type Given = Paid & { refund: string };

const money = (fen: number) => yuan(fen, false);
const feeText = (fen: number) => `${money(fen)}000`;

/** A trade bill of WeChat Pay with everything of a day, as its documents describe it. */
export function wechatBill(paid: readonly Paid[], given: readonly Given[] = [], end = "\r\n"): string {
  const header =
    "交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注";
  const row = (of: Paid, refund?: Given) =>
    [
      of.at,
      "wx0000000000000001",
      MERCHANT,
      "0",
      "",
      `42000${of.no}`,
      of.no,
      "o-1",
      "NATIVE",
      refund ? "REFUND" : "SUCCESS",
      "OTHERS",
      "CNY",
      money(refund ? 0 : of.amount),
      "0.00",
      refund ? `50300${refund.refund}` : "0",
      refund ? refund.refund : "0",
      money(refund ? of.amount : 0),
      "0.00",
      refund ? "ORIGINAL" : "",
      refund ? "PROCESSING" : "",
      of.goods ?? "租金,押金",
      '{"a":"1,2"}',
      refund && of.fee ? `-${feeText(of.fee)}` : feeText(of.fee ?? 0),
      "0.60%",
      money(refund ? 0 : of.amount),
      money(refund ? of.amount : 0),
      "",
    ]
      .map((value) => `\`${value}`)
      .join(",");
  const sum = (list: readonly Paid[], of: (one: Paid) => number) => list.reduce((s, one) => s + of(one), 0);
  const fees = sum(paid, (p) => p.fee ?? 0) - sum(given, (p) => p.fee ?? 0);
  const totals = [
    paid.length + given.length,
    money(sum(paid, (p) => p.amount)),
    money(sum(given, (p) => p.amount)),
    "0.00",
    feeText(fees),
    money(sum(paid, (p) => p.amount)),
    money(sum(given, (p) => p.amount)),
  ];
  return [
    header,
    ...paid.map((p) => row(p)),
    ...given.map((g) => row(g, g)),
    "总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额",
    totals.map((value) => `\`${value}`).join(","),
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
