import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../../platform/checks/cases.ts";
import type { Call } from "../../../platform/kernel/call.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { addAccount, linkAccount } from "../account/account.service.ts";
import { confirmFlow } from "../flow/flow.contract.ts";
import { reverseFlow } from "../flow/allocate.service.ts";
import { aCounter, take } from "../flow/flow.sample.ts";
import {
  importStatement,
  listStatements,
  previewStatement,
  undoStatement,
} from "../statement/statement.contract.ts";
import { type Given, MERCHANT, type Paid, wechatBill } from "../statement/statement.sample.ts";
import { checkLedger } from "../check/check.service.ts";
import * as calls from "./reconcile.contract.ts";
import { splitSaid } from "./reconcile.rules.ts";
import { sendStatement, statesSaid } from "./reconcile.sample.ts";

const house = await testHouse();
const { db } = house.database;
const counter = await aCounter(house);
const { store, partyId } = counter;
const PERMITS = ["25.query", "25.import", "25.export", "#2501"];
const clerk = await house.person({ permits: PERMITS, villages: [store.villageId], name: "赵对账" });
const stranger = counter.stranger;
const DAY = "2026-03-10";
const at = `${DAY} 08:00:01`;

/** An account of its own, with the takings of a day: [order number, fen, time of day]. */
let count = 0;
async function anAccount(taken: readonly (readonly [string, Fen, string?])[] = []) {
  count++;
  const accountId = await addAccount(
    { tx: db },
    {
      enterpriseId: house.enterpriseId,
      name: `门店微信${count}`,
      kind: "wechat",
      holderVillageId: store.villageId,
      feeRate: "0.006",
      mchId: String(Number(MERCHANT) + count),
    },
  );
  await linkAccount(
    { tx: db },
    { villageId: store.villageId, payType: "wechat", merchantAccountId: accountId },
  );
  const flows: number[] = [];
  for (const [no, amount, time = "08:00:00"] of taken)
    flows.push((await taking(accountId, no, amount, `${DAY}T${time}+08:00`))!);
  return { accountId, flows, mchId: String(Number(MERCHANT) + count) };
}
const taking = async (
  accountId: number,
  outTradeNo: string,
  amount: Fen,
  paidAt: string,
  channelTradeNo = `42000${outTradeNo}`,
) =>
  (
    await take(house, store, { ...counter.accounts, wechat: accountId }, partyId, {
      amount,
      paidAt,
      outTradeNo,
      channelTradeNo,
    })
  ).id;

type At = { accountId: number; mchId: string };
const bill = (of: At, paid: readonly Paid[], given: readonly Given[] = []) =>
  Buffer.from(wechatBill(paid, given).replaceAll(MERCHANT, of.mchId));
const send = (call: Call, of: At, bytes: Buffer, more: Record<string, string> = {}, as: Person = clerk) =>
  sendStatement(house, call, { as, accountId: of.accountId, bytes, more });
const rows = async (of: At, query: object = {}) =>
  (
    await house.did(
      calls.listReconcile,
      { as: clerk },
      { query: { merchantAccountId: of.accountId, ...query } as never },
    )
  ).list;
const states = (of: At) => statesSaid(house, counter.cashier, of.accountId);
const said = async (of: At) =>
  (await rows(of)).map((r) => [r.result, r.outTradeNo, r.ours, r.theirs, r.diff]);
