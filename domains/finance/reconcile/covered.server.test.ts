import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Day } from "../../../platform/kernel/day.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { decideExamine } from "../../approval/examine/examine.contract.ts";
import { aModule, asking, otherwise } from "../../approval/module/module.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { addAccount, linkAccount } from "../account/account.service.ts";
import { bankFile } from "../corporate/corporate.sample.ts";
import { reverseFlow } from "../flow/allocate.service.ts";
import { aCounter, take } from "../flow/flow.sample.ts";
import { checkLedger } from "../check/check.service.ts";
import { checkPosting } from "../posting/posting.contract.ts";
import {
  importStatement,
  listStatements,
  previewStatement,
  undoStatement,
} from "../statement/statement.contract.ts";
import { alipayBill, gbk, MERCHANT, PID, wechatBill } from "../statement/statement.sample.ts";
import { accountSummary } from "../summary/summary.contract.ts";
import * as calls from "./reconcile.contract.ts";
import { sendStatement } from "./reconcile.sample.ts";

const house = await testHouse();
house.setClock("2026-03-14T10:00:00+08:00");
const { db } = house.database;
const counter = await aCounter(house);
const { store, partyId } = counter;
const villages = [store.villageId];
const PERMITS = ["25.query", "25.import", "#2501", "23.query", "108.add", "108.get", "200.query"];
const clerk = await house.person({ permits: PERMITS, villages, name: "赵对账" });

let count = 0;
async function anAccount(kind: "wechat" | "alipay" | "bank") {
  const number = ++count;
  const mchId = kind === "alipay" ? String(BigInt(PID) + BigInt(number)) : String(Number(MERCHANT) + number);
  const id = await addAccount(
    { tx: db },
    {
      enterpriseId: house.enterpriseId,
      name: `渠道账户${number}`,
      kind,
      holderVillageId: store.villageId,
      ...(kind === "bank"
        ? {
            bankName: "招商银行",
            bankAccountNo: `62228800001234${number}`,
            statementMode: "reconcile" as const,
          }
        : { mchId, feeRate: "0.006" }),
    },
  );
  const payType = kind === "bank" ? "bankTransfer" : kind;
  await linkAccount({ tx: db }, { villageId: store.villageId, payType, merchantAccountId: id });
  const taken = (amount: number, paidAt: string) =>
    take(house, store, { ...counter.accounts, [payType]: id }, partyId, {
      amount,
      paidAt,
      channel: payType,
      outTradeNo: `SK${number}${amount}`,
      channelTradeNo: `42${number}${amount}`,
    } as never);
  return { id, mchId, taken };
}
const send = (call: Parameters<typeof sendStatement>[1], accountId: number, bytes: Buffer, more = {}) =>
  sendStatement(house, call, { as: clerk, accountId, bytes, more });
const daysOf = async (accountId: number) => {
  const { accounts } = await house.did(calls.calendar, { as: clerk }, { query: { month: "2026-03" } });
  return Object.fromEntries(
    accounts
      .find((a) => a.id === accountId)!
      .days.flatMap((d) => (d.state === "none" ? [] : [[d.day, d.state]])),
  );
};
const differences = async (accountId: number) =>
  (
    await house.did(calls.listReconcile, { as: clerk }, { query: { merchantAccountId: accountId } as never })
  ).list.map((r) => [r.day, r.result]);
const undoLast = async (accountId: number) => {
  const query = { merchantAccountId: accountId } as never;
  const [batch] = (await house.did(listStatements, { as: clerk }, { query })).list;
  const asked = { params: { id: batch!.id }, query: { version: batch!.version } };
  await house.did(undoStatement, { as: clerk }, asked);
};
const alipay = (mchId: string, ...of: Parameters<typeof alipayBill>) =>
  gbk(alipayBill(...of).replaceAll(PID, mchId));

