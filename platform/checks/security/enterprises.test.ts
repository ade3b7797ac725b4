import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { demoCompany } from "../../../demo/demo.sample.ts";
import type { Call } from "../../kernel/call.ts";
import { testHouse } from "../../server/process/house.sample.ts";
import { APART, SHARED, mirror } from "../mirror.ts";
import { idIn, isGuarded, named, own, recordAt } from "../named-ids.ts";
import { requestOf } from "../calls/shaped.ts";

/**
 * Two enterprises lie in one database, the second a mirror of the first. What the first reads does not change by a letter when
 * the second is laid beside it, so no list, count, sum or report goes beyond an enterprise. The head of the second, who may do
 * everything in their own, is set against every record of the first by its id, in the path and in the body. What somebody of the
 * same enterprise sees of villages that are not theirs is proved in strangers.test.ts.
 */
const house = await testHouse({ template: await demoCompany(40, "2026-11-20") });
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

/**
 * Rows of the first enterprise, and rows of anybody that name a record of it: by their own id, by a key into another table
 * or by a list of ids. What the writes of the second leave behind must show in none of them.
 */
const owned = (
  await pool.query<{ name: string; columns: string[]; lists: string[] }>(
    `select c.relname name, coalesce(array_agg(a.attname::text) filter (where a.atttypid = 'int8'::regtype), '{}') columns,
       coalesce(array_agg(a.attname::text) filter (where a.atttypid = 'int8[]'::regtype), '{}') lists
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname !~ $1 and (a.atttypid = 'int8[]'::regtype
       or a.atttypid = 'int8'::regtype and (a.attname in ('id', 'enterprise_id', 'village_id') or exists (select from pg_constraint f
         where f.contype = 'f' and f.conrelid = c.oid and f.conkey = array[a.attnum] and f.confrelid::regclass::text !~ $1)))
     group by 1 order by 1`,
    [SHARED.source],
  )
).rows;
const fingerprint = async () =>
  Object.fromEntries(
    await Promise.all(
      owned.map(async ({ name, columns, lists }) => {
        const first = [
          ...columns.map((column) => `${column} between 1 and ${APART}`),
          ...lists.map((list) => `exists (select from unnest(${list}) x where x between 1 and ${APART})`),
        ].join(" or ");
        const { rows } = await pool.query<{ row: string }>(
          `select t::text "row" from "${name}" t where ${first} order by 1`,
        );
        return [name, rows.map((r) => r.row)] as const;
      }),
    ),
  );
const differences = (before: Record<string, string[]>, after: Record<string, string[]>): string[] =>
  owned.flatMap(({ name }) => {
    const [was, is] = [new Set(before[name]), new Set(after[name])];
    return [
      ...[...was.difference(is)].map((row) => `${name} lost ${row}`),
      ...[...is.difference(was)].map((row) => `${name} got ${row}`),
    ];
  });
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
const idOf = idIn(first);
const name = (c: Call) => `${c.method} ${c.path}`;
/** Ids for a path: of its table where it names one, otherwise of every table. */
const idsAt = (c: Call) => {
  const known = recordAt(c, idOf);
  return known === undefined ? ids : [...new Set([known, 1])];
};
const send = (c: Call, id: number, payload?: unknown, query: Record<string, string> = {}) =>
  house.app.inject({
    method: c.method,
    url: c.path.replace(/:\w+/g, String(id)),
    query,
    headers: { authorization: stranger.token, "idempotency-key": randomUUID() },
    ...(payload !== undefined && { payload: payload as object }),
  });
/** The stranger as they were, whatever a call made of their account or their session. */
const revive = () =>
  pool.query(
    `with s as (update login_session set ended_at = null, view_by = null, expires_at = now() + interval '1 day' where operator_id = $1)
     update operator set state = 'active', must_change_password = false, super_type = '1', enterprise_id = $2 where id = $1`,
    [stranger.operatorId, APART + house.enterpriseId],
  );

const writes = calls.filter((c) => c.effect === "write").map((c) => ({ c, ...requestOf(c, idOf) }));

test("every write is sent a body and a query of its shape", () => {
  const wrong = writes.flatMap(({ c, body, query }) =>
    [c.body?.safeParse(body), c.query?.safeParse(query)].flatMap((result) =>
      result?.error ? [`${name(c)}: ${result.error.message}`] : [],
    ),
  );
  expect(wrong).toEqual([]);
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

  test("are not changed, made, named or deleted by any call that writes", { timeout: 120_000 }, async () => {
    const before = await fingerprint();
    const faults: string[] = [];
    for (const { c, body, query } of writes)
      for (const id of c.path.includes(":") ? idsAt(c) : [1]) {
        // only the id in the path is another's: what else would be refused before it
        const answer = await (c.path.includes(":")
          ? send(c, id, own(body), own(query) as Record<string, string>)
          : send(c, id, body, query));
        const said = `${name(c)} with ${id}: ${answer.statusCode} ${answer.body.slice(0, 300)}`;
        if (
          answer.statusCode >= 500 ||
          answer.statusCode === 401 ||
          answer.body.includes("mustChangePassword")
        )
          faults.push(said);
        if (words.some((word) => answer.body.includes(word))) faults.push(`tells a number: ${said}`);
        if (answer.statusCode === 200) await revive();
      }
    faults.push(...differences(before, await fingerprint()));
    expect(faults).toEqual([]);
  });

  /** One at a time, everything else being their own: in the path, where it names a record of the table in its name. */
  test("are not named by any field of a body or a query", { timeout: 120_000 }, async () => {
    const before = await fingerprint();
    const faults: string[] = [];
    for (const c of calls) {
      const { body, query } = requestOf(c, idOf);
      const id = (recordAt(c, idOf) ?? 1) + APART;
      for (const field of new Set([...named(query), ...named(body)])) {
        const only = (each: string) => each === field;
        const answer = await send(c, id, own(body, only), own(query, only) as Record<string, string>);
        const said = `${name(c)} with ${field}: ${answer.statusCode} ${answer.body.slice(0, 300)}`;
        if (answer.statusCode >= 500 || words.some((word) => answer.body.includes(word))) faults.push(said);
        const guarded = isGuarded(field, named(body).includes(field));
        if (guarded && ![400, 403, 404].includes(answer.statusCode)) faults.push(said);
        if (answer.statusCode === 200) await revive();
      }
    }
    faults.push(...differences(before, await fingerprint()));
    expect(faults).toEqual([]);
  });
});
