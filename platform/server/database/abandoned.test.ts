import { sql } from "kysely";
import { expect, test } from "vitest";
import { testHouse } from "../process/house.sample.ts";
import { forOthersToo, whileWanted } from "./abandoned.ts";

const house = await testHouse({ poolSize: 2 });
const { database } = house;
const { db, pool } = database;

/** Reads for a long time; its mark tells it from what other tests do on the same server. */
const long = (mark: string) => sql`select pg_sleep(60) ${sql.ref(mark)}`.execute(db);
const running = async (mark: string) =>
  (
    await database.owner.query(
      "select from pg_stat_activity where state = 'active' and query like $1 and datname = current_database()",
      [`select pg_sleep(60) "${mark}"`],
    )
  ).rowCount;

test("what nobody waits for is ended, and its connections are there for the next", async () => {
  const leaving = new AbortController();
  const read = whileWanted(leaving.signal, async () => {
    await Promise.all([long("first"), long("second")]);
    await long("third");
  }).catch((error: unknown) => error);
  await expect.poll(async () => (await running("first"))! + (await running("second"))!).toBe(2);
  leaving.abort();
  expect(await read).toMatchObject({ code: "abandoned" });
  await expect.poll(() => running("second"), { timeout: 10_000 }).toBe(0);
  expect(await running("third")).toBe(0);
  expect((await pool.query("select 1 one")).rows).toEqual([{ one: 1 }]);
});

test("a call that is given up ends no other's statement, and nothing that others wait for", async () => {
  const leaving = new AbortController();
  const slowly = () => sql<{ done: boolean }>`select pg_sleep(2) is not null done`.execute(db);
  const shared: ReturnType<typeof slowly>[] = [];
  const read = whileWanted(leaving.signal, async () => {
    shared.push(forOthersToo(slowly));
    await long("mine");
  }).catch((error: unknown) => error);
  await expect.poll(() => running("mine")).toBe(1);
  leaving.abort();
  expect(await read).toMatchObject({ code: "abandoned" });
  for (const { rows } of [await shared[0]!, await slowly()]) expect(rows).toEqual([{ done: true }]);
});

test("however many are given up, one connection ends them all", async () => {
  const leaving = new AbortController();
  const given = ["one", "other"].map((mark) =>
    whileWanted(leaving.signal, () => long(mark)).catch((error: unknown) => error),
  );
  await expect.poll(async () => (await running("one"))! + (await running("other"))!).toBe(2);
  leaving.abort();
  const ends = new Set<number>();
  await expect
    .poll(
      async () => {
        const { rows } = await database.owner.query<{ pid: number }>(
          "select pid from pg_stat_activity where query like 'select pg_cancel_backend%' and datname = current_database()",
        );
        for (const { pid } of rows) ends.add(pid);
        return (await running("one"))! + (await running("other"))!;
      },
      { timeout: 10_000, interval: 5 },
    )
    .toBe(0);
  for (const answer of await Promise.all(given)) expect(answer).toMatchObject({ code: "abandoned" });
  expect(ends.size).toBeLessThanOrEqual(1);
});

test("a call that is waited for answers", async () => {
  const { rows } = await whileWanted(new AbortController().signal, () => sql`select 1 one`.execute(db));
  expect(rows).toEqual([{ one: 1 }]);
});

test("whoever leaves a list that does not come leaves nothing behind", async () => {
  await house.app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = house.app.server.address() as { port: number };
  const lead = await house.person({ superType: "1" });
  const holder = await database.owner.connect();
  await holder.query("begin");
  await holder.query("lock table lead in access exclusive mode");
  const waiting = async () =>
    (
      await database.owner.query(
        "select from pg_locks l join pg_database d on d.oid = l.database where not granted and d.datname = current_database()",
      )
    ).rowCount;
  const leaving = new AbortController();
  const list = fetch(`http://127.0.0.1:${port}/customer/api/v3/lead?want=rows`, {
    headers: { authorization: lead.token },
    signal: leaving.signal,
  }).catch((error: unknown) => error);
  await expect.poll(waiting).toBeGreaterThan(0);
  leaving.abort();
  expect(await list).toMatchObject({ name: "AbortError" });
  await expect.poll(waiting, { timeout: 10_000 }).toBe(0);
  await holder.query("rollback");
  holder.release();
});
