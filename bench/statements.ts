import { randomUUID } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import os from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { sql } from "kysely";
import { addAccount } from "../domains/finance/account/account.service.ts";
import {
  importBankLines,
  listBankLines,
  previewBankLines,
  undoBankLines,
} from "../domains/finance/corporate/corporate.contract.ts";
import { bankFile } from "../domains/finance/corporate/corporate.sample.ts";
import { listReconcile } from "../domains/finance/reconcile/reconcile.contract.ts";
import { sendStatement } from "../domains/finance/reconcile/reconcile.sample.ts";
import { MOST_LINES } from "../domains/finance/statement/reader.rules.ts";
import * as files from "../domains/finance/statement/statement.contract.ts";
import { MERCHANT, wechatBill } from "../domains/finance/statement/statement.sample.ts";
import { aVillage } from "../domains/listing/village/village.sample.ts";
import type { Call } from "../platform/kernel/call.ts";
import { command } from "../platform/server/process/command.ts";
import { openHouse } from "../platform/server/process/house.ts";
import type { Person, TestHouse } from "../platform/server/process/house.sample.ts";
import { hashOf, newToken } from "../platform/server/pipeline/session.ts";
import { readSettings } from "../platform/server/process/settings.ts";
import { type Keep, row } from "./table.ts";

const MODES = ["reconcile", "claim"] as const;
type Mode = (typeof MODES)[number];

/** Seconds of each step, and what the server needed meanwhile. */
type Measure = {
  lines: number;
  fileBytes: number;
  preview: number;
  /** From the click until the batch is there, matched. */
  import: number;
  /** The first page of its records. */
  shown: number;
  undo: number;
  /** Bytes of memory that the server grew by, at its highest. */
  memory: number;
  /** Longest time for which nobody else was served, and the slowest small read beside the job, in milliseconds. */
  held: number;
  beside: number;
};

const DAY = "2026-03-10";
const amountOf = (i: number) => 10_000 + (i % 997) * 100;

/** A server over a database of its own, with a store and somebody who may do everything. */
async function aServer(dir: string) {
  const settings = readSettings({ DATA_DIR: dir, LOG_LEVEL: "silent", RATE_LIMIT: "1000000", MODE: "demo" });
  const house = await openHouse(settings, { work: true });
  const { db } = house.database;
  const { id: enterpriseId } = await db
    .insertInto("enterprise")
    .values({ name: "青禾公寓管理有限公司" })
    .returning("id")
    .executeTakeFirstOrThrow();
  const { id: operatorId } = await db
    .insertInto("operator")
    .values({
      enterpriseId,
      account: "bench",
      realName: "周敏",
      phone: "bench",
      superType: "1",
      passwordHash: "-",
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const token = newToken();
  const expiresAt = new Date(Date.now() + 86_400_000);
  await db
    .insertInto("loginSession")
    .values({ operatorId, tokenHash: hashOf(token), expiresAt })
    .execute();
  const as: Person = { operatorId, token };
  const server = { ...house, enterpriseId, person: async () => as } as unknown as TestHouse;
  const villageId = await aVillage(server);
  return { house, server, as, villageId, enterpriseId };
}
type Server = Awaited<ReturnType<typeof aServer>>;

async function ask<T>({ house, as }: Server, call: Call, path: string, query: object = {}): Promise<T> {
  const search = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]));
  const answer = await house.app.inject({
    method: call.method,
    url: `${path}?${search}`,
    headers: { authorization: as.token, "idempotency-key": randomUUID() },
  });
  const { code, message, data } = answer.json() as { code: number; message: string; data: T };
  if (code !== 200) throw new Error(message);
  return data;
}

/** Flows through an account, as many as its statement has lines, as if they had been taken one by one. */
const flowsOf = ({ house, villageId }: Server, accountId: number, count: number) =>
  sql`
    insert into flow (flow_no, direction, kind, village_id, channel, merchant_account_id, amount, fee, paid_at, paid_on,
      out_trade_no, channel_trade_no)
    select 'LS' || ${accountId}::text || '-' || i, 'in', 'receipt', ${villageId}, 'wechat', ${accountId}, 10000 + (i % 997) * 100, 60,
      ${`${DAY} 08:00:00+08`}::timestamptz, ${DAY}, 'SK' || i, '42000SK' || i
    from generate_series(0, ${count - 1}::int) i`.execute(house.database.db);

