import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { demoCompany } from "../../../demo/demo.sample.ts";
import { testHouse } from "../../server/process/house.sample.ts";
import { requestOf } from "../calls/shaped.ts";
import { APART, SHARED, joinFirst, mirror } from "../mirror.ts";
import { idIn, own, recordAt } from "../named-ids.ts";

/**
 * Somebody with every function in half of an enterprise's stores sends every call with an id in its path the ids of the other
 * half, and records of their own in its body. Whatever else is wrong with what they send, they are answered 404 or 403: a call
 * asks whose record it is before it says anything of it.
 */
const house = await testHouse({ template: await demoCompany(40, "2026-11-20") });
const { pool } = house.database;
house.setClock("2026-11-20T10:00:00+08:00");
await mirror(house.database.owner);
await joinFirst(house.database.owner);

/** What belongs to no store: whoever has the function has all of it, or it is judged by the person. */
const OF_ALL =
  // a line of a bank account that nobody has claimed is for all stores
  /\/(orgDepartment|function|operator|role|loginSession|module|moduleNode|process|preference|announcement|messageTemplate|operationLog|businessLog|template|commissionRule|dic|housingDistrict|einvoiceConf|merchantAccount|ledgerCheck|budgetIndicator|indicator|bankLine)\//;
/** The new partner is locked, and judged, before the sheet. */
const LATER = "PUT /billing/api/v3/thirdPartyIncome/:id";
const calls = house.served
  .map((s) => s.call)
  .filter((c) => c.needs !== "public" && c.needs !== "super" && !c.upload && c.path.includes(":"))
  .filter((c) => !OF_ALL.test(c.path) && `${c.method} ${c.path}` !== LATER);
const keys = (await pool.query<{ key: string }>("select key from function_node")).rows.map((r) => r.key);
const villages = (await pool.query<{ id: number }>(`select id from village where id > ${APART}`)).rows;
const clerk = await house.person({ permits: keys, villages: villages.map((v) => v.id) });

const known = new Map<string, number>();
const { rows: tables } = await pool.query<{ name: string }>(
  `select table_name name from information_schema.columns join information_schema.tables using (table_schema, table_name)
   where table_schema = 'public' and column_name = 'id' and data_type = 'bigint' and table_type = 'BASE TABLE' and table_name !~ $1`,
  [SHARED.source],
);
for (const { name } of tables) {
  const { rows } = await pool.query<{ id: number | null }>(
    `select max(id) id from "${name}" where id <= ${APART}`,
  );
  if (rows[0]!.id !== null) known.set(name, rows[0]!.id);
}
const idOf = idIn(known);
/** Dictionaries are of the enterprise. */
const keeps = (field: string) => /^(feeSubject|subject|fee|department|assetDic)Ids?$/.test(field);

test("no call says anything of a record of another store by its id", { timeout: 120_000 }, async () => {
  expect(calls.length).toBeGreaterThan(500);
  const answered: string[] = [];
  for (const c of calls) {
    const { body, query } = requestOf(c, idOf);
    for (const id of new Set([recordAt(c, idOf) ?? 5, 1])) {
      const answer = await house.app.inject({
        method: c.method,
        url: c.path.replace(/:\w+/g, String(id)),
        query: own(query, keeps) as Record<string, string>,
        headers: { authorization: clerk.token, "idempotency-key": randomUUID() },
        ...(body !== undefined && { payload: own(body, keeps) as object }),
      });
      if (answer.statusCode !== 404 && answer.statusCode !== 403)
        answered.push(`${c.method} ${c.path} with ${id}: ${answer.body.slice(0, 200)}`);
    }
  }
  expect(answered).toEqual([]);
});
