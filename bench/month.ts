import { randomUUID } from "node:crypto";
import { accountSummary, summaryCards } from "../domains/finance/summary/summary.contract.ts";
import { accrueMonth, declareMonth } from "../domains/finance/accrual/accrual.contract.ts";
import { listBills } from "../domains/finance/bill-list/bill.contract.ts";
import { checkLedger } from "../domains/finance/check/check.service.ts";
import { usualMappings } from "../domains/finance/posting/mapping.contract.ts";
import { exportMany, generateMany, getRun } from "../domains/finance/posting/posting.contract.ts";
import { calendar } from "../domains/finance/reconcile/reconcile.contract.ts";
import { acting } from "../demo/acting.ts";
import { settlementActs } from "../domains/contract/settlement/settlement.contract.ts";
import { addDays, addToMonth, dayInZone, type Month, monthOf } from "../platform/kernel/day.ts";
import { type Answer, scanOf, type Send, sender, timed } from "./acts.ts";
import { inMs } from "./pages.ts";
import type { Place } from "./place.ts";
import { median, percentile } from "./rounds.ts";
import { spread } from "./signing.ts";
import { type Keep, row } from "./table.ts";

/** Early leavings at 100,000 rooms, as one clerk works on them. */
export async function measureLeaving(place: Place, keep: Keep): Promise<void> {
  const token = await place.token("qinghe01");
  // each of the server's connections needs the statements of a confirmation a few times before it keeps their plans, and the
  // server's own code as often before it is compiled
  await settle(place, sender(place, token), token, 200);
  const leaving = await settle(place, sender(place, token), token, 100);
  keep(
    "leaving",
    leaving,
    row(
      "Preview of a settlement at 100,000 rooms, p95 ms",
      "< 150",
      leaving.preview.p95,
      leaving.preview.worst,
      leaving.preview.p95 < 150,
    ),
    row(
      "Confirming a settlement at 100,000 rooms, p95 ms",
      "< 80",
      leaving.confirm.p95,
      leaving.confirm.worst,
      leaving.confirm.p95 < 80,
    ),
  );
}

/** An accountant's figures and the close of last month in all stores, at 100,000 rooms. */
export async function measureMonth(place: Place, rounds: number, keep: Keep): Promise<void> {
  const token = await place.token("qinghe01");
  const send = sender(place, token);
  const last = addToMonth(monthOf(dayInZone(new Date())), -1);
  for (const [what, address, bar] of [
    ["Account summary of all stores, ms", accountSummary.path, 300],
    ["Cards of the account summary, ms", summaryCards.path, 300],
    ["Calendar of reconciliation of all accounts, ms", `${calendar.path}?month=${last}`, 150],
  ] as const) {
    const times = await inMs(place, token, address, rounds * 2);
    const figure = median(times);
    keep(address, times, row(what, `< ${bar}`, figure, Math.max(...times), figure < bar));
  }
  const { steps, lists } = await close(place, send, token, last);
  const seconds = Object.values(steps).reduce((sum, ms) => sum + ms, 0) / 1000;
  const p95 = percentile(lists, 95);
  keep(
    "close",
    { steps, lists },
    row("Closing a month of 100,000 rooms, seconds", "< 300", seconds, seconds, seconds < 300),
    row("Bill list of a store meanwhile, p95 ms", "< 50", p95, Math.max(...lists), p95 < 50),
  );
}

const EVERY_MS = 200;
const LIST = `${listBills.path}?want=rows&tab=open&pageSize=20`;
/**
 * Milliseconds that a clerk's list takes, asked again and again until `done`. Each has its moment, from which its time counts: a
 * server that lags is not asked less.
 */
async function listsUntil(place: Place, done: AbortSignal): Promise<number[]> {
  const token = await place.token("dianzhang01");
  const times: Promise<number>[] = [];
  const ask = async (moment: number) => {
    const answer = await fetch(place.base + LIST, { headers: { authorization: token } });
    if (!answer.ok) throw new Error(`${LIST} answered ${answer.status}`);
    await answer.arrayBuffer();
    return performance.now() - moment;
  };
  for (let moment = performance.now(); !done.aborted; moment += EVERY_MS) {
    times.push(ask(moment));
    await new Promise((resolve) => setTimeout(resolve, moment + EVERY_MS - performance.now()));
  }
  return Promise.all(times);
}

