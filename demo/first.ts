import { addDays, addToMonth, dayInZone, firstOf, lastOf, minDay, monthOf } from "../platform/kernel/day.ts";
import { nobody } from "../platform/server/pipeline/act.ts";
import { actOf, type House } from "../platform/server/pipeline/pipeline.ts";
import { rollUp } from "../domains/listing/status/overview.queries.ts";
import { wake } from "./indices.ts";
import { DEMO_PASSWORD, POSTS } from "./people.ts";
import { makeLessors } from "./leases/lessors.ts";
import { STANDARD } from "./standard.ts";
import { roomDaysTouched } from "../domains/listing/occupancy/occupancy.contract.ts";

/** Days whose occupancy is counted at once; a night counts one more. */
const ROLLED = 30;
/** The months before them, for the dashboard's lines, are counted while people already look around. */
const MONTHS = 13;

/** What whoever started the demo reads: who can sign in, and how. */
export const accounts = (): string =>
  `${POSTS.map((p) => `  ${p.account.padEnd(14)}${p.post}`).join("\n")}\n  密码 ${DEMO_PASSWORD}\n\n`;

/** Fills the demo company on the first start; a database that has a company is left alone. */
export async function makeDemo(house: House): Promise<void> {
  const { database, cipher, settings } = house;
  // a demo that was broken off in its last minute still lacks its indices
  await wake(database.owner);
  const { rows } = await database.pool.query("select 1 from enterprise limit 1");
  if (rows.length) return;
  process.stderr.write("Making the demo company …\n");
  // the generator stays out of a server that has its company already
  const { generate } = await import("./generate.ts");
  const today = dayInZone(new Date(), settings.TIME_ZONE);
  const { seconds } = await generate(database, cipher, {
    ...STANDARD,
    rooms: settings.DEMO_ROOMS,
    today,
  });
  await makeLessors(house, today);
  const { makeNewcomers } = await import("./leases/newcomers.ts");
  const { makeSignings } = await import("./leases/signings.ts");
  const manager = POSTS.findIndex((p) => p.post === "店长") + 1;
  await makeNewcomers(house, manager, today);
  await makeSignings(house, manager);
  const act = actOf(house, database.db, nobody, { requestId: "demo", ip: "", userAgent: "" });
  const villages = await database.db.selectFrom("village").select("id").execute();
  for (let ago = 1; ago <= ROLLED; ago++)
    await rollUp(
      act,
      addDays(today, -ago),
      villages.map((v) => v.id),
    );
  for (let back = 0; back < MONTHS; back++) {
    const month = addToMonth(monthOf(addDays(today, -ROLLED - 1)), -back);
    await act.emit(roomDaysTouched, {
      villageIds: villages.map((v) => v.id),
      from: firstOf(month),
      to: minDay(lastOf(month), addDays(today, -ROLLED - 1)),
    });
  }
  process.stderr.write(`The demo company was made in ${seconds.toFixed(0)} s.\n`);
}
