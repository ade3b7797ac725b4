import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { voidBill } from "../bill-acts/acts.contract.ts";
import { adjustLines } from "../bill-acts/adjust.service.ts";
import { aBill, aContract, aLine, aParty, aStore, type Store } from "../bill/bill.sample.ts";
import { checkLedger } from "../check/check.service.ts";
import { accrueMonth } from "./accrual.contract.ts";

const house = await testHouse();
const { pool } = house.database;
const at = (day: string) => house.setClock(`${day}T10:00:00+08:00`);
const slice = (from: string, to: string, amount: number) => ({ from, to, amount });
const lead = await house.person({ superType: "1" });
const run = async (store: Store, month: string) =>
  house.did(accrueMonth, { as: lead }, { body: { villageIds: [store.villageId], month } });
const refusal = async (store: Store, month: string) => {
  const { body } = await house.ask(
    accrueMonth,
    { as: lead },
    { body: { villageIds: [store.villageId], month } },
  );
  return JSON.stringify([body.message, body.fields]);
};
const rowsOf = async (store: Store) =>
  (
    await pool.query<{ month: string; gross: number; net: number; tax: number; kind: string }>(
      "select month, gross, net, tax, kind from accrual_row where village_id = $1 order by id",
      [store.villageId],
    )
  ).rows;
/** Balances by account of a store in a month, debits above nothing. */
const booked = async (store: Store, month: string) =>
  Object.fromEntries(
    (
      await pool.query<{ account: string; fen: number }>(
        `select l.account, sum(l.debit - l.credit)::bigint fen from journal_line l join journal_entry e on e.id = l.entry_id
         where l.village_id = $1 and e.event = 'E24' and to_char(l.date, 'YYYY-MM') = $2 group by 1 order by 1`,
        [store.villageId, month],
      )
    ).rows.map((row) => [row.account, row.fen]),
  );
const lock = (store: Store, month: string, on: string) =>
  pool.query("insert into period_lock (village_id, month, side, locked_at) values ($1, $2, 'income', $3)", [
    store.villageId,
    month,
    `${on}T09:00:00+08:00`,
  ]);
const breaks = async () => {
  const { breaks } = await acting(house, (act) => checkLedger(act, "manual"));
  return breaks;
};

async function aRent(store: Store, from: string, to: string, amount: number, more: object = {}) {
  const partyId = await aParty(house);
  const contractId = await aContract(house, store, partyId, { no: `HT${store.villageId}-${from}-${amount}` });
  const lines = [
    aLine("rent", amount, { periodStart: from, periodEnd: to, slices: [slice(from, to, amount)] }),
  ];
  return aBill(house, store, partyId, {
    contractId,
    dueDate: from,
    periodStart: from,
    periodEnd: to,
    lines,
    ...more,
  });
}

test("张三: 3,000.00 from 10 March: 2,129.03 in March (net 2,098.61, tax 30.42), 870.97 in April; twice adds nothing", async () => {
  at("2026-03-10");
  const store = await aStore(house);
  await aRent(store, "2026-03-10", "2026-04-09", 300_000);
  expect(await refusal(store, "2026-03")).toContain("本月尚未结束");
  at("2026-04-01");
  expect(await run(store, "2026-03")).toEqual({
    villages: 1,
    rows: 1,
    gross: 212_903,
    net: 209_861,
    tax: 3042,
  });
  expect(await run(store, "2026-03")).toMatchObject({ rows: 0, gross: 0 });
  expect(await booked(store, "2026-03")).toEqual({ "2204": 212_903, "2222": -3042, "6001": -209_861 });
  at("2026-05-01");
  expect(await run(store, "2026-04")).toMatchObject({ rows: 1, gross: 87_097, tax: 1244 });
  expect(await breaks()).toEqual([]);
});

test("孙七: a trim after a locked month is one catch-up row of the first open month, which leaves the locked one as it was", async () => {
  at("2026-03-01");
  const store = await aStore(house);
  const bill = await aRent(store, "2026-03-01", "2026-03-31", 310_000);
  at("2026-04-01");
  await run(store, "2026-03");
  const march = await booked(store, "2026-03");
  await lock(store, "2026-03", "2026-04-02");
  at("2026-04-03");
  expect(await refusal(store, "2026-03")).toContain("该月已锁账");
  const { rows } = await pool.query<{ id: number }>("select id from bill_line where bill_id = $1", [bill]);
  await acting(house, (act) =>
    adjustLines(act, [{ lineId: rows[0]!.id, amount: -110_000, reason: "3月20日退房", kind: "trim" }]),
  );
  expect(await breaks()).toEqual([]);
  at("2026-05-01");
  expect(await run(store, "2026-04")).toMatchObject({ rows: 1, gross: -110_000 });
  expect(await booked(store, "2026-03")).toEqual(march);
  expect((await rowsOf(store)).map(({ month, gross, kind }) => [month, gross, kind])).toEqual([
    ["2026-03", 310_000, "normal"],
    ["2026-04", -110_000, "catchUp"],
  ]);
  expect(await breaks()).toEqual([]);
});

test("a bill that is voided takes back what was recognised of it", async () => {
  at("2026-03-01");
  const store = await aStore(house);
  const id = await aRent(store, "2026-03-01", "2026-05-31", 900_000);
  at("2026-04-01");
  await run(store, "2026-03");
  const as = await house.person({ permits: ["#2602"], villages: [store.villageId] });
  await house.did(voidBill, { as }, { params: { id }, body: { reason: "录错", version: 1 } });
  expect(await breaks()).toEqual([]);
  await run(store, "2026-03");
  expect(await booked(store, "2026-03")).toEqual({ "2204": 0, "2222": 0, "6001": 0 });
  expect(await breaks()).toEqual([]);
});

test("months that were never accrued are caught up each in its own", async () => {
  at("2026-01-01");
  const store = await aStore(house);
  await aRent(store, "2026-01-01", "2026-03-31", 900_000);
  at("2026-04-01");
  await run(store, "2026-03");
  expect((await rowsOf(store)).map(({ month, gross, kind }) => [month, gross, kind])).toEqual([
    ["2026-01", 310_000, "normal"],
    ["2026-02", 280_000, "normal"],
    ["2026-03", 310_000, "normal"],
  ]);
});
