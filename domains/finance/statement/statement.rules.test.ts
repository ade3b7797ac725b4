import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { AMOUNT_MAX } from "../../../platform/kernel/fen.ts";
import { aBook, packed } from "../../../platform/server/sheets/book.sample.ts";
import { fenOfUnits, grossOf, momentOf, unitsOf } from "./cell.rules.ts";
import { guessed } from "./bank.rules.ts";
import { likelyHeader, whyNotTemplate, whyTwice } from "./template.rules.ts";
import { MOST_LINES, statementReader } from "./reader.rules.ts";
import {
  ALIPAY,
  brief,
  DAY,
  alipayBill,
  BANK,
  gbk,
  type Given,
  MERCHANT,
  readAll,
  WECHAT,
  wechatBill,
} from "./statement.sample.ts";

const { at } = DAY[0]!;
const BACK: Given[] = [{ no: "SK0", at, amount: 4_500, fee: 27, refund: "TK1" }];

test.each([
  ["1,234.56", 123_456_000],
  ["￥1234.5元", 123_450_000],
  ["（12.00）", -1_200_000],
  ["－３.５", -350_000],
  ["0.32000", 32_000],
  ["`80.00\t", 8_000_000],
  ["", undefined],
  ["1,23.4", undefined],
  ["=1+1", undefined],
  ["1e5", undefined],
  ["NaN", undefined],
])("an amount written %s", (text, units) => expect(unitsOf(text)).toBe(units));

test("a fee is rounded half up to the fen, an amount has no part of one", () => {
  expect(fenOfUnits(32_500)).toBe(33);
  expect(fenOfUnits(-32_500)).toBe(-33);
  expect(fenOfUnits(-400)).toBe(0);
  expect(grossOf("0.32000")).toBe(32);
  expect(grossOf("0.325")).toBe("金额格式错误");
  expect(grossOf("100,000,000.00")).toBe("金额过大");
});

test.each([
  ["20260306", "2026-03-06 00:00:00"],
  ["2026/3/6 8:05", "2026-03-06 08:05:00"],
  ["2026年3月6日", "2026-03-06 00:00:00"],
  ["2026-03-06T23:59:59", "2026-03-06 23:59:59"],
  ["20260306 080501", "2026-03-06 08:05:01"],
  ["2026-02-30", undefined],
  ["2026-03-06 25:00:00", undefined],
  ["昨天", undefined],
])("a time written %s", (text, moment) => expect(momentOf(text)).toBe(moment));

test("a trade bill of WeChat Pay: the example day, with a refund whose fee comes back", async () => {
  const { lines, outcome } = await readAll(Buffer.from(`\uFEFF${wechatBill(DAY, BACK)}`), WECHAT);
  expect(outcome).toMatchObject({
    format: "wechatAll",
    lines: 4,
    sumIn: 662_900,
    sumOut: 4_500,
    sumFee: 3_977 - 27,
    from: "2026-03-10",
    to: "2026-03-10",
    faultCount: 0,
    refusal: undefined,
  });
  expect(brief(lines)).toEqual([
    ["P:42000SK1", "in", 635_000, 3810],
    ["P:42000SK2", "in", 8_000, 48],
    ["P:42000SK3", "in", 19_900, 119],
    ["R:50300TK1", "out", 4_500, -27],
  ]);
  expect(lines[0]).toMatchObject({ outTradeNo: "SK1", channelTradeNo: "42000SK1", summary: "租金,押金" });
  expect(lines[3]).toMatchObject({ outTradeNo: "SK0", channelRefundNo: "TK1" });
});

test("columns are found by their names, in any order and with further ones; older files too", async () => {
  const older = [
    "商户号,交易时间,特约商户号,微信订单号,商户订单号,交易状态,货币种类,总金额,企业红包金额,手续费,费率,附加",
    `\`${MERCHANT},\`2026-03-10 08:00:01,\`0,\`42000A,\`A,\`SUCCESS,\`CNY,\`80.00,\`0.00,\`0.48000,\`0.60%,\`x`,
    "总交易单数,总交易额,总退款金额,总企业红包退款金额,手续费总金额",
    "`1,`80.00,`0.00,`0.00,`0.48000",
  ].join("\n");
  const { lines, outcome } = await readAll(Buffer.from(older), WECHAT);
  expect(outcome).toMatchObject({ format: "wechatSuccess", refusal: undefined, faultCount: 0 });
  expect(brief(lines)).toEqual([["P:42000A", "in", 8_000, 48]]);
  const lacking = older.replace("总金额,企业", "金额,企业");
  expect((await readAll(Buffer.from(lacking), WECHAT)).outcome.refusal).toBe(
    "缺少列：订单金额、应结订单金额",
  );
});

