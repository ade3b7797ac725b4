import { expect, test } from "vitest";
import { packed } from "../../../platform/server/sheets/book.sample.ts";
import {
  ALIPAY,
  BANK,
  brief,
  DAY,
  alipayFund,
  gbk,
  type Given,
  MERCHANT,
  type Moved,
  readAll,
  WECHAT,
  wechatBill,
  wechatFund,
} from "./statement.sample.ts";

const { at } = DAY[0]!;
const MOVES: Moved[] = [{ no: "F1", at, amount: 100 }];
const REFUND: Given = { no: "SK0", at, amount: 4_500, fee: 27, refund: "TK1", paidAt: "2026-02-01 10:00:00" };

test("the payments of a day alone: the file has no refund columns, and four totals or, an older one, all seven", async () => {
  const bill = wechatBill(DAY, [], "\r\n", "success");
  expect(bill.split("\r\n")[0]!.split(",")).toHaveLength(20);
  const { lines, outcome } = await readAll(Buffer.from(bill), WECHAT);
  expect(outcome).toMatchObject({
    format: "wechatSuccess",
    refusal: undefined,
    faultCount: 0,
    sumFee: 3_977,
  });
  expect(brief(lines)).toEqual([
    ["P:42000SK1", "in", 635_000, 3810],
    ["P:42000SK2", "in", 8_000, 48],
    ["P:42000SK3", "in", 19_900, 119],
  ]);
  const totals = (text: string) => text.split("\r\n").slice(-3).join("\r\n");
  const older = bill.replace(totals(bill), totals(wechatBill(DAY)));
  expect((await readAll(Buffer.from(older), WECHAT)).outcome.refusal).toBeUndefined();
  const short = bill.replace(/\r\n`[^\r]*SK2[^\r]*/, "");
  expect((await readAll(Buffer.from(short), WECHAT)).outcome.refusal).toMatch(
    /^文件合计与明细不符（合计 3 笔/,
  );
});

test("the refunds of a day alone stand on the day of the refund, as in the file of everything, not on that of the payment", async () => {
  const bill = wechatBill([], [REFUND], "\r\n", "refund");
  const { lines, outcome } = await readAll(Buffer.from(bill), WECHAT);
  expect(outcome).toMatchObject({
    format: "wechatRefund",
    refusal: undefined,
    faultCount: 0,
    sumFee: -27,
    from: "2026-03-10",
    to: "2026-03-10",
  });
  expect(brief(lines)).toEqual([["R:50300TK1", "out", 4_500, -27]]);
  expect(lines[0]).toMatchObject({ occurredAt: at, outTradeNo: "SK0", channelRefundNo: "TK1" });
  const wrong = bill.replace(`\`${at}`, "`昨天");
  expect((await readAll(Buffer.from(wrong), WECHAT)).outcome.faults).toEqual([
    { line: 2, column: "退款申请时间", content: "昨天", reason: "时间格式错误" },
  ]);
});

test("two bills in one file are refused: of the second nothing would be read", async () => {
  const next: typeof DAY = [{ no: "SK9", at: "2026-03-11 08:00:00", amount: 100, fee: 1 }];
  const both = [`${wechatBill(DAY)}${wechatBill(next)}`, `${wechatFund(MOVES)}${wechatFund(MOVES)}`];
  for (const text of both)
    expect((await readAll(Buffer.from(text), WECHAT)).outcome.refusal).toBe(
      "文件里有几份账单，请拆开后分别上传",
    );
  const alone = await readAll(Buffer.from(`${wechatFund(MOVES)}\r\n\r\n`), WECHAT);
  expect(alone.outcome).toMatchObject({ refusal: undefined, lines: 1 });
});

