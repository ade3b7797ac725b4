import { spawn, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { DEMO_PASSWORD } from "../demo/people.ts";
import { checkLedger } from "../domains/finance/check/check.service.ts";
import { type Database, openDatabase } from "../platform/server/database/database.ts";
import { nobody } from "../platform/server/pipeline/act.ts";
import { actOf } from "../platform/server/pipeline/pipeline.ts";
import { openHouse, type OpenHouse } from "../platform/server/process/house.ts";
import { readSettings, ROOT } from "../platform/server/process/settings.ts";
import { childrenOf, commandOf, kill, processesIn } from "./processes.sample.ts";

type Answer = { code: number; message: string; data: unknown };

/** The real server process on its own embedded database in a folder of its own, there to be killed without a word. */
export function aServerToKill(port: number) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "sams-killed-"));
  // root's database runs as another user, who passes through here
  fs.chmodSync(dir, 0o711);
  const base = `http://127.0.0.1:${port}`;
  const env = {
    ...process.env,
    MODE: "demo",
    DATA_DIR: dir,
    PORT: String(port),
    LOG_LEVEL: "silent",
    RATE_LIMIT: "0",
  };
  const settings = readSettings(env);
  /** Where the embedded database works. */
  const data = () => fs.realpathSync(path.join(dir, "postgres"));
  /** Also those that a failed test has left behind. */
  const servers: ChildProcess[] = [];
  let token = "";

  const inHouse = async <T>(work: (house: OpenHouse) => Promise<T>): Promise<T> => {
    const house = await openHouse(settings, { work: false });
    try {
      return await work(house);
    } finally {
      await house.close();
    }
  };
  const inDatabase = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
    const database = await openDatabase(settings);
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  };
  const rowsOf = <T = Record<string, number>>(text: string, values: unknown[] = []): Promise<T[]> =>
    inDatabase(async ({ pool }) => (await pool.query(text, values)).rows as T[]);

  const isReady = async () => (await fetch(`${base}/readyz`).catch(() => undefined))?.ok === true;
  async function ready(): Promise<void> {
    for (let i = 0; i < 400; i++) {
      if (await isReady()) return;
      await pause(100);
    }
    throw new Error("the server did not start");
  }
  async function start(): Promise<void> {
    servers.push(spawn(process.execPath, [path.join(ROOT, "server.ts")], { env, stdio: "ignore" }));
    await ready();
  }
  /** Another program over the same data. */
  function run(program: string, ...args: string[]): ChildProcess {
    const child = spawn(process.execPath, [path.join(ROOT, program), ...args], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    servers.push(child);
    return child;
  }

  // the number of one that is gone may be another's by now
  const alive = (one: ChildProcess) => one.exitCode === null && one.signalCode === null;
  const workers = () => {
    const own = new Set(processesIn(data()));
    const last = servers.findLast(alive);
    return last ? childrenOf(last.pid!).filter((pid) => !own.has(pid)) : [];
  };
  /** What kills the supervisor and its workers; the database goes on, and the next server takes it over. */
  function aimAtServer(): () => void {
    const pids = [...servers.filter(alive).map((one) => String(one.pid)), ...workers()];
    return () => kill(pids);
  }
  /** What kills every process that works in the data directory, the database's own included, and the server: gone at once. */
  function aimAtAll(): () => void {
    const atServer = aimAtServer();
    const pids = processesIn(data());
    return () => {
      atServer();
      kill(pids);
      // those that have begun since
      kill(processesIn(data()));
    };
  }
  const killAll = () => aimAtAll()();
  /** Its workers alone, which the supervisor replaces. */
  const killWorkers = () => kill(workers());
  /** A session of the database, which then starts anew. */
  function killSession(): void {
    const [first] = processesIn(data()).filter((pid) => commandOf(pid)?.includes("127.0.0.1("));
    if (first) kill([first]);
  }
  async function stop(): Promise<void> {
    const last = servers.at(-1)!;
    last.kill("SIGTERM");
    await once(last, "exit");
  }
  async function remove(): Promise<void> {
    killAll();
    await pause(300);
    fs.rmSync(dir, { recursive: true, force: true });
  }

  async function request<T>(method: string, url: string, body?: object, key?: string): Promise<T> {
    const form = body instanceof FormData;
    const answer = await fetch(base + url, {
      method,
      headers: {
        authorization: token,
        ...(form || !body ? {} : { "content-type": "application/json" }),
        ...(key ? { "idempotency-key": key } : {}),
      },
      ...(body ? { body: form ? body : JSON.stringify(body) } : {}),
    });
    // a file
    if (!answer.headers.get("content-type")?.includes("json")) return (await answer.arrayBuffer()) as T;
    const { code, message, data } = (await answer.json()) as Answer;
    if (code !== 200) throw new Error(message);
    return data as T;
  }
  const send = <T>(url: string, body: object, key?: string) => request<T>("POST", url, body, key);
  /** Somebody is signed in on a running server. */
  async function enter(): Promise<void> {
    if (!(await isReady())) await start();
    const password = createHash("sha256").update(DEMO_PASSWORD).digest("hex");
    ({ token } = await send<{ token: string }>("/system/api/v4/login", { account: "admin2026", password }));
  }

  const expectGoodLedger = () =>
    inHouse(async (house) => {
      const asking = { requestId: "check", ip: "", userAgent: "" };
      const { results } = await checkLedger(actOf(house, house.database.db, nobody, asking), "manual");
      expect(results.filter((r) => r.breaks)).toEqual([]);
    });

  return {
    inHouse,
    inDatabase,
    rowsOf,
    start,
    ready,
    run,
    stop,
    aimAtServer,
    aimAtAll,
    killAll,
    killWorkers,
    killSession,
    remove,
    request,
    send,
    enter,
    expectGoodLedger,
  };
}
export type ServerToKill = ReturnType<typeof aServerToKill>;