const dayOf = async (of: At, day = DAY) => {
  const { accounts } = await house.did(calls.calendar, { as: clerk }, { query: { month: day.slice(0, 7) } });
  return accounts.find((a) => a.id === of.accountId)!.days.find((d) => d.day === day)!;
};
const feesBooked = async (of: At) => {
  const { rows: found } = await house.database.pool.query<{ fen: number }>(
    "select coalesce(sum(debit - credit), 0)::int fen from journal_line where account = '6602' and merchant_account_id = $1",
    [of.accountId],
  );
  return found[0]!.fen;
};
/** Takes the last file of an account back. */
const undo = async (of: At) => {
  const query = { merchantAccountId: of.accountId } as never;
  const [batch] = (await house.did(listStatements, { as: clerk }, { query })).list;
  const asked = { params: { id: batch!.id }, query: { version: batch!.version } };
  return house.ask(undoStatement, { as: clerk, key: crypto.randomUUID() }, asked);
};
let serial = 0;
const orders = (n: number) => Array.from({ length: n }, () => `SK${++serial}`);

test("the example day: 421.00 between both sides in three parts, put right one after the other", async () => {
  const [a, b, c, d] = orders(4) as [string, string, string, string];
  const of = await anAccount([
    [a, 635_000],
    [b, 50_000],
    [c, 20_000],
  ]);
  expect(await dayOf(of)).toMatchObject({ state: "none", open: 0 });
  const file = bill(of, [
    { no: a, at, amount: 635_000, fee: 3810 },
    { no: d, at, amount: 8_000, fee: 48 },
    { no: c, at, amount: 19_900, fee: 119 },
  ]);
  const looked = await send(previewStatement, of, file);
  expect(looked.data).toMatchObject({
    format: "wechatAll",
    lineCount: 3,
    newCount: 3,
    sumIn: 662_900,
    sumFee: 3977,
    refusal: "",
    faultCount: 0,
  });
  expect((await send(importStatement, of, file)).data).toMatchObject({ lineCount: 3, newCount: 3 });
  expect(await said(of)).toEqual([
    ["onlyHere", b, 50_000, null, 50_000],
    ["onlyThere", d, null, 8_000, -8_000],
    ["amountDiffers", c, 20_000, 19_900, 100],
    ["matched", a, 635_000, 635_000, 0],
  ]);
  expect(await states(of)).toEqual(["matched", "different", "different"]);
  const counts = await house.did(
    calls.countReconcile,
    { as: clerk },
    { query: { merchantAccountId: of.accountId } },
  );
  expect(counts).toMatchObject({
    all: 4,
    matched: 1,
    diff: { onlyHere: 50_000, onlyThere: -8_000, amountDiffers: 100 },
  });
  expect(await dayOf(of)).toMatchObject({ state: "different", open: 3, ours: 705_000, theirs: 662_900 });

  const looks = await house.did(
    calls.listReconcile,
    { as: clerk },
    { query: { merchantAccountId: of.accountId } as never },
  );
  expect(looks.sums).toMatchObject({
    hereCount: 3,
    thereCount: 3,
    ours: 705_000,
    theirs: 662_900,
    fee: 3_977,
  });
  expect(splitSaid(looks.sums!)).toBe(
    "差额 421.00 = 系统有渠道无 500.00 + 渠道有系统无 -80.00 + 金额不符 1.00",
  );

  // what only the channel had is recorded and confirmed by another; the other two are reversed and one taken again as the channel has it
  const missing = looks.list.find((row) => row.outTradeNo === d)!;
  const matched = looks.list.find((row) => row.result === "matched")!;
  const record = (as: Person, row: typeof missing, more: object = {}) => {
    const body = { villageId: store.villageId, partyId, version: row.version, ...more };
    return house.ask(calls.recordItem, { as, key: crypto.randomUUID() }, { params: { id: row.id }, body });
  };
  expect((await record(clerk, missing)).status).toBe(403);
  const booker = await house.person({ permits: [...PERMITS, "102.add"], villages: [store.villageId] });
  expect((await record(booker, missing, { villageId: 999_999 })).status).toBe(404);
  expect((await record(booker, missing, { partyId: undefined })).body.fields![0]!.msg).toBe("请选择客户");
  expect((await record(booker, matched)).body.message).toBe("只有渠道有系统无的收付款可以补录");
  const { id: flowId, flowNo } = (await record(booker, missing)).body.data;
  expect((await record(booker, missing)).body.message).toBe(`该流水已补录 ${flowNo}，等待确认`);
  const found = async () => (await rows(of)).find((row) => row.channelTradeNo === `42000${d}`);
  expect(await found()).toMatchObject({ result: "onlyThere", recordNo: flowNo });
  await house.did(confirmFlow, { as: counter.cashier }, { params: { id: flowId }, body: {} });
  await house.deliver();
  expect(await found()).toMatchObject({ result: "matched", flowNo, ours: 8_000, recordNo: null });
  await acting(house, (act) => reverseFlow(act, of.flows[1]!, "客户未支付"));
  await acting(house, (act) => reverseFlow(act, of.flows[2]!, "金额录错"));
  await taking(of.accountId, `${c}B`, 19_900, `${DAY}T08:00:01+08:00`, `42000${c}`);
  const run = () =>
    house.did(
      calls.runReconcile,
      { as: clerk },
      { body: { merchantAccountId: of.accountId, from: DAY, to: DAY } },
    );
  expect(await run()).toEqual({ open: 0 });
  expect(await run()).toEqual({ open: 0 });
  expect(await dayOf(of)).toMatchObject({ state: "balanced", open: 0, ours: 662_900, theirs: 662_900 });
  // what was reversed took no fee: the books have what the channel kept of these three
  expect(await feesBooked(of)).toBe(3_977);

  // the same file once more adds nothing; neither does one that tells the same lines
  const known = await send(importStatement, of, file);
  expect(known).toMatchObject({
    status: 400,
    message: expect.stringMatching(/^该文件已导入（批次 DZ\d{8}-\d{6}）$/),
  });
  const longer = Buffer.concat([file, Buffer.from("\r\n")]);
  expect((await send(importStatement, of, longer)).data).toMatchObject({ lineCount: 3, newCount: 0 });
  expect(await dayOf(of)).toMatchObject({ state: "balanced" });
});