test("a payment that was revoked is a payment and a refund", async () => {
  const file = wechatBill([DAY[1]!]).replace("`SUCCESS", "`REVOKED");
  expect(brief((await readAll(Buffer.from(file), WECHAT)).lines)).toEqual([
    ["P:42000SK2", "in", 8_000, 48],
    ["R:42000SK2", "out", 8_000, -48],
  ]);
});

test("wrong cells are named with line, column, content and reason; nothing else of the file is judged", async () => {
  const file = wechatBill([...DAY, { no: "SK4", at: "10.3.2026", amount: 100 }])
    .replace("`CNY,`80.00", "`USD,`8o.00")
    .replace(`\`${MERCHANT}`, "`999");
  const { outcome, lines } = await readAll(Buffer.from(file), WECHAT);
  expect(outcome.refusal).toBeUndefined();
  expect(outcome.faults).toEqual([
    { line: 2, column: "商户号", content: "999", reason: "商户号与所选账户不符" },
    { line: 3, column: "货币种类", content: "USD", reason: "币种不是CNY" },
    { line: 3, column: "应结订单金额", content: "8o.00", reason: "金额格式错误" },
    { line: 5, column: "交易时间", content: "10.3.2026", reason: "时间格式错误" },
  ]);
  expect(brief(lines)).toEqual([["P:42000SK3", "in", 19_900, 119]]);
});

test("totals that are not those of the lines refuse the file", async () => {
  const short = wechatBill(DAY).replace(/\r\n`[^\r]*SK2[^\r]*/, "");
  expect((await readAll(Buffer.from(short), WECHAT)).outcome.refusal).toBe(
    "文件合计与明细不符（合计 3 笔，明细 2 笔），可能下载不完整",
  );
  const other = wechatBill(DAY).replaceAll("`80.00", "`0.01");
  expect((await readAll(Buffer.from(other), WECHAT)).outcome.refusal).toBe(
    "文件合计与明细不符（合计 6,629.00，明细 6,549.01），可能下载不完整",
  );
  const cut = wechatBill(DAY).split("总交易单数")[0]!;
  expect((await readAll(Buffer.from(cut), WECHAT)).outcome.refusal).toBe("文件没有合计行，可能下载不完整");
});

test("the fund bill of WeChat Pay", async () => {
  const file = [
    "记账时间,微信支付业务单号,资金流水单号,业务名称,业务类型,收支类型,收支金额(元),账户结余(元),资金变更提交申请人,备注,业务凭证号",
    "`2026-03-10 08:00:01,`42000SK1,`1001,`交易,`交易,`收入,`6311.90,`6311.90,`system,`,`SK1",
    "`2026-03-11 02:00:00,`70001,`1002,`提现,`提现,`支出,`6311.90,`0.00,`system,`自动提现,`W1",
    "资金流水总笔数,收入笔数,收入金额,支出笔数,支出金额",
    "`2,`1,`6311.90,`1,`6311.90",
  ].join("\n");
  const { lines, outcome } = await readAll(Buffer.from(file), WECHAT);
  expect(outcome).toMatchObject({
    format: "wechatFund",
    sumIn: 631_190,
    sumOut: 631_190,
    refusal: undefined,
  });
  expect(lines[1]).toMatchObject({
    rowKey: "F:1002",
    direction: "out",
    balance: 0,
    summary: "提现 提现 自动提现",
  });
  const wrong = await readAll(Buffer.from(file.replace("`2,`1", "`2,`2")), WECHAT);
  expect(wrong.outcome.refusal).toBe("文件合计与明细不符（合计 2 笔，明细 1 笔），可能下载不完整");
});

