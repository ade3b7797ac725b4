import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { AMOUNT_MAX } from "../../../platform/kernel/fen.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { addAccount } from "../account/account.service.ts";
import { checkLedger } from "../check/check.service.ts";
import { aCounter, take } from "../flow/flow.sample.ts";
import { takeFile } from "../reconcile/file.service.ts";
import * as reconcile from "../reconcile/reconcile.contract.ts";
import { sendStatement } from "../reconcile/reconcile.sample.ts";
import { applying, refundOf } from "../refund/refund.sample.ts";
import { importStatement, listRuns, listStatements } from "../statement/statement.contract.ts";
import { getBankLine, importBankLines, listBankLines, undoBankLines } from "./corporate.contract.ts";
import { aCompanyAccount, bankFile, type Came } from "./corporate.sample.ts";
import { tellUnclaimed } from "./corporate.job.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const counter = await aCounter(house);
const admin = await house.person({ superType: "1", name: "财务" });
const once = () => ({ as: admin, key: randomUUID() });
const balance = async (account: string, accountId: number) =>
  Number(
    (
      await house.database.pool.query<{ fen: number }>(
        "select coalesce(sum(debit - credit), 0) fen from journal_line where account = $1 and merchant_account_id = $2",
        [account, accountId],
      )
    ).rows[0]!.fen,
  );

test("a settlement in the statement of a bank in reconcile mode is booked E29, mirrored, and booked again", async () => {
  const bank = await addAccount(
    { tx: house.database.db },
    {
      enterpriseId: house.enterpriseId,
      name: "基本户",
      kind: "bank",
      holderVillageId: counter.store.villageId,
      bankAccountNo: "33001600000000000009",
    },
  );
  const { wechat } = counter.accounts;
  await take(house, counter.store, counter.accounts, counter.partyId, {
    amount: 635_000,
    paidAt: "2026-03-10T09:00:00+08:00",
  });
  const bytes = bankFile([
    { day: "2026-03-11", amount: 631_190, name: "财付通支付科技有限公司" },
    { day: "2026-03-11", amount: 100, name: "财付通支付科技有限公司" },
  ]);
  await acting(
    house,
    async (act) => {
      const file = { field: "file", name: "流水.csv", type: "text/csv", bytes };
      await takeFile(act, file, { merchantAccountId: bank, note: "" });
    },
    { villages: [counter.store.villageId] },
  );
  const items = async () =>
    (await house.did(reconcile.listReconcile, { as: admin }, { query: { merchantAccountId: bank } })).list;
  const settle = async (amount: number, merchantAccountId: number) => {
    const item = (await items()).find((i) => i.theirs === amount)!;
    return house.ask(reconcile.settleItem, once(), {
      params: { id: item.id },
      body: { merchantAccountId, note: "渠道结算到账", version: item.version },
    });
  };
  expect((await settle(631_190, counter.accounts.cash)).body.fields).toEqual([
    { field: "merchantAccountId", msg: "请选择渠道账户" },
  ]);
  expect((await settle(631_190, wechat)).status).toBe(200);
  expect([await balance("1012", wechat), await balance("1002", bank)]).toEqual([0, 631_190]);
  expect((await settle(100, wechat)).body.fields).toEqual([
    { field: "amount", msg: "超过渠道账户待结算余额" },
  ]);
  const item = (await items()).find((i) => i.theirs === 631_190)!;
  expect(item).toMatchObject({ resolution: "settle", note: "渠道结算到账" });
  await house.did(reconcile.reopenItem, once(), { params: { id: item.id }, body: { version: item.version } });
  expect([await balance("1012", wechat), await balance("1002", bank)]).toEqual([631_190, 0]);
  expect((await settle(631_190, wechat)).status).toBe(200);
  expect([await balance("1012", wechat), await balance("1002", bank)]).toEqual([0, 631_190]);
  const { breaks } = await acting(house, (act) => checkLedger(act, "manual"));
  expect(breaks).toEqual([]);
});

