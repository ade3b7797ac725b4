import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { generate } from "../../demo/generate.ts";
import { STANDARD } from "../../demo/standard.ts";
import type { Call } from "../kernel/call.ts";
import { testHouse } from "../server/house.sample.ts";
import { bodyWith } from "./bodies.ts";
import { APART, mirror } from "./mirror.ts";

/**
 * Two enterprises lie in one database, the second a mirror of the first. What the first reads does not change by a letter when
 * the second is laid beside it, so no list, count, sum or report goes beyond an enterprise. The head of the second, who may do
 * everything in their own, is set against every record of the first by its id, in the path and in the body. What somebody of the
 * same enterprise sees of villages that are not theirs is proved in strangers.test.ts.
 */
const house = await testHouse({
  fill: (h) => generate(h.database, h.cipher, { ...STANDARD, rooms: 40, today: "2026-11-20" }),
});
const { pool } = house.database;
house.setClock("2026-11-20T10:00:00+08:00");
const calls = house.served.map((s) => s.call).filter((c) => c.needs !== "public" && !c.upload);
const lists = calls.filter(
  (c) => c.method === "GET" && c.needs !== "super" && c.reply && !c.path.includes(":"),
);
const owner = await house.person({ superType: "1", name: "总经理" });
const read = async () =>
  new Map(
    await Promise.all(
      lists.map(async (c) => {
        const { body } = await house.app.inject({ url: c.path, headers: { authorization: owner.token } });
        const { requestId: _, ...envelope } = JSON.parse(body) as { requestId?: string };
        return [c.path, envelope] as const;
      }),
    ),
  );
const alone = await read();
await mirror(house.database.owner);
const beside = await read();
const stranger = await house.person({ superType: "1", name: "别家总经理" });
await pool.query("update operator set enterprise_id = $2 where id = $1", [
  stranger.operatorId,
  APART + house.enterpriseId,
]);

/** Rows of the first enterprise: by its id or its village's, or made before the second was there. */
const owned = (
  await pool.query<{ name: string; columns: string[] }>(
    `select c.table_name name, array_agg(c.column_name::text) columns from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
       and (c.column_name, c.data_type) in (('enterprise_id', 'bigint'), ('village_id', 'bigint'), ('id', 'bigint'))
       and c.table_name not in ('operation_log', 'business_log', 'login_session', 'download_record')
     group by 1 order by 1`,
  )
).rows;
const fingerprint = async () =>
  Object.fromEntries(
    await Promise.all(
      owned.map(async ({ name, columns }) => {
        const first = columns.map((column) => `${column} <= ${APART}`).join(" or ");
        const { rows } = await pool.query<{ sum: string }>(
          `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '' order by t::text)), '') sum from ${name} t where ${first}`,
        );
        return [name, rows[0]!.sum] as const;
      }),
    ),
  );
const words = (
  await pool.query<{ word: string }>(
    `select bill_no word from bill where id <= ${APART} union select contract_no from contract where id <= ${APART} union select flow_no from flow where id <= ${APART}`,
  )
).rows.map((r) => r.word);
const first = new Map<string, number>();
const ids: number[] = [];
for (const { name, columns } of owned.filter((t) => t.columns.includes("id"))) {
  const { rows } = await pool.query<{ id: number | null; last: number | null }>(
    `select min(id) id, max(id) filter (where id <= ${APART}) last from ${name}`,
  );
  const { id, last } = rows[0]!;
  if (id === null || last === null) continue;
  first.set(name, last);
  if (columns.length > 1) ids.push(...[id, last].filter((each) => !ids.includes(each)));
}
/** A record of the first enterprise that a field of a body may mean: villageId, billIds, payeeFileId … */
const idOf = (field: string): number | undefined => {
  const table = /^(.+?)Ids?$/.exec(field)?.[1]?.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (table === undefined) return undefined;
  return (
    first.get(table) ??
    first.get(table.replace(/^.*_/, "")) ??
    (/file/.test(table) ? first.get("stored_file") : undefined)
  );
};
const name = (c: Call) => `${c.method} ${c.path}`;
const send = (c: Call, id: number, payload?: unknown) =>
  house.app.inject({
    method: c.method,
    url: c.path.replace(/:\w+/g, String(id)),
    headers: { authorization: stranger.token, "idempotency-key": randomUUID() },
    ...(payload !== undefined && { payload: payload as object }),
  });

test("there is something to find", () => {
  expect(owned.length).toBeGreaterThan(25);
  expect(ids.length).toBeGreaterThan(10);
  expect(words.length).toBeGreaterThan(100);
});

test.each(lists.map((c) => c.path))("%s reads the same, whoever else is in the database", (path) => {
  expect(beside.get(path)).toEqual(alone.get(path));
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
        const { statusCode, body } = await send(c, id, c.body && bodyWith(c, "正常文字", idOf));
        expect(statusCode, `${name(c)} with ${id}: ${body.slice(0, 200)}`).toBeLessThan(500);
        expect(
          words.filter((word) => body.includes(word)),
          name(c),
        ).toEqual([]);
      }
    expect(await fingerprint()).toEqual(before);
  });
});
