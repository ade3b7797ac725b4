import { forbidden, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { askForRun, setJob } from "../../../platform/server/jobs/job-runs.ts";
import { askedFor, type Job } from "../../../platform/server/jobs/jobs.ts";
import { everyOf, serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { disableJob, enableJob, listJobs, listRuns, runJob } from "./job.contract.ts";
import { BUSY, nextAt, scheduleOf, type Result } from "./job.rules.ts";
import { sql } from "kysely";
import type { z } from "zod";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { amongWords, is } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";

/** Whole and tenths of seconds between beginning and end. */
const SECONDS = sql`round(extract(epoch from r.ended_at - r.began_at)::numeric, 1)::float`;
const RESULT = sql`case when r.ended_at is not null then case when r.error = '' then 'done' else 'failed' end
  when r.began_at is not null then 'running' else 'waiting' end`;

/** Runs of one job, the newest first. */
const runs = listOf(listRuns, {
  id: "r.id",
  from: sql`job_run r`,
  where: { name: is("r.name"), result: amongWords(RESULT) },
  sort: { beganAt: { by: "r.id", indexed: true } },
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
async function jobRows(read: Read, jobs: readonly Job[]) {
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

let known: Promise<Job[]> | undefined;
/** Those that run by themselves. */
const timed = async (): Promise<Job[]> => (await (known ??= everyOf<Job>("job"))).filter(({ cron }) => cron);

async function named(name: string): Promise<Job> {
  const job = (await timed()).find((each) => each.name === name);
  if (!job) throw notFound();
  return job;
}

/** Jobs belong to the deployment, not to one company on it. */
const onlyPlatform = ({ who }: Act) => {
  if (who.superType !== "0") throw forbidden();
};

async function turn(act: Act, name: string, enabled: boolean): Promise<null> {
  onlyPlatform(act);
  await named(name);
  await setJob(act.tx, name, { enabled, changedBy: act.who.operatorId, changedAt: act.now.toISOString() });
  return null;
}

export default [
  serveRead(listJobs, async (read, { query }) => {
    const { result, keyword, pageNo, pageSize } = query;
    const rows = (await jobRows(read, await timed()))
      .filter((row) => !result?.length || result.includes(row.result))
      .filter((row) => !keyword || row.title.includes(keyword) || row.name.includes(keyword));
    return { list: rows.slice((pageNo - 1) * pageSize, pageNo * pageSize), total: rows.length };
  }),

  serveRead(listRuns, async (read, { params, query }) => {
    await named(params.name);
    return runs.answer(read, { ...params, ...query });
  }),

  serve(runJob, async (act, { params: { name } }) => {
    onlyPlatform(act);
    await named(name);
    const runId = await askForRun(act.tx, name, act.who.operatorId);
    if (!runId) throw new Refusal("busy", BUSY, 409);
    await act.emit(askedFor(name), { runId });
    return null;
  }),
  serve(enableJob, (act, { params: { name } }) => turn(act, name, true)),
  serve(disableJob, (act, { params: { name } }) => turn(act, name, false)),
];
