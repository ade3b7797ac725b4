import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { DEMO_KEY, demoCompany } from "../../../demo/demo.sample.ts";
import { call } from "../../kernel/call.ts";
import { freshDatabase } from "../../server/database/cluster.sample.ts";
import { ROOT } from "../../server/process/settings.ts";
import type { Answered, Sent } from "./extremes-sender.ts";
import { extremesOf } from "./extremes.ts";
import { expectNone } from "../tree.ts";

const MOST_MS = 1_000;
const MOST_MB = 200;
/** On a busy machine. */
const HUNG_MS = 30_000;
const START_MS = 60_000;

const database = await freshDatabase({ template: await demoCompany(40, "2026-11-20") });
const dir = fs.mkdtempSync(path.join(os.tmpdir(), "extremes-"));
afterAll(() => fs.rmSync(dir, { recursive: true, force: true }));

const wrong: string[] = [];
/** Writes that were refused, by their request ids. */
const refused = new Map<string, string>();
let answers = 0;

function judge(what: string, { status, ms, mb, id, write }: Answered) {
  answers++;
  if (status >= 500 || ms > MOST_MS || mb > MOST_MB)
    wrong.push(`${what}: ${status} after ${Math.round(ms)} ms and ${Math.round(mb)} MB`);
  if (write && status >= 400) refused.set(id, what);
}

/** Sends from one call on. Answers the call to go on with where the process hung or died, or nothing at the end. */
async function sendFrom(first: number): Promise<number | undefined> {
  const settings = {
    DATABASE_URL: database.url,
    MIGRATE_DATABASE_URL: database.ownerUrl,
    DATA_DIR: dir,
    LOG_LEVEL: "silent",
    RATE_LIMIT: "0",
    ...DEMO_KEY,
  };
  const sender = path.join(ROOT, "platform/checks/calls/extremes-sender.ts");
  const child = spawn(process.execPath, ["--max-old-space-size=512", sender, String(first)], {
    env: { ...process.env, MODE: "demo", ...settings },
    stdio: ["ignore", "ignore", "inherit", "pipe"],
  });
  const closed = new Promise<number | null>((done) => child.on("close", done));
  let sent: Sent | undefined;
  let until = performance.now() + START_MS;
  const watch = setInterval(() => performance.now() > until && child.kill("SIGKILL"), 500);
  for await (const line of createInterface(child.stdio[3] as Readable)) {
    until = performance.now() + HUNG_MS;
    const told = JSON.parse(line) as Sent | Answered;
    if ("what" in told) sent = told;
    else {
      judge(`${sent!.name} with ${sent!.what}`, told);
      sent = undefined;
    }
  }
  clearInterval(watch);
  const code = await closed;
  if (sent) wrong.push(`${sent.name} with ${sent.what}: the process hung or died`);
  else if (code !== 0) throw new Error(`the sender ended with ${code}`);
  return sent && sent.call + 1;
}

test(
  "extremes bring no call down, and none that is refused is missing in the log",
  { timeout: 900_000 },
  async () => {
    for (let first: number | undefined = 0; first !== undefined;) first = await sendFrom(first);
    expect(answers).toBeGreaterThan(5_000);
    expectNone(wrong, `More than ${MOST_MS} ms, ${MOST_MB} MB or 500 for`);
    const { rows } = await database.pool.query<{ request_id: string }>(
      "select request_id from operation_log",
    );
    for (const row of rows) refused.delete(row.request_id);
    expectNone([...refused.values()], "Refused without a line in the operation log");
  },
);

test("extremes come from the schema: limits, wide and reversed ranges, long lists", () => {
  const query = z.object({ from: z.iso.date(), to: z.iso.date(), n: z.number().int().min(-5).max(7) });
  const body = z.object({ ids: z.array(z.number().int()).max(300), name: z.string().max(60) });
  const c = call({ method: "POST", path: "/x", summary: "-", needs: "public", query, body, reply: z.null() });
  const sent = extremesOf(c);
  const queries = sent.map((asked) => asked.query as { from: unknown; to: unknown; n: unknown });
  expect(queries).toContainEqual(expect.objectContaining({ from: "0001-01-01", to: "9999-12-31" }));
  expect(queries).toContainEqual(expect.objectContaining({ from: "9999-12-31", to: "2000-01-01" }));
  for (const n of [-5, 7, 0]) expect(queries).toContainEqual(expect.objectContaining({ n }));
  const bodies = sent.map((asked) => asked.body as { ids?: unknown[]; name?: unknown });
  expect(Math.max(...bodies.map((b) => (Array.isArray(b.ids) ? b.ids.length : 0)))).toBe(200);
  expect(bodies).toContainEqual(expect.objectContaining({ name: "a".repeat(60) }));
  expect(bodies).toContainEqual(expect.objectContaining({ name: "\0" }));
});
