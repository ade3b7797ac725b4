import fc from "fast-check";
import { expect, test } from "vitest";
import { addDays, type Day } from "../../../platform/kernel/day.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aStore } from "../bill/bill.sample.ts";
import { foldSums } from "./sums.service.ts";

const house = await testHouse();
const { db, pool } = house.database;

type Booked = {
  store: number;
  day: Day;
  account: string;
  event: string;
  subject: number | null;
  fen: number;
};
const FIRST = "2023-10-20";

const aDay = fc.integer({ min: 0, max: 1_200 }).map((n) => addDays(FIRST, n));
const booked = (stores: readonly number[]) =>
  fc.record({
    store: fc.constantFrom(...stores),
    day: aDay,
    account: fc.constantFrom("1122", "2203"),
    event: fc.constantFrom("E01", "E08"),
    subject: fc.constantFrom(null, 1, 2),
    fen: fc.integer({ min: -10_000, max: 10_000 }).filter(Boolean),
  });
/** As a posting adds them: loose. */
const add = (rows: readonly Booked[]) =>
  pool.query(
    `insert into journal_day (village_id, day, account, event, fee_subject_id, debit, credit)
     select r.store, r.day, r.account, r.event, r.subject, greatest(r.fen, 0), greatest(-r.fen, 0)
     from json_to_recordset($1) r(store bigint, day date, account text, event text, subject bigint, fen bigint)`,
    [JSON.stringify(rows)],
  );

/** What each key came to in a period, out of the pieces or day by day. */
const moved = async (from: string, stores: readonly number[], [first, last]: readonly [string, string]) => {
  const { rows } = await pool.query(
    `select village_id, account, event, fee_subject_id, sum(debit)::bigint debit, sum(credit)::bigint credit
     from ${from} group by 1, 2, 3, 4 order by 1, 2, 3, 4 nulls first`,
    [stores, first, last],
  );
  return rows;
};
const OVER = "journal_over($1, $2, $3)";
const UNTIL = "journal_until($1, $3) where $2::date is not null";
const DAYS = "journal_day where village_id = any($1) and day between $2::date and $3::date";
const wrong = async () =>
  (await pool.query("select key from journal_span_proof where expected <> actual")).rows.map((r) => r.key);

test("any period out of its years, quarters, months and days is the sum of its days, folded, loose or partly", async () => {
  const stores = [(await aStore(house)).villageId, (await aStore(house)).villageId, -house.enterpriseId];
  const some = fc.sample(booked(stores), { numRuns: 400, seed: 11 });
  const periods: (readonly [string, string])[] = [
    ["-infinity", "2026-11-30"],
    ["-infinity", "2024-12-31"],
    ["2024-01-01", "2025-12-31"],
    ["2024-01-01", "2024-01-01"],
    ["2023-12-31", "2025-01-01"],
    ["2024-02-01", "2024-02-29"],
    ["2024-02-02", "2024-02-28"],
    ["2024-01-31", "2024-03-01"],
    ["2024-03-31", "2024-07-01"],
    ["2024-11-15", "2025-02-10"],
    ...fc
      .sample(fc.tuple(aDay, aDay), { numRuns: 60, seed: 12 })
      .map(([a, b]) => (a < b ? [a, b] : [b, a]) as [string, string]),
  ];
  const same = async () => {
    for (const period of periods)
      for (const asked of [stores, stores.slice(0, 1)]) {
        const days = await moved(DAYS, asked, period);
        expect(await moved(OVER, asked, period), period.join(" to ")).toEqual(days);
        const all = await moved(DAYS, asked, ["-infinity", period[1]]);
        const until = (await moved(UNTIL, asked, period)).filter((row) => row.debit || row.credit);
        expect(until, `until ${period[1]}`).toEqual(all);
      }
    expect(await wrong()).toEqual([]);
  };
  await add(some.slice(0, 150));
  await same();
  await foldSums(db);
  await same();
  // the same days once more, and others
  await add(some.slice(100));
  await same();
  await foldSums(db);
  await same();
  expect((await pool.query("select from journal_day where not folded")).rows).toEqual([]);
  const spans = async () =>
    (
      await pool.query(
        `select unit, count(*)::int n, sum(debit)::bigint debit from journal_span where debit <> 0 or credit <> 0
         group by 1 order by 1`,
      )
    ).rows;
  const before = await spans();
  expect(before.map((row) => row.unit)).toEqual(["all", "month", "quarter", "year"]);
  await pool.query("select journal_span_renew()");
  expect(await spans()).toEqual(before);
});

