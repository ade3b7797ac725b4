import { expect, test } from "vitest";
import { addDays, addMonths } from "../../../platform/kernel/day.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { voidBill } from "../bill-acts/acts.contract.ts";
import { adjustLines } from "../bill-acts/adjust.service.ts";
import { issueDue } from "../bill-acts/change.service.ts";
import { aBill, aContract, aLine, aParty, aStore, bookBalance, type Store } from "../bill/bill.sample.ts";
import { checkLedger } from "../check/check.service.ts";
import { someAccounts, take } from "../flow/flow.sample.ts";
import { setBilling } from "../setting/setting.service.ts";
import { accrueMonth, declareMonth } from "./accrual.contract.ts";

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

test("straight-line: 24 months, the first free, 5% more in the second year: 2,950.00 a month whatever is billed", async () => {
  at("2026-01-01");
  const store = await aStore(house);
  await setBilling(
    { tx: house.database.db },
    { enterpriseId: house.enterpriseId, villageId: store.villageId },
    { recognition: "straightLine" },
    { from: "2026-01-01" },
  );
  const partyId = await aParty(house);
  const contractId = await aContract(house, store, partyId, { no: "HT-EVEN", end: "2027-12-31" });
  await pool.query("update contract set signed_on = '2026-01-01' where id = $1", [contractId]);
  for (let k = 1; k < 24; k++) {
    const first = addMonths("2026-01-01", k);
    const last = addDays(addMonths(first, 1), -1);
    const amount = k < 12 ? 300_000 : 315_000;
    const period = { periodStart: first, periodEnd: last };
    const lines = [aLine("rent", amount, { ...period, slices: [slice(first, last, amount)] })];
    await aBill(house, store, partyId, { contractId, dueDate: first, ...period, lines });
  }
  const deferred = () => bookBalance(house, "2204", store.villageId);
  at("2026-02-01");
  expect(await run(store, "2026-01")).toMatchObject({ rows: 1, gross: 295_000 });
  expect(await deferred()).toBe(295_000);
  at("2027-01-01");
  await acting(house, (act) => issueDue(act));
  await run(store, "2026-12");
  // the bill of January 2027 is issued on the day of the run
  expect(await deferred()).toBe(240_000 - 315_000);
  at("2028-01-01");
  await acting(house, (act) => issueDue(act));
  await run(store, "2027-12");
  expect(await deferred()).toBe(0);
  expect(await run(store, "2027-12")).toMatchObject({ rows: 0 });
  expect(await breaks()).toEqual([]);
});

test("tax point: what no invoice was issued for is declared as income is recognised, or as money comes in; once", async () => {
  at("2026-03-10");
  const [accrued, received] = [await aStore(house), await aStore(house)];
  const point = (store: Store, taxPoint: "invoiceOrAccrual" | "invoiceOrReceipt") =>
    setBilling(
      { tx: house.database.db },
      { enterpriseId: house.enterpriseId, villageId: store.villageId },
      { taxPoint },
    );
  await point(accrued, "invoiceOrAccrual");
  await point(received, "invoiceOrReceipt");
  const id = await aRent(accrued, "2026-03-10", "2026-04-09", 300_000);
  const partyId = await aParty(house);
  const half = await aBill(house, received, partyId, {
    dueDate: "2026-03-10",
    lines: [aLine("rent", 300_000, { slices: [slice("2026-03-01", "2026-05-31", 300_000)] })],
  });
  await take(house, received, await someAccounts(house, received), partyId, {
    amount: 150_000,
    paidAt: "2026-03-10T09:00:00+08:00",
    bills: [half],
  });
  at("2026-04-01");
  const declare = (store: Store, month: string) =>
    house.did(declareMonth, { as: lead }, { body: { villageIds: [store.villageId], month } });
  expect(await declare(accrued, "2026-03")).toEqual({ villages: 1, lines: 1, tax: 3042 });
  expect(await declare(accrued, "2026-03")).toEqual({ villages: 1, lines: 0, tax: 0 });
  expect(await declare(received, "2026-03")).toEqual({ villages: 1, lines: 1, tax: 2143 });
  expect(await bookBalance(house, "2221", accrued.villageId)).toBe(-3042);
  expect(await bookBalance(house, "2222", accrued.villageId)).toBe(0);
  // what is voided afterwards was declared too much
  const as = await house.person({ permits: ["#2602"], villages: [accrued.villageId] });
  await house.did(voidBill, { as }, { params: { id }, body: { reason: "录错", version: 1 } });
  at("2026-05-01");
  expect(await declare(accrued, "2026-04")).toEqual({ villages: 1, lines: 1, tax: -3042 });
  expect(await bookBalance(house, "2221", accrued.villageId)).toBe(0);
  expect(await breaks()).toEqual([]);
});