test("a file with a wrong cell leaves nothing; the preview names it", async () => {
  const [a] = orders(1) as [string];
  const of = await anAccount([[a, 10_000]]);
  const wrong = bill(of, [
    { no: a, at, amount: 10_000, fee: 60 },
    { no: "X", at: "2026-13-01", amount: 1 },
  ]);
  expect((await send(previewStatement, of, wrong)).data).toMatchObject({
    faultCount: 1,
    faults: [{ line: 3, column: "交易时间", content: "2026-13-01", reason: "时间格式错误" }],
  });
  expect(await send(importStatement, of, wrong)).toMatchObject({
    status: 400,
    message: "文件有 1 处错误，没有导入任何流水",
  });
  expect(await rows(of)).toEqual([]);
  const other = await anAccount();
  expect((await send(importStatement, other, bill(of, [{ no: a, at, amount: 1 }]))).message).toMatch(
    /^文件有 1 处错误/,
  );
});

test("the fee follows the statement, on its day, and is as it was when the file is taken back", async () => {
  const [a, b] = orders(2) as [string, string];
  const of = await anAccount([
    [a, 10_000],
    [b, 20_000],
  ]);
  expect(await feesBooked(of)).toBe(60 + 120);
  await send(
    importStatement,
    of,
    bill(of, [
      { no: a, at, amount: 10_000, fee: 38 },
      { no: b, at, amount: 20_000, fee: 120 },
    ]),
  );
  expect((await rows(of)).map((r) => [r.result, r.outTradeNo, r.feeFixed])).toEqual(
    expect.arrayContaining([
      ["feeFixed", a, -22],
      ["matched", b, 0],
    ]),
  );
  expect(await feesBooked(of)).toBe(38 + 120);
  const fees = async () =>
    (await db.selectFrom("flow").select("fee").where("id", "in", of.flows).orderBy("id").execute()).map(
      (f) => f.fee,
    );
  expect(await fees()).toEqual([38, 120]);
  await undo(of);
  expect(await fees()).toEqual([60, 120]);
  expect(await feesBooked(of)).toBe(180);
  expect(await rows(of)).toEqual([]);
  expect(await states(of)).toEqual(["none", "none"]);
  const { breaks } = await acting(house, (act) => checkLedger(act, "manual"));
  expect(breaks).toEqual([]);
});

