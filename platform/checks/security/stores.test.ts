import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { demoCompany } from "../../../demo/demo.sample.ts";
import { ACT_KINDS } from "../../../domains/contract/act/act.rules.ts";
import { testHouse } from "../../server/process/house.sample.ts";
import { requestOf } from "../calls/shaped.ts";
import { APART, SHARED, joinFirst, mirror } from "../mirror.ts";
import { idIn, isGuarded, named, own, recordAt, recordNear } from "../named-ids.ts";
import { oneOfEach } from "./one-of-each.ts";

/**
 * Somebody with every function in half of an enterprise's stores sends every call with an id in its path the ids of the other
 * half, and records of their own in its body. Whatever else is wrong with what they send, they are answered 404 or 403: a call
 * asks whose record it is before it says anything of it. Then each field that names a record names one of the other half, the rest
 * being their own: nothing is told of it, and nothing of the other half changes or is named by what they write.
 */
const house = await testHouse({ template: await demoCompany(40, "2026-11-20") });
const { pool } = house.database;
house.setClock("2026-11-20T10:00:00+08:00");
await mirror(house.database.owner);
await joinFirst(house.database.owner);
await oneOfEach(house.database.owner, 1, Object.keys(ACT_KINDS));

/** What belongs to no store: whoever has the function has all of it, or it is judged by the person. */
const OF_ALL =
  // a line of a bank account that nobody has claimed is for all stores
  /\/(orgDepartment|function|operator|role|loginSession|module|moduleNode|process|preference|announcement|messageTemplate|operationLog|businessLog|template|commissionRule|dic|housingDistrict|einvoiceConf|merchantAccount|ledgerCheck|budgetIndicator|indicator|bankLine)\//;
/** The new partner is locked, and judged, before the sheet. */
const LATER = "PUT /billing/api/v3/thirdPartyIncome/:id";
const all = house.served
  .map((s) => s.call)
  .filter((c) => c.needs !== "public" && c.needs !== "super" && !c.upload);
const calls = all
  .filter((c) => c.path.includes(":"))
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
const { rows: acts } = await pool.query<{ kind: string; id: number }>(
  `select kind, max(id) id from contract_act where id <= ${APART} group by kind`,
);
for (const { kind, id } of acts)
  known.set(
    kind.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    id,
  );
const idOf = idIn(known);
const requests = new Map(
  all.map((c) => [c, requestOf(c, (field) => (/^ids?$/.test(field) ? recordNear(c, idOf) : idOf(field)))]),
);
/** Dictionaries are of the enterprise. */
const keeps = (field: string) => /^(feeSubject|subject|fee|department|assetDic)Ids?$/.test(field);

/** What a path names that is no record of a store's. */
const NO_RECORD = /\/(trialBalance|job)\/:/;
test("there is a record of another store for every call that names one in its path", () => {
  const without = calls.filter((c) => !NO_RECORD.test(c.path) && recordAt(c, idOf) === undefined);
  expect(without.map((c) => `${c.method} ${c.path}`)).toEqual([]);
});

test("no call says anything of a record of another store by its id", { timeout: 120_000 }, async () => {
  expect(calls.length).toBeGreaterThan(500);
  const answered: string[] = [];
  for (const c of calls) {
    const { body, query } = requests.get(c)!;
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

/** Tables of stores, by the columns in which a row is another store's or names what is. */
const { rows: columns } = await pool.query<{ name: string; column: string; of: string | null }>(
  `select c.relname name, a.attname "column", coalesce(f.confrelid::regclass::text, case a.attname when 'village_id' then 'village' end) "of"
   from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and a.atttypid = 'int8'::regtype
     left join pg_constraint f on f.contype = 'f' and f.conrelid = c.oid and f.conkey = array[a.attnum]
   where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname !~ $1 and c.relname !~ '^(operator|enterprise|department|role)'`,
  [SHARED.source],
);
const ofStores = new Set(["village", "party"]);
for (let before = 0; before < ofStores.size;) {
  before = ofStores.size;
  for (const { name, of } of columns) if (of !== null && ofStores.has(of)) ofStores.add(name);
}
const naming = Map.groupBy(
  columns.filter(({ name, column, of }) => ofStores.has(column === "id" ? name : (of ?? ""))),
  ({ name }) => name,
);
/** Rows of the other half, and rows that name one of them. */
const foreign = async () =>
  new Map(
    await Promise.all(
      [...naming].map(async ([name, of]) => {
        const theirs = of.map(({ column }) => `"${column}" between 1 and ${APART}`).join(" or ");
        const { rows } = await pool.query<{ row: string }>(
          `select t::text "row" from "${name}" t where ${theirs}`,
        );
        return [name, new Set(rows.map(({ row }) => row))] as const;
      }),
    ),
  );

/** People, roles and subjects are the enterprise's. */
const ofAll = (field: string) =>
  keeps(field) || isGuarded(field, true) || /^(operator|role|module|permission|enterprise)Ids?$/.test(field);

test("no field of a body or a query names a record of another store", { timeout: 120_000 }, async () => {
  const before = await foreign();
  expect(before.size).toBeGreaterThan(100);
  const { rows } = await pool.query<{ no: string }>(
    `select bill_no no from bill where id <= ${APART} union select contract_no from contract where id <= ${APART}
     union select flow_no from flow where id <= ${APART}`,
  );
  const numbers = new Set(rows.map(({ no }) => no));
  const tells = (text: string) => text.match(/[A-Z]{2}\d{8}-\d{6}/g)?.some((no) => numbers.has(no));
  const faults: string[] = [];
  // files are made by the same lists as the answers
  for (const c of all.filter((each) => !/\/(export|papers)$/.test(each.path))) {
    const { body, query } = requests.get(c)!;
    const id = (recordAt(c, idOf) ?? 1) + APART;
    for (const field of new Set([...named(query), ...named(body)])) {
      if (ofAll(field)) continue;
      const theirs = (each: string) => each === field || keeps(each);
      const answer = await house.app.inject({
        method: c.method,
        url: c.path.replace(/:\w+/g, String(id)),
        query: own(query, theirs) as Record<string, string>,
        headers: { authorization: clerk.token, "idempotency-key": randomUUID() },
        ...(body !== undefined && { payload: own(body, theirs) as object }),
      });
      if (answer.statusCode >= 500 || tells(answer.body))
        faults.push(`${c.method} ${c.path} with ${field}: ${answer.body.slice(0, 300)}`);
    }
  }
  const after = await foreign();
  for (const [name, was] of before) {
    faults.push(...[...was.difference(after.get(name)!)].map((row) => `${name} lost ${row}`));
    faults.push(...[...after.get(name)!.difference(was)].map((row) => `${name} got ${row}`));
  }
  expect(faults).toEqual([]);
});
