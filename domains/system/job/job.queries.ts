import { sql } from "kysely";
import type { z } from "zod";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { amongWords, is } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { Job } from "../../../platform/server/jobs/jobs.ts";
import { listRuns } from "./job.contract.ts";
import { nextAt, scheduleOf, type Result } from "./job.rules.ts";

/** Whole and tenths of seconds between beginning and end. */
const SECONDS = sql`round(extract(epoch from r.ended_at - r.began_at)::numeric, 1)::float`;
/** How a run ended, or where it stands. */
const RESULT = sql`case when r.ended_at is not null then case when r.error = '' then 'done' else 'failed' end
  when r.began_at is not null then 'running' else 'waiting' end`;

/** Runs of one job, the newest first whatever order is asked for. */
export const runs = listOf(listRuns, {
  id: "r.id",
  from: sql`job_run r`,
  where: { name: is("r.name"), result: amongWords(RESULT) },
  sort: { beganAt: { order: sql`r.id desc` } },
  order: "beganAt",
  columns: sql<
    z.input<typeof listRuns.reply.shape.list.element>
  >`r.id, r.began_at "beganAt", ${SECONDS} seconds,
    r.processed, ${RESULT} result, o.real_name "askedBy", r.error`,
  join: sql`join job_run r on r.id = page.id left join operator o on o.id = r.asked_by`,
});

type Last = {
  name: string;
  beganAt: string | null;
  seconds: number | null;
  processed: number | null;
  result: Result;
};

/** Every job with a clock: how it last ran, and when it comes round again. */
export async function jobRows(read: Read, jobs: readonly Job[]) {
  const { rows } = await sql<Last>`
    select distinct on (r.name) r.name, r.began_at "beganAt", ${SECONDS} seconds, r.processed, ${RESULT} result
    from job_run r order by r.name, r.id desc`.execute(read.tx);
  const off = await read.tx.selectFrom("jobSetting").select("name").where("enabled", "=", false).execute();
  const zone = read.settings.TIME_ZONE;
  const now = timeInZone(read.now, zone).slice(0, 16);
  const next = jobs.map((job) =>
    off.some(({ name }) => name === job.name) ? null : (nextAt(job.cron!, now) ?? null),
  );
  const { rows: moments } = await sql<{ at: string | null }>`
    select (at::timestamp at time zone ${zone}) at from unnest(${next}::text[]) with ordinality u(at, n)
    order by n`.execute(read.tx);
  return jobs.map((job, i) => {
    const last = rows.find(({ name }) => name === job.name) ?? null;
    return {
      id: i + 1,
      name: job.name,
      title: job.title ?? job.name,
      schedule: scheduleOf(job.cron!),
      enabled:
        next[i] === null && off.some(({ name }) => name === job.name) ? ("off" as const) : ("on" as const),
      lastAt: last?.beganAt ?? null,
      seconds: last?.seconds ?? null,
      processed: last?.processed ?? null,
      result: last?.result ?? "none",
      nextAt: moments[i]?.at ?? null,
    };
  });
}
