import { setTimeout as sleep } from "node:timers/promises";
import autocannon from "autocannon";
import { listContracts } from "../domains/contract/contract/contract.contract.ts";
import { listChanges } from "../domains/contract/moving/moving.contract.ts";
import { listRenewals } from "../domains/contract/renewal/renewal.contract.ts";
import { billsByVillage } from "../domains/finance/bill-list/by-village.contract.ts";
import { overviewCards } from "../domains/report/overview/overview.contract.ts";
import { roomBoard } from "../domains/listing/board/board.contract.ts";
import { shapeOf } from "../platform/console/list/list-schema.ts";
import type { Call } from "../platform/kernel/call.ts";
import { dayInZone, firstOf, lastOf, monthOf } from "../platform/kernel/day.ts";
import { openHouse } from "../platform/server/process/house.ts";
import type { Place } from "./place.ts";
import { measureRoomImport } from "./room-import.ts";
import { median, percentile } from "./rounds.ts";
import { row, type Keep, type Row } from "./table.ts";

const CLIENTS = 10;
const SECONDS = 1;
/** Each of the server's connections needs a list a few times before it keeps its plan. */
const WARM_UP = 2;
const ROUNDS = 3;
const BAR_MS = 50;

export type ListTime = { path: string; title: string; rows: number; totals: number };

/** Every list there is: it can be asked for its rows alone, and its address names no record. */
async function listsOf(place: Place): Promise<Call[]> {
  const house = await openHouse(
    { ...place.settings, LOG_LEVEL: "silent" },
    {
      database: place.database,
      work: false,
    },
  );
  const calls = house.served.map((s) => s.call);
  await house.app.close();
  return calls.filter(
    (c) =>
      c.method === "GET" &&
      !c.path.includes(":") &&
      c.query &&
      "want" in shapeOf(c.query) &&
      "list" in shapeOf(c.reply),
  );
}

/**
 * Milliseconds in which 95 of 100 answers arrive, the median of the rounds; undefined where the list asks for more, or
 * this person may not see it.
 */
async function p95(place: Place, token: string, address: string): Promise<number | undefined> {
  const url = `${place.base}${address}`;
  const one = await fetch(url, { headers: { authorization: token } });
  await one.arrayBuffer();
  if (one.status === 400 || one.status === 403) return undefined;
  if (!one.ok) throw new Error(`${address} answered ${one.status}`);
  const rounds: number[] = [];
  for (let i = -WARM_UP; i < ROUNDS; i++) {
    const times: number[] = [];
    const run = autocannon({
      url,
      connections: CLIENTS,
      duration: SECONDS,
      headers: { authorization: token },
    });
    run.on("response", (_client, _status, _bytes, ms) => times.push(ms));
    const result = await run;
    if (result.non2xx) throw new Error(`${address}: ${result.non2xx} answers were not 200`);
    // nothing in time is no time; what is still under way ends before the next list is asked
    if (!times.length) await sleep(5000);
    if (i >= 0) rounds.push(times.length ? percentile(times, 95) : Infinity);
  }
  return median(rounds);
}

/** The first page of every list, as somebody sees it who may see all stores: rows, and totals for themselves. */
export async function measureEveryList(place: Place, villageId: number): Promise<ListTime[]> {
  const token = await place.token("qinghe01");
  const today = dayInZone(new Date());
  // what a page never leaves out, or opens with
  const asked = new Map<Call, string>([
    [
      billsByVillage,
      `&dueFrom=${firstOf(monthOf(today))}&dueTo=${today}&direction=receivable&status=unpaid,partial,paid`,
    ],
    [listContracts, "&kind=renter"],
    [listChanges, "&kind=room"],
    [listRenewals, "&tab=due"],
  ]);
  const times: ListTime[] = [];
  for (const call of await listsOf(place)) {
    // a list of one store is asked for the largest
    const store = "villageId" in shapeOf(call.query!) ? `&villageId=${villageId}` : "";
    const query = `${store}${asked.get(call) ?? ""}`;
    const rows = await p95(place, token, `${call.path}?want=rows${query}`);
    const totals = await p95(place, token, `${call.path}?want=totals${query}`);
    if (rows === undefined || totals === undefined) continue;
    times.push({ path: call.path, title: call.summary, rows, totals });
    process.stderr.write(`${call.summary}: rows ${rows.toFixed(0)} ms, totals ${totals.toFixed(0)} ms\n`);
  }
  return times;
}

export async function inMs(place: Place, token: string, address: string, rounds: number): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i <= rounds; i++) {
    const began = performance.now();
    const answer = await fetch(`${place.base}${address}`, { headers: { authorization: token } });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
    if (i) times.push(performance.now() - began);
  }
  return times;
}

/** Lists, the largest store's board, the dashboard's figures and a large import, at 100,000 rooms. */
export async function measurePages(place: Place, rounds: number, keep: Keep): Promise<void> {
  const { pool } = place.database;
  const stores = await pool.query<{ id: number; n: number }>(
    "select village_id id, count(*)::int n from room where is_leaf group by 1 order by 2 desc limit 1",
  );
  const { id, n } = stores.rows[0]!;
  const lists = await measureEveryList(place, id);
  const slow = lists.toSorted((a, b) => b.rows - a.rows);
  const over = slow.filter((l) => l.rows >= BAR_MS);
  const figure = slow.map((l) => l.rows);
  const lines: Row[] = [
    row(
      `First page of each of ${lists.length} lists at 100,000 rooms, p95 ms, 10 connections (worst: ${slow[0]!.title})`,
      `< ${BAR_MS}`,
      median(figure),
      figure[0]!,
      over.length === 0,
    ),
    ...over.map((l) => row(`… ${l.title}`, `< ${BAR_MS}`, l.rows, l.rows, false)),
  ];
  const token = await place.token("qinghe01");
  const board = await inMs(place, token, `${roomBoard.path}?villageId=${id}`, rounds * 4);
  lines.push(
    row(
      `Board of the largest store, ${n} rooms, ms`,
      "< 150",
      median(board),
      Math.max(...board),
      median(board) < 150,
    ),
  );
  const month = monthOf((await pool.query<{ day: string }>("select current_date::text as day")).rows[0]!.day);
  const period = `from=${firstOf(month)}&to=${lastOf(month)}`;
  const cards = await inMs(place, token, `${overviewCards.path}?${period}`, rounds);
  lines.push(
    row(
      "Dashboard's figures over all stores, ms",
      "< 500",
      median(cards),
      Math.max(...cards),
      median(cards) < 500,
    ),
  );
  const taken = await measureRoomImport(10_000);
  const whole = taken.check + taken.import;
  lines.push(
    row("A sheet of 10,000 rooms, checked and taken in, ms", "< 10000", whole, whole, whole < 10_000),
  );
  keep("pages", { lists, board, cards, taken }, ...lines);
}
