import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { generate } from "../../demo/generate.ts";
import { STANDARD } from "../../demo/standard.ts";
import type { Call } from "../kernel/call.ts";
import { testHouse } from "../server/house.sample.ts";
import { bodyWith } from "./bodies.ts";

/**
 * The head of another enterprise, who may do everything in their own, against every record by its id. What somebody of the
 * same enterprise sees of villages that are not theirs is proved in strangers.test.ts, for reading; here it is enterprises, and
 * writing too.
 */
const house = await testHouse({
  fill: (h) => generate(h.database, h.cipher, { ...STANDARD, rooms: 40, today: "2026-11-20" }),
});
const { pool } = house.database;
const stranger = await house.person({ superType: "1", name: "别家总经理" });
const other = (
  await pool.query<{ id: number }>("insert into enterprise (name) values ('别家公寓') returning id")
).rows[0]!.id;
await pool.query("update operator set enterprise_id = $2 where id = $1", [stranger.operatorId, other]);

/** Tables whose rows say whose they are. */
const owned = (
  await pool.query<{ name: string; by: string }>(
    `select c.table_name name, min(c.column_name) by from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.column_name in ('enterprise_id', 'village_id')
       and c.table_name not in ('operation_log', 'business_log') group by 1 order by 1`,
  )
).rows;
const fingerprint = async () =>
  Object.fromEntries(
    await Promise.all(
      owned.map(async ({ name, by }) => {
        const mine = by === "enterprise_id" ? `where enterprise_id is distinct from ${other}` : "";
        const { rows } = await pool.query<{ sum: string }>(
          `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '' order by t::text)), '') sum from ${name} t ${mine}`,
        );
        return [name, rows[0]!.sum] as const;
      }),
    ),
  );
const words = (
  await pool.query<{ word: string }>(
    `select name word from village union select account from operator where enterprise_id <> $1
     union select bill_no from bill union select contract_no from contract union select flow_no from flow
     union select name from building where length(name) > 3`,
    [other],
  )
).rows.map((r) => r.word);
const ids = [
  ...new Set(
    (
      await Promise.all(
        owned.map(async ({ name }) => {
          const has = await pool.query(
            "select 1 from information_schema.columns where table_name = $1 and column_name = 'id'",
            [name],
          );
          if (!has.rows.length) return [];
          const { rows } = await pool.query<{ id: number }>(
            `select min(id) id from ${name} union select max(id) from ${name}`,
          );
          return rows.map((r) => r.id);
        }),
      )
    ).flat(),
  ),
].filter((id) => Number.isInteger(id));
const name = (c: Call) => `${c.method} ${c.path}`;
const send = (c: Call, id: number, payload?: unknown) =>
  house.app.inject({
    method: c.method,
    url: c.path.replace(/:\w+/g, String(id)),
    headers: { authorization: stranger.token, "idempotency-key": randomUUID() },
    ...(payload !== undefined && { payload: payload as object }),
  });
const calls = house.served.map((s) => s.call).filter((c) => c.needs !== "public" && !c.upload);

test("there is something to find", () => {
  expect(owned.length).toBeGreaterThan(25);
  expect(ids.length).toBeGreaterThan(10);
  expect(words.length).toBeGreaterThan(100);
});

describe("another enterprise's records", () => {
  test.each(calls.filter((c) => c.method === "GET").map((c) => [name(c), c] as const))(
    "are not read by %s",
    async (_, c) => {
      for (const id of c.path.includes(":") ? ids : [0]) {
        const { body, statusCode } = await send(c, id);
        expect(statusCode, body.slice(0, 200)).toBeLessThan(500);
        expect(
          words.filter((word) => body.includes(word)),
          `${name(c)} with ${id}`,
        ).toEqual([]);
      }
    },
  );

  test("are not changed, made or deleted by any call that writes", { timeout: 120_000 }, async () => {
    const before = await fingerprint();
    for (const c of calls.filter((each) => each.effect === "write" && !each.path.includes("logout")))
      for (const id of c.path.includes(":") ? ids : [1]) {
        const { statusCode, body } = await send(c, id, c.body && bodyWith(c, "正常文字"));
        expect(statusCode, `${name(c)} with ${id}: ${body.slice(0, 200)}`).toBeLessThan(500);
        expect(
          words.filter((word) => body.includes(word)),
          name(c),
        ).toEqual([]);
      }
    expect(await fingerprint()).toEqual(before);
  });
});
