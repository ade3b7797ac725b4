import { expect, test } from "vitest";
import { z } from "zod";
import { demoCompany } from "../../../demo/demo.sample.ts";
import { columnsOf, type ExportCall } from "../../kernel/export.ts";
import { metaOf } from "../../kernel/field.ts";
import { filterOf } from "../../kernel/filter.ts";
import { testHouse } from "../../server/process/house.sample.ts";
import { openBook } from "../../server/sheets/book.sample.ts";

/** Names that a spreadsheet would take for formulas, in every export: they are text there. */
const house = await testHouse({ template: await demoCompany(40, "2026-11-20") });
const { pool } = house.database;
const root = await house.person({ superType: "0", name: "=1+1" });
const FORMULA = `=HYPERLINK("http://x","y")`;
const STARTS = ["=", "+", "-", "@", "\t"];

const columns = (
  await pool.query<{ t: string; c: string }>(
    `select c.table_name t, c.column_name c from information_schema.columns c
     join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' and data_type = 'text'
       and column_name in ('name', 'remark', 'real_name', 'payer_name', 'party_name', 'summary', 'address', 'reason', 'title')
       and c.table_name not in ('function_node', 'subject', 'migration')`,
  )
).rows;
let changed = 0;
for (const { t, c } of columns)
  for (const start of STARTS)
    // what a table refuses to hold it cannot export either
    await pool
      .query(
        `update ${t} set ${c} = $1 || left(${c}, 12) where ctid in (select ctid from ${t} where left(${c}, 1) not in ('=', '+', '-', '@', E'\\t') limit 3)`,
        [start],
      )
      .then((r) => (changed += r.rowCount ?? 0))
      .catch(() => {});

const exports = house.served.map((s) => s.call).filter((c): c is ExportCall => "exporting" in c);

/** What some lists do not go without. */
const USUAL = { villageId: "1", day: "2026-11-19", from: "2026-11-01", to: "2026-11-20" };

test("every export writes what looks like a formula as text, which Excel shows and does not run", async () => {
  expect(changed).toBeGreaterThan(100);
  const said: string[] = [];
  let books = 0;
  for (const c of exports) {
    const query = new URLSearchParams({ ...USUAL, usage: FORMULA });
    const url = `${c.path.replace(/:\w+/g, "1")}?${query.toString()}`;
    const { statusCode, headers, rawPayload } = await house.app.inject({
      url,
      headers: { authorization: root.token },
    });
    expect(statusCode, url).toBeLessThan(500);
    if (!String(headers["content-type"]).includes("spreadsheetml")) continue;
    books++;
    for (const sheet of await openBook(rawPayload)) {
      expect(sheet.xml, c.path).not.toMatch(/<f[ >]|<hyperlink/);
      for (const { values } of sheet.rows)
        for (const value of values)
          if (typeof value === "string" && STARTS.some((s) => value.startsWith(s))) said.push(value);
    }
  }
  expect(books, "workbooks that came at once").toBeGreaterThan(6);
  for (const start of STARTS)
    expect(
      said.some((text) => text.startsWith(start)),
      JSON.stringify(start),
    ).toBe(true);
});

test("rows that were ticked leave alone, with their own sums", async () => {
  const wrong: string[] = [];
  let checked = 0;
  for (const c of exports) {
    const { list } = c.exporting;
    if (c.exporting.packed) continue;
    const get = (path: string, query: Record<string, string>) =>
      house.app.inject({
        url: `${path.replace(/:\w+/g, "1")}?${new URLSearchParams({ ...USUAL, ...query }).toString()}`,
        headers: { authorization: root.token },
      });
    const rows =
      (await get(list.path, { want: "rows" })).json<{ data?: { list?: { id: number }[] } }>().data?.list ??
      [];
    if (rows.length < 2 || !rows[0]!.id) continue;
    const { rawPayload, headers } = await get(c.path, { picked: String(rows[1]!.id), usage: "核对" });
    if (!String(headers["content-type"]).includes("spreadsheetml")) continue;
    checked++;
    const [sheet] = await openBook(rawPayload);
    const [note, , , ...rest] = sheet!.rows;
    if (!String(note?.values[0]).includes("所选 1 条")) wrong.push(`${c.path}: unsaid`);
    // what is left below the row is the line of sums
    if (rest.length > 1) wrong.push(`${c.path}: ${rest.length} rows below the first`);
    const sums = rest[0]?.values ?? [];
    sums.forEach((sum, i) => {
      if (
        typeof sum === "number" &&
        typeof sheet!.rows[2]!.values[i] === "number" &&
        sum !== sheet!.rows[2]!.values[i]
      )
        wrong.push(`${c.path}: ${String(sheet!.rows[1]!.values[i])} ${sum}`);
    });
  }
  expect(checked).toBeGreaterThan(15);
  expect(wrong).toEqual([]);
});

test("the head of a file says what was chosen in words, never by its code", async () => {
  const coded: string[] = [];
  for (const c of exports) {
    const { list } = c.exporting;
    if (!(list.query instanceof z.ZodObject)) continue;
    const columns = new Map(columnsOf(list).map(({ key, meta }) => [key, meta]));
    for (const [key, schema] of Object.entries(list.query.shape as Record<string, z.ZodType>)) {
      const { enum: one, items } = z.toJSONSchema(schema, { io: "output", unrepresentable: "any" });
      const codes = one ?? (typeof items === "object" ? (items as { enum?: unknown[] }).enum : undefined);
      const filter = filterOf(schema);
      const said =
        filter?.kind === "flag" ||
        (filter && "words" in filter) ||
        (metaOf(schema) ?? columns.get(key))?.words;
      if (codes && !said && !["sort", "order", "want", "also"].includes(key))
        coded.push(`${list.path} ${key}: ${String(codes)}`);
    }
  }
  expect(coded).toEqual([]);
  const { rawPayload } = await house.app.inject({
    url: `/billing/api/v3/bill/export?tab=overdue&usage=核对`,
    headers: { authorization: root.token },
  });
  expect((await openBook(rawPayload))[0]!.value("A1")).toMatch(/^筛选：分类 逾期/);
});

test("a number of a person is as masked in the file as it is in the list", async () => {
  const wrong: string[] = [];
  let checked = 0;
  for (const c of exports) {
    const masked = columnsOf(c.exporting.list).filter(({ meta }) => meta.secrecy);
    if (!masked.length) continue;
    const columns = masked.map(({ key }) => key).join(",");
    const { rawPayload } = await house.app.inject({
      url: `${c.path}?${new URLSearchParams({ ...USUAL, columns, usage: "核对" }).toString()}`,
      headers: { authorization: root.token },
    });
    const rows = (await openBook(rawPayload))[0]!.rows.slice(2);
    for (const value of rows.flatMap((row) => row.values)) {
      if (!value || value === "合计") continue;
      checked++;
      if (!String(value).includes("*")) wrong.push(`${c.path}: ${value}`);
    }
  }
  expect(checked).toBeGreaterThan(5);
  expect(wrong).toEqual([]);
});
