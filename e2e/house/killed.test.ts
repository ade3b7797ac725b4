import { spawn, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkLedger } from "../../domains/finance/check/check.service.ts";
import { generate } from "../../demo/generate.ts";
import { DEMO_PASSWORD } from "../../demo/people.ts";
import { STANDARD } from "../../demo/standard.ts";
import { addDays, dayInZone } from "../../platform/kernel/day.ts";
import { nobody } from "../../platform/server/pipeline/act.ts";
import { openHouse, type OpenHouse } from "../../platform/server/process/house.ts";
import { actOf } from "../../platform/server/pipeline/pipeline.ts";
import { readSettings, ROOT } from "../../platform/server/process/settings.ts";
import { childrenOf, commandOf, kill, processesIn } from "../processes.sample.ts";

/** The real server process on its own embedded database, killed without a word; nothing that was answered may be lost. */
const dir = fs.mkdtempSync(path.join(os.tmpdir(), "sams-killed-"));
// root's database runs as another user, who passes through here
fs.chmodSync(dir, 0o711);
const PORT = 8791;
/** How often the payments are struck; `KILLS=50` is the long round of 1,000, which changes between three ways to strike. */
const KILLS = Number(process.env.KILLS ?? 1);
const PAYMENTS = KILLS > 1 ? 1000 : 300;
const base = `http://127.0.0.1:${PORT}`;
const env = {
  ...process.env,
  MODE: "demo",
  DATA_DIR: dir,
  PORT: String(PORT),
  LOG_LEVEL: "silent",
  RATE_LIMIT: "0",
};
const settings = readSettings(env);
/** Where the embedded database works. */
const data = () => fs.realpathSync(path.join(dir, "postgres"));
const today = dayInZone(new Date());
let child: ChildProcess | undefined;
/** Also those that a failed test has left behind. */
const servers: ChildProcess[] = [];

const inHouse = async <T>(work: (house: OpenHouse) => Promise<T>): Promise<T> => {
  const house = await openHouse(settings, { work: false });
  try {
    return await work(house);
  } finally {
    await house.close();
  }
};

async function start(): Promise<void> {
  child = spawn(process.execPath, [path.join(ROOT, "server.ts")], { env, stdio: "ignore" });
  servers.push(child);
  await ready();
}

