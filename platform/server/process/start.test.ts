import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { childrenOf, commandOf } from "../../../e2e/processes.sample.ts";
import { openDatabase } from "../database/database.ts";
import { readSettings, ROOT } from "./settings.ts";

const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "start-")));
afterAll(() => fs.rmSync(root, { recursive: true }));

describe("start.mjs", () => {
  const product = path.join(root, "产品 一");
  const modules = path.join(product, "node_modules");
  const write = (name: string, body: string, mode?: number) => {
    fs.mkdirSync(path.dirname(path.join(product, name)), { recursive: true });
    fs.writeFileSync(path.join(product, name), body, { mode });
  };
  const lock = (version: string) =>
    JSON.stringify({
      packages: { "": {}, "node_modules/zod": { version }, "node_modules/vitest": { version, dev: true } },
    });
  /** A stand-in for npm that writes down what it was asked, and installs what `npm ci` would. */
  const npm = (ciWorks: boolean) =>
    write(
      "bin/npm",
      `#!/bin/sh\necho "$1" >> "${product}/asked"\n[ "$1" = ci ] && ${ciWorks ? "" : "exit 1"}\nmkdir -p "${modules}"\ncp "${product}/package-lock.json" "${modules}/.package-lock.json"\n`,
      0o755,
    );
  const start = (...args: string[]) => {
    const env = { ...process.env, PATH: `${path.join(product, "bin")}:${process.env.PATH}` };
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [path.join(product, "start.mjs"), ...args],
      {
        cwd: root,
        env,
        encoding: "utf8",
      },
    );
    const asked = path.join(product, "asked");
    return {
      status,
      said: stdout,
      stderr,
      asked: fs.existsSync(asked) ? fs.readFileSync(asked, "utf8").split("\n") : [],
    };
  };
  beforeEach(() => {
    fs.rmSync(product, { recursive: true, force: true });
    write("start.mjs", fs.readFileSync(path.join(ROOT, "start.mjs"), "utf8"));
    write("package-lock.json", lock("1.0.0"));
    write(
      "greet.ts",
      "const who: string = process.argv[2]!; console.log(`hello ${who}`, process.cwd()); process.exit(7);",
    );
    npm(true);
  });

  test("installs the packages once, then runs what it was asked with its arguments and passes its end on", () => {
    expect(start("run", "greet.ts", "甲")).toMatchObject({
      status: 7,
      said: `hello 甲 ${product}\n`,
      asked: ["ci", ""],
    });
    expect(start("run", "greet.ts", "甲")).toMatchObject({ status: 7, asked: ["ci", ""] });
  });

  test("installs again when a package has changed, but not for a tool that only developers need", () => {
    start("run", "greet.ts");
    fs.writeFileSync(
      path.join(modules, ".package-lock.json"),
      '{"packages":{"node_modules/zod":{"version":"1.0.0"}}}',
    );
    expect(start("run", "greet.ts").asked).toEqual(["ci", ""]);
    write("package-lock.json", lock("1.0.1"));
    const { asked, stderr } = start("run", "greet.ts");
    expect(asked).toEqual(["ci", "ci", ""]);
    expect(stderr).toContain("The packages have changed (zod)");
  });

  test("tries npm install when npm ci fails", () => {
    npm(false);
    expect(start("run", "greet.ts", "乙")).toMatchObject({ status: 7, asked: ["ci", "install", ""] });
  });

  test("leaves packages alone that it reaches through a link", () => {
    fs.mkdirSync(path.join(root, "shared"), { recursive: true });
    fs.symlinkSync(path.join(root, "shared"), modules);
    expect(start("run", "greet.ts", "丙")).toMatchObject({ status: 7, asked: [] });
  });

  test("answers an unknown command with what there is", () => {
    const { status, stderr } = start("dance");
    expect(status).toBe(1);
    expect(stderr).toContain("Unknown command: dance. There are demo, serve, dev, test, run.");
  });
});

