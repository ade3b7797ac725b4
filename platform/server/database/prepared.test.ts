import { expect, test } from "vitest";
import { freshDatabase } from "./cluster.sample.ts";

const { pool } = await freshDatabase();

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