async function ready(): Promise<void> {
  for (let i = 0; i < 400; i++) {
    const answer = await fetch(`${base}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the server did not start");
}

/** Every process that works in the data directory, the database's own included, and the server: gone at once. */
function killAll(): void {
  for (const one of [child, ...servers]) one?.kill("SIGKILL");
  for (const pid of processesIn(data())) kill([pid]);
}

/** Where to strike, in turn: everything; a worker, which the supervisor replaces; a session of the database, which then starts anew. */
const PARTS = [
  undefined,
  () => kill(childrenOf(child!.pid!).filter((pid) => !processesIn(data()).includes(pid))),
  () => {
    const [first] = processesIn(data()).filter((pid) => commandOf(pid)?.includes("127.0.0.1("));
    if (first) kill([first]);
  },
];

beforeAll(() => inHouse((h) => generate(h.database, h.cipher, { ...STANDARD, rooms: 60, today })));
afterAll(async () => {
  killAll();
  await new Promise((resolve) => setTimeout(resolve, 300));
  fs.rmSync(dir, { recursive: true, force: true });
});

describe("kill -9", () => {
  test(
    "in the middle of some hundred payments loses no answered one and books none twice",
    { timeout: 240_000 + KILLS * 20_000 },
    async () => {
      await start();
      const hash = createHash("sha256").update(DEMO_PASSWORD).digest("hex");
      const entered = await fetch(`${base}/system/api/v4/login`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ account: "admin2026", password: hash }),
      });
      const { token } = ((await entered.json()) as { data: { token: string } }).data;
      const send = async (url: string, body: object, key: string) => {
        const answer = await fetch(base + url, {
          method: "POST",
          headers: { authorization: token, "content-type": "application/json", "idempotency-key": key },
          body: JSON.stringify(body),
        });
        const { code, message, data } = (await answer.json()) as {
          code: number;
          message: string;
          data: { hash: string; id: number };
        };
        if (code !== 200) throw new Error(message);
        return data;
      };
      const renters = (await inDatabase("select id from renter order by id limit 40")).map((r) => r.id!);
      const villages = await inDatabase("select party_id, min(village_id) v from party_village group by 1");
      const villageOf = new Map(villages.map((r) => [r.party_id, r.v]));
      const pay = async (i: number) => {
        const partyId = renters[i % renters.length]!;
        const receipt = {
          villageId: villageOf.get(partyId)!,
          partyId,
          amount: 100 + i,
          channel: "cash",
          merchantAccountId: 5,
          remark: `付款 ${i}`,
          wants: [],
        };
        // two payments of one person can meet: the later is shown the new preview and confirmed again, as at the counter
        for (let tries = 1; ; tries++)
          try {
            const { hash: previewHash } = await send(
              "/billing/api/v3/flow/preview",
              receipt,
              `preview-${i}-${tries}000`,
            );
            return await send(
              "/billing/api/v3/flow/receive",
              { ...receipt, previewHash },
              `payment-${i}-0000`,
            );
          } catch (error) {
            const changed = error instanceof Error && error.message.startsWith("账单试算已变化");
            if (!changed || tries === 5) throw error;
          }
      };
      const answered = new Map<number, number>();
      const all = Array.from({ length: PAYMENTS }, (_, i) => i);
      const unanswered: unknown[] = [];
      const worker = async (queue: number[]) => {
        for (let i = queue.shift(); i !== undefined; i = queue.shift())
          try {
            answered.set(i, (await pay(i)).id);
          } catch (error) {
            // not answered: it is sent again after the restart
            unanswered.push(error);
          }
      };
      const before = new Map<number, number>();
      const left = [...all];
      for (let strike = 0; strike < KILLS; strike++) {
        const some = left.splice(0);
        const working = Promise.all(Array.from({ length: 6 }, () => worker(some)));
        await until(() => answered.size > before.size + PAYMENTS / 4 / KILLS);
        const part = PARTS[strike % PARTS.length];
        (part ?? killAll)();
        left.push(...some.splice(0));
        await working;
        for (const [i, id] of answered) before.set(i, id);
        await (part ? ready() : start());
      }
      expect(before.size).toBeLessThan(PAYMENTS);

      const again = [...all];
      unanswered.length = 0;
      await Promise.all(Array.from({ length: 6 }, () => worker(again)));
      expect(unanswered).toEqual([]);
      expect(answered.size).toBe(PAYMENTS);
      for (const [i, id] of before) expect(answered.get(i)).toBe(id);
      const booked = await inDatabase(
        "select remark, count(*)::int n from flow where remark like '付款 %' group by 1",
      );
      expect(booked).toHaveLength(PAYMENTS);
      expect(booked.filter((r) => r.n !== 1)).toEqual([]);
      child!.kill("SIGTERM");
      await once(child!, "exit");
      await expectGoodLedger();
    },
  );

  test(
    "in the middle of a bill run leaves each bill issued once or not at all",
    { timeout: 240_000 },
    async () => {
      const [planned] = await inDatabase(
        "select count(*)::int n from bill where issued_at is null and voided_at is null",
      );
      const run = () =>
        spawn(
          process.execPath,
          [path.join(ROOT, "e2e/bill-run.sample.ts"), `${addDays(today, 500)}T00:10:00+08:00`],
          { env, stdio: ["ignore", "pipe", "inherit"] },
        );
      child = run();
      await once(child.stdout!, "data");
      await new Promise((resolve) => setTimeout(resolve, 60));
      killAll();
      child = run();
      await once(child, "exit");
      const [left] = await inDatabase(
        "select count(*)::int n from bill where issued_at is null and voided_at is null and issue_date <= current_date + 500",
      );
      expect(planned!.n).toBeGreaterThan(100);
      expect(left!.n).toBe(0);
      const twice = await inDatabase(
        "select source_id from journal_entry where event in ('E01', 'E02') and source_type = 'bill' group by source_id, event having count(*) > 1",
      );
      expect(twice).toEqual([]);
      await expectGoodLedger();
    },
  );
});

async function inDatabase(text: string): Promise<Record<string, number>[]> {
  const { openDatabase } = await import("../../platform/server/database/database.ts");
  const database = await openDatabase(settings);
  try {
    return (await database.pool.query(text)).rows;
  } finally {
    await database.close();
  }
}

async function until(ready: () => boolean): Promise<void> {
  for (let i = 0; i < 1800 && !ready(); i++) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(ready()).toBe(true);
}

const expectGoodLedger = () =>
  inHouse(async (house) => {
    const request = { requestId: "check", ip: "", userAgent: "" };
    const { results } = await checkLedger(actOf(house, house.database.db, nobody, request), "manual");
    expect(results.filter((r) => r.breaks)).toEqual([]);
  });
