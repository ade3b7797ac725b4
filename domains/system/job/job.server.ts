import { forbidden, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { askForRun, setJob } from "../../../platform/server/jobs/job-runs.ts";
import { askedFor, type Job } from "../../../platform/server/jobs/jobs.ts";
import { everyOf, serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { disableJob, enableJob, listJobs, listRuns, runJob } from "./job.contract.ts";
import { jobRows, runs } from "./job.queries.ts";
import { BUSY } from "./job.rules.ts";

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
  await setJob(act.tx, name, {
    enabled,
    changedBy: act.who.operatorId,
    changedAt: act.now.toISOString(),
  });
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
