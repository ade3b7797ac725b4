import { afterAll, expect, test } from "vitest";
import { issueDue } from "../../finance/bill-acts/change.service.ts";
import { aBill, aParty, aStore } from "../../finance/bill/bill.sample.ts";
import { someAccounts, take } from "../../finance/flow/flow.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { openHouse } from "../../../platform/server/process/house.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { everyOf } from "../../../platform/server/pipeline/serve.ts";
import type { Job } from "../../../platform/server/jobs/jobs.ts";
import { disableJob, enableJob, listJobs, listRuns, runJob } from "./job.contract.ts";

const house = await testHouse({ work: true, poolSize: 20 });
// a second server over the same database, which is the first one's to close
const other = await openHouse(house.settings, {
  database: { ...house.database, close: async () => {} },
  work: true,
});
afterAll(() => other.close());
const platform = await house.person({ superType: "0", name: "周敏" });
const company = await house.person({ superType: "1" });
const reader = await house.person({ permits: ["94.query", "94.edit"] });
const REMINDER = "bills.overdue";
const params = { name: REMINDER };
const { pool } = house.database;

const jobNow = async (name = REMINDER) =>
  (await house.did(listJobs, { as: platform }, { query: { pageSize: 100 } })).list.find(
    (job) => job.name === name,
  )!;
const runsOf = async (name = REMINDER) =>
  (await house.did(listRuns, { as: reader }, { params: { name }, query: {} })).list;
const ended = async () =>
  await expect.poll(async () => (await jobNow()).result, { timeout: 30_000, interval: 200 }).toBe("done");

test("each job that runs by itself has its name in Chinese, its time and its next run", async () => {
  const jobs = (await everyOf<Job>("job")).filter(({ cron }) => cron);
  const { list, total } = await house.did(listJobs, { as: reader }, { query: { pageSize: 100 } });
  expect(total).toBe(jobs.length);
  for (const job of list) {
    expect(job.title, job.name).toMatch(/^[\u4e00-\u9fff]+$/);
    expect(job.schedule, job.name).toMatch(/^每/);
    expect(new Date(job.nextAt!).getTime()).toBeGreaterThan(Date.now());
  }
  const due = list.find(({ name }) => name === REMINDER)!;
  expect(due).toMatchObject({ title: "逾期账单提醒", schedule: "每天 08:30", enabled: "on", result: "none" });
  expect(due.nextAt).toMatch(/T00:30:00/);
});

test("prepaid money is used by a job of the screen: after the bills were issued, with its last run and how many it paid", async () => {
  const name = "autoUsePrepaid";
  expect(await jobNow(name)).toMatchObject({
    title: "预存款自动抵扣",
    schedule: "每天 00:20",
    result: "none",
  });
  const store = await aStore(house);
  const partyId = await aParty(house, "张三", { villageId: store.villageId });
  await take(house, store, await someAccounts(house, store), partyId, {
    amount: 350_000,
    paidAt: new Date(Date.now() - 60_000).toISOString(),
  });
  const bill = await aBill(house, store, partyId);
  await acting(house, (act) => issueDue(act));
  await house.did(runJob, { as: platform }, { params: { name } });
  await expect.poll(async () => (await jobNow(name)).result, { timeout: 30_000, interval: 200 }).toBe("done");
  expect(await runsOf(name)).toMatchObject([{ result: "done", processed: 1 }]);
  const { rows } = await pool.query("select outstanding::int from bill where id = $1", [bill]);
  expect(rows).toEqual([{ outstanding: 0 }]);
}, 60_000);

test("立即执行 of the reminder on two servers at once: one run, the other hears that it is under way", async () => {
  const ask = (app: typeof house.app) =>
    app.inject({
      method: "POST",
      url: `/system/api/v3/job/${REMINDER}/run`,
      headers: { authorization: platform.token },
    });
  const answers = await Promise.all([ask(house.app), ask(other.app), ask(house.app), ask(other.app)]);
  expect(answers.map((a) => a.statusCode).toSorted()).toEqual([200, 409, 409, 409]);
  expect(answers.find((a) => a.statusCode === 409)!.json()).toMatchObject({ message: "任务正在执行中" });
  expect(["waiting", "running", "done"]).toContain((await jobNow()).result);
  await ended();
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const runs = await runsOf();
  expect(runs).toMatchObject([{ result: "done", askedBy: "周敏", error: "", processed: 0 }]);
  expect(runs[0]!.seconds).toBeGreaterThanOrEqual(0);

  // it may be asked for again once it is over
  await house.did(runJob, { as: platform }, { params });
  await ended();
  expect(await runsOf()).toHaveLength(2);
}, 90_000);

test("only whoever runs the platform starts, stops or resumes a job", async () => {
  for (const as of [company, reader])
    for (const call of [runJob, enableJob, disableJob])
      expect((await house.ask(call, { as }, { params })).status).toBe(403);
  expect((await house.ask(runJob, { as: platform }, { params: { name: "nothing" } })).status).toBe(404);
  // work that an event starts is not a job with a clock
  expect((await house.ask(runJob, { as: platform }, { params: { name: "outbox.send" } })).status).toBe(404);
  expect(await runsOf()).toHaveLength(2);
});

test("one that is switched off has no next run, and runs again when it is switched on", async () => {
  await house.did(disableJob, { as: platform }, { params });
  expect(await jobNow()).toMatchObject({ enabled: "off", nextAt: null });
  await house.did(enableJob, { as: platform }, { params });
  expect(await jobNow()).toMatchObject({ enabled: "on" });
  expect((await jobNow()).nextAt).not.toBeNull();
});

test("a run that was lost with its server does not stand in the way for ever", async () => {
  await pool.query(
    `insert into job_run (name, asked_at, began_at) values ($1, now() - interval '5 hours', now() - interval '5 hours')`,
    [REMINDER],
  );
  await house.did(runJob, { as: platform }, { params });
  const lost = (await runsOf()).find(({ error }) => error);
  expect(lost).toMatchObject({ result: "failed", error: "服务中断，没有完成", askedBy: null });
});

test("a run waits, runs, is done or failed, and is found by how it went", async () => {
  const [one, two] = (
    await house.did(listJobs, { as: reader }, { query: { pageSize: 100, result: "none" } })
  ).list.flatMap(({ name, schedule }) => (schedule.startsWith("每天") ? [name] : []));
  await pool.query(
    `insert into job_run (name, asked_at, began_at, ended_at, error) values
       ($1, now(), now() - interval '3 seconds', now(), ''), ($1, now(), now(), now(), '连接中断'),
       ($1, now(), now(), null, ''), ($2, now(), null, null, '')`,
    [one, two],
  );
  expect((await runsOf(one)).map((run) => run.result)).toEqual(["running", "failed", "done"]);
  expect((await runsOf(two)).map((run) => run.result)).toEqual(["waiting"]);
  expect([(await jobNow(one)).result, (await jobNow(two)).result]).toEqual(["running", "waiting"]);
  const query = { result: "done,failed", pageSize: 1, pageNo: 2 };
  expect(await house.did(listRuns, { as: reader }, { params: { name: one! }, query })).toMatchObject({
    list: [{ result: "done", seconds: 3 }],
    total: 2,
  });
});
