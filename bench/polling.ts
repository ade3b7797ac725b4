import { createHash } from "node:crypto";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { listBills } from "../domains/finance/bill-list/bill.contract.ts";
import { login } from "../domains/access/session/session.contract.ts";
import { matches } from "../domains/access/session/password.service.ts";
import { messageNumbers, topMessages } from "../domains/system/message/message.contract.ts";
import { crowdOf, type Crowd } from "./crowd.ts";
import type { Place } from "./place.ts";
import { inTurn, percentile, type Ratio } from "./rounds.ts";
import { row, type Keep } from "./table.ts";

/** The console asks for both every 50 s (specification section 9); every other minute somebody opens a list. */
const POLL_S = 50;
const LIST_S = 100;
const LIST = `${listBills.path}?want=rows&tab=open&pageSize=20`;

export type Polling = {
  perSecond: number;
  asked: number;
  errors: number;
  p95: number;
  p99: number;
  longest: number;
};

const ask = (agent: Agent, url: string, token: string, body?: string) =>
  new Promise<number>((resolve) => {
    const sent = request(
      url,
      {
        agent,
        method: body ? "POST" : "GET",
        headers: { authorization: token, ...(body && { "content-type": "application/json" }) },
      },
      (answer) => answer.resume().on("end", () => resolve(answer.statusCode ?? 0)),
    );
    sent.on("error", () => resolve(0)).end(body);
  });

/**
 * What so many operators ask, `faster` times over, for some seconds. Each request has its moment, whatever the server does, and
 * its time counts from that moment: a server that lags is not asked less.
 */
export async function measurePolling(
  place: Place,
  { tokens }: Crowd,
  faster: number,
  seconds: number,
): Promise<Polling> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const perSecond = faster * tokens.length * (2 / POLL_S + 1 / LIST_S);
  const total = Math.round(perSecond * seconds);
  const share = 1 / LIST_S / (2 / POLL_S + 1 / LIST_S);
  const times: number[] = [];
  let errors = 0;
  const began = performance.now();
  const waiting: Promise<void>[] = [];
  for (let i = 0; i < total; i++) {
    const moment = began + (i / perSecond) * 1000;
    const early = moment - performance.now();
    if (early > 1) await sleep(early);
    const token = tokens[(i * 7919) % tokens.length]!;
    // as evenly spread as the operators themselves are
    const list = Math.floor((i + 1) * share) > Math.floor(i * share);
    const path = list ? LIST : i % 2 ? topMessages.path : messageNumbers.path;
    waiting.push(
      ask(agent, place.base + path, token).then((status) => {
        times.push(performance.now() - moment);
        if (status !== 200) errors++;
      }),
    );
  }
  await Promise.all(waiting);
  agent.destroy();
  return {
    perSecond,
    asked: total,
    errors,
    p95: percentile(times, 95),
    p99: percentile(times, 99),
    longest: Math.max(...times),
  };
}

const AT_ONCE = 4;
const SECONDS = 4;
const sha = (text: string) => createHash("sha256").update(text).digest("hex");

/** How often something is done in some seconds by a few who do it one after the other. */
async function rate(work: (n: number) => Promise<void>): Promise<number> {
  const began = performance.now();
  let n = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (performance.now() - began < SECONDS * 1000) await work(n++);
    }),
  );
  return n / ((performance.now() - began) / 1000);
}

/** Log-ins a second against bare checks of a password a second: what a log-in costs should be the password. */
export async function measureEntering(place: Place, crowd: Crowd, rounds: number): Promise<Ratio> {
  const { rows } = await place.database.pool.query<{ password_hash: string }>(
    "select password_hash from operator where account = $1",
    [crowd.accounts[0]],
  );
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const enter = async (n: number) => {
    const account = crowd.accounts[n % crowd.accounts.length]!;
    const body = JSON.stringify({ account, password: sha(crowd.password) });
    const status = await ask(agent, place.base + login.path, "", body);
    if (status !== 200) throw new Error(`${account} did not come in: ${status}`);
  };
  await rate(enter);
  const ratio = await inTurn(
    rounds,
    "log-ins a second",
    () => rate(enter),
    () =>
      rate(async () => {
        if (!(await matches(rows[0]!.password_hash, sha(crowd.password), 1)))
          throw new Error("not the password");
      }),
  );
  agent.destroy();
  return ratio;
}

/** The measures of 1,000 operators as lines of the table. */
export async function measureCrowd(place: Place, rounds: number, keep: Keep): Promise<void> {
  const crowd = await crowdOf(place, 1000);
  // the first minute of a server compiles its code and prepares its statements
  await measurePolling(place, crowd, 1, 5);
  for (const faster of [1, 2]) {
    const p = await measurePolling(place, crowd, faster, 60);
    const who = faster === 1 ? "1,000 operators signed in" : "Twice as many requests";
    keep(
      `polling-${faster}`,
      p,
      row(
        `${who}: ${Math.round(p.perSecond)} a second for a minute, p95 ms, ${p.errors} errors`,
        "< 100",
        p.p95,
        p.longest,
        p.p95 < 100 && !p.errors,
      ),
    );
  }
  const e = await measureEntering(place, crowd, rounds);
  keep(
    "entering",
    e,
    row("Log-ins, share of bare password checks", "≥ 0.5", e.median, e.worst, e.median >= 0.5),
  );
}