test("a fund bill proves balances and reconciles no day: not in the calendar, the summary, the month's checks", async () => {
  const of = await anAccount("wechat");
  await of.taken(635_000, "2026-03-10T08:00:00+08:00");
  const fund = [
    "记账时间,微信支付业务单号,资金流水单号,业务名称,业务类型,收支类型,收支金额(元),账户结余(元),资金变更提交申请人,备注,业务凭证号",
    "`2026-03-10 08:00:01,`42000SK1,`1001,`交易,`交易,`收入,`6311.90,`6311.90,`system,`,`SK1",
    "资金流水总笔数,收入笔数,收入金额,支出笔数,支出金额",
    "`1,`1,`6311.90,`0,`0.00",
  ].join("\n");
  const { data } = await send(importStatement, of.id, Buffer.from(fund));
  expect(data).toMatchObject({ lineCount: 1, newCount: 1 });
  expect(await daysOf(of.id)).toEqual({});
  const { list } = await house.did(
    accountSummary,
    { as: clerk },
    { query: { from: "2026-03-01", to: "2026-03-31" } as never },
  );
  expect(list.find((row) => row.id === of.id)).toMatchObject({ unreconciled: 1, reconciledOn: null });
  for (const [side, key] of [
    ["income", "statements"],
    ["cost", "fees"],
  ] as const) {
    const { checks } = await house.did(
      checkPosting,
      { as: clerk },
      { query: { villageId: store.villageId, month: "2026-03", side } as never },
    );
    const item = checks.find((one) => one.key === key)!;
    expect([key, item.level, item.said]).toEqual([key, "amber", `渠道账户${count} 共 1 天没有对账单`]);
  }
});

test("a file of Alipay is about the days it states: a flow on one without a line is a difference, the others are balanced", async () => {
  const of = await anAccount("alipay");
  await of.taken(20_000, "2026-03-12T08:00:00+08:00");
  const week: [Day, Day] = ["2026-03-08", "2026-03-14"];
  const file = alipay(of.mchId, [{ no: "SK9", at: "2026-03-09 08:00:01", amount: 8_000 }], [], "\n", week);
  expect((await send(previewStatement, of.id, file)).data).toMatchObject({
    dateFrom: "2026-03-08",
    // it ends when the 14th begins
    dateTo: "2026-03-13",
    stated: true,
  });
  expect((await send(importStatement, of.id, file, { dateTo: "2026-03-14" })).message).toBe(
    "文件已写明起止日：2026-03-08 至 2026-03-13",
  );
  await send(importStatement, of.id, file);
  expect(await differences(of.id)).toEqual([
    ["2026-03-12", "onlyHere"],
    ["2026-03-09", "onlyThere"],
  ]);
  expect(await daysOf(of.id)).toEqual({
    "2026-03-08": "balanced",
    "2026-03-09": "different",
    "2026-03-10": "balanced",
    "2026-03-11": "balanced",
    "2026-03-12": "different",
    "2026-03-13": "balanced",
  });
});

test("an empty file of Alipay counts as the days it states, none of which is later than today", async () => {
  const of = await anAccount("alipay");
  await of.taken(20_000, "2026-03-13T08:00:00+08:00");
  const file = alipay(of.mchId, [], [], "\n", ["2026-03-13", "2026-03-31"]);
  expect((await send(previewStatement, of.id, file)).data).toMatchObject({
    refusal: "",
    lineCount: 0,
    dateFrom: "2026-03-13",
    dateTo: "2026-03-14",
  });
  expect((await send(importStatement, of.id, file)).data).toMatchObject({ lineCount: 0, newCount: 0 });
  expect(await daysOf(of.id)).toEqual({ "2026-03-13": "different", "2026-03-14": "balanced" });
});

