import { setTimeout as wait } from "node:timers/promises";
import type { Kysely } from "kysely";
import { PgBoss, type Job as Queued, type JobResult } from "pg-boss";
import type { Pool } from "pg";
import type { DB } from "../../../db/types.gen.ts";
import { CompiledQuery } from "kysely";
import { actOf, type House } from "../pipeline/pipeline.ts";
import { nobody, type Act } from "../pipeline/act.ts";
import { z, type ZodType } from "zod";
import { event, type Event } from "../../kernel/event.ts";
import { id } from "../../kernel/field.ts";
import { failureIn } from "./by-itself.ts";
import { beginRun, endRun } from "./job-runs.ts";
import { listening } from "./listening.ts";

/** Work done apart from a call: on a schedule, on request, or because an event happened. It is safe to run twice. */
export type Job<P extends ZodType = ZodType> = {
  name: string;
  /** What people call it; each that runs by itself has one. */
  title?: string;
  /** Cron in the deployment's time zone, for what runs by itself. */
  cron?: string;
  /** The event that starts it, whose payload it works on. */
  on?: Event<P>;
  /** Runs once at every start, after the migrations and before anything is answered. */
  atStart?: boolean;
  retries?: number;
  /** One transaction; long work opens its own through `house`. Answers how much it did, where that can be counted. */
  work: (act: Act, data: z.output<P>, house: House) => Promise<number | void>;
  /** False for work that commits step by step: no transaction is opened for it. */
  transaction?: boolean;
};
export const job = <P extends ZodType = ZodType<Record<string, unknown>>>(j: Job<P>): Job =>
  j as unknown as Job;

/** Where the queue keeps its own tables. */
export const JOB_SCHEMA = "job";

type Taken = Queued<unknown>;

const queueOf = (event: string, name: string) => `${event}--${name}`;

/** The event that asks for one run of a job that has a clock: 立即执行. Its payload names the run. */
export const askedFor = (name: string) => event(`${name}.now`, z.object({ runId: id.optional() }));

/** A server that stops answering for so long has lost its jobs to the others. */
const HEARTBEAT_SECONDS = 30;
const LONGEST_SECONDS = 4 * 3600;
/** How often an idle server that does not hear of new work looks for it: soon for what somebody waits for, lazily for what a clock starts. */
const LOOK_SECONDS = { told: 2, timed: 10 };
/** One that hears of it looks so many times less: for what is tried again, and in case it missed something. */
const HEARS = 5;
/** Short jobs taken at once; while so many are there a server goes on without a pause. */
const BATCH = 10;
/** So long what a clock starts waits for what it started before. */
const LONGEST_WAIT_MS = 10_000;

export type JobsOptions = {
  /** False: nothing is queued or run; what is told waits for `deliver`. For tests and tools. */
  works?: boolean;
  heartbeatSeconds?: number;
  superviseSeconds?: number;
  lookSeconds?: { told: number; timed: number };
};

/** Makes the queue's own tables, or brings them up to this release, as the role that owns them. */
export async function prepareQueue(owner: Pool): Promise<void> {
  const db = { executeSql: (text: string, values?: unknown[]) => owner.query(text, values) };
  const boss = new PgBoss({ db, schema: JOB_SCHEMA, supervise: false, schedule: false });
  boss.on("error", () => {});
  await boss.start();
  await boss.stop();
}

