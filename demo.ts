import { parseArgs } from "node:util";
import { generate } from "./demo/generate.ts";
import { wake } from "./demo/indices.ts";
import { STANDARD } from "./demo/standard.ts";
import { dayInZone } from "./platform/kernel/day.ts";
import { command } from "./platform/server/process/command.ts";
import { openDatabase } from "./platform/server/database/database.ts";
import { openCipher } from "./platform/server/secrets/key-note.ts";
import { prepareSchema } from "./platform/server/database/rights.ts";
import { readSettings } from "./platform/server/process/settings.ts";

/** `npm run demo -- --rooms 2000`: fills an empty database with a company of that size. */
await command(import.meta, async (args) => {
  const { values } = parseArgs({
    args,
    options: {
      rooms: { type: "string", default: "2000" },
      seed: { type: "string", default: "1" },
      bills: { type: "string", default: "usual" },
    },
  });
  const settings = readSettings(process.env);
  const database = await openDatabase(settings);
  try {
    await prepareSchema(database);
    await wake(database.owner);
    const { rows } = await database.pool.query("select 1 from enterprise limit 1");
    if (rows.length)
      throw new Error(`There is a company in ${settings.DATA_DIR} already; give another DATA_DIR.`);
    const options = {
      ...STANDARD,
      ...(values.bills === "many" && { grouping: "fee" as const, cycles: [[1, 1]] as const, years: 4 }),
      rooms: Number(values.rooms),
      seed: Number(values.seed),
      today: dayInZone(new Date(), settings.TIME_ZONE),
    };
    const cipher = await openCipher(database.owner, settings);
    const made = await generate(database, cipher, options, (s) => process.stderr.write(`${s}\n`));
    process.stderr.write(`${JSON.stringify(made.rows)}\nDone in ${made.seconds.toFixed(1)} s.\n`);
  } finally {
    await database.close();
  }
});
