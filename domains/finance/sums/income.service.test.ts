import fc from "fast-check";
import { expect, test } from "vitest";
import { addDays, daysBetween, monthOf, type Day } from "../../../platform/kernel/day.ts";
import { halfUp, ratio } from "../../../platform/kernel/fen.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aBill, aLine, aParty, aStore, type Store } from "../bill/bill.sample.ts";
import { adjustBill, previewAdjust, voidBill } from "../bill-acts/acts.contract.ts";
import { foldSums } from "./sums.service.ts";

const house = await testHouse();
const { db, pool } = house.database;
const partyId = await aParty(house);
const run = () => foldSums(db);
const days = async (store: Store): Promise<Record<Day, number>> => {
  const { rows } = await pool.query<{ day: Day; fen: number }>(
    "select day, sum(fen)::bigint fen from income_day where village_id = $1 group by 1 having sum(fen) <> 0 order by day",
    [store.villageId],
  );
  return Object.fromEntries(rows.map((r) => [r.day, r.fen]));
};
const byMonth = async (store: Store) => {
  const months: Record<string, number> = {};
  for (const [day, fen] of Object.entries(await days(store)))
    months[monthOf(day)] = (months[monthOf(day)] ?? 0) + fen;
  return months;
};
type Sample = {
  on: number;
  from: number;
  months: { long: number; amount: number }[];
  subject: string;
  fate: string;
  later: number;
  counted: boolean;
};
const slice = (from: Day, to: Day, amount: number) => ({ from, to, amount });

/** Months of a store that the nightly check finds wrong. */
const wrong = async (store: Store) =>
  (
    await pool.query<{ key: string }>(
      "select key from kept_sums_proof where village_id = $1 and expected <> actual",
      [store.villageId],
    )
  ).rows.map(({ key }) => key);

/** Months, subjects, amounts and tax of a store: as kept, and as the accrual works them out. */
const bySubject = async (store: Store, of: "kept" | "accrued") =>
  (
    await pool.query(
      of === "kept"
        ? `select month_of(day) "month", fee_subject_id subject, sum(fen)::bigint fen, sum(tax)::bigint tax
           from income_day where village_id = $1 group by 1, 2 having sum(fen) <> 0 or sum(tax) <> 0 order by 1, 2`
        : `select m.month, l.fee_subject_id subject, sum(m.gross)::bigint fen, sum(m.tax)::bigint tax
           from income_months(array(select l.id from bill_line l join bill b on b.id = l.bill_id where b.village_id = $1), '2030-12-31') m
             join bill_line l on l.id = m.line_id
           group by 1, 2 having sum(m.gross) <> 0 or sum(m.tax) <> 0 order by 1, 2`,
      [store.villageId],
    )
  ).rows;

/** The same worked out line by line and day by day, with nothing kept. */
async function recounted(store: Store): Promise<Record<Day, number>> {
  const { rows } = await pool.query<{
    amount: number;
    slices: { from: Day; to: Day; amount: number }[];
    recognise: string;
    issueDate: Day;
    voided: string | null;
    known: string;
  }>(
    `select l.amount, l.slices, s.recognise, b.issue_date "issueDate", b.voided_at voided,
       greatest(b.issued_at, l.created_at) known
     from bill b join bill_line l on l.bill_id = b.id join fee_subject s on s.id = l.fee_subject_id
     where b.village_id = $1 and b.issued_at is not null and b.direction = 'receivable' and b.source <> 'opening'
       and s.kind = 'income'`,
    [store.villageId],
  );
  const { rows: locks } = await pool.query<{ month: string; at: string }>(
    "select month, locked_at at from period_lock where village_id = $1 and side = 'income'",
    [store.villageId],
  );
  const found = new Map<Day, number>();
  const put = (day: Day, fen: number, known: string) => {
    const closed = locks
      .filter((l) => new Date(l.at) <= new Date(known))
      .map((l) => l.month)
      .toSorted()
      .at(-1);
    const open = closed && monthOf(day) <= closed ? addDays(`${closed}-01`, 32).slice(0, 8) + "01" : day;
    found.set(open, (found.get(open) ?? 0) + fen);
  };
  for (const line of rows) {
    const spans =
      line.recognise === "onIssue" || !line.slices.length
        ? [slice(line.issueDate, line.issueDate, line.amount)]
        : line.slices;
    for (const { from, to, amount } of spans) {
      const n = daysBetween(from, to) + 1;
      let before = 0;
      for (let k = 1; k <= n; k++) {
        const upTo = halfUp(ratio(amount * k, n));
        put(addDays(from, k - 1), upTo - before, line.known);
        if (line.voided) put(addDays(from, k - 1), before - upTo, line.voided);
        before = upTo;
      }
    }
  }
  return Object.fromEntries([...found].filter(([, fen]) => fen !== 0).toSorted());
}