test("each of the seven totals is that of its lines, what was given back in vouchers among them", async () => {
  const bill = wechatBill(DAY, [REFUND]);
  const [header = "", values = ""] = bill.trim().split("\r\n").slice(-2);
  for (const [i, name] of header.split(",").entries()) {
    const cells = values.slice(1).split(",`");
    cells[i] = "77.00";
    const other = bill.replace(values, `\`${cells.join(",`")}`);
    expect([name, (await readAll(Buffer.from(other), WECHAT)).outcome.refusal]).toEqual([
      name,
      expect.stringMatching(/^文件合计与明细不符（合计 77\.00/),
    ]);
  }
});

test("an older file calls the merchant below another 子商户号: it has to be the account's", async () => {
  const below = (no: string) =>
    wechatBill(DAY).replace("特约商户号", "子商户号").replace(`\`${MERCHANT},\`0`, `\`${MERCHANT},\`${no}`);
  const own = { ...WECHAT, subMchId: "1600000001" };
  expect((await readAll(Buffer.from(below("1600000001")), own)).outcome.faultCount).toBe(0);
  expect((await readAll(Buffer.from(below("1600000002")), own)).outcome.faults).toEqual([
    { line: 2, column: "特约商户号", content: "1600000002", reason: "商户号与所选账户不符" },
  ]);
});

test("a state that is not known is one wrong cell; a line without all its columns says how many it has", async () => {
  const bill = wechatBill(DAY).replace("`SUCCESS", "`USERPAYING");
  expect((await readAll(Buffer.from(bill), WECHAT)).outcome.faults).toEqual([
    { line: 2, column: "交易状态", content: "USERPAYING", reason: "交易状态无法识别" },
  ]);
  const short = wechatBill(DAY).replace("`0.60%,`80.00,`0.00,`", "`0.60%");
  expect((await readAll(Buffer.from(short), WECHAT)).outcome.faults).toEqual([
    {
      line: 3,
      column: "",
      content: expect.stringMatching(/^`2026-03-10 08:00:01,`/),
      reason: "列数不足(24/27)",
    },
  ]);
});

const MOVED: Moved[] = [
  { no: "1001", at, amount: 631_190 },
  { no: "1002", at: "2026-03-10 09:00:00", amount: 8_000 },
  { no: "1003", at: "2026-03-10 23:00:00", amount: 600_000, out: true, why: "提现" },
];

test("an account detail of Alipay: balances, what came and what went, whole and of its days", async () => {
  const bill = alipayFund(MOVED);
  const zip = await packed({
    "20880000_账务明细.csv": gbk(bill),
    "20880000_账务明细(汇总).csv": gbk("#支付宝账务汇总查询"),
  });
  const { lines, outcome } = await readAll(zip, ALIPAY);
  expect(outcome).toMatchObject({
    format: "alipayFund",
    lines: 3,
    sumIn: 639_190,
    sumOut: 600_000,
    from: "2026-03-10",
    to: "2026-03-10",
    stated: true,
    refusal: undefined,
    faultCount: 0,
  });
  expect(lines.map((l) => [l.rowKey, l.direction, l.amount, l.balance])).toEqual([
    ["F:1001", "in", 631_190, 631_190],
    ["F:1002", "in", 8_000, 639_190],
    ["F:1003", "out", 600_000, 39_190],
  ]);
  expect(lines[2]).toMatchObject({ channelTradeNo: "20261003", summary: "提现 租金" });
  const refusal = async (text: string) => (await readAll(gbk(text), ALIPAY)).outcome.refusal;
  // what went out is written below nothing or above
  expect(await refusal(bill.replaceAll("-6000.00", "6000.00"))).toBeUndefined();
  expect(await refusal(bill.replace("共6391.90", "共6391.91"))).toBe(
    "文件合计与明细不符（合计 6,391.91，明细 6,391.90），可能下载不完整",
  );
  expect(await refusal(bill.replace("支出合计：1笔", "支出合计：2笔"))).toBe(
    "文件合计与明细不符（合计 2 笔，明细 1 笔），可能下载不完整",
  );
  expect(await refusal(bill.split("#支出合计")[0]!)).toBe("文件没有合计行，可能下载不完整");
  const late = bill.replace("2026-03-10 23:00:00", "2026-03-12 00:00:00");
  expect((await readAll(gbk(late), ALIPAY)).outcome.faults).toEqual([
    { line: 8, column: "发生时间", content: "2026-03-12 00:00:00", reason: "日期超出文件区间" },
  ]);
});

const bankLines = async (head: string, ...rows: string[]) => {
  const { lines, outcome } = await readAll(Buffer.from([head, ...rows].join("\n")), BANK);
  expect([head, outcome.refusal, outcome.faults]).toEqual([head, undefined, []]);
  return lines;
};
test.each([
  ["交易日期", "交易流水号", "贷方发生额", "借方发生额", "余额", "对方户名", "对方账号", "摘要"],
  ["记账日期", "流水号", "收入金额", "支出金额", "账户余额", "对方名称", "付款人账号", "用途"],
  ["交易时间", "凭证号", "贷方金额", "借方金额", "余额", "付款人名称", "对方账号", "附言"],
  ["入账日期", "核心流水号", "转入", "转出", "账户余额", "对方户名", "付款人账号", "备注"],
])("a bank that calls its columns %s, %s, %s, %s is read", async (...names) => {
  const [line, out] = await bankLines(
    names.join(","),
    "2026-03-06,A1,100.00,,100.00,宏远商贸,6222000011,租金",
    "2026-03-06,A2,,30.00,70.00,,,",
  );
  expect(line).toMatchObject({
    rowKey: "S:A1:in:10000",
    occurredAt: "2026-03-06 00:00:00",
    balance: 10_000,
    counterName: "宏远商贸",
    counterAccount: "6222000011",
    summary: "租金",
  });
  expect(out).toMatchObject({ direction: "out", amount: 3_000, balance: 7_000 });
});

test.each([
  ["借", "贷"],
  ["D", "C"],
  ["支出", "收入"],
])("of one amount 借贷标志 %s went out and %s came in", async (out, came) => {
  for (const name of ["交易金额", "发生额"]) {
    const rows = [`20260306,A1,${out},5.00`, `20260306,A2,${came},5.00`];
    const lines = await bankLines(`交易日期,流水号,借贷标志,${name}`, ...rows);
    expect(lines.map((line) => line.direction)).toEqual(["out", "in"]);
  }
});

test("where a bank writes one amount beside what came in and what went out, these two say which it was", async () => {
  const rows = ["20260306,A1,5.00,,5.00", "20260306,A2,7.00,7.00,"];
  const lines = await bankLines("交易日期,流水号,交易金额,收入金额,支出金额", ...rows);
  expect(lines.map((line) => [line.direction, line.amount])).toEqual([
    ["out", 500],
    ["in", 700],
  ]);
});

test("a cell that the database looks up is at most 200 letters long; what people only read may be longer", async () => {
  const [short, long] = ["甲".repeat(200), "甲".repeat(201)];
  const head = "交易日期,流水号,收入金额,支出金额,对方户名,对方账号,摘要";
  const told = async (...cells: string[]) =>
    (await readAll(Buffer.from(`${head}\n2026-03-06,${cells.join(",")}`), BANK)).outcome.faults;
  expect(await told(short, "1.00", "", short, short, "租".repeat(5_000))).toEqual([]);
  const fault = { line: 2, content: long.slice(0, 60), reason: "内容过长（最多200个字）" };
  expect(await told(long, "1.00", "", long, long, "")).toEqual(
    ["流水号", "对方户名", "对方账号"].map((column) => ({ ...fault, column })),
  );
  const refund = wechatBill([], [{ ...REFUND, refund: "9".repeat(201) }]);
  expect(
    (await readAll(Buffer.from(refund), WECHAT)).outcome.faults.map((f) => [f.column, f.reason]),
  ).toEqual([
    ["微信退款单号", fault.reason],
    ["商户退款单号", fault.reason],
  ]);
});
