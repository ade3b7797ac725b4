import fs from "node:fs";
import path from "node:path";
import { Kysely, PostgresDialect } from "kysely";
import { generate, PostgresDialect as GeneratorDialect, RawExpressionNode } from "kysely-codegen";
import pg from "pg";
import { startCluster, TEMPLATE } from "../server/database/cluster.ts";
import { command } from "../server/process/command.ts";
import { ROOT } from "../server/process/settings.ts";

export const ROW_TYPES = path.join(ROOT, "db/types.gen.ts");

/**
 * What a value is when it is read | inserted | updated, as `platform/server/database/column-values.ts` has it. JSON is written as
 * text: an array given as it is would become an array of PostgreSQL, not of JSON.
 */
const VALUES = {
  Int8: new RawExpressionNode("number"),
  Json: new RawExpressionNode("ColumnType<unknown, string, string>"),
  Numeric: new RawExpressionNode("ColumnType<string, number | string, number | string>"),
  Timestamp: new RawExpressionNode("ColumnType<string, Date | string, Date | string>"),
};

/** The types of the rows of a migrated database. */
export async function rowTypes(place: pg.PoolConfig): Promise<string> {
  const pool = new pg.Pool(place);
  // its connections may break while the server stops
  pool.on("error", () => {});
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const dialect = new GeneratorDialect({ defaultSchemas: ["public"], dateParser: "string" });
  Object.assign(dialect.adapter.definitions, VALUES);
  try {
    // the tables of the job queue are its own business
    const types = await generate({ db, dialect, camelCase: true, outFile: null, excludePattern: "job.*" });
    return withoutNull(types, (await pool.query<ViewColumns>(NEVER_EMPTY)).rows);
  } finally {
    await db.destroy();
  }
}

type ViewColumns = { view: string; columns: string[] };

/** The database does not say which columns of a view are never empty: those taken as they are from columns that are not. */
const NEVER_EMPTY = `
  select u.view_name::text as view, array_agg(u.column_name::text) as columns
  from information_schema.view_column_usage u
  join pg_attribute a on a.attrelid = format('%I.%I', u.table_schema, u.table_name)::regclass and a.attname = u.column_name and a.attnotnull
  join pg_attribute v on v.attrelid = format('%I.%I', u.view_schema, u.view_name)::regclass and v.attname = u.column_name
  where u.view_schema = 'public' and not pg_get_viewdef(v.attrelid) ~* ' left join | union '
  group by 1`;

function withoutNull(types: string, views: readonly ViewColumns[]): string {
  const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return views.reduce((text, { view, columns }) => {
    const head = `export interface ${camel(`_${view}`)} {`;
    const [before, after = ""] = text.split(head);
    const end = after.indexOf("\n}");
    const wanted = new RegExp(`^(  (?:${columns.map(camel).join("|")}): .*) \\| null;$`, "gm");
    return after ? before + head + after.slice(0, end).replace(wanted, "$1;") + after.slice(end) : text;
  }, types);
}

await command(import.meta, async () => {
  const { stop, ...place } = await startCluster();
  try {
    fs.writeFileSync(ROW_TYPES, await rowTypes({ ...place, database: TEMPLATE }));
  } finally {
    await stop();
  }
});