test("3,000.00 from 10 March to 9 April: 2,129.03 in March, 870.97 in April; running twice adds nothing", async () => {
  house.setClock("2026-03-10T10:00:00+08:00");
  const store = await aStore(house);
  await aBill(house, store, partyId, {
    dueDate: "2026-03-10",
    lines: [aLine("rent", 300_000, { slices: [slice("2026-03-10", "2026-04-09", 300_000)] })],
  });
  await run();
  expect(await byMonth(store)).toEqual({ "2026-03": 212_903, "2026-04": 87_097 });
  await run();
  expect(await byMonth(store)).toEqual({ "2026-03": 212_903, "2026-04": 87_097 });
});

test("a quarter of 9,000.00 from 15 January by contract months: 1,645.16, 2,854.84, 3,145.16, 1,354.84", async () => {
  house.setClock("2026-01-15T10:00:00+08:00");
  const store = await aStore(house);
  const slices = [
    slice("2026-01-15", "2026-02-14", 300_000),
    slice("2026-02-15", "2026-03-14", 300_000),
    slice("2026-03-15", "2026-04-14", 300_000),
  ];
  await aBill(house, store, partyId, { dueDate: "2026-01-15", lines: [aLine("rent", 900_000, { slices })] });
  await run();
  expect(Object.values(await byMonth(store))).toEqual([164_516, 285_484, 314_516, 135_484]);
});

test("what is charged once is earned when it is issued; deposits, money for others and plans are not income", async () => {
  house.setClock("2026-03-05T10:00:00+08:00");
  const store = await aStore(house);
  const lines = [
    aLine("damage", 20_000, { slices: [slice("2026-01-01", "2026-12-31", 20_000)] }),
    aLine("deposit", 300_000, { slices: [] }),
    aLine("electric", 12_050, { slices: [] }),
  ];
  await aBill(house, store, partyId, { dueDate: "2026-03-05", lines });
  await aBill(house, store, partyId, { dueDate: "2026-08-01", lines: [aLine("rent", 100_000)] });
  await run();
  expect(await days(store)).toEqual({ "2026-03-05": 20_000 });
});

test("a bill that is voided takes all back; in a locked month nothing changes, the amount goes to the next open one", async () => {
  house.setClock("2026-03-05T10:00:00+08:00");
  const store = await aStore(house);
  const as = await house.person({ permits: ["#2602", "#2601"], villages: [store.villageId] });
  const march = [slice("2026-03-01", "2026-03-31", 310_000)];
  const bill = () =>
    aBill(house, store, partyId, {
      dueDate: "2026-03-05",
      lines: [aLine("rent", 310_000, { slices: march })],
    });
  const voided = (id: number) =>
    house.did(voidBill, { as }, { params: { id }, body: { reason: "录错", version: 1 } });
  const [gone, locked] = [await bill(), await bill()];
  await voided(gone);
  await run();
  expect(await byMonth(store)).toEqual({ "2026-03": 310_000 });
  await pool.query(
    "insert into period_lock (village_id, month, side, locked_at) values ($1, '2026-03', 'income', '2026-04-02T00:00:00+08:00')",
    [store.villageId],
  );
  house.setClock("2026-04-10T10:00:00+08:00");
  await voided(locked);
  await run();
  expect(await byMonth(store)).toEqual({ "2026-03": 310_000, "2026-04": -310_000 });
  expect(await days(store)).toEqual(await recounted(store));
});