/** Early leavings one after another, from the request to the confirmation; preview and confirmation are timed. */
async function settle(place: Place, send: Send, token: string, times: number) {
  const { rows } = await place.database.pool.query<{ id: number }>(
    `select c.id from contract c where c.state = 'effective' and c.kind = 'renter' and c.end_date > current_date + 90
       and c.start_date < current_date - 90
       and not exists (select from contract_act a where a.contract_id = c.id and a.state not in ('done', 'cancelled', 'rejected'))
     order by hashint8(c.id) limit $1`,
    [times],
  );
  const today = dayInZone(new Date());
  const preview: number[] = [];
  const confirm: number[] = [];
  const path = settlementActs.ask.path;
  for (const { id: contractId } of rows) {
    const draft = {
      effectiveOn: today,
      endReason: "early",
      noticeOn: addDays(today, -30),
      reason: "工作调动",
    };
    const { id } = await send("POST", path, { contractId, ...draft });
    let seen: Answer | undefined;
    preview.push(await timed(async () => (seen = await send("POST", `${path}/${id}/preview`, {}))));
    const { previewHash } = seen!;
    const row = () => send("GET", `${path}/${id}`);
    await send("POST", `${path}/${id}/submit`, { version: (await row()).version, previewHash });
    const fileIds = [await scanOf(place, token, `settlement ${id}`)];
    const how = { how: "paper", note: "租客已签字", fileIds };
    const { version } = await send("PUT", `${path}/${id}/agree`, { version: (await row()).version, ...how });
    confirm.push(await timed(() => send("POST", `${path}/${id}/confirm`, { version, previewHash })));
  }
  return { preview: spread(preview), confirm: spread(confirm) };
}

/**
 * Milliseconds of each step of a close of all stores: income recognised, tax declared and vouchers made, store by store, and
 * exported with the lock; and of a list that somebody else looks at meanwhile. The months before are brought into the books first, and locked as if they had been closed.
 */
async function close(
  place: Place,
  send: Send,
  token: string,
  month: Month,
): Promise<{ steps: Record<string, number>; lists: number[] }> {
  const { pool } = place.database;
  const owner = place.database.owner;
  const villageIds = (
    await pool.query<{ id: number }>(
      "select id from village where id in (select village_id from room) order by id",
    )
  ).rows.map(({ id }) => id);
  const before = addToMonth(month, -1);
  await send("POST", usualMappings.path, {});
  // some stores at a time, as nobody waits longer than some minutes for an answer
  const byStores = async (path: string, of: Month) => {
    for (let i = 0; i < villageIds.length; i += AT_ONCE)
      await send("POST", path, { villageIds: villageIds.slice(i, i + AT_ONCE), month: of });
  };
  const { rows } = await pool.query("select from period_lock where side = 'income' and month >= $1 limit 1", [
    before,
  ]);
  if (!rows.length) {
    await byStores(accrueMonth.path, before);
    await byStores(declareMonth.path, before);
    await owner.query(
      "insert into period_lock (village_id, side, month, locked_at) select id, 'income', $2, now() from unnest($1::bigint[]) id",
      [villageIds, before],
    );
  }
  const steps: Record<string, number> = {};
  const step = async (name: string, work: () => Promise<unknown>) => {
    steps[name] = await timed(work);
    process.stderr.write(`${name}: ${(steps[name] / 1000).toFixed(1)} s\n`);
  };
  // as every night: vouchers are made of books that were found whole
  const check = await timed(() => acting(place.database, 1, new Date(), (act) => checkLedger(act, "manual")));
  process.stderr.write(`the nightly check of the ledger: ${(check / 1000).toFixed(1)} s\n`);
  let items: { id: number; version: number }[] = [];
  const over = new AbortController();
  const asked = listsUntil(place, over.signal);
  try {
    await step("vouchers", async () => {
      const { id } = await send("POST", generateMany.path, {
        side: "income",
        villageIds,
        month,
        accrue: true,
      });
      items = await made(send, id);
    });
    await step("export", async () => {
      const file = await fetch(place.base + exportMany.path, {
        method: "POST",
        headers: {
          authorization: token,
          "content-type": "application/json",
          "idempotency-key": randomUUID(),
        },
        body: JSON.stringify({ items, format: "csv" }),
      });
      if (!file.ok) throw new Error(`the export answered ${file.status}`);
      await file.arrayBuffer();
    });
  } finally {
    over.abort();
  }
  return { steps, lists: await asked };
}

const AT_ONCE = 2;

type Run = { state: string; rows: { villageName: string; batchId: number | null; said: string }[] };
/** The batches of a run once it is over; a store without one is an error. */
async function made(send: Send, id: number): Promise<{ id: number; version: number }[]> {
  for (;;) {
    const run = (await send("GET", getRun.path.replace(":id", String(id)))) as unknown as Run;
    if (run.state === "done") {
      const without = run.rows.filter((r) => r.batchId === null);
      if (without.length) throw new Error(without.map((r) => `${r.villageName}: ${r.said}`).join("\n"));
      return run.rows.map((r) => ({ id: r.batchId!, version: 1 }));
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
