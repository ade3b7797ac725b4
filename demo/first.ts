import { dayInZone } from "../platform/kernel/day.ts";
import type { House } from "../platform/server/pipeline.ts";
import { generate } from "./generate.ts";
import { STANDARD } from "./standard.ts";

/** Fills the demo company on the first start; a database that has a company is left alone. */
export async function makeDemo({ database, cipher, settings }: House): Promise<void> {
  const { rows } = await database.pool.query("select 1 from enterprise limit 1");
  if (rows.length) return;
  process.stderr.write("Making the demo company …\n");
  const today = dayInZone(new Date(), settings.TIME_ZONE);
  const { seconds } = await generate(database, cipher, { ...STANDARD, today });
  process.stderr.write(`The demo company was made in ${seconds.toFixed(0)} s.\n`);
}
