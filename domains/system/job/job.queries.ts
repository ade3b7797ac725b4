import { sql } from "kysely";
import { timeInZone } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { Job } from "../../../platform/server/jobs/jobs.ts";
import { nextAt, resultOf, scheduleOf } from "./job.rules.ts";

type Last = {
  name: string;
  beganAt: string | null;
  endedAt: string | null;
  seconds: number | null;
  processed: number | null;
  error: string;
};

/** Whole and tenths of seconds between beginning and end. */
export const seconds = sql<number | null>`round(extract(epoch from ended_at - began_at)::numeric, 1)::float`;

/** Every job with a clock: how it last ran, and when it comes round again. */
export async function jobRows(read: Read, jobs: readonly Job[]) {
  const { rows } = await sql<Last>`
    select distinct on (name) name, began_at "beganAt", ended_at "endedAt", ${seconds} seconds, processed, error
    from job_run order by name, id desc`.execute(read.tx);
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
      result: resultOf(last),
      nextAt: moments[i]?.at ?? null,
    };
  });
}
