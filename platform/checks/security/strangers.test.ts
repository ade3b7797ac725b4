import { describe, expect, test } from "vitest";
import type { ZodObject } from "zod";
import { demoCompany } from "../../../demo/demo.sample.ts";
import type { Call } from "../../kernel/call.ts";
import { testHouse } from "../../server/process/house.sample.ts";

/**
 * A person of one village, with every function, against records of all others: nothing comes back by id, list, sum,
 * export or report. Records are told by their numbers and by the names of their villages.
 */
const today = "2026-11-20";
const house = await testHouse({ template: await demoCompany(120, today) });
const { pool } = house.database;
const MINE = 1;

const keys = (await pool.query<{ key: string }>("select key from function_node")).rows.map((r) => r.key);
const clerk = await house.person({ permits: keys, villages: [MINE] });
const names = (
  await pool.query<{ name: string }>("select name from village where id <> $1", [MINE])
).rows.map((r) => r.name);
const numbers = new Set(
  (
    await pool.query<{ no: string }>(
      `select bill_no no from bill where village_id = $1 union all select contract_no from contract where village_id = $1
       union all select flow_no from flow where village_id = $1 union all select number from room_block where village_id = $1
       union all select e.entry_no from journal_entry e join journal_line l on l.entry_id = e.id where l.village_id = $1
       union all select e.entry_no from journal_entry e
         where not exists (select from journal_line l where l.entry_id = e.id and l.village_id is not null)`,
      [MINE],
    )
  ).rows.map((r) => r.no),
);

/** What a text gives away of other villages. */
function leaks(text: string): string[] {
  const foreign = [...text.matchAll(/\b(?:HT|ZD|LS|FF|PZ)\d{8}-\d{6}\b/g)]
    .map((m) => m[0])
    .filter((no) => !numbers.has(no));
  return [...names.filter((name) => text.includes(name)), ...foreign];
}

const foreignIds = (
  await Promise.all(
    ["village", "building", "apartment", "room", "contract", "bill", "flow", "room_block", "turnover"].map(
      async (table) => {
        const column = table === "village" ? "id" : "village_id";
        const { rows } = await pool.query<{ id: number }>(
          `select id from ${table} where ${column} <> $1 order by id desc limit 1`,
          [MINE],
        );
        return rows.map((r) => r.id);
      },
    ),
  )
).flat();
const strangers = (
  await pool.query<{ id: number }>(
    "select id from party p where not exists (select from party_village v where v.party_id = p.id and v.village_id = $1) limit 2",
    [MINE],
  )
).rows.map((r) => r.id);

const reads = house.served.map((s) => s.call).filter((c) => c.method === "GET" && c.needs !== "public");
const name = (c: Call) => `${c.method} ${c.path}`;
const queryOf = (c: Call): string[] => Object.keys((c.query as ZodObject | undefined)?.shape ?? {});
const ask = (c: Call, url: string) =>
  house.app.inject({ method: c.method, url, headers: { authorization: clerk.token } });

test("records of other villages exist and can be told", () => {
  expect(names).toHaveLength(11);
  expect(foreignIds.length).toBeGreaterThan(6);
  expect(leaks("虹桥店 HT19990101-000001")).toEqual(["虹桥店", "HT19990101-000001"]);
});

describe.each(reads.map((c) => [name(c), c] as const))("%s", (_, c) => {
  const asked = queryOf(c);
  const plain = [
    asked.includes("villageId") && `villageId=${MINE}`,
    asked.includes("pageSize") && "pageSize=200",
    asked.includes("keyword") && "keyword=%E5%BC%A0",
  ].filter(Boolean);

  test("shows nothing of another village", async () => {
    const ids = c.path.includes(":") ? [...foreignIds, ...strangers] : [0];
    for (const id of ids)
      for (const query of [plain.join("&"), plain.filter((p) => p !== "keyword=%E5%BC%A0").join("&")]) {
        const answer = await ask(c, `${c.path.replace(/:\w+/g, String(id))}?${query}`);
        expect(answer.statusCode, answer.body.slice(0, 200)).toBeLessThan(500);
        expect(leaks(answer.body), `${c.path} with ${id}?${query}`).toEqual([]);
      }
  });

  test("refuses to be asked about another village", async () => {
    for (const key of ["villageId", "villageIds"].filter((k) => asked.includes(k))) {
      const others = plain.filter((p) => !String(p).startsWith("villageId="));
      const url = `${c.path.replace(/:\w+/g, "1")}?${[...others, `${key}=2`].join("&")}`;
      const answer = await ask(c, url);
      expect([400, 404], `${url}: ${answer.body.slice(0, 200)}`).toContain(answer.statusCode);
    }
  });
});
