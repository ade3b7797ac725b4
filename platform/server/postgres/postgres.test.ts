import { execFileSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, expect, test } from "vitest";
import { startPostgres, type Postgres, type PostgresOptions } from "./postgres.ts";
import { holders } from "./postgres-folder.ts";
import { keeper, type Keeper } from "./postgres.sample.ts";

const root = fs.mkdtempSync(path.join(os.tmpdir(), "postgres-"));
fs.chmodSync(root, 0o755);
afterAll(() => fs.rmSync(root, { recursive: true }));

const opened: Postgres[] = [];
const keepers: Keeper[] = [];
let number = 0;
const folder = () => path.join(root, `server-${++number}`);
const start = async (dir: string, options?: PostgresOptions) => {
  const server = await startPostgres(dir, options);
  opened.push(server);
  return server;
};
const keep = async (dir: string) => {
  const one = await keeper(dir);
  keepers.push(one);
  return one;
};
afterEach(async () => {
  for (const { process: child } of keepers.splice(0)) child.kill("SIGTERM");
  for (const server of opened.splice(0)) await server.stop();
});

const query = async (host: string, text: string) => {
  const client = new pg.Client({ host, user: "sams", database: "postgres" });
  client.on("error", () => {});
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
};
const kill = async ({ process: child }: Keeper) => {
  child.kill("SIGKILL");
  await once(child, "exit");
};
const until = async (done: () => boolean | Promise<boolean>) => {
  for (let i = 0; i < 500 && !(await done()); i++) await sleep(20);
  expect(await done()).toBe(true);
};
const nobodyIn = (dir: string) => holders(path.join(fs.realpathSync(dir), "data")).length === 0;

test("a fresh start listens on a private socket alone and does not run as root", async () => {
  const dir = folder();
  const server = await start(dir, { flags: { work_mem: "13MB" } });
  expect(server.origin).toBe("made");
  expect(fs.statSync(server.host).mode & 0o777).toBe(0o700);
  expect((await query(server.host, "show listen_addresses")).rows).toEqual([{ listen_addresses: "" }]);
  expect((await query(server.host, "show work_mem")).rows).toEqual([{ work_mem: "13MB" }]);
  expect(fs.statSync(path.join(dir, "data")).uid).not.toBe(0);
  await server.stop();
  expect(nobodyIn(dir)).toBe(true);
});

test("an orphan of a killed process is adopted with its rows, and stopped by its adopter", async () => {
  const dir = folder();
  const first = await keep(dir);
  await query(first.host, "create table kept as select 1 as n");
  await kill(first);
  const second = await start(dir);
  expect(second.origin).toBe("adopted");
  expect(second.pid).toBe(first.pid);
  expect((await query(second.host, "select n from kept")).rows).toEqual([{ n: 1 }]);
  await second.stop();
  expect(nobodyIn(dir)).toBe(true);
});

test("a server that is killed comes back by itself with every row that was promised", async () => {
  const said: string[] = [];
  const server = await start(folder(), { log: (sentence) => said.push(sentence) });
  await query(server.host, "create table kept as select 2 as n");
  const before = server.pid;
  process.kill(before, "SIGKILL");
  await until(() => server.pid !== before);
  expect((await query(server.host, "select n from kept")).rows).toEqual([{ n: 2 }]);
  expect(said).toEqual(["PostgreSQL has died and is started again."]);
});

test("an adopted server that is killed comes back too", async () => {
  const dir = folder();
  await kill(await keep(dir));
  const server = await start(dir);
  const before = server.pid;
  process.kill(before, "SIGKILL");
  await until(() => server.pid !== before);
  expect((await query(server.host, "select 1 as n")).rows).toEqual([{ n: 1 }]);
});

test("after a power cut a lock that names a stranger's process does not stand in the way", async () => {
  const dir = folder();
  const first = await keep(dir);
  await query(first.host, "create table kept as select 3 as n");
  await kill(first);
  process.kill(first.pid, "SIGKILL");
  await until(() => nobodyIn(dir));
  const lock = path.join(dir, "data", "postmaster.pid");
  const lines = fs.readFileSync(lock, "utf8").split("\n");
  fs.writeFileSync(lock, [String(process.pid), ...lines.slice(1)].join("\n"));
  const second = await start(dir);
  expect(second.origin).toBe("started");
  expect((await query(second.host, "select n from kept")).rows).toEqual([{ n: 3 }]);
});

test("a process that ends by itself takes its server with it", async () => {
  const dir = folder();
  const { process: child } = await keep(dir);
  expect(nobodyIn(dir)).toBe(false);
  child.kill("SIGTERM");
  await until(() => nobodyIn(dir));
});

test("two processes share one server: the guest's end changes nothing, the host's death makes it the host", async () => {
  const dir = folder();
  const host = await keep(dir);
  const passing = await start(dir);
  await passing.stop();
  await query(host.host, "select 1");

  const guest = await start(dir);
  expect(guest.pid).toBe(host.pid);
  await kill(host);
  await until(() => fs.readFileSync(path.join(dir, "owner.json"), "utf8").includes(`${process.pid}`));
  await guest.stop();
  expect(nobodyIn(dir)).toBe(true);
});

test("many that start at once on an empty folder end up with one server", async () => {
  const dir = folder();
  const all = await Promise.all([keep(dir), keep(dir), keep(dir)]);
  expect(new Set(all.map(({ pid }) => pid)).size).toBe(1);
});

test("the folder may have any name and any length", async () => {
  const dir = path.join(root, `带空格 的"目录',`, "很长的目录".repeat(8));
  const server = await start(dir);
  await query(server.host, "select 1");
  expect(Buffer.byteLength(server.host)).toBeLessThan(100);
  await server.stop();
  fs.rmSync(server.host, { recursive: true });
});

test.runIf(process.getuid?.() === 0)(
  "below a private home the data is kept where the server can go",
  async () => {
    const home = fs.mkdtempSync(path.join(os.tmpdir(), "home-"));
    const dir = path.join(home, "data");
    const server = await start(dir);
    await query(server.host, "create table kept as select 4 as n");
    await server.stop();
    const again = await start(dir);
    expect((await query(again.host, "select n from kept")).rows).toEqual([{ n: 4 }]);
    await again.stop();
    fs.rmSync(fs.realpathSync(dir), { recursive: true });
    fs.rmSync(home, { recursive: true });
  },
);

test.runIf(process.getuid?.() === 0)(
  "data that belong to another account stay with it, such as of a time before the account postgres",
  async () => {
    const dir = folder();
    await (await start(dir)).stop();
    execFileSync("chown", ["-R", "65534:65534", dir]);
    const server = await start(dir);
    expect((await query(server.host, "select 1 as n")).rows).toEqual([{ n: 1 }]);
    expect(fs.statSync(path.join(dir, "data", "postmaster.pid")).uid).toBe(65_534);
  },
);

test("data of another release of PostgreSQL is refused with a sentence and left alone", async () => {
  const dir = folder();
  fs.mkdirSync(path.join(dir, "data"), { recursive: true });
  fs.writeFileSync(path.join(dir, "data", "PG_VERSION"), "99\n");
  await expect(start(dir)).rejects.toThrow("was written by PostgreSQL 99, which is not on this machine");
  expect(fs.readdirSync(path.join(dir, "data"))).toEqual(["PG_VERSION"]);
});

test("a server that cannot start says why", async () => {
  await expect(start(folder(), { flags: { shared_buffers: "nonsense" } })).rejects.toThrow(
    'invalid value for parameter "shared_buffers"',
  );
});
