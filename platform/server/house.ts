import path from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import { Pool } from "pg";
import { connectionOf, openDatabase, type Database } from "./database.ts";
import { localFiles, type FileStore } from "./files.ts";
import { createHttp } from "./http.ts";
import { openJobs, type Job, type Jobs } from "./jobs.ts";
import { migrate } from "./migrate.ts";
import { numbersFrom } from "./numbers.ts";
import { openapi } from "./openapi.ts";
import { servePages } from "./pages.ts";
import type { House } from "./pipeline.ts";
import { everyOf, everyServed, type Served } from "./serve.ts";
import { readiness } from "./readiness.ts";
import type { Settings } from "./settings.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
export const MIGRATIONS = path.join(root, "db/migrations");

/** Work that runs once at every start, after the migrations: domains export it from `*.job.ts` files as `atStart`. */
export type AtStart = (database: Database, settings: Settings) => Promise<void>;

export type OpenHouse = House & {
  app: FastifyInstance;
  jobs: Jobs;
  served: Served[];
  listen: () => Promise<string>;
  close: () => Promise<void>;
};

export type HouseOptions = {
  /** Folder of the built console; without it only the calls are served. */
  console?: string | undefined;
  /** For tests: a database that is open and migrated. */
  database?: Database;
  clock?: () => Date;
  files?: FileStore;
  /** Whether scheduled and queued work runs in this process. */
  work?: boolean;
};