test("a refund that the bank has paid is confirmed by its line, which is its slip; the two are one movement", async () => {
  const { store, partyId, accounts } = counter;
  const of = { source: "prepaid" as const, sourceId: partyId, villageId: store.villageId, amount: 20_000 };
  const { id } = (await applying(house, admin, { ...of, partyId })).body.data;
  const bytes = bankFile([
    { day: "2026-03-11", amount: 20_000, out: true, name: "张三", summary: "退款" },
    { day: "2026-03-11", amount: 30_000, out: true, name: "张三" },
  ]);
  await sendStatement(house, importStatement, { as: admin, accountId: accounts.bankTransfer, bytes });
  const find = async (theirs: number) => {
    const query = { merchantAccountId: accounts.bankTransfer } as never;
    const { list } = await house.did(reconcile.listReconcile, { as: admin }, { query });
    return list.find((item) => item.theirs === theirs)!;
  };
  const pay = async (theirs: number, as = admin) => {
    const { id: itemId, version } = await find(theirs);
    const body = { refundId: id, note: "网银已付", version };
    return house.ask(reconcile.payItem, { as, key: randomUUID() }, { params: { id: itemId }, body });
  };
  const offered = async (amount: number) =>
    (await house.did(reconcile.payableRefunds, { as: admin }, { query: { amount } })).map((one) => one.id);
  expect([await offered(20_000), await offered(30_000)]).toEqual([[id], []]);
  const villages = (await house.database.db.selectFrom("village").select("id").execute()).map((v) => v.id);
  expect((await pay(-20_000, await house.person({ permits: ["#2501"], villages }))).status).toBe(403);
  expect((await pay(-30_000)).body.fields).toEqual([
    { field: "refundId", msg: "请选择未付金额与流水一致的银行退款" },
  ]);
  const { flowNo } = (await pay(-20_000)).body.data;
  expect(await find(-20_000)).toMatchObject({ result: "matched", flowNo, ours: -20_000 });
  expect(await refundOf(house, admin, id)).toMatchObject({ state: "paid", paid: 20_000 });
  expect(await offered(20_000)).toEqual([]);
  expect((await acting(house, (act) => checkLedger(act, "manual"))).breaks).toEqual([]);
});

test("money that is nobody's for more than three days is told once a day", async () => {
  const company = await aCompanyAccount(house);
  await company.came({ day: "2026-03-09", amount: 10_000, name: "某公司" });
  await acting(house, tellUnclaimed);
  const titles = async () =>
    (
      await house.database.pool.query<{ title: string }>(
        `select m.title from message m join message_receipt r on r.message_id = m.id
          where r.operator_id = $1 and m.title like '%未认领'`,
        [admin.operatorId],
      )
    ).rows.map((row) => row.title.replace(/^对公账户\d+/, ""));
  expect(await titles()).toEqual([]);
  await company.came({ day: "2026-03-08", amount: 20_000, name: "某公司" });
  await acting(house, tellUnclaimed);
  await acting(house, tellUnclaimed);
  expect(await titles()).toEqual(["有 1 笔流水超过3天未认领"]);
});

const LONG = 5_200;

test("a long file of a company account is booked day by day, within what an entry may hold, and mirrored when it goes back", async () => {
  const villages = [counter.store.villageId];
  const company = await aCompanyAccount(house, villages[0]);
  const finance = await house.person({ permits: ["97.query", "97.get", "97.import", "25.query"], villages });
  const lines: Came[] = Array.from({ length: LONG }, (_, i) => ({
    day: i % 2 ? "2026-03-10" : "2026-03-11",
    amount: i === 0 ? AMOUNT_MAX : i < 5 ? AMOUNT_MAX / 2 - 1 - i / 2 : 100,
    out: i % 1000 === 999,
    name: i === 10 ? "财付通支付科技有限公司" : "某公司",
  })).map((line) => ({ ...line, amount: Math.floor(line.amount) }));
  const file = gzipSync(bankFile(lines));
  const bring = () =>
    sendStatement(house, importBankLines, { as: finance, accountId: company.accountId, bytes: file });
  expect((await bring()).data).toMatchObject({ runId: expect.any(Number), booked: 0 });
  await house.deliver();
  const claimed = await house.did(listRuns, { as: finance }, { query: { mode: "claim" } as never });
  expect(claimed).toEqual([]);
  const came = lines.filter((line) => !line.out);
  const whole = came.reduce((sum, line) => sum + line.amount, 0);
  expect(await company.unclaimed()).toBe(whole);
  const { rows: entries } = await house.database.pool.query<{ day: string; debit: number }>(
    `select e.business_date::text "day", max(l.debit)::bigint debit from journal_entry e join journal_line l on l.entry_id = e.id
     where e.event = 'E16' and l.merchant_account_id = $1 group by e.id, 1`,
    [company.accountId],
  );
  expect(entries.length).toBeLessThan(10);
  expect(new Set(entries.map((e) => e.day))).toEqual(new Set(["2026-03-10", "2026-03-11"]));
  expect(entries.every((e) => Number(e.debit) <= AMOUNT_MAX)).toBe(true);
  expect((await acting(house, (act) => checkLedger(act, "manual"))).breaks).toEqual([]);
  const { list, total } = await house.did(
    listBankLines,
    { as: finance },
    {
      query: { merchantAccountId: company.accountId, tab: "unclaimed" } as never,
    },
  );
  expect(total).toBe(came.length);
  // whoever looks at a line sees the entry of its day
  const line = await house.did(getBankLine, { as: finance }, { params: { id: list[0]!.id } });
  expect(line.entries.map((e) => [e.event, e.businessDate])).toContainEqual(["E16", line.day]);

  const { list: batches } = await house.did(
    listStatements,
    { as: finance },
    {
      query: { merchantAccountId: company.accountId } as never,
    },
  );
  const { id, version } = batches[0]!;
  await house.did(undoBankLines, { as: finance }, { params: { id }, query: { version } });
  await house.deliver();
  expect(await company.unclaimed()).toBe(0);
  expect((await acting(house, (act) => checkLedger(act, "manual"))).breaks).toEqual([]);
});
