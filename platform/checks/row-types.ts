import fs from "node:fs";
import path from "node:path";
import { Kysely, PostgresDialect } from "kysely";
import { generate, PostgresDialect as GeneratorDialect, RawExpressionNode } from "kysely-codegen";
import pg from "pg";
import { startCluster, TEMPLATE } from "../server/cluster.ts";
import { command } from "../server/command.ts";
import { ROOT } from "../server/settings.ts";

export const ROW_TYPES = path.join(ROOT, "db/types.gen.ts");

/**
 * What a value is when it is read | inserted | updated, as `platform/server/column-values.ts` has it. JSON is written as
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
    return await generate({ db, dialect, camelCase: true, outFile: null, excludePattern: "job.*" });
  } finally {
    await db.destroy();
  }
}

await command(import.meta, async () => {
  const { stop, ...place } = await startCluster();
  try {
    fs.writeFileSync(ROW_TYPES, await rowTypes({ ...place, database: TEMPLATE }));
  } finally {
    await stop();
  }
});