test("a business detail of Alipay, packed and in GBK, beside its summary", async () => {
  const bill = alipayBill(DAY, BACK);
  const zip = await packed({
    "20880000_业务明细.csv": gbk(bill),
    "20880000_业务明细(汇总).csv": gbk("#支付宝业务汇总查询"),
  });
  const { lines, outcome, encoding } = await readAll(zip, ALIPAY);
  expect(encoding).toBe("gb18030");
  expect(outcome).toMatchObject({
    format: "alipayTrade",
    sumIn: 662_900,
    sumOut: 4_500,
    refusal: undefined,
    faultCount: 0,
  });
  expect(brief(lines)).toEqual([
    ["P:2026SK1", "in", 635_000, 3810],
    ["P:2026SK2", "in", 8_000, 48],
    ["P:2026SK3", "in", 19_900, 119],
    ["R:2026SK0:TK1", "out", 4_500, -27],
  ]);
  // given back in two parts, neither of which has a number of its own
  const parts = [BACK[0]!, { ...BACK[0]!, amount: 3_000 }].map((part) => ({ ...part, refund: "" }));
  const keys = (await readAll(gbk(alipayBill(DAY, parts)), ALIPAY)).lines.map(({ rowKey }) => rowKey);
  expect(new Set(keys).size).toBe(DAY.length + 2);
  const cases: [string, string][] = [
    [bill.replace("2088000000000156", "2088999999999999"), "商户号与所选账户不符"],
    [
      bill.replace("交易合计：3笔", "交易合计：4笔"),
      "文件合计与明细不符（合计 4 笔，明细 3 笔），可能下载不完整",
    ],
    [
      bill.split("#-----------------------------------------业务明细列表结束")[0]!,
      "文件没有合计行，可能下载不完整",
    ],
  ];
  for (const [text, refusal] of cases)
    expect((await readAll(gbk(text), ALIPAY)).outcome.refusal).toBe(refusal);
  const late = await readAll(gbk(alipayBill([{ ...DAY[0]!, at: "2026-03-12 00:00:00" }])), ALIPAY);
  expect(late.outcome.faults).toEqual([
    { line: 6, column: "完成时间", content: "2026-03-12 00:00:00", reason: "日期超出文件区间" },
  ]);
});

test("a packed file with two details, or none, is refused", async () => {
  const two = await packed({ "a_业务明细.csv": "x", "b_账务明细.csv": "y" });
  await expect(readAll(two, ALIPAY)).rejects.toThrow("压缩包内有多个明细文件，请拆开上传");
  await expect(readAll(await packed({ "a.pdf": "x" }), ALIPAY)).rejects.toThrow("压缩包内没有明细文件");
});

test("names in a packed file are read as Alipay writes them: in GBK, without the mark of UTF-8", async () => {
  const names = { "A.......": "业务明细", "B...........": "业务明细汇总" };
  const [detail, summary] = Object.keys(names).map((name) => `${name}.csv`);
  const zip = await packed({ [detail!]: gbk(alipayBill(DAY)), [summary!]: gbk("#支付宝业务汇总查询") });
  const at = (bytes: string) =>
    Array.from({ length: zip.length }, (_, i) => i).filter((i) => zip.indexOf(bytes, i, "latin1") === i);
  for (const i of at("PK\u0003\u0004")) zip[i + 7]! &= ~8;
  for (const i of at("PK\u0001\u0002")) zip[i + 9]! &= ~8;
  for (const [ascii, name] of Object.entries(names)) for (const i of at(ascii)) gbk(name).copy(zip, i);
  expect((await readAll(zip, ALIPAY)).outcome).toMatchObject({ lines: 3, refusal: undefined });
});

const BANK_FILE = [
  "账号：33001600000001,,,,,,",
  "交易日期,交易时间,贷方发生额,借方发生额,账户余额,对方户名,对方账号,摘要,用途",
  '2026-03-06,08:05:00,"12,000.00",,"24,800.00",宏远商贸,6222000011,转账,"3月租金,2间"',
  '2026-03-11,,"6,311.90",,"31,111.90",财付通,,结算,',
  '2026-03-25,10:00:00,,3879.50,"27,232.40",孙七,6222000022,退款,',
  '合计,,"18,311.90",3879.50,,,,,',
].join("\r\n");

test("a bank's statement: title lines above, sums below, commas in cells, balances that follow", async () => {
  const { lines, outcome } = await readAll(gbk(BANK_FILE), BANK);
  expect(outcome).toMatchObject({
    format: "bank",
    lines: 3,
    sumIn: 1_831_190,
    sumOut: 387_950,
    faultCount: 0,
    warnings: [],
  });
  expect(lines[0]).toMatchObject({
    occurredAt: "2026-03-06 08:05:00",
    direction: "in",
    amount: 1_200_000,
    balance: 2_480_000,
    counterName: "宏远商贸",
    counterAccount: "6222000011",
    summary: "转账 3月租金,2间",
  });
  const upwards = BANK_FILE.split("\r\n");
  const turned = [...upwards.slice(0, 2), ...upwards.slice(2, 5).toReversed(), upwards[5]!].join("\r\n");
  expect((await readAll(gbk(turned), BANK)).outcome.warnings).toEqual([]);
  const gap = BANK_FILE.replace('"31,111.90"', '"31,111.00"');
  expect((await readAll(gbk(gap), BANK)).outcome.warnings).toEqual(["余额不连续：第 4、5 行"]);
});

