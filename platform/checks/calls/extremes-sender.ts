import { randomUUID } from "node:crypto";
import fs from "node:fs";
import type { Call } from "../../kernel/call.ts";
import { hashOf, newToken } from "../../server/pipeline/session.ts";
import { type OpenHouse, openHouse } from "../../server/process/house.ts";
import { readSettings } from "../../server/process/settings.ts";
import { type Asked, extremesOf, readOneWrong } from "./extremes.ts";

/**
 * Sends every call its extremes over a small company, in a process of its own: one that never answers or takes all memory
 * is seen, and ended, from outside. Argument: the number of the call to begin with. Before and after each request a line of
 * JSON is written to file descriptor 3.
 */
export type Sent = { call: number; name: string; what: string };
export type Answered = { status: number; ms: number; mb: number; id: string; write: boolean };

const SLOW_MS = 1_000;

const tell = (line: Sent | Answered) => fs.writeSync(3, `${JSON.stringify(line)}\n`);

/** Half a character has no place in an address but as its bytes, which no route is found for; ids are whole. */
const inQuery = (value: unknown) =>
  String(value)
    .split("\ud800")
    .map((part) => encodeURIComponent(part))
    .join("%ED%A0%80");

function addressOf(path: string, { params, query }: Asked): string {
  const at = path.replace(/:(\w+)/g, (_, key: string) =>
    encodeURIComponent(String((params as Record<string, unknown>)[key]).toWellFormed()),
  );
  const pairs = Object.entries((query ?? {}) as object).map(([key, value]) => `${key}=${inQuery(value)}`);
  return pairs.length ? `${at}?${pairs.join("&")}` : at;
}

/** A token of somebody who may do everything. */
async function signIn({ database: { db } }: OpenHouse): Promise<string> {
  const { id: enterpriseId } = await db
    .selectFrom("enterprise")
    .select("id")
    .orderBy("id")
    .executeTakeFirstOrThrow();
  const tag = randomUUID().slice(0, 12);
  const who = { account: tag, realName: "周敏", phone: tag, passwordHash: "-", superType: "0" };
  const { id: operatorId } = await db
    .insertInto("operator")
    .values({ enterpriseId, ...who })
    .returning("id")
    .executeTakeFirstOrThrow();
  const token = newToken();
  const expiresAt = new Date(Date.now() + 86_400_000);
  await db
    .insertInto("loginSession")
    .values({ operatorId, tokenHash: hashOf(token), expiresAt })
    .execute();
  return token;
}

async function send({ app }: OpenHouse, token: string, call: Call, asked: Asked) {
  const rss = process.memoryUsage.rss();
  const used = process.cpuUsage();
  const began = performance.now();
  const answer = await app.inject({
    method: call.method,
    url: addressOf(call.path, asked),
    headers: { authorization: token, "idempotency-key": randomUUID() },
    ...(asked.body !== undefined && { payload: asked.body as object }),
  });
  const { user, system } = process.cpuUsage(used);
  const mb = (process.memoryUsage.rss() - rss) / 2 ** 20;
  return { answer, cpu: (user + system) / 1000, ms: performance.now() - began, mb };
}

/** How long reading a call's wrong fields takes: the least of three, as on a busy machine anything may take its time. */
function reading(call: Call): number {
  let least = Infinity;
  for (let tries = 0; tries < 3 && least > SLOW_MS; tries++) {
    const began = performance.now();
    readOneWrong(call);
    least = Math.min(least, performance.now() - began);
  }
  return least;
}

const house = await openHouse(readSettings(process.env), { work: false });
let token = await signIn(house);
// an export takes the filters of its list
const calls = house.served
  .map((s) => s.call)
  .filter((call) => !call.upload && !call.raw && !("exporting" in call));
for (let n = Number(process.argv[2]); n < calls.length; n++) {
  const call = calls[n]!;
  const name = `${call.method} ${call.path}`;
  tell({ call: n, name, what: "one wrong field at a time" });
  tell({ status: 400, ms: reading(call), mb: 0, id: "", write: false });
  for (const asked of extremesOf(call)) {
    tell({ call: n, name, what: asked.what });
    const first = await send(house, token, call, asked);
    // on a busy machine anything may take its time once
    const ms = first.ms > SLOW_MS ? Math.min(first.ms, (await send(house, token, call, asked)).ms) : first.ms;
    const { statusCode: status, headers } = first.answer;
    const id = String(headers["x-request-id"]);
    tell({ status, ms: Math.max(ms, first.cpu), mb: first.mb, id, write: call.effect === "write" });
    // what was asked may have ended the session or the operator
    if (status === 401) token = await signIn(house);
  }
}
await house.close();
