import { z } from "zod";
import { event } from "../../kernel/event.ts";
import { spawn } from "node:child_process";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { testHouse } from "../process/house.sample.ts";
import { eachByItself } from "./by-itself.ts";
import { job, openJobs, type Job, type Jobs } from "./jobs.ts";
import { listening } from "./listening.ts";

const house = await testHouse({ poolSize: 20 });
const { pool, db, owner } = house.database;
await owner.query("create table done (id int generated always as identity, who text, what text)");
const done = async (what: string) =>
  (await pool.query<{ who: string }>("select who from done where what = $1 order by id", [what])).rows.map(
    (r) => r.who,
  );

const open: Jobs[] = [];
afterAll(async () => {
  await Promise.all(open.map((jobs) => jobs.stop()));
});
/** One server process' share in the work. */
async function aWorker(list: Job[], look = 0.5): Promise<Jobs> {
  const jobs = await openJobs(pool, list, "Asia/Shanghai", {
    heartbeatSeconds: 10,
    superviseSeconds: 1,
    lookSeconds: { told: look, timed: look },
  });
  open.push(jobs);
  await jobs.start({ ...house, emit: jobs.emit });
  return jobs;
}
const until = async (true_: () => Promise<boolean>, seconds = 30) => {
  for (
    const end = Date.now() + seconds * 1000;
    Date.now() < end;
    await new Promise((r) => setTimeout(r, 100))
  )
    if (await true_()) return;
  throw new Error(`it did not happen within ${seconds} s`);
};

const told = event("told", z.object({ what: z.string() }));
const slowly = event("slowly", z.object({ what: z.string() }));

const write = (who: string): Job =>
  job({
    name: "write",
    on: told,
    work: async (act, data) => {
      await sql`insert into done (who, what) values (${who}, ${data.what})`.execute(act.tx);
    },
  });

test("each job is done once, whoever of two servers takes it, and only if its transaction commits", async () => {
  const [one] = [await aWorker([write("one")]), await aWorker([write("two")])];
  await db.transaction().execute(async (tx) => {
    for (let i = 0; i < 200; i++) await one.emit(tx, told, { what: `event ${i}` });
  });
  await db
    .transaction()
    .execute(async (tx) => {
      await one.emit(tx, told, { what: "never" });
      throw new Error("rolled back");
    })
    .catch(() => {});
  await one.send(undefined, "write", { what: "sent" });
  await until(async () => (await pool.query("select 1 from done")).rows.length === 201);
  await new Promise((r) => setTimeout(r, 1_500));
  const { rows } = await pool.query<{ what: string; n: number }>(
    "select what, count(*) n from done group by what",
  );
  expect(rows).toHaveLength(201);
  expect(rows.every((r) => r.n === 1)).toBe(true);
  expect(await done("never")).toEqual([]);
}, 60_000);

test("what is told or asked for is begun at once by another server too, though it looks for work once in ten minutes", async () => {
  const prompt = { ...write("prompt"), name: "prompt" };
  await aWorker([prompt], 600);
  const teller = await openJobs(pool, [prompt], "Asia/Shanghai", {});
  // it has looked in vain before it is told
  await new Promise((r) => setTimeout(r, 1_000));
  await db.transaction().execute((tx) => teller.emit(tx, told, { what: "now" }));
  await until(async () => (await done("now")).length === 1, 20);
  await teller.send(undefined, "prompt", { what: "again" });
  await until(async () => (await done("again")).length === 1, 20);
}, 60_000);

test("jobs that a clock starts at the same moment run one after the other, also past one that fails", async () => {
  let [now, most, ended] = [0, 0, 0];
  const timed = (n: number): Job =>
    job({
      name: `clock.${n}`,
      cron: "0 0 1 1 *",
      retries: 0,
      work: async () => {
        most = Math.max(most, ++now);
        await new Promise((r) => setTimeout(r, 100));
        [now, ended] = [now - 1, ended + 1];
        if (n === 1) throw new Error("fails");
      },
    });
  const list = [0, 1, 2, 3].map(timed);
  const jobs = await aWorker(list);
  await db.transaction().execute(async (tx) => {
    for (const { name } of list) await jobs.send(tx, name, {});
  });
  await until(async () => ended === 4);
  expect(most).toBe(1);
}, 60_000);

test("a connection that hears is replaced when it breaks, and what was missed is looked for", async () => {
  const heard: string[] = [];
  let back = 0;
  const hear = listening(pool, 200);
  const ears = await hear(
    "ears",
    (what) => heard.push(what),
    () => back++,
  );
  const say = (what: string) => pool.query("select pg_notify('ears', $1)", [what]);
  await say("one");
  await until(async () => heard.includes("one"));
  expect(back).toBe(1);
  const broken = await owner.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where query like 'select pg_notify($1%' and datname = current_database()",
  );
  expect(broken.rowCount).toBeGreaterThan(0);
  await until(async () => back === 2);
  await say("two");
  await until(async () => heard.includes("two"));
  await ears.close();
  await say("three");
  expect(heard).toEqual(["one", "two"]);
}, 60_000);