test("who brings a bank's file says which days it is about, at least those of its lines", async () => {
  const of = await anAccount("bank");
  await of.taken(20_000, "2026-03-12T08:00:00+08:00");
  const file = Buffer.from(
    ["交易日期,交易流水号,收入金额,支出金额,对方户名", "2026-03-10,B1,80.00,,宏远商贸"].join("\n"),
  );
  expect((await send(previewStatement, of.id, file)).data).toMatchObject({
    dateFrom: "2026-03-10",
    dateTo: "2026-03-10",
    stated: false,
  });
  const refused = async (more: object) => (await send(importStatement, of.id, file, more)).message;
  expect(await refused({ dateFrom: "2026-03-11" })).toBe("文件中有 2026-03-10 的流水，起始日不能更晚");
  expect(await refused({ dateTo: "2026-03-09" })).toBe("文件中有 2026-03-10 的流水，终止日不能更早");
  expect(await refused({ dateTo: "2026-03-15" })).toBe("终止日不能晚于今天");
  await send(importStatement, of.id, file, { dateFrom: "2026-03-09", dateTo: "2026-03-12" });
  expect(await daysOf(of.id)).toEqual({
    "2026-03-09": "balanced",
    "2026-03-10": "different",
    "2026-03-11": "balanced",
    "2026-03-12": "different",
  });
});

test("a file is taken back also where a refund that was registered of its line came to nothing", async () => {
  const of = await anAccount("wechat");
  const paid = { no: "SKB1", at: "2026-03-10 08:00:00", amount: 50_000 };
  await take(house, store, { ...counter.accounts, wechat: of.id }, partyId, {
    amount: 50_000,
    paidAt: "2026-03-10T08:00:00+08:00",
    outTradeNo: "SKB1",
    channelTradeNo: "42000SKB1",
  });
  const given = { ...paid, at: "2026-03-10 09:00:00", amount: 20_000, refund: "WX9" };
  const file = Buffer.from(wechatBill([paid], [given]).replaceAll(MERCHANT, of.mchId));
  await send(importStatement, of.id, file);
  const boss = await house.person({ superType: "1", name: "钱经理" });
  await aModule(house, boss, {
    moduleType: "refund",
    name: "退款审批",
    villageIds: villages,
    fallback: boss,
    processes: [otherwise(asking("经理", [boss]))],
  });
  const { list } = await house.did(
    calls.listReconcile,
    { as: clerk },
    { query: { merchantAccountId: of.id, result: "onlyThere" } as never },
  );
  const { id, version } = list[0]!;
  await house.did(
    calls.refundItem,
    { as: clerk },
    {
      params: { id },
      body: {
        partyId,
        source: "prepaid",
        sourceId: partyId,
        villageId: store.villageId,
        note: "已退",
        version,
      } as never,
    },
  );
  const examine = await db
    .selectFrom("examine")
    .select(["id", "version"])
    .where("targetKind", "=", "refund")
    .executeTakeFirstOrThrow();
  const rejected = { decision: "reject" as const, version: examine.version, comment: "不是退款" };
  await house.did(decideExamine, { as: boss }, { params: { id: examine.id }, body: rejected as never });
  await house.deliver();
  const seen = (
    await house.did(listStatements, { as: clerk }, { query: { merchantAccountId: of.id } as never })
  ).list[0]!;
  const undo = { params: { id: seen.id }, query: { version: seen.version } };
  // pressed again because the answer was lost, it answers as the first time
  const key = randomUUID();
  const first = await house.did(undoStatement, { as: clerk, key }, undo);
  expect(await house.did(undoStatement, { as: clerk, key }, undo)).toEqual(first);
  expect(await daysOf(of.id)).toEqual({});
});

