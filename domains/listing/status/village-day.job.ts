import { sql } from "kysely";
import { z } from "zod";
import { addDays, maxDay, minDay } from "../../../platform/kernel/day.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { rollUp } from "./overview.queries.ts";
import { roomDaysTouched } from "../occupancy/occupancy.contract.ts";

/** A back-dated act rebuilds at most this far back; months before are closed long since. */
const MOST_DAYS = 400;
const touched = z.object({ villageIds: z.array(z.number()), from: z.string(), to: z.string() });

export default [
  job({
    name: "villageDay.roll",
    title: "门店每日房态汇总",
    cron: "20 0 * * *",
    work: async (act) => {
      const villages = await act.tx.selectFrom("village").select("id").execute();
      await rollUp(
        act,
        addDays(act.today, -1),
        villages.map((v) => v.id),
      );
    },
  }),

  job({
    name: "villageDay.rebuild",
    on: roomDaysTouched,
    work: async (act, data) => {
      const { villageIds, from, to } = touched.parse(data);
      const last = minDay(to, addDays(act.today, -1));
      for (let day = maxDay(from, addDays(last, -MOST_DAYS)); day <= last; day = addDays(day, 1))
        await rollUp(act, day, villageIds);
    },
  }),

  job({
    name: "roomChange.purge",
    title: "清理房态变更记录",
    cron: "10 3 * * *",
    work: async (act) => {
      await sql`delete from room_change where at < now() - interval '2 days'`.execute(act.tx);
    },
  }),
];
