import { sql } from "kysely";
import { expect, test } from "vitest";
import { freshDatabase } from "./cluster.sample.ts";
import { isoInstant } from "./column-values.ts";
import { connect, openDatabase } from "./database.ts";

const { pool, db, url } = await freshDatabase();
const one = async (expression: string) =>
  (await pool.query<{ value: unknown }>(`select ${expression} as value`)).rows[0]!.value;

test("money and counts are numbers, days and decimals text, instants ISO text in UTC", async () => {
  expect(await one("9007199254740991::bigint")).toBe(9007199254740991);
  expect(await one("(select count(*) from (values (1), (2)) as rows)")).toBe(2);
  expect(await one("date '2026-02-28'")).toBe("2026-02-28");
  expect(await one("0.617300::numeric")).toBe("0.617300");
  expect(await one("timestamptz '2026-11-20 09:05:07.5+08'")).toBe("2026-11-20T01:05:07.500Z");
});

test("so are they in arrays, with gaps kept", async () => {
  expect(await one("array[1, null, 3]::bigint[]")).toEqual([1, null, 3]);
  expect(await one("array['2026-01-31']::date[]")).toEqual(["2026-01-31"]);
  expect(await one("array[[1.10, 2.20]]::numeric[]")).toEqual([["1.10", "2.20"]]);
});

test("a number that would lose digits is read as the largest that loses none", async () => {
  expect(await one("9007199254740993::bigint")).toBe(Number.MAX_SAFE_INTEGER);
  expect(await one("-9223372036854775807::bigint")).toBe(-Number.MAX_SAFE_INTEGER);
  expect(await one("9999999990000000::bigint"), "an amount of before there was a bound").toBe(
    Number.MAX_SAFE_INTEGER,
  );
});

test("instants of any shape", () => {
  expect(isoInstant("2026-11-20 00:00:00+08")).toBe("2026-11-19T16:00:00.000Z");
  expect(isoInstant("2026-11-20 09:05:07.123999-03:30")).toBe("2026-11-20T12:35:07.123Z");
  expect(isoInstant("infinity")).toBe("infinity");
});

test("the day of an instant is the day of the business, not of the server", async () => {
  expect(await one("timestamptz '2026-11-20 17:00:00Z'::date")).toBe("2026-11-21");
  expect(await one("current_setting('timezone')")).toBe("Asia/Shanghai");
});

test("columns are camelCase in code; stored JSON comes back untouched", async () => {
  const query = sql<{ monthlyRent: number; formDraft: unknown }>`
    select 300000::bigint as monthly_rent, '{"late_fee": {"grace_days": 3}}'::jsonb as form_draft`;
  const { rows } = await query.execute(db);
  expect(rows).toEqual([{ monthlyRent: 300000, formDraft: { late_fee: { grace_days: 3 } } }]);
});

test("Chinese is found by part of a word and ordered by its reading", async () => {
  expect(await one("cardinality(show_trgm('滨江公寓'))")).toBeGreaterThan(2);
  expect(await one("'滨江公寓' ilike '%江公%'")).toBe(true);
  const names = `array(select name from unnest(array['赵', '安', '李']) as name order by name collate "zh-x-icu")`;
  expect(await one(names)).toEqual(["安", "李", "赵"]);
});

test("a connection that breaks between two statements of an act fails the act, not the process", async () => {
  const act = await pool.connect();
  const { rows } = await act.query<{ pid: number }>("select pg_backend_pid() as pid");
  const broken = new Promise((done) => act.once("end", () => done("broken")));
  await pool.query("select pg_terminate_backend($1)", [rows[0]!.pid]);
  expect(await broken).toBe("broken");
  await expect(act.query("select 1")).rejects.toThrow("not queryable");
  act.release();
  expect(await one("1"), "the next act has another connection").toBe(1);
});

test("an external server is used by its address", async () => {
  const settings = {
    DATABASE_URL: url,
    DATABASE_REPLICA_URL: url,
    DATA_DIR: "/nowhere",
    POOL_SIZE: 2,
    TIME_ZONE: "UTC",
  };
  const database = await openDatabase(settings);
  expect(database.replica).not.toBe(database.pool);
  const { rows } = await database.replica.query<{ zone: string }>(
    "select current_setting('timezone') as zone",
  );
  expect(rows[0]!.zone).toBe("UTC");
  await database.close();
});

test("a server that does not answer gives a sentence", async () => {
  const nowhere = connect({ main: { host: "/nowhere" } }, { POOL_SIZE: 2, TIME_ZONE: "UTC" });
  await expect(nowhere).rejects.toThrow("The database cannot be reached: connect ENOENT");
});

test("what is asked again and again is planned once, however many texts were asked before, and few plans are kept", async () => {
  const client = await pool.connect();
  try {
    const ask = async (text: string) => (await client.query<{ n: number }>(text, [1])).rows[0]!.n;
    const kept = async () =>
      (await client.query<{ statement: string }>("table pg_prepared_statements")).rows.map(
        (r) => r.statement,
      );
    for (let n = 0; n < 600; n++)
      for (let times = 0; times < 3; times++) expect(await ask(`select $1::int + ${n} n`)).toBe(1 + n);
    expect(await kept()).toContain("select $1::int + 599 n");
    expect(await kept()).not.toContain("select $1::int + 0 n");
    expect((await kept()).length).toBeLessThanOrEqual(300);
    const long = `select $1::int n -- ${"x".repeat(20_000)}`;
    for (let times = 0; times < 4; times++) expect(await ask(long)).toBe(1);
    expect(await kept()).not.toContain(long);
    // what was forgotten is asked as before, within an act too, and one that cannot be planned harms nothing
    await client.query("begin");
    expect(await ask("select $1::int + 0 n")).toBe(1);
    await client.query("commit");
    for (let times = 0; times < 4; times++)
      await expect(client.query("select nothing from nowhere where $1 = 1", [1])).rejects.toThrow("nowhere");
    for (let n = 700; n < 1100; n++)
      for (let times = 0; times < 3; times++) await ask(`select $1::int + ${n} n`);
    expect((await kept()).length).toBeLessThanOrEqual(300);
  } finally {
    client.release();
  }
});

test("within an act that has failed nothing is forgotten, and the connection goes on afterwards", async () => {
  const client = await pool.connect();
  try {
    for (let n = 0; n < 300; n++)
      for (let times = 0; times < 3; times++) await client.query(`select $1::int - ${n}`, [1]);
    await client.query("begin");
    await expect(client.query("select 1 / $1::int", [0])).rejects.toThrow("zero");
    for (let times = 0; times < 3; times++)
      await expect(client.query("select $1::int - 5000", [1])).rejects.toThrow("aborted");
    await client.query("rollback");
    for (let n = 0; n < 300; n++) await client.query(`select $1::int - ${n}`, [1]);
  } finally {
    client.release();
  }
});