describe("the server as a process", () => {
  const DATA_DIR = path.join(root, "data");
  const env = { ...process.env, DATA_DIR, PORT: "0", MODE: "demo", DEMO_ROOMS: "40", LOG_LEVEL: "info" };
  const serve = async () => {
    const server = spawn(process.execPath, [path.join(ROOT, "server.ts")], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    for await (const line of createInterface(server.stdout)) {
      const address = /http:\/\/[\d.]+:\d+/.exec(line)?.[0];
      if (address) return { server, address };
    }
    throw new Error("the server ended before it listened");
  };
  const end = async (server: ReturnType<typeof spawn>, signal: NodeJS.Signals) => {
    server.kill(signal);
    return once(server, "exit");
  };

  test("keeps every promised row through kill -9, answers again at once, and ends cleanly when told to", async () => {
    const first = await serve();
    expect((await fetch(`${first.address}/openapi.json`)).status).toBe(200);
    const settings = readSettings(env);
    const guest = await openDatabase(settings);
    await guest.owner.query("create table promised as select 42 as n");
    await end(first.server, "SIGKILL");

    const second = await serve();
    expect((await guest.pool.query("select n from promised")).rows).toEqual([{ n: 42 }]);
    await guest.close();
    // whoever reads what it says may go away without taking the server along
    second.server.stdout.destroy();
    for (let i = 0; i < 3; i++) expect((await fetch(`${second.address}/openapi.json`)).status).toBe(200);
    expect(await end(second.server, "SIGTERM")).toEqual([0, null]);

    const alone = await openDatabase(settings);
    expect((await alone.pool.query("select n from promised")).rows).toEqual([{ n: 42 }]);
    await alone.close();
    // it lies elsewhere if the database's user may not enter this folder
    fs.rmSync(fs.realpathSync(path.join(DATA_DIR, "postgres")), { recursive: true });
    // makes a demo company first
  }, 300_000);
});

describe("the supervisor", () => {
  const DATA_DIR = path.join(root, "supervised");
  const env = { ...process.env, DATA_DIR, MODE: "production", LOG_LEVEL: "silent", WORKERS: "2" };
  const start = (PORT: string) =>
    spawn(process.execPath, [path.join(ROOT, "server.ts")], {
      env: { ...env, PORT },
      stdio: ["ignore", "pipe", "pipe"],
    });
  const workersOf = (pid: number) =>
    childrenOf(pid)
      .filter((child) => commandOf(child)?.includes("server.ts"))
      .map(Number);

  test("replaces a worker that dies and one that hangs, while the other one answers", async () => {
    const server = start("0");
    onTestFinished(() => void server.kill("SIGTERM"));
    let said = "";
    server.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
    server.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
    await vi.waitUntil(() => /\n(http:\S+)\/sams\/\n/.test(said), 60_000);
    const base = /\n(http:\S+)\/sams\/\n/.exec(said)![1]!;
    const workers = () => workersOf(server.pid!);
    // each on a connection of its own, as another person's would be
    const ask = async (file: string) => {
      const [answer] = (await once(
        http.get(`${base}/${file}`, { agent: false, timeout: 5_000 }),
        "response",
      )) as [http.IncomingMessage];
      return { status: answer.statusCode, text: await text(answer) };
    };
    const answers = async () => {
      const asked = await Promise.all(Array.from({ length: 10 }, () => ask("readyz")));
      return asked.every(({ status }) => status === 200);
    };
    const bothListen = () =>
      vi.waitUntil(async () => (await ask("metrics")).text.includes("sams_workers 2"), {
        timeout: 30_000,
        interval: 200,
      });
    await bothListen();

    const [killed, other] = workers();
    process.kill(killed!, "SIGKILL");
    await vi.waitUntil(() => !workers().includes(killed!), 10_000);
    expect(await answers()).toBe(true);
    await bothListen();
    expect(workers()).toContain(other);

    process.kill(other!, "SIGSTOP");
    expect(await answers()).toBe(true);
    await vi.waitUntil(() => !workers().includes(other!), { timeout: 30_000, interval: 200 });
    expect(said).toMatch(/A server process stood still for 1\d s and is ended\./);
    expect(await answers()).toBe(true);
    // what is done once at a start is done once
    expect(said.match(/sams\/setup#/g)).toHaveLength(1);

    const taken = start(new URL(base).port);
    expect((await once(taken, "exit"))[0]).toBe(1);
    server.kill("SIGTERM");
    expect(await once(server, "exit")).toEqual([0, null]);
    fs.rmSync(fs.realpathSync(path.join(DATA_DIR, "postgres")), { recursive: true });
  }, 120_000);
});
