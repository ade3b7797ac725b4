import fs from "node:fs";
import { expect, test } from "vitest";
import { freshDatabase } from "../server/database/cluster.sample.ts";
import { ROW_TYPES, rowTypes } from "./row-types.ts";

const { ownerUrl } = await freshDatabase();

test("db/types.gen.ts is what the migrated database has", async () => {
  const now = await rowTypes({ connectionString: ownerUrl });
  expect(fs.readFileSync(ROW_TYPES, "utf8"), "run `npm run types`").toBe(now);
});