test("a flow that is reversed is nothing's pair: its line is open and its fee is back, also once the file is taken back", async () => {
  const { id, mchId, taken } = await anAccount("wechat");
  const flows = [
    (await taken(10_000, "2026-03-10T08:00:00+08:00")).id,
    (await taken(20_000, "2026-03-10T08:05:00+08:00")).id,
  ];
  const told = [
    { no: `SK${count}10000`, at: "2026-03-10 08:00:01", amount: 10_000, fee: 38 },
    { no: `SK${count}20000`, at: "2026-03-10 08:05:01", amount: 20_000, fee: 110 },
  ];
  const file = Buffer.from(wechatBill(told).replaceAll(MERCHANT, mchId));
  await send(importStatement, id, file);
  expect(await daysOf(id)).toEqual({ "2026-03-10": "balanced" });
  const reverse = (flowId: number | null) => acting(house, (act) => reverseFlow(act, flowId!, "认错租客"));
  const fees = async () =>
    (
      await house.database.pool.query<{ fen: number }>(
        "select coalesce(sum(debit - credit), 0)::int fen from journal_line where account = '6602' and merchant_account_id = $1",
        [id],
      )
    ).rows[0]!.fen;
  expect(await fees()).toBe(38 + 110);
  await reverse(flows[0]!);
  await house.deliver();
  expect((await differences(id)).toSorted()).toEqual([
    ["2026-03-10", "feeFixed"],
    ["2026-03-10", "onlyThere"],
  ]);
  expect(await daysOf(id)).toEqual({ "2026-03-10": "different" });
  expect(await fees()).toBe(110);
  // the file goes before a comparison has come to the second
  await reverse(flows[1]!);
  await undoLast(id);
  await house.deliver();
  expect(await fees()).toBe(120);
  await send(importStatement, id, file);
  expect(await fees()).toBe(0);
  const { breaks } = await acting(house, (act) => checkLedger(act, "manual"));
  expect(breaks).toEqual([]);
});

test("a file without fees says nothing of them: what a POS terminal keeps stays a cost", async () => {
  const id = counter.accounts.pos;
  const { id: flowId } = await take(house, store, counter.accounts, partyId, {
    amount: 100_000,
    channel: "pos",
    paidAt: "2026-03-10T08:00:00+08:00",
    channelTradeNo: "POS0001",
  } as never);
  const bytes = bankFile([{ day: "2026-03-10", amount: 100_000, no: "POS0001" }]);
  expect((await send(importStatement, id, bytes)).message).toBe("ok");
  expect(await differences(id)).toEqual([["2026-03-10", "matched"]]);
  expect(await db.selectFrom("flow").select("fee").where("id", "=", flowId!).execute()).toEqual([
    { fee: 500 },
  ]);
  expect(await daysOf(id)).toEqual({ "2026-03-10": "balanced" });
});

test("a bill of refunds says nothing of payments, one of payments nothing of refunds: a day takes both, or one of all", async () => {
  const of = await anAccount("wechat");
  await of.taken(30_000, "2026-03-10T08:00:00+08:00");
  await of.taken(40_000, "2026-03-10T09:00:00+08:00");
  const paid = [30_000, 40_000].map((amount) => ({
    no: `SK${count}${amount}`,
    at: "2026-03-10 08:00:01",
    amount,
    fee: (amount * 6) / 1000,
  }));
  const refund = {
    ...paid[1]!,
    at: "2026-03-10 10:00:00",
    fee: 0,
    amount: 5_000,
    refund: "WX9",
    paidAt: paid[1]!.at,
  };
  const bring = async (
    ...[paying, given, kind]: [typeof paid, (typeof refund)[], "all" | "success" | "refund"]
  ) => {
    const text = wechatBill(paying, given, "\r\n", kind).replaceAll(MERCHANT, of.mchId);
    expect((await send(importStatement, of.id, Buffer.from(text))).message).toBe("ok");
    return [await differences(of.id), await daysOf(of.id)];
  };
  const only = ["2026-03-10", "onlyThere"];
  expect(await bring([], [refund], "refund")).toEqual([[only], { "2026-03-10": "different" }]);
  await undoLast(of.id);
  const matched = ["2026-03-10", "matched"];
  expect(await bring(paid, [], "success")).toEqual([[matched, matched], {}]);
  const head = await house.person({ superType: "1" });
  const openDays = async () =>
    (
      await house.did(
        accountSummary,
        { as: head },
        { query: { from: "2026-03-10", to: "2026-03-10" } as never },
      )
    ).list.find((row) => row.id === of.id)!.unreconciled;
  expect(await openDays()).toBe(1);
  expect(await bring([], [refund], "refund")).toEqual([
    [only, matched, matched],
    { "2026-03-10": "different" },
  ]);
  await undoLast(of.id);
  expect(await bring(paid, [], "all")).toEqual([[matched, matched], { "2026-03-10": "balanced" }]);
  expect(await openDays()).toBe(0);
});
