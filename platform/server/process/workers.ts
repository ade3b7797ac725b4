import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import os from "node:os";
import { AggregatorRegistry } from "prom-client";
import type { Settings } from "./settings.ts";

/** A worker whose event loop stood still for so long is replaced. */
const PATIENCE_MS = 10_000;
/** One that still starts may have a company to make on a busy machine: it gets so many times as long. */
const STARTING = 12;
const BEAT_MS = 1_000;
/**
 * A worker keeps little garbage, on a machine that the database shares. V8 would let its heap grow to several times what
 * lives in it and keep compiled code that has not run for long; a heap that may grow by less than what lives in it, or less room
 * for what is new, costs a list a third of its time in collecting. The C library would keep an arena for each thread, and what
 * was freed of blocks as large as the largest ever freed (its threshold for mapping a block grows, until it is set).
 */
const LEAN = {
  flags: ["--heap-growing-percent=100", "--max-semi-space-size=16", "--flush-baseline-code"],
  env: { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "65536", MALLOC_TRIM_THRESHOLD_: "65536" },
};
/** Waits before a worker that died while it started is started again; the last one from then on. */
const RETRY_MS = [1_000, 5_000, 30_000];

/** What worker and supervisor tell each other. Whether a worker listens, `node:cluster` tells by itself. */
type Message = { type: "alive" } | { type: "metrics"; id: number; text?: string };

/** How many workers the settings ask for; 0: none, the server is the process itself and nobody watches it. */
export function workersOf({ WORKERS, MODE }: Pick<Settings, "WORKERS" | "MODE">): number {
  if (WORKERS !== undefined) return WORKERS;
  const cores = os.availableParallelism();
  if (MODE === "demo" || cores === 1) return 1;
  // the database works on the same cores
  return Math.min(4, Math.max(2, Math.floor(cores / 2)));
}

export type Supervised = {
  /** Resolves with the port once the first worker listens; rejects when it ends before it does. */
  listening: Promise<number>;
  /** Lets the workers finish what runs. Resolves when all have ended. */
  stop: () => Promise<void>;
};

export type SupervisorOptions = {
  count: number;
  file: string;
  log: (sentence: string) => void;
  patienceMs?: number;
};

/**
 * Runs the server in worker processes that share one port. One that dies, or whose event loop stands still, is replaced
 * while the others go on; its running requests end as after kill -9. The first worker is started alone, because it
 * prepares the database; `FIRST_WORKER=true` in its environment says so.
 */
export function superviseWorkers(options: SupervisorOptions): Supervised {
  const { count, file, log, patienceMs = PATIENCE_MS } = options;
  // Workers accept by themselves: one that hangs takes no connection, and none is lost on its way to one that died.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: file, args: [], execArgv: [...process.execArgv, ...LEAN.flags] });
  const metrics = new AggregatorRegistry();
  const beats = new Map<Worker, { at: number; patience: number }>();
  let stopping = false;
  let failures = 0;
  const { promise: listening, resolve: listens, reject: fails } = Promise.withResolvers<number>();
  let port: number | undefined;

  const fork = () => {
    const worker = cluster.fork({ ...LEAN.env, FIRST_WORKER: String(port === undefined) });
    let listened = false;
    const heardFrom = () =>
      beats.set(worker, { at: Date.now(), patience: listened ? patienceMs : STARTING * patienceMs });
    worker.on("message", (message: Message) => {
      heardFrom();
      if (message.type === "metrics")
        void metrics
          .clusterMetrics()
          .catch(() => "")
          .then((text) => worker.isConnected() && worker.send({ ...message, text }));
    });
    worker.on("listening", (address) => {
      listened = true;
      failures = 0;
      heardFrom();
      if (port !== undefined) return;
      port = address.port;
      for (let more = 1; more < count; more++) fork();
      listens(port);
    });
    worker.on("error", () => {});
    worker.once("exit", (code, signal) => {
      beats.delete(worker);
      if (stopping) return;
      if (port === undefined) return fails(new Error("The server ended while it started."));
      log(`A server process ended (${signal ?? code}) and is replaced.`);
      const wait = listened ? 0 : RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)];
      setTimeout(() => stopping || fork(), wait);
    });
  };

  let lastLook = Date.now();
  const watch = setInterval(() => {
    const now = Date.now();
    // a machine that slept, or a supervisor that was stopped, has not heard anybody
    const slept = now - lastLook > 3 * BEAT_MS;
    lastLook = now;
    for (const [worker, beat] of beats)
      if (slept) beat.at = now;
      else if (now - beat.at > beat.patience) {
        log(`A server process stood still for ${Math.round((now - beat.at) / 1000)} s and is ended.`);
        worker.process.kill("SIGKILL");
      }
  }, BEAT_MS);

  fork();
  return {
    listening,
    stop: async () => {
      stopping = true;
      const running = Object.values(cluster.workers ?? {})
        .map((worker) => worker!.process)
        .filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
      const ends = running.map((child) => once(child, "exit"));
      for (const child of running) child.kill("SIGTERM");
      await Promise.all(ends);
      clearInterval(watch);
    },
  };
}

/** Tells the supervisor that this worker lives, and ends it at once when there is no supervisor any more. */
export function reportToSupervisor(): void {
  const beat = setInterval(() => process.connected && process.send?.({ type: "alive" }), BEAT_MS);
  beat.unref();
  // As after kill -9: the next start takes the database over, which no handler of this process may stop.
  process.prependListener("disconnect", () => process.kill(process.pid, "SIGKILL"));
}

let asked = 0;
/** The metrics of all workers as one text; undefined where there is only this process. */
export async function metricsOfAll(): Promise<string | undefined> {
  if (!cluster.isWorker) return undefined;
  const id = asked++;
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const hear = (message: Message) => message.type === "metrics" && message.id === id && resolve(message.text);
  process.on("message", hear);
  process.send?.({ type: "metrics", id });
  return promise.finally(() => process.off("message", hear));
}