test("what was first is the books' order, whatever the clock says: of a lock, of opening again, of a line that comes later", async () => {
  house.setClock("2026-04-10T10:00:00+08:00");
  const store = await aStore(house);
  const as = await house.person({ permits: ["#2602", "#2601"], villages: [store.villageId] });
  const lines = [aLine("rent", 310_000, { slices: [slice("2026-03-01", "2026-03-31", 310_000)] })];
  const bill = () => aBill(house, store, partyId, { dueDate: "2026-04-10", lateFeeRate: "0", lines });
  const [early, other] = [await bill(), await bill()];
  // locked by an act that began after the next bill's, and was done before it
  await pool.query(
    "insert into period_lock (village_id, month, side, locked_at) values ($1, '2026-03', 'income', '2026-04-10T10:00:05+08:00')",
    [store.villageId],
  );
  const late = await bill();
  await house.did(voidBill, { as }, { params: { id: early }, body: { reason: "录错", version: 1 } });
  const open = { "2026-03": 620_000 };
  await run();
  expect(await byMonth(store)).toEqual(open);
  // opened again in the same moment, as a clock counts them
  await pool.query("delete from period_lock where village_id = $1", [store.villageId]);
  const { rows } = await pool.query<{ id: number }>("select id::int from bill_line where bill_id = $1", [
    late,
  ]);
  const changes = [{ lineId: rows[0]!.id, mode: "percent" as const, percent: "10" }];
  const { hash } = await house.did(previewAdjust, { as }, { params: { id: late }, body: { changes } });
  const body = { changes, reason: "协商减免", previewHash: hash };
  await house.did(adjustBill, { as }, { params: { id: late }, body });
  await house.did(voidBill, { as }, { params: { id: other }, body: { reason: "录错", version: 1 } });
  await run();
  // late's bill stays in April, its reduction and the other's void go to March
  expect(await byMonth(store)).toEqual({ "2026-03": 620_000 - 31_000 - 310_000 });
  expect(await wrong(store)).toEqual([]);
  expect(await bySubject(store, "kept")).toEqual(await bySubject(store, "accrued"));
});