test("a payment just before midnight stands in the next day's file, and neither day stays open", async () => {
  const [a, b] = orders(2) as [string, string];
  const of = await anAccount([
    [a, 30_000, "23:59:58"],
    [b, 40_000],
  ]);
  await send(importStatement, of, bill(of, [{ no: b, at, amount: 40_000, fee: 240 }]));
  expect(await dayOf(of)).toMatchObject({ state: "different", open: 1 });
  const [late] = await rows(of, { open: "true" });
  const waiting = { resolution: "wait" as const, note: "等次日账单", version: late!.version };
  const long = await house.ask(calls.resolveItem, { as: clerk }, { params: { id: late!.id }, body: waiting });
  expect(long.body.message).toBe("跨日等待最多3天");
  await send(importStatement, of, bill(of, [{ no: a, at: "2026-03-11 00:00:01", amount: 30_000, fee: 180 }]));
  expect(await dayOf(of)).toMatchObject({ state: "balanced", open: 0 });
  expect(await dayOf(of, "2026-03-11")).toMatchObject({ state: "balanced", open: 0 });
  // without the next day's file it is a difference of its own day again
  await undo(of);
  expect(await dayOf(of)).toMatchObject({ state: "different", open: 1, ours: 70_000, theirs: 40_000 });
  expect(await dayOf(of, "2026-03-11")).toMatchObject({ state: "none", open: 0 });
});

test("a difference is accepted with a note, opened again, put together by hand and apart; then the file stays", async () => {
  const [a, b] = orders(2) as [string, string];
  const of = await anAccount([[a, 10_000]]);
  await send(importStatement, of, bill(of, [{ no: b, at, amount: 10_000, fee: 60 }]));
  const as = { as: clerk };
  const find = async (result: string) => (await rows(of)).find((r) => r.result === result)!;
  const there = await find("onlyThere");
  await house.did(calls.resolveItem, as, {
    params: { id: there.id },
    body: { resolution: "accept", note: "门店自用收款", version: there.version },
  });
  expect(await find("onlyThere")).toMatchObject({
    resolution: "accept",
    note: "门店自用收款",
    resolver: "赵对账",
  });
  expect(await dayOf(of)).toMatchObject({ open: 1 });
  const old = await house.ask(calls.resolveItem, as, {
    params: { id: there.id },
    body: { resolution: "accept", note: "再来一次", version: there.version },
  });
  expect(old).toMatchObject({ status: 409, body: { message: "数据已被他人修改，请刷新后重试" } });
  await house.did(calls.reopenItem, as, { params: { id: there.id }, body: { version: there.version + 1 } });

  const here = await find("onlyHere");
  expect(await states(of)).toEqual(["different"]);
  await house.did(calls.matchItems, as, {
    body: { hereId: here.id, thereId: there.id, note: "同一笔，单号录错" },
  });
  expect((await rows(of)).map((r) => [r.result, r.byHand])).toEqual([["matched", true]]);
  expect(await undo(of)).toMatchObject({ body: { message: "批次内有 1 行已处理，不能撤销" } });
  const [both] = await rows(of);
  await house.did(calls.unmatchItem, as, { params: { id: both!.id }, query: { version: both!.version } });
  expect((await rows(of)).map((r) => r.result).toSorted()).toEqual(["onlyHere", "onlyThere"]);
});