/** One long file through the real server: looked at, taken by its job, shown, taken back. */
async function measure(server: Server, mode: Mode, lines: number): Promise<Measure> {
  const { house, as, villageId, enterpriseId } = server;
  const claim = mode === "claim";
  const accountId = await addAccount(
    { tx: house.database.db },
    {
      enterpriseId,
      name: claim ? "对公账户" : "微信收款",
      kind: claim ? "bank" : "wechat",
      holderVillageId: villageId,
      ...(claim
        ? { statementMode: "claim" as const, bankName: "招商银行", bankAccountNo: "622200000000001" }
        : { mchId: MERCHANT, feeRate: "0.006" }),
    },
  );
  if (!claim) {
    await flowsOf(server, accountId, lines);
    await sql`analyze flow`.execute(house.database.db);
  }
  const at = `${DAY} 08:00:00`;
  const bytes = gzipSync(
    claim
      ? bankFile(
          Array.from({ length: lines }, (_, i) => ({
            day: `2026-03-${String(1 + (i % 28)).padStart(2, "0")}`,
            amount: amountOf(i),
            name: `某某公司${i % 5000}`,
            account: String(622_202_000_000_000 + (i % 5000)),
            summary: "房租",
          })),
        )
      : Buffer.from(
          wechatBill(
            Array.from({ length: lines }, (_, i) => ({ no: `SK${i}`, at, amount: amountOf(i), fee: 60 })),
          ),
        ),
  );
  const send = (call: Call) =>
    sendStatement(server.server, call, { as, accountId, bytes, name: "账单.csv.gz" });
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let highest = before;
  const watch = setInterval(() => (highest = Math.max(highest, process.memoryUsage.rss())), 20);
  const loop = monitorEventLoopDelay({ resolution: 10 });
  loop.enable();
  const seconds = async (work: () => Promise<unknown>): Promise<number> => {
    const began = performance.now();
    await work();
    return Math.round(performance.now() - began) / 1000;
  };
  let beside = 0;
  const finished = async (runId: number) => {
    for (;;) {
      const began = performance.now();
      const [run] = await ask<files.Run[]>(server, files.listRuns, files.listRuns.path, { mode, id: runId });
      beside = Math.max(beside, performance.now() - began);
      if (run!.state === "failed") throw new Error(run!.told);
      if (run!.state === "done") return;
      await setTimeout(100);
    }
  };
  const preview = await seconds(async () => {
    const { data, message } = await send(claim ? previewBankLines : files.previewStatement);
    if (data?.["newCount"] !== lines) throw new Error(message);
  });
  const taken = await seconds(async () => {
    const { data, message } = await send(claim ? importBankLines : files.importStatement);
    if (!data?.["runId"]) throw new Error(message);
    await finished(Number(data["runId"]));
  });
  const list = claim ? listBankLines : listReconcile;
  const shown = await seconds(() =>
    ask(server, list, list.path, { merchantAccountId: accountId, ...(claim && { tab: "all" }) }),
  );
  const { list: batches } = await ask<{ list: { id: number; version: number }[] }>(
    server,
    files.listStatements,
    files.listStatements.path,
    { merchantAccountId: accountId },
  );
  const undo = await seconds(async () => {
    const call = claim ? undoBankLines : files.undoStatement;
    const { id, version } = batches[0]!;
    const { runId } = await ask<{ runId: number }>(server, call, call.path.replace(":id", String(id)), {
      version,
    });
    await finished(runId);
  });
  clearInterval(watch);
  loop.disable();
  return {
    lines,
    fileBytes: bytes.length,
    preview,
    import: taken,
    shown,
    undo,
    memory: highest - before,
    held: Math.round(loop.max / 1e6),
    beside: Math.round(beside),
  };
}

/** A long statement through a server over a database of its own. */
export async function measureStatement(mode: Mode, lines = MOST_LINES): Promise<Measure> {
  const dir = mkdtempSync(path.join(os.tmpdir(), "bench-statements-"));
  // root's database runs as another user, who passes through here
  chmodSync(dir, 0o711);
  const server = await aServer(dir);
  try {
    return await measure(server, mode, lines);
  } finally {
    await server.house.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The longest file that is taken, of either mode: from the click on it until its records stand on the page. */
export async function measureStatements(keep: Keep): Promise<void> {
  for (const mode of MODES) {
    const m = await measureStatement(mode);
    const seconds = m.preview + m.import + m.shown;
    keep(
      `statement-${mode}`,
      m,
      row(
        `A file of ${m.lines.toLocaleString("en")} lines, read, ${mode === "claim" ? "kept" : "matched"} and shown, seconds`,
        "< 60",
        seconds,
        seconds,
        seconds < 60,
      ),
    );
  }
}

/** `node start.mjs run bench/statements.ts --lines 500000 --only reconcile`: each step of a long file of either mode. */
await command(import.meta, async (args) => {
  const { values } = parseArgs({
    args,
    options: { lines: { type: "string" }, only: { type: "string" } },
  });
  for (const mode of MODES)
    if (!values.only || values.only === mode)
      console.log(
        mode,
        JSON.stringify(
          await measureStatement(mode, values.lines ? Number(values.lines) : undefined),
          undefined,
          1,
        ),
      );
});
