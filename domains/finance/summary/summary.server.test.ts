import { beforeAll, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { enterpriseOptions } from "../account/account.contract.ts";
import { checkLedger } from "../check/check.service.ts";
import { foldSums } from "../sums/sums.service.ts";
import { listRefunds } from "../refund/refund.contract.ts";
import { receiveSubmission } from "../submission/submission.contract.ts";
import { aTill } from "../submission/submission.sample.ts";
import { reverseFlow } from "../flow/allocate.service.ts";
import { take } from "../flow/flow.sample.ts";
import { bookCost, payCost } from "../flow/booking.service.ts";
import { accountSummary, summaryCards, summaryTrend } from "./summary.contract.ts";
import { todoCounts } from "./todo.contract.ts";

const house = await testHouse();
let t: Awaited<ReturnType<typeof aTill>>;
let chief: Person, cashier: Person;
beforeAll(async () => {
  house.setClock("2026-03-10T12:00:00+08:00");
  t = await aTill(house);
  const villages = (await house.database.db.selectFrom("village").select("id").execute()).map((v) => v.id);
  chief = await house.person({ permits: ["23.query"], villages });
  cashier = await house.person({ permits: ["23.query"], villages: [t.store.villageId] });
  const { store, accounts, partyId } = t;
  await take(house, store, accounts, partyId, { amount: 635_000, paidAt: "2026-03-10T09:00:00+08:00" });
  house.setClock("2026-03-26T12:00:00+08:00");
  await t.taking(150_000, "2026-03-26");
  await take(house, store, accounts, partyId, {
    amount: 280_000,
    channel: "bankTransfer",
    paidAt: "2026-03-26T09:00:00+08:00",
    state: "confirmed",
  } as never);
  await acting(house, async (act) => {
    const cost = {
      villageId: store.villageId,
      payeeName: "保洁公司",
      feeSubjectId: await t.subject("cleaningCost"),
      periodStart: "2026-03-01",
      periodEnd: "2026-03-31",
      amount: 60_000,
      dueDate: "2026-03-26",
    };
    const bill = await bookCost(act, cost);
    await payCost(act, bill.id, {
      amount: 60_000,
      channel: "bankTransfer",
      merchantAccountId: accounts.bankTransfer,
      paidAt: "2026-03-26T10:00:00+08:00",
    });
  });
  const { id } = await t.handOver("2026-03-26", { submitted: 140_000, keptReason: "备用金" });
  house.setClock("2026-03-27T12:00:00+08:00");
  await t.on(receiveSubmission, id, { amount: 138_000, receivedOn: "2026-03-27" });
});

const rows = async (as: Person, query: object = {}) => {
  const { list, sums } = await house.did(accountSummary, { as }, { query: query as never });
  return { list, sums: sums!, of: (id: number) => list.find((row) => row.id === id)! };
};
const month = { from: "2026-03-01", to: "2026-03-31" };

test("each account: what was there, what moved it and how, what is there; the folded roll-up says the same", async () => {
  const says = async () => {
    const { of } = await rows(chief, month);
    expect(of(t.accounts.wechat)).toMatchObject({
      opening: 0,
      received: 635_000,
      fee: 3_810,
      closing: 631_190,
      unreconciled: 1,
      reconciledOn: null,
      state: "enabled",
    });
    expect(of(t.accounts.cash)).toMatchObject({
      received: 150_000,
      movedOut: 140_000,
      closing: 10_000,
      unreconciled: null,
    });
    const { rows: pending } = await house.database.pool.query(
      "select state from flow where channel = 'bankTransfer'",
    );
    const received = pending[0].state === "confirmed" ? 280_000 : 0;
    expect(of(t.accounts.bankTransfer)).toMatchObject({
      received,
      movedIn: 138_000,
      paid: 60_000,
      closing: received + 138_000 - 60_000,
    });
  };
  await says();
  await foldSums(house.database.db);
  await says();
  const later = await rows(chief, { from: "2026-04-01", to: "2026-04-01" });
  expect(later.of(t.accounts.wechat)).toMatchObject({ opening: 631_190, received: 0, closing: 631_190 });
  const { breaks } = await acting(house, (act) => checkLedger(act, "manual"));
  expect(breaks).toEqual([]);
});

test("a store sees its own accounts and its share of what lies with head office; both make up its money", async () => {
  const { list, sums } = await rows(cashier, month);
  expect(list.map((row) => row.kind)).toEqual(["pos", "pos", "cash", "share"]);
  const share = list.at(-1)!;
  const { rows: book } = await house.database.pool.query<{ fen: number }>(
    "select sum(debit - credit)::int fen from journal_line where account = '2299' and village_id = $1",
    [t.store.villageId],
  );
  expect(share).toMatchObject({
    id: 0,
    name: "公司账户（本店份额）",
    closing: book[0]!.fen,
    fee: 3_810,
    paid: 60_000,
  });
  expect(sums.closing).toBe(10_000 + book[0]!.fen);
  const filtered = await rows(chief, { ...month, villageIds: String(t.store.villageId) });
  expect(filtered.list.map((row) => row.id)).toEqual(list.map((row) => row.id));
  const far = await house.person({ permits: ["23.query"], villages: [] });
  expect(
    (
      await house.ask(
        accountSummary,
        { as: far },
        { query: { villageIds: String(t.store.villageId) } as never },
      )
    ).status,
  ).toBe(404);
});

test("cards and the thirty days are of the stores in sight", async () => {
  const cards = await house.did(summaryCards, { as: cashier }, { query: {} });
  expect(cards).toMatchObject({ today: 0, onTheWay: 0, toRefund: 0, deposits: 0, unclaimed: 0 });
  expect(cards.month).toBeGreaterThanOrEqual(785_000);
  expect(cards.prepaid).toBe(cards.month);
  const { days, channels, out } = await house.did(summaryTrend, { as: cashier }, { query: {} });
  expect(days).toHaveLength(30);
  const on = (day: string) => days.indexOf(day);
  expect(channels.find((c) => c.channel === "wechat")!.amounts[on("2026-03-10")]).toBe(635_000);
  expect(channels.find((c) => c.channel === "cash")!.amounts[on("2026-03-26")]).toBe(150_000);
  expect(out[on("2026-03-26")]).toBe(60_000);
  const wide = await house.ask(
    accountSummary,
    { as: chief },
    { query: { from: "2025-01-01", to: "2026-03-31" } as never },
  );
  expect(wide.body.fields).toEqual([{ field: "to", msg: "日期范围最多 366 天" }]);
});

test("a cost payment that is reversed is out of the thirty days and of its account again", async () => {
  const { rows: flows } = await house.database.pool.query("select id::int from flow where kind = 'cost'");
  await acting(house, (act) => reverseFlow(act, flows[0].id, "付错"));
  const { days, out } = await house.did(summaryTrend, { as: cashier }, { query: {} });
  expect([out[days.indexOf("2026-03-26")], out[days.indexOf("2026-03-27")]]).toEqual([60_000, -60_000]);
  const { of } = await rows(chief, month);
  expect(of(t.accounts.bankTransfer)).toMatchObject({ paid: 0 });
  const { breaks } = await acting(house, (act) => checkLedger(act, "manual"));
  expect(breaks).toEqual([]);
});

test("the menu counts what waits on the pages one may open, in one's stores", async () => {
  const villages = [t.store.villageId];
  const all = await house.person({ permits: ["112.query", "108.query", "97.query", "25.query"], villages });
  house.setClock("2026-04-10T12:00:00+08:00");
  await t.taking(5_000, "2026-04-01");
  await t.taking(5_000, "2026-04-10");
  const { id } = await t.handOver("2026-04-10");
  // one waits for its money, and of the days not handed over one is late
  expect(await house.did(todoCounts, { as: all }, {})).toEqual({
    submission: 2,
    refund: 0,
    reconcile: 0,
    corporate: 0,
  });
  // within the rhythm of the console the answer stands
  await t.on(receiveSubmission, id, { amount: 5_000, receivedOn: "2026-04-10" });
  expect((await house.did(todoCounts, { as: all }, {})).submission).toBe(2);
  const one = await house.person({ permits: ["112.query"], villages });
  expect(await house.did(todoCounts, { as: one }, {})).toEqual({ submission: 1 });
  expect((await house.ask(todoCounts, { as: cashier }, {})).status).toBe(403);
  // who may open 账户汇总 and 对公流水认领 has the one badge, and no list of refunds
  const two = await house.person({ permits: ["23.query", "97.query"], villages });
  expect(await house.did(todoCounts, { as: two }, {})).toEqual({ corporate: 0 });
  expect((await house.ask(listRefunds, { as: two }, { query: {} as never })).status).toBe(403);
});

test("of several enterprises one is looked at alone: its accounts, its stores' money", async () => {
  const { db } = house.database;
  const { id: enterpriseId } = await db
    .insertInto("enterprise")
    .values({ name: "另一家公寓" } as never)
    .returning("id")
    .executeTakeFirstOrThrow();
  const mine = { ...month, enterpriseId: house.enterpriseId };
  const all = await rows(chief, month);
  expect((await rows(chief, mine)).list).toEqual(all.list);
  expect((await rows(chief, { ...month, enterpriseId })).list.filter((row) => row.id)).toEqual([]);
  const query = { enterpriseId } as never;
  expect(await house.did(summaryCards, { as: chief }, { query })).toMatchObject({ month: 0, prepaid: 0 });
  expect((await house.did(summaryTrend, { as: chief }, { query })).channels).toEqual([]);
  const named = await house.did(enterpriseOptions, { as: chief }, { query: {} });
  expect(named.map((row) => row.id)).toEqual([house.enterpriseId]);
});

test("an account that is not in use any more stands with what moved it, though nothing is left in it", async () => {
  const { pos } = t.accounts;
  house.setClock("2026-04-11T12:00:00+08:00");
  await t.taking(200_000, "2026-04-11", "pos");
  await t.handOver("2026-04-11", { kind: "pos" });
  await house.database.pool.query("update merchant_account set enabled = false where id = $1", [pos]);
  const moved = { opening: 0, received: 200_000, movedOut: 199_000, fee: 1_000, closing: 0 };
  const april = { from: "2026-04-01", to: "2026-04-30" };
  expect((await rows(chief, april)).of(pos)).toMatchObject({ ...moved, state: "disabled" });
  expect((await rows(chief, month)).of(pos)).toBeUndefined();
});
