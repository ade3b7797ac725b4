import { beforeAll, expect, test } from "vitest";
import { type Person, testHouse } from "../../../platform/server/process/house.sample.ts";
import { march2026, type March } from "../check/march.sample.ts";
import { countBills, listBills } from "./bill.contract.ts";
import { foldSums } from "../sums/sums.service.ts";
import { openBook } from "../../../platform/server/sheets/book.sample.ts";
import { billsByVillage, exportVillagesBills } from "./by-village.contract.ts";

const house = await testHouse();
let m: March;
let manager: Person;
beforeAll(async () => {
  m = await march2026(house);
  manager = await house.person({ permits: ["26.query"], villages: [m.a.villageId, m.b.villageId] });
}, 60_000);

const by = (query: object, as = manager) => house.did(billsByVillage, { as }, { query: query as never });

test("what was due in March, as of its last day, store by store and whole", async () => {
  const { list, sums } = await by({ dueMonth: "2026-03", direction: "receivable" });
  const shown = new Map(list.map((row) => [row.id, row]));
  expect(shown.get(m.a.villageId)).toMatchObject({
    amount: 1_243_080,
    settled: 1_110_000,
    outstanding: 133_080,
    overdue: 133_080,
    overdueParties: 1,
    longest: 30,
    rate: 0.8929,
  });
  // the set-off of the deposit is not among these events: 320.50 of B are still open
  expect(shown.get(m.b.villageId)).toMatchObject({ amount: 1_032_050, settled: 1_000_000 });
  expect(list.map((row) => row.id)).toEqual([m.a.villageId, m.b.villageId]);
  expect(sums).toMatchObject({ amount: 2_275_130, settled: 2_110_000, overdueParties: 2, longest: 30 });
  expect(sums!.rate).toBe(Math.round((2_110_000 / 2_275_130) * 10_000) / 10_000);
});

test("the rows of any filter make up the list of bills by the same filter, before sums are folded and after", async () => {
  for (const folds of [false, true])
    for (const filter of [
      {},
      { direction: "payable" },
      { status: "unpaid,partial" },
      { status: "paid", direction: "receivable", dueTo: "2026-03-31" },
      { dueFrom: "2026-03-02", dueTo: "2026-03-20" },
      { partyKind: "merchant" },
      { amountFrom: 200_000 },
      { tag: "writtenOff" },
    ]) {
      if (folds) await foldSums(house.database.db);
      const { list, ...totals } = await by(filter);
      // no bill comes to more: the same ones, read one by one
      expect({ list, ...totals }, JSON.stringify(filter)).toEqual(
        await by({ ...filter, amountTo: 9_999_999_999 }),
      );
      const { sums, total } = await house.did(listBills, { as: manager }, { query: filter as never });
      const sum = (key: "amount" | "settled" | "outstanding" | "bills") =>
        list.reduce((all, row) => all + row[key], 0);
      expect(
        [sum("amount"), sum("settled"), sum("outstanding"), sum("bills")],
        JSON.stringify(filter),
      ).toEqual([sums!.amount, sums!.settled, sums!.outstanding, total]);
    }
});

test("a store without bills has no row, a store beyond the reader's none either; the worst rate comes first", async () => {
  const ofB = await house.person({ permits: ["26.query"], villages: [m.b.villageId] });
  expect((await by({}, ofB)).list.map((row) => row.id)).toEqual([m.b.villageId]);
  expect((await by({ dueMonth: "2025-01" })).list).toEqual([]);
  const { list } = await by({ dueMonth: "2026-03", direction: "receivable", sort: "rate", order: "asc" });
  expect(list.map((row) => row.id)).toEqual([m.a.villageId, m.b.villageId]);
});

test("each store has the target of the months its bills are due in, else the company's; a gap leaves none", async () => {
  const { pool } = house.database;
  const target = (month: string, value: number) =>
    pool.query(
      "insert into indicator_target (code, village_id, month, value) values ('collectionRate', $1, $2, $3)",
      [m.a.villageId, `${month}-01`, value],
    );
  const targets = async (query: object) => {
    const { list } = await by({ direction: "receivable", ...query });
    return [m.a, m.b].map(({ villageId }) => list.find((row) => row.id === villageId)?.target);
  };
  await target("2026-03", 0.9);
  expect(await targets({ dueMonth: "2026-03" })).toEqual([0.9, null]);
  expect(await targets({ dueFrom: "2026-02-01", dueTo: "2026-03-31" })).toEqual([null, null]);
  await target("2026-02", 0.8);
  expect(await targets({ dueFrom: "2026-02-01", dueTo: "2026-03-31" })).toEqual([0.85, null]);
  await pool.query(
    `insert into indicator_rule (enterprise_id, code, better, green_from, amber_from, default_target, weight)
     select enterprise_id, 'collectionRate', 'more', 100, 90, 0.95, 10 from village where id = $1`,
    [m.b.villageId],
  );
  expect(await targets({ dueTo: "2026-03-31" })).toEqual([0.9, 0.95]);
});