test("one amount with a sign column, or with a sign; a serial number is the key, told once in every file", async () => {
  const signs =
    "交易日期\t流水号\t借贷标志\t发生额\n20260306\tA1\t贷\t100.00\n20260307\tA1\t借\t1.00\n20260308\tA2\t借\t-5\n20260308\tA2\t借\t-5";
  expect(brief((await readAll(Buffer.from(signs), BANK)).lines)).toEqual([
    ["S:A1:in:10000", "in", 10_000, 0],
    ["S:A1:out:100", "out", 100, 0],
    ["S:A2:out:500", "out", 500, 0],
    ["S:A2:out:500#1", "out", 500, 0],
  ]);
  const refusals: [string, string][] = [
    ["交易日期,流水号,余额\n", "缺少列：收入金额和支出金额，或交易金额"],
    ["交易日期,交易金额,摘要\n", "缺少列：交易流水号，或对方户名和余额"],
    ["随便,什么\n1,2\n", "无法识别的账单格式，请选择格式或使用银行模板"],
  ];
  for (const [text, refusal] of refusals)
    expect((await readAll(Buffer.from(text), BANK)).outcome.refusal).toBe(refusal);
});

test("a number of noughts is none: such lines are told apart by day, payer and balance", async () => {
  const noughts =
    "交易日期,凭证号,收入金额,支出金额,余额,对方户名\n20260206,00000000,100.00,,100.00,王敏\n20260306,00000000,100.00,,200.00,王敏\n20260306,00000001,100.00,,300.00,王敏";
  const { lines } = await readAll(Buffer.from(noughts), BANK);
  expect(lines.map((l) => [l.rowKey, l.channelTradeNo])).toEqual([
    ["N:2026-02-06 00:00:00:in:10000:王敏:10000", undefined],
    ["N:2026-03-06 00:00:00:in:10000:王敏:20000", undefined],
    ["S:00000001:in:10000", "00000001"],
  ]);
});

test("a spreadsheet is read like text; a formula is no amount", async () => {
  const head = ["交易日期", "流水号", "收入金额", "支出金额"];
  const book = await aBook("流水", [
    head,
    [new Date("2026-03-06"), "A1", 12000.5, null],
    ["2026-03-07", "A2", null, { formula: "1+1", result: 2 }],
  ]);
  const { lines, outcome, encoding } = await readAll(book, BANK);
  expect(encoding).toBe("xlsx");
  expect(brief(lines)).toEqual([["S:A1:in:1200050", "in", 1_200_050, 0]]);
  expect(outcome.faults).toEqual([{ line: 3, column: "收入金额", content: "", reason: "金额格式错误" }]);
});

test("what is no text, or unfolds without end, is refused", async () => {
  await expect(readAll(Buffer.alloc(0), BANK)).rejects.toThrow("文件是空的");
  await expect(readAll(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0xff, 0xff]), BANK)).rejects.toThrow(
    "无法识别文件编码，请另存为 UTF-8 或 GBK",
  );
  const bomb = gzipSync(Buffer.alloc(330 * 1024 * 1024, "a\n"));
  expect(bomb.length).toBeLessThan(1024 * 1024);
  await expect(readAll(bomb, BANK)).rejects.toThrow("文件解压后过大，请分日下载后再上传");
  await expect(readAll(gzipSync("交易日期").subarray(0, 20), BANK)).rejects.toThrow("文件已损坏，无法解压");
  await expect(readAll(Buffer.from("a".repeat(200_000)), BANK)).rejects.toThrow("文件中有过长的行，无法识别");
  const empty = Buffer.alloc(4 * MOST_LINES, "\n");
  await expect(readAll(empty, BANK)).rejects.toThrow("文件超过100万行，请分日下载后再上传");
});