test("a job that fails leaves nothing behind and is tried again", async () => {
  let tries = 0;
  const jobs = await aWorker([
    job({
      name: "shaky",
      work: async (act) => {
        tries++;
        await sql`insert into done (who, what) values ('shaky', ${`try ${tries}`})`.execute(act.tx);
        if (tries < 3) throw new Error("not yet");
      },
    }),
  ]);
  await jobs.send(undefined, "shaky", {});
  await until(async () => (await done("try 3")).length === 1, 40);
  expect(await done("try 1")).toEqual([]);
  expect(await done("try 2")).toEqual([]);
}, 60_000);

test("of an event's records what fails is tried again, and the others stand at once", async () => {
  let tries = 0;
  const jobs = await aWorker([
    job({
      name: "records",
      on: told,
      work: (act) =>
        eachByItself(act, ["first", "stuck", "last"], String, async (who) => {
          await sql`insert into done (who, what) select ${who}, 'records'
            where not exists (select from done where who = ${who} and what = 'records')`.execute(act.tx);
          if (who === "stuck" && tries++ === 0) throw new Error("not yet");
        }),
    }),
  ]);
  await db.transaction().execute((tx) => jobs.emit(tx, told, { what: "records" }));
  await until(async () => (await done("records")).length === 2);
  expect(await done("records")).toEqual(["first", "last"]);
  await until(async () => (await done("records")).length === 3);
}, 60_000);

test("a job outlives the server that took it", async () => {
  const { host, port, user, database } = pool.options as unknown as Record<string, string>;
  const dying = `
    import pg from "pg";
    import { openJobs } from "./platform/server/jobs/jobs.ts";
    const pool = new pg.Pool(${JSON.stringify({ host, port, user, database })});
    const work = async () => { console.log("taken"); await new Promise(() => {}); };
    const jobs = await openJobs(pool, [{ name: "survivor", transaction: false, work }], "Asia/Shanghai",
      { heartbeatSeconds: 10, superviseSeconds: 1, lookSeconds: { told: 0.5, timed: 0.5 } });
    const house = { database: { pool, db: undefined }, clock: () => new Date(), settings: { TIME_ZONE: "Asia/Shanghai", BRAND_HOSTS: {} } };
    await jobs.start(house);
    await jobs.send(undefined, "survivor", { what: "survived" });
    setInterval(() => {}, 1000);
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", dying], {
    cwd: new URL("../../../", import.meta.url).pathname,
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", (text) => String(text).includes("taken") && resolve());
    child.on("exit", () => reject(new Error("it ended before it took the job")));
  });
  child.removeAllListeners("exit");
  child.kill("SIGKILL");
  const { on: _told, ...heir } = write("heir");
  await aWorker([{ ...heir, name: "survivor" }]);
  await until(async () => (await done("survived")).length > 0, 60);
  expect(await done("survived")).toEqual(["heir"]);
}, 90_000);

test("a house that does no work keeps what it is told until it is delivered", async () => {
  const jobs = await openJobs(pool, [write("idle")], "Asia/Shanghai", { works: false });
  await jobs.emit(db, told, { what: "kept" });
  expect(await done("kept")).toEqual([]);
  await jobs.deliver(house);
  await jobs.deliver(house);
  expect(await done("kept")).toEqual(["idle"]);
});

test("a server that is told to end finishes what it began; the next one does what it had only taken", async () => {
  let begun = 0;
  let finish: () => void = () => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const slow = (who: string): Job =>
    job({
      name: "slow",
      on: slowly,
      work: async (act, data) => {
        begun++;
        await finished;
        await sql`insert into done (who, what) values (${who}, ${data.what})`.execute(act.tx);
      },
    });
  const ending = await aWorker([slow("ending")]);
  await db.transaction().execute(async (tx) => {
    for (let i = 0; i < 5; i++) await ending.emit(tx, slowly, { what: `slow ${i}` });
  });
  await until(async () => begun === 1);
  const stopped = ending.stop();
  finish();
  await stopped;
  expect((await pool.query("select who from done where who = 'ending'")).rows).toHaveLength(1);

  await aWorker([slow("next")]);
  await until(
    async () => (await pool.query("select 1 from done where what like 'slow %'")).rows.length === 5,
  );
  expect((await pool.query("select who from done where who = 'next'")).rows).toHaveLength(4);
}, 60_000);