test("the same file from two people at once is taken once; nothing is seen or touched beyond one's stores", async () => {
  const [a] = orders(1) as [string];
  const of = await anAccount([[a, 10_000]]);
  const file = bill(of, [{ no: a, at, amount: 10_000, fee: 60 }]);
  const both = await Promise.all([send(importStatement, of, file), send(importStatement, of, file)]);
  expect(both.map((one) => one.status).toSorted()).toEqual([200, 400]);
  expect((await rows(of)).map((r) => r.result)).toEqual(["matched"]);

  const outside = await house.person({ permits: PERMITS, villages: [] });
  const theirs = { as: outside };
  expect(
    (await house.did(calls.listReconcile, theirs, { query: { merchantAccountId: of.accountId } as never }))
      .list,
  ).toEqual([]);
  expect((await house.did(calls.calendar, theirs, { query: {} })).accounts).toEqual([]);
  const [row] = await rows(of);
  const none = { status: 404 };
  const resolving = {
    params: { id: row!.id },
    body: { resolution: "accept" as const, note: "别人的", version: row!.version },
  };
  expect(await house.ask(calls.resolveItem, theirs, resolving)).toMatchObject(none);
  expect(
    await house.ask(calls.runReconcile, theirs, {
      body: { merchantAccountId: of.accountId, from: DAY, to: DAY },
    }),
  ).toMatchObject(none);
  expect(await send(importStatement, of, file, {}, outside)).toMatchObject(none);
  expect((await house.ask(calls.calendar, { as: stranger }, { query: {} })).status).toBe(403);
  // an account of head office takes money of every store: who has some of them does not prove it
  const head = await house.did(calls.calendar, { as: clerk }, { query: { holder: "head" } });
  expect(head.accounts).toEqual([]);
  const ofOne = (enterpriseId: number) =>
    house.did(calls.calendar, { as: clerk }, { query: { enterpriseId } as never });
  expect((await ofOne(house.enterpriseId)).accounts.map((a) => a.id)).toContain(of.accountId);
  expect((await ofOne(house.enterpriseId + 1)).accounts).toEqual([]);
});

const side = fc.array(fc.option(fc.integer({ min: 1, max: 5 })), { minLength: 6, maxLength: 6 });

test("law: whatever each side has, every movement stands once, and what is open explains the whole difference", async () => {
  await fc.assert(
    fc.asyncProperty(side, side, async (here, there) => {
      const numbers = orders(6);
      const ours = numbers.flatMap((no, i) => (here[i] ? [[no, 100 * here[i]] as const] : []));
      const theirs = numbers.flatMap((no, i) =>
        there[i] ? [{ no, at, amount: 100 * there[i], fee: there[i] % 3 }] : [],
      );
      fc.pre(theirs.length > 0);
      const of = await anAccount(ours);
      await send(importStatement, of, bill(of, theirs));
      const found = await rows(of);
      const sum = (list: readonly number[]) => list.reduce((s, n) => s + n, 0);
      expect(found.filter((r) => r.flowId !== null).length).toBe(ours.length);
      expect(found.filter((r) => r.occurredAt !== null).length).toBe(theirs.length);
      expect(sum(found.map((r) => r.diff))).toBe(
        sum(ours.map(([, n]) => n)) - sum(theirs.map((t) => t.amount)),
      );
      for (const row of found)
        expect(row.flowId !== null && row.occurredAt !== null).toBe(
          ours.some(([no]) => no === row.outTradeNo) && theirs.some((t) => t.no === row.outTradeNo),
        );
      // the channel's word on the fees of what both have alike, the rate of the account on what only we have
      const alike = found.filter((r) => r.diff === 0);
      const own = found.filter((r) => r.flowId !== null && r.diff !== 0);
      const byRate = (fen: number) => Math.floor((fen * 6 + 500) / 1000);
      expect(await feesBooked(of)).toBe(sum(alike.map((r) => r.fee!)) + sum(own.map((r) => byRate(r.ours!))));
    }),
    cases(6),
  );
});