test("whatever comes, changes and goes, the days kept equal the recount line by line and day by day", async () => {
  const store = await aStore(house);
  const as = await house.person({
    permits: ["#2601", "#2602", "26.edit", "26.add"],
    villages: [store.villageId],
  });
  const some = fc.record({
    on: fc.integer({ min: 0, max: 80 }),
    from: fc.integer({ min: -40, max: 60 }),
    months: fc.array(
      fc.record({ long: fc.integer({ min: 1, max: 62 }), amount: fc.integer({ min: 1, max: 999_999 }) }),
      { minLength: 1, maxLength: 4 },
    ),
    subject: fc.constantFrom("rent", "property", "penalty", "electric"),
    fate: fc.constantFrom("stay", "stay", "adjust", "void"),
    later: fc.integer({ min: 0, max: 40 }),
    counted: fc.boolean(),
  });
  const start = "2026-01-10";
  type Act = { on: number; work: () => Promise<unknown> };
  const ids = new Map<object, number>();
  const make = async (b: Sample) => {
    let first = addDays(start, b.on + b.from);
    const slices = b.months.map(({ long, amount }) => {
      const s = slice(first, addDays(first, long - 1), amount);
      first = addDays(first, long);
      return s;
    });
    const amount = slices.reduce((sum, s) => sum + s.amount, 0);
    const lines = [aLine(b.subject, amount, { slices })];
    const dueDate = addDays(start, b.on);
    ids.set(b, await aBill(house, store, partyId, { dueDate, lateFeeRate: "0", lines }));
    if (b.counted) await run();
  };
  const change = async (b: Sample) => {
    const id = ids.get(b)!;
    const { rows } = await pool.query<{ version: number; line: number }>(
      "select b.version, l.id line from bill b join bill_line l on l.bill_id = b.id where b.id = $1",
      [id],
    );
    const { version, line } = rows[0]!;
    if (b.fate === "void")
      await house.did(voidBill, { as }, { params: { id }, body: { reason: "录错", version } });
    if (b.fate === "adjust") {
      const changes = [{ lineId: line, mode: "percent" as const, percent: "30" }];
      const { hash } = await house.did(previewAdjust, { as }, { params: { id }, body: { changes } });
      const body = { changes, reason: "协商减免", previewHash: hash };
      await house.did(adjustBill, { as }, { params: { id }, body });
    }
  };
  const lock = (month: string, on: number) =>
    pool.query("insert into period_lock (village_id, month, side, locked_at) values ($1, $2, 'income', $3)", [
      store.villageId,
      month,
      `${addDays(start, on)}T10:00:00+08:00`,
    ]);
  const acts: Act[] = fc.sample(some, { numRuns: 45, seed: 7 }).flatMap((b) => [
    { on: b.on, work: () => make(b) },
    { on: b.on + b.later, work: () => change(b) },
  ]);
  // month after month is closed while this goes on
  for (const [on, month] of [
    [30, "2026-01"],
    [61, "2026-02"],
    [95, "2026-03"],
  ] as const)
    acts.unshift({ on, work: () => lock(month, on) });
  for (const { on, work } of acts.toSorted((x, y) => x.on - y.on)) {
    house.setClock(`${addDays(start, on)}T11:00:00+08:00`);
    await work();
  }
  // what still waits counts as well
  expect(await wrong(store)).toEqual([]);
  await run();
  const kept = await days(store);
  expect(await wrong(store)).toEqual([]);
  expect(Object.keys(kept).length).toBeGreaterThan(100);
  expect(kept).toEqual(await recounted(store));
  const accrued = await bySubject(store, "accrued");
  expect(accrued.some(({ tax }) => tax > 0)).toBe(true);
  expect(await bySubject(store, "kept")).toEqual(accrued);
  const { rows } = await pool.query("select 1 from income_due limit 1");
  expect(rows).toEqual([]);
  // and from nothing it is the same once more
  await pool.query("delete from income_day");
  await pool.query("select sum_anew()");
  expect(await days(store)).toEqual(kept);
  await pool.query("update income_day set fen = fen + 1 where village_id = $1 and day = '2026-04-15'", [
    store.villageId,
  ]);
  expect(await wrong(store)).toEqual(["权责收入 2026-04-01"]);
});

test("tax earned by whole numbers is what the accrual's fractions come to, to the fen, also about the half", async () => {
  const { rows } = await pool.query<{ of: number; wrong: number }>(`
    with samples as (
      select amount, days, (random() * amount)::bigint tax, (random() * amount)::bigint before, random() share
      from (select 1 + (random() ^ 3 * 100000000 / days)::bigint amount, days
        from (select 1 + (random() ^ 2 * 366)::int days from generate_series(1, 20000)) d) a
      union all
      select amount, days, amount / 2, 0, 1 from generate_series(1, 60) amount, generate_series(1, 31) days
    ), each as (
      select s.*, ((amount - before) * share)::bigint fen, k upto
      from samples s, lateral (values (0), (1), (days / 2), (days - 1), (days)) d (k)
    )
    select count(*)::int "of", count(*) filter (where earned_tax(tax, amount, before, fen, upto, days)
      <> round(round(tax * (before + fen::numeric * upto / days) / amount, 8)))::int wrong from each`);
  expect(rows).toEqual([{ of: 109_300, wrong: 0 }]);
});
