import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aBill, aParty, aStore } from "../bill/bill.sample.ts";
import { someAccounts, take } from "../flow/flow.sample.ts";

const house = await testHouse();
// the product's own role may not even try
const { owner: pool } = house.database;
house.setClock("2026-03-20T10:00:00+08:00");
const store = await aStore(house);
const partyId = await aParty(house);
await take(house, store, await someAccounts(house, store), partyId, {
  amount: 310_000,
  paidAt: "2026-03-20T09:00:00+08:00",
  bills: [await aBill(house, store, partyId)],
});

/** Runs statements in one transaction that is never committed; answers what the first refusal says. */
async function refusal(...statements: string[]): Promise<string | undefined> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    for (const text of statements) await client.query(text);
    await client.query("set constraints all immediate");
    return undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await client.query("rollback");
    client.release();
  }
}

const ENTRY = `insert into journal_entry (id, entry_no, event, side, date, business_date, source_type, source_id)
  values (-1, 'PZ-1', 'E01', 'income', '2026-03-10', '2026-03-10', 'test', 1)`;
const line = (seq: number, debit: number, credit: number, village = store.villageId) =>
  `insert into journal_line (entry_id, seq, date, village_id, account, debit, credit)
   values (-1, ${seq}, '2026-03-10', ${village}, '1122', ${debit}, ${credit})`;
const BALANCED = [ENTRY, line(0, 5, 0), line(1, 0, 5)];

test("an entry is proved with every line that joins it, however constraints are set", async () => {
  expect(await refusal(...BALANCED)).toBeUndefined();
  expect(await refusal(ENTRY)).toBe("凭证不平衡");
  expect(await refusal(ENTRY, line(0, 5, 0))).toBe("凭证不平衡");
  const proved = [...BALANCED, "set constraints all immediate"];
  expect(await refusal(...proved, line(2, 7, 0))).toBe("凭证不平衡");
  // the last line proves it, so nothing slips in before that one
  expect(await refusal(...proved, line(-1, 7, 0))).toBe("分录序号须递增");
  expect(await refusal(ENTRY, line(1, 0, 5), line(0, 5, 0))).toBe("分录序号须递增");
  expect(await refusal(ENTRY, line(0, 5, 0), line(9, 0, 5))).toBeUndefined();
  await pool.query("insert into period_lock (village_id, month, side) values ($1, '2026-03', 'income')", [
    store.villageId,
  ]);
  expect(await refusal(...BALANCED)).toBe("该月已锁账");
  const other = await aStore(house);
  const elsewhere = [ENTRY, line(0, 5, 0, other.villageId), line(1, 0, 5, other.villageId)];
  const late = `${line(2, 7, 0)}, (-1, 3, '2026-03-10', ${store.villageId}, '1122', 0, 7)`;
  expect(await refusal(...elsewhere, "set constraints all immediate", late)).toBe("该月已锁账");
});

test("what is only ever added to can be neither changed, removed nor emptied", async () => {
  const { rows } = await pool.query<{ name: string; truncate: boolean }>(
    `select c.relname "name", bool_or(t.tgtype & 32 > 0) "truncate" from pg_trigger t
     join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
     where p.proname = 'refuse_change' group by 1 order by 1`,
  );
  expect(rows.filter((r) => !r.truncate)).toEqual([]);
  expect(rows.map((r) => r.name)).toEqual(
    expect.arrayContaining(["allocation", "business_log", "journal_entry", "journal_line", "operation_log"]),
  );
  for (const { name } of rows) expect(await refusal(`truncate ${name} cascade`)).toMatch(/ is append-only$/);
  for (const text of [
    "delete from journal_line",
    "update journal_entry set memo = 'x'",
    "truncate bill cascade",
  ])
    expect(await refusal(text)).toMatch(/ is append-only$/);
});

test("what proves the entries of an act reads them alone, whatever else the act has posted", async () => {
  const entries = 300;
  const client = await pool.connect();
  const read = async () =>
    Number(
      (
        await client.query(
          "select seq_tup_read + idx_tup_fetch n from pg_stat_xact_user_tables where relname = 'journal_line'",
        )
      ).rows[0].n,
    );
  try {
    await client.query("begin");
    await client.query(
      `insert into journal_entry (id, entry_no, event, side, date, business_date, source_type, source_id)
       select -n, 'PZ-M' || n, 'E01', 'income', '2026-05-10', '2026-05-10', 'test', 1000 + n from generate_series(1, $1::int) n`,
      [entries],
    );
    await client.query(
      `insert into journal_line (entry_id, seq, date, village_id, account, debit, credit)
       select -n, s, '2026-05-10', $2, '1122', 5 * (1 - s), 5 * s from generate_series(1, $1::int) n, generate_series(0, 1) s`,
      [entries, store.villageId],
    );
    // as in a young ledger of ten thousand lines, where the order of an index looks cheaper than a sort
    for (const cost of ["sort", "hashagg", "bitmapscan"])
      await client.query(`set local enable_${cost} = off`);
    await client.query("discard plans");
    const before = await read();
    await client.query("set constraints all immediate");
    expect((await read()) - before).toBeLessThan(20 * entries);
  } finally {
    await client.query("rollback");
    client.release();
  }
});