test("the file of all stores: the stores first, then the bills of each on a sheet of its own that add up to its row", async () => {
  const permits = ["26.query", "26.export"];
  const lead = await house.person({ permits, villages: [m.a.villageId, m.b.villageId] });
  const { statusCode, rawPayload, headers } = await house.app.inject({
    method: "GET",
    url: exportVillagesBills.path,
    headers: { authorization: lead.token },
    query: { dueMonth: "2026-03", direction: "receivable", columns: "villageName,bills,amount" },
  });
  expect(statusCode).toBe(200);
  expect(decodeURIComponent(String(headers["content-disposition"]))).toContain(
    "账单管理（门店）_2026-03.xlsx",
  );
  const { list } = await by({ dueMonth: "2026-03", direction: "receivable" });
  const [stores, ...each] = await openBook(rawPayload);
  expect(stores!.rows.slice(2, 4).map(({ values }) => values)).toEqual(
    list.map((row) => [row.villageName, row.bills, row.amount / 100]),
  );
  expect(each.map((sheet) => sheet.name)).toEqual(list.map((row) => row.villageName));
  for (const [i, sheet] of each.entries()) {
    const at = sheet.values(2).indexOf("应收金额");
    const rows = sheet.rows.slice(2).map(({ values }) => values[at] as number);
    expect(rows).toHaveLength(list[i]!.bills + 1);
    expect(rows.at(-1)).toBe(list[i]!.amount / 100);
    expect(sheet.values(1)[0]).toContain(`门店 ${list[i]!.villageName}`);
  }
});

test("未开票 is what is left to invoice of the bills tagged so: none of deposits, of what is paid out or of void bills", async () => {
  const { pool } = house.database;
  const left = async () => {
    const { list, sums } = await house.did(
      listBills,
      { as: manager },
      { query: { tag: "uninvoiced" } as never },
    );
    expect(list.every((bill) => bill.invoiced === 0)).toBe(true);
    return sums!.amount + sums!.adjusted;
  };
  const { rows } = await pool.query<{ id: number; amount: number; kinds: string[] }>(
    `select b.id, b.amount, array_agg(s.kind) kinds from bill b join fee_subject s on s.id = any(b.subject_ids) group by 1`,
  );
  expect(rows.some(({ kinds }) => kinds.includes("deposit"))).toBe(true);
  const before = await left();
  expect((await by({})).sums!.uninvoiced).toBe(before);
  const open = await pool.query<{ id: number; amount: number }>(
    `update bill set voided_at = now() where id = (select min(id) from bill where status = 'unpaid' and direction = 'receivable'
       and adjusted = 0) returning id, amount`,
  );
  expect(await left()).toBe(before - open.rows[0]!.amount);
  expect((await by({})).sums!.uninvoiced).toBe(before - open.rows[0]!.amount);
});

test("the tabs of the list of bills count the same from the sums by due day as bill by bill", async () => {
  const count = (query: object) => house.did(countBills, { as: manager }, { query: query as never });
  // days beyond the month, one of today and a void bill
  house.setClock("2026-03-20T10:00:00+08:00");
  const { rows } = await house.database.pool.query<{ id: number }>(
    "select id from bill where voided_at is null and settled = 0 and outstanding > 0 order by id",
  );
  const days = ["2026-02-28", "2026-03-19", "2026-03-20", "2026-04-01"];
  for (const [i, day] of days.entries())
    await house.database.pool.query("update bill set due_date = $2 where id = $1", [
      rows[i % rows.length]!.id,
      day,
    ]);
  for (const folds of [false, true])
    for (const filter of [
      {},
      { direction: "payable" },
      { direction: "receivable" },
      { villageIds: String(m.a.villageId) },
    ]) {
      if (folds) await foldSums(house.database.db);
      const counted = await count(filter);
      expect(counted, JSON.stringify(filter)).toEqual(await count({ ...filter, amountTo: 9_999_999_999 }));
      if (!Object.keys(filter).length) expect(counted.overdue).toBeGreaterThan(0);
    }
});
