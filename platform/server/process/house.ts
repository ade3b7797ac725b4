import path from "node:path";
import type { FastifyInstance } from "fastify";
import { Pool } from "pg";
import { demandLength } from "../../kernel/texts/password.ts";
import { serveBrands } from "../pipeline/brand.ts";
import { openDatabase, type Database } from "../database/database.ts";
import { localFiles, type FileStore } from "../files/files.ts";
import { createHttp } from "../http/http.ts";
import { openJobs, perform, type Job, type Jobs } from "../jobs/jobs.ts";
import { openCipher } from "../secrets/key-note.ts";
import { numbersFrom } from "../database/numbers.ts";
import { serveOpenapi } from "../http/openapi.ts";
import { servePages } from "../http/pages.ts";
import type { House } from "../pipeline/pipeline.ts";
import { s3Files } from "../files/s3.ts";
import { everyOf, everyServed, type Served } from "../pipeline/serve.ts";
import { graceful } from "./shutdown.ts";
import { readiness } from "../http/readiness.ts";
import { prepareSchema } from "../database/rights.ts";
import type { Settings } from "./settings.ts";
import v8 from "node:v8";
import vm from "node:vm";

/** So long nobody has asked for anything. */
const QUIET_MS = 5_000;
/** Less than that is not worth a sweep. */
const WORTH = 8 * 2 ** 20;

type Collect = (how: { type: "major"; execution: "async"; flavor: "last-resort" }) => Promise<void>;

/**
 * Gives memory back after a rush. A busy server lets its heap grow, which is what makes it quick; left alone it would
 * keep all of that for the rest of the day, on a machine that the database shares.
 */
function restAfterWork(app: FastifyInstance): void {
  v8.setFlagsFromString("--expose-gc");
  const collect = vm.runInNewContext("gc") as Collect;
  let last = Date.now();
  // loading the product has left something to sweep too
  let kept = 0;
  app.addHook("onRequest", (_request, _reply, done) => {
    last = Date.now();
    done();
  });
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    if (Date.now() - last < QUIET_MS || process.memoryUsage.rss() < kept + WORTH) return;
    void collect({ type: "major", execution: "async", flavor: "last-resort" }).then(
      () => (kept = process.memoryUsage.rss()),
    );
  };
  app.addHook("onListen", async () => void (timer = setInterval(look, QUIET_MS).unref()));
  app.addHook("onClose", (_instance, done) => {
    clearInterval(timer);
    done();
  });
}

export type OpenHouse = House & {
  app: FastifyInstance;
  jobs: Jobs;
  served: Served[];
  listen: () => Promise<string>;
  close: () => Promise<void>;
};

type HouseOptions = {
  /** Folder of the built console; without it only the calls are served. */
  console?: string | undefined;
  /** For tests: a database that is open and migrated. */
  database?: Database;
  clock?: () => Date;
  files?: FileStore;
  /** Whether scheduled and queued work runs in this process. */
  work?: boolean;
  /** False in a further worker of one server: what is done once at every start has been done. */
  first?: boolean;
};

const openFiles = (settings: Settings): FileStore =>
  settings.FILE_STORE === "s3" ? s3Files(settings) : localFiles(path.join(settings.DATA_DIR, "files"));

/** Opens database, jobs and calls; nothing listens before `listen()`. */
export async function openHouse(settings: Settings, options: HouseOptions = {}): Promise<OpenHouse> {
  const say = (sentence: string) => settings.LOG_LEVEL !== "silent" && process.stderr.write(`${sentence}\n`);
  const database = options.database ?? (await openDatabase(settings, say));
  if (!options.database) await prepareSchema(database);
  const cipher = await openCipher(database.owner, settings);

  const served = await everyServed();
  demandLength(settings.PASSWORD_MIN);
  const timeZone = settings.TIME_ZONE;
  const known = await everyOf<Job>("job");
  const jobs = await openJobs(database.pool, known, timeZone, { works: options.work ?? true });
  const numberPool = new Pool({ ...(database.pool.options as object), max: 2 });
  numberPool.on("error", () => {});
  const house: House = {
    database,
    numbers: numbersFrom(numberPool),
    emit: jobs.emit,
    clock: options.clock ?? (() => new Date()),
    settings,
    cipher,
    files: options.files ?? openFiles(settings),
  };

  for (const j of known) if (j.atStart && (options.first ?? true)) await perform(house, j, {}, "start");

  const app = await createHttp(house, served, {
    logLevel: settings.LOG_LEVEL,
    perMinute: settings.RATE_LIMIT,
    trustProxy: settings.TRUST_PROXY ?? "loopback",
  });
  const end = graceful(app);
  restAfterWork(app);
  let stopping = false;
  readiness(app, database.pool, settings.DATA_DIR, () => stopping);
  serveOpenapi(
    app,
    house,
    served.map((s) => s.call),
  );
  const brandAt = await serveBrands(app, settings);
  if (options.console) await servePages(app, options.console, brandAt);
  if (options.work ?? true) await jobs.start(house);

  return {
    ...house,
    app,
    jobs,
    served,
    listen: () => app.listen({ host: settings.HOST, port: settings.PORT }),
    close: async () => {
      // Running requests finish, then the jobs, then the connections.
      stopping = true;
      await end();
      if (options.work ?? true) await jobs.stop();
      await numberPool.end();
      await database.close();
    },
  };
}
