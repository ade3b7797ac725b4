import { sql } from "kysely";
import { expect, test } from "vitest";
import { testHouse } from "../process/house.sample.ts";
import { eachByItself } from "./by-itself.ts";
import { askedFor, job, openJobs, type Job } from "./jobs.ts";

const house = await testHouse();
const { db } = house.database;
const open = (one: Job) => openJobs(house.database.pool, [one], "Asia/Shanghai", { works: false });
const runs = (name: string) =>
  db.selectFrom("jobRun").selectAll().where("name", "=", name).orderBy("id").execute();

test.each([true, false])(
  "a run is noted with what it did or why it failed (transaction: %s)",
  async (transaction) => {
    const name = `noted.${transaction}`;
    let fails = true;
    const jobs = await open(
      job({
        name,
        cron: "0 0 * * *",
        transaction,
        work: async () => {
          if (fails) throw new Error("连接中断");
          return 7;
        },
      }),
    );
    await jobs.emit(db, askedFor(name), {});
    await expect(jobs.deliver(house)).rejects.toThrow("连接中断");
    expect(await runs(name)).toMatchObject([{ error: "连接中断", processed: null }]);
    fails = false;
    await jobs.emit(db, askedFor(name), {});
    await jobs.deliver(house);
    // the same piece of work tried again is the same run
    expect(await runs(name)).toMatchObject([{ error: "", processed: 7 }]);
    expect((await runs(name))[0]!.endedAt).not.toBeNull();
  },
);

test("what is switched off does nothing by the clock, and runs when somebody asks", async () => {
  let times = 0;
  const jobs = await open(job({ name: "off", cron: "0 0 * * *", work: async () => void times++ }));
  await db.insertInto("jobSetting").values({ name: "off", enabled: false }).execute();
  await jobs.emit(db, askedFor("off"), {});
  await jobs.deliver(house);
  expect(times).toBe(0);
  const { id } = await db
    .insertInto("jobRun")
    .values({ name: "off" })
    .returning("id")
    .executeTakeFirstOrThrow();
  await jobs.emit(db, askedFor("off"), { runId: id });
  await jobs.deliver(house);
  expect(times).toBe(1);
});

test("a hundred runs of a job are kept", async () => {
  const jobs = await open(job({ name: "many", cron: "0 0 * * *", work: async () => {} }));
  await house.database.pool.query(
    "insert into job_run (name, began_at, ended_at) select 'many', now(), now() from generate_series(1, 130)",
  );
  await jobs.emit(db, askedFor("many"), {});
  await jobs.deliver(house);
  expect(await runs("many")).toHaveLength(100);
});

test("a record that fails keeps no other from being done, leaves nothing behind, and is named by the run", async () => {
  const written = async () => (await runs("by itself")).map((run) => run.queueId);
  const jobs = await open(
    job({
      name: "each",
      cron: "0 0 * * *",
      work: (act) =>
        eachByItself(act, ["HT1", "HT2", "HT3"], String, async (queueId) => {
          const ended = { beganAt: act.now.toISOString(), endedAt: act.now.toISOString() };
          await act.tx
            .insertInto("jobRun")
            .values({ name: "by itself", queueId, ...ended })
            .execute();
          if (queueId === "HT2") await sql`select 1 / 0`.execute(act.tx);
        }),
    }),
  );
  await jobs.emit(db, askedFor("each"), {});
  await expect(jobs.deliver(house)).rejects.toThrow("HT2：division by zero");
  expect(await written()).toEqual(["HT1", "HT3"]);
  expect(await runs("each")).toMatchObject([{ error: "HT2：division by zero" }]);
});