/** Jobs live in PostgreSQL: whichever server is free takes them, each is done once, failures are tried again. */
export async function openJobs(pool: Pool, jobs: Job[], timeZone: string, options: JobsOptions = {}) {
  const {
    works = true,
    heartbeatSeconds = HEARTBEAT_SECONDS,
    superviseSeconds = 60,
    lookSeconds = LOOK_SECONDS,
  } = options;
  const boss = new PgBoss({
    // each queue looks for work by a text of its own, which is not worth a plan that every connection keeps
    db: {
      executeSql: (text, values) => pool.query({ text, values: values as unknown[] }),
      listen: listening(pool),
    },
    useListenNotify: true,
    schema: JOB_SCHEMA,
    migrate: false,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
  });
  boss.on("error", () => {});
  let stopping = false;
  const untold: { queue: string; payload: object }[] = [];
  const listeners = new Map<string, string[]>();
  for (const { name, on } of jobs)
    if (on) listeners.set(on.name, [...(listeners.get(on.name) ?? []), queueOf(on.name, name)]);
  for (const j of jobs) if (j.cron) listeners.set(askedFor(j.name).name, [j.name]);

  const within = (tx: Kysely<DB>) => ({
    executeSql: async (text: string, values?: unknown[]) => {
      const { rows } = await tx.executeQuery(CompiledQuery.raw(text, values));
      return { rows };
    },
  });
  const put = async (tx: Kysely<DB> | undefined, queue: string, payload: object) => {
    if (works) await boss.send(queue, payload, tx ? { db: within(tx) as never } : {});
    else untold.push({ queue, payload });
  };
  /** Ticks a job off in the job's own transaction, so that it is done exactly if its work is. */
  const ticked = (queue: string, taken: Taken) => async (tx: Kysely<DB>) => {
    const { affected } = (await boss.complete(queue, taken, null, { db: within(tx) as never })) as {
      affected: number;
    };
    if (!affected) throw new Error(`the job ${queue} ${taken.id} was given to another server meanwhile`);
  };
  const queuesOf = (j: Job) => [j.name, ...(j.on ? [queueOf(j.on.name, j.name)] : [])];
  const inLine = oneByOne();

  return {
    /** An event, written to the outbox in the same transaction, for its listeners. */
    emit: async (tx: Kysely<DB>, { name, payload }: Event, told: unknown) => {
      const checked = payload.parse(told) as object;
      for (const queue of listeners.get(name) ?? []) await put(tx, queue, checked);
    },
    /** Queues one run of a job; inside a transaction it starts only if that commits. */
    send: put,
    start: async (house: House) => {
      await boss.start();
      for (const j of jobs.filter((each) => !each.atStart))
        for (const queue of queuesOf(j)) {
          const rules = {
            retryLimit: j.retries ?? 3,
            retryBackoff: true,
            heartbeatSeconds,
            expireInSeconds: LONGEST_SECONDS,
            notify: true,
          };
          await boss.createQueue(queue, rules);
          // one that an earlier release made keeps its old rules otherwise
          await boss.updateQueue(queue, rules);
          const timed = queue === j.name;
          const pollingIntervalSeconds = timed ? lookSeconds.timed : lookSeconds.told;
          const looks = {
            pollingIntervalSeconds,
            notifyPollingIntervalSeconds: pollingIntervalSeconds * HEARS,
          };
          const data = (taken: Taken) => taken.data as Record<string, unknown>;
          if (j.transaction === false)
            await boss.work(queue, looks, async ([taken]) => {
              if (taken) await (timed ? performTimed : perform)(house, j, data(taken), taken.id);
            });
          else
            await boss.work(
              queue,
              { ...looks, batchSize: BATCH, burstWhenBatchFull: true, perJobResults: true },
              (batch) =>
                inTurn(
                  batch,
                  () => stopping,
                  (taken): Promise<unknown> => {
                    const of = [house, j, data(taken), taken.id, ticked(queue, taken)] as const;
                    return timed ? inLine(() => performTimed(...of)) : perform(...of);
                  },
                ),
            );
          if (j.cron && timed) await boss.schedule(j.name, j.cron, {}, { tz: timeZone });
        }
    },
    /** Runs what was told to a house that does not work by itself, and what that tells in turn. */
    deliver: async (house: House) => {
      for (let told = untold.shift(); told; told = untold.shift()) {
        const j = jobs.find((each) => queuesOf(each).includes(told!.queue));
        const how = told.queue === j?.name ? performTimed : perform;
        if (j) await how(house, j, told.payload as Record<string, unknown>, "delivered");
      }
    },
    /** Ends what has begun; what was only fetched goes back to the queue. */
    stop: () => {
      stopping = true;
      return boss.stop({ graceful: true, timeout: 20_000 });
    },
  };
}
export type Jobs = Awaited<ReturnType<typeof openJobs>>;

/**
 * What a clock starts in this process in one transaction waits for what it started before: a dozen jobs of the same minute would
 * leave whoever works at that moment neither a connection nor a processor. Nothing waits for long work to end.
 */
function oneByOne() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = Promise.race([last, wait(LONGEST_WAIT_MS, undefined, { ref: false })]).then(work);
    last = mine.catch(() => {});
    return mine;
  };
}

/** One after the other; one that fails does not hold up the rest. What is not begun before the end is not answered for, and is tried again. */
async function inTurn(
  batch: Taken[],
  ended: () => boolean,
  work: (taken: Taken) => Promise<unknown>,
): Promise<JobResult[]> {
  const results: JobResult[] = [];
  for (const taken of batch) {
    if (ended()) break;
    results.push(
      await work(taken).then(
        () => ({ id: taken.id, status: "completed" as const }),
        (error: Error) => ({ id: taken.id, status: "failed" as const, output: { message: error.message } }),
      ),
    );
  }
  return results;
}

/** Runs a job now, as the queue would. `done` is the last act of its transaction. */
export async function perform(
  house: House,
  j: Job,
  data: Record<string, unknown>,
  id: string,
  done: (tx: Kysely<DB>, processed: number | null) => Promise<void> = async () => {},
): Promise<number | null> {
  const request = { requestId: id, ip: "", userAgent: "job" };
  const { db } = house.database;
  if (j.transaction === false) return (await j.work(actOf(house, db, nobody, request), data, house)) ?? null;
  let mine: object = db;
  const processed = await db.transaction().execute(async (tx) => {
    mine = tx;
    const count = (await j.work(actOf(house, tx, nobody, request), data, house)) ?? null;
    if (!failureIn(tx)) await done(tx, count);
    return count;
  });
  const failure = failureIn(mine);
  if (failure) throw failure;
  return processed;
}

/** The same for what the clock starts or somebody asks for by name: each run is noted, unless nobody set the job a clock. */
async function performTimed(
  house: House,
  j: Job,
  data: Record<string, unknown>,
  id: string,
  done: (tx: Kysely<DB>) => Promise<void> = async () => {},
): Promise<void> {
  const { db } = house.database;
  const asked = typeof data.runId === "number" ? data.runId : undefined;
  const run = j.cron ? await beginRun(db, j.name, id, asked) : undefined;
  if (run === "off") return;
  try {
    const processed = await perform(house, j, data, id, async (tx, count) => {
      if (run !== undefined) await endRun(tx, run, count);
      await done(tx);
    });
    if (run !== undefined && j.transaction === false) await endRun(db, run, processed);
  } catch (error) {
    if (run !== undefined)
      await endRun(db, run, null, error instanceof Error ? error.message : String(error));
    throw error;
  }
}