test("a span that is wrong is found by the check of the books, a month with all that is made of it", async () => {
  const spoil = (unit: string, day: string, by: number) =>
    pool.query(
      `update journal_span set debit = debit + $3 where ctid =
         (select ctid from journal_span where unit = $1 and day = $2
            order by village_id, account, event, fee_subject_id limit 1)`,
      [unit, day, by],
    );
  await spoil("year", "2024-01-01", 1);
  expect(await wrong()).toEqual(["借方合计 year 2024-01-01"]);
  await spoil("year", "2024-01-01", -1);
  await spoil("month", "2024-02-01", 1);
  expect((await wrong()).toSorted()).toEqual(
    ["all -infinity", "month 2024-02-01", "quarter 2024-01-01", "year 2024-01-01"].map(
      (key) => `借方合计 ${key}`,
    ),
  );
});

test("bills by due day out of years, quarters, months and days are the sum of the days, folded, loose or partly", async () => {
  const stores = [(await aStore(house)).villageId, (await aStore(house)).villageId];
  const due = fc.record({
    village_id: fc.constantFrom(...stores),
    due_date: aDay,
    status: fc.constantFrom("unpaid", "paid"),
    issued: fc.boolean(),
    amount: fc.integer({ min: -10_000, max: 10_000 }),
  });
  const some = fc.sample(due, { numRuns: 300, seed: 13 });
  const addDue = (rows: typeof some) =>
    pool.query(
      `insert into bill_due
       select village_id, due_date, 'receivable', status, issued, 1, amount, 2 * amount, 3 * amount, 4 * amount, 5 * amount, 6 * amount, false, 7 * amount
       from json_to_recordset($1) r(village_id bigint, due_date date, status text, issued boolean, amount bigint)`,
      [JSON.stringify(rows)],
    );
  const summed = async (from: string, period: readonly [string, string]) =>
    (
      await pool.query(
        `select village_id, direction, status, issued, sum(bills)::int bills, sum(amount)::int amount, sum(adjusted)::int adjusted,
           sum(settled)::int settled, sum(written_off)::int written_off, sum(outstanding)::int outstanding, sum(uninvoiced)::int uninvoiced, sum(invoiced)::int invoiced
         from ${from} group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
        [...period],
      )
    ).rows;
  const periods: (readonly [string, string])[] = [
    ["-infinity", "infinity"],
    ["-infinity", "2025-02-14"],
    ["2025-02-15", "infinity"],
    ["2024-03-01", "2024-03-31"],
    ["2024-03-31", "2024-03-01"],
    ...fc
      .sample(fc.tuple(aDay, aDay), { numRuns: 30, seed: 14 })
      .map(([a, b]) => (a < b ? [a, b] : [b, a]) as [string, string]),
  ];
  const broken = async () =>
    (await pool.query("select key from bill_due_span_proof where expected <> actual")).rows.map((r) => r.key);
  const same = async () => {
    for (const period of periods) {
      expect(await summed("bills_due($1, $2)", period), period.join(" to ")).toEqual(
        await summed("bill_due where due_date between $1::date and $2::date", period),
      );
      const before = (cut: string) => `due_date < '${cut}'`;
      for (const cut of ["2024-06-01", "2025-02-15"])
        expect(
          await summed(`bills_due($1, $2, '{2025-02-15,2024-06-01}') where ${before(cut)}`, period),
          `${period.join(" to ")} before ${cut}`,
        ).toEqual(
          await summed(`bill_due where due_date between $1::date and $2::date and ${before(cut)}`, period),
        );
    }
    expect(await broken()).toEqual([]);
  };
  await addDue(some.slice(0, 150));
  await same();
  await foldSums(db);
  await same();
  await addDue(some.slice(100));
  await same();
  await foldSums(db);
  await same();
  await pool.query(
    "update bill_due_span set amount = amount + 1 where unit = 'year' and due_date = '2024-01-01' and status = 'paid'",
  );
  expect(await broken()).toEqual(["应收合计 year 2024-01-01 paid", "应收合计 year 2024-01-01 paid"]);
  await pool.query("select bill_due_span_renew()");
  await same();
});
