import fs from "node:fs";
import path from "node:path";
import { Kysely, PostgresDialect } from "kysely";
import { generate, PostgresDialect as GeneratorDialect } from "kysely-codegen";
import pg from "pg";
import { startCluster, TEMPLATE } from "../server/cluster.ts";
import { ROOT } from "../server/settings.ts";

export const ROW_TYPES = path.join(ROOT, "db/types.gen.ts");

/** The types of the rows of a migrated database, as `platform/server/column-values.ts` reads them. */
export async function rowTypes(place: pg.PoolConfig): Promise<string> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new pg.Pool(place) }) });
  const typeMapping = {
    date: "string",
    int8: "number",
    numeric: "string",
    timestamp: "string",
    timestamptz: "string",
  };
  // the tables of the job queue are its own business
  const dialect = new GeneratorDialect({ defaultSchemas: ["public"] });
  const options = { camelCase: true, outFile: null, typeMapping, excludePattern: "pgboss*.*" };
  try {
    return await generate({ db, dialect, ...options });
  } finally {
    await db.destroy();
  }
}

if (process.argv[1] === import.meta.filename) {
  const { stop, ...place } = await startCluster();
  try {
    fs.writeFileSync(ROW_TYPES, await rowTypes({ ...place, database: TEMPLATE }));
  } finally {
    await stop();
  }
}