test("a long file is read in turns, so that others are served meanwhile", async () => {
  const lines = Array.from({ length: 4_000 }, (_, i) => ({ no: `SK${i}`, at, amount: 100 }));
  let turns = 0;
  let over = false;
  const count = () => {
    if (over) return;
    turns++;
    setImmediate(count);
  };
  setImmediate(count);
  const { outcome } = await readAll(Buffer.from(wechatBill(lines)), WECHAT);
  over = true;
  expect(outcome.lines).toBe(4_000);
  expect(turns).toBeGreaterThan(15);
});

test("a file of more lines than a sum can hold is refused", () => {
  expect(Number.isSafeInteger(MOST_LINES * AMOUNT_MAX)).toBe(true);
  const reader = statementReader(BANK, {}, 2);
  const line = (no: number, text: string) => ({ no, text, cells: () => text.split(",") });
  reader.take(line(1, "交易日期,流水号,收入金额,支出金额"));
  for (const no of [2, 3]) expect(reader.take(line(no, `20260306,A${no},99999999.99,`))).toHaveLength(1);
  expect(reader.end().refusal).toBeUndefined();
  expect(reader.take(line(4, "20260306,B,1,"))).toEqual([]);
  expect(reader.end().refusal).toBe("文件超过50万行，请分日下载后再上传");
});

test("a template reads by its own names alone, from its header on, and says what a header lacks", async () => {
  const file =
    "导出,时间,说明\n12/31/2025,x,y\n记账日,笔号,金额,向,余额,说明\n03/10/2026,A1,5.00,贷,10.00,房租\n3/9/2026 8:05,A2,2.00,借,5.00,水费";
  const template = {
    skipLines: 2,
    dateFormat: "mdy" as const,
    columns: { date: "记账日", serial: "笔号", amount: "金额", sign: "向", notes: ["说明"] },
  };
  const { lines, outcome } = await readAll(Buffer.from(file), BANK, { template });
  expect(outcome).toMatchObject({ faultCount: 0, warnings: [] });
  expect(lines.map((l) => [l.rowKey, l.occurredAt, l.summary])).toEqual([
    ["S:A1:in:500", "2026-03-10 00:00:00", "房租"],
    ["S:A2:out:200", "2026-03-09 08:05:00", "水费"],
  ]);
  const lacks = { ...template, columns: { ...template.columns, name: "户名" } };
  expect((await readAll(Buffer.from(file), BANK, { template: lacks })).outcome.refusal).toBe("缺少列：户名");
  // the header lies among the lines that are skipped
  expect(
    (await readAll(Buffer.from(file), BANK, { template: { ...template, skipLines: 3 } })).outcome.refusal,
  ).toMatch(/^缺少列：/);
});

test("which columns are enough to read a bank's file by", () => {
  const date = "记账日";
  const say = (columns: object) => whyNotTemplate({ columns: { date, ...columns } })?.msg;
  expect(say({ serial: "笔号", in: "进", out: "出" })).toBeUndefined();
  expect(say({ balance: "余", account: "户", amount: "额" })).toBeUndefined();
  expect(say({ serial: "笔号" })).toBe("请选择收入金额和支出金额，或交易金额");
  expect(say({ serial: "笔号", in: "进" })).toBe("请选择支出金额");
  expect(say({ serial: "笔号", amount: "额", out: "出" })).toBe("交易金额与收入、支出金额只能选一种");
  expect(say({ serial: "笔号", in: "进", out: "出", sign: "向" })).toBe("有收支标志时请选择交易金额");
  expect(say({ amount: "额", name: "户" })).toBe("没有流水号时，请选择余额和对方户名或账号");
  expect(say({ amount: "额", balance: "余" })).toBe("没有流水号时，请选择对方户名或账号");
  expect(whyTwice({ columns: { date, serial: "额", amount: "额" } })).toBe("列“额”只能选择一次");
  expect(whyTwice({ columns: { date, serial: "号", notes: ["额"] } })).toBeUndefined();
  expect(
    likelyHeader([
      { line: 1, cells: ["导出"] },
      { line: 4, cells: ["日期", "金额"] },
    ]),
  ).toBe(4);
  expect(likelyHeader([{ line: 1, cells: ["1", "2"] }])).toBeUndefined();
});

test("a time beside the day is a column of its own; one name alone is both", () => {
  expect(guessed(["交易日期", "交易时间", "收入金额"]).fields).toMatchObject({
    date: "交易日期",
    time: "交易时间",
  });
  const { fields } = guessed(["交易时间", "收入金额"]);
  expect([fields.date, fields.time]).toEqual(["交易时间", undefined]);
});
