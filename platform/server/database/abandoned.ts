import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { Refusal } from "../../kernel/refusal.ts";

/** A connection, and where it leads. */
type Connected = { processID: number | null; place: pg.ClientConfig | undefined };
/** What works for a call whose answer somebody waits for: until `gone`, and by which connections just now. */
type Wanted = { gone: AbortSignal; working: Set<Connected> };
const calls = new AsyncLocalStorage<Wanted | undefined>();

const abandoned = () => new Refusal("abandoned", "请求已取消", 499);

/** How often what still runs is looked at; what has begun since then may be another call's. */
const LOOK_MS = 1000;
const END = `select pg_cancel_backend(pid) from pg_stat_activity
  where pid = any($1::int[]) and state = 'active' and query_start < now() - $2::int * interval '1 millisecond'`;

/**
 * Does the work of a read. Once nobody waits for its answer any more (`gone`), its statements are ended, within a second or two, and
 * none is begun: enough readings that nobody waits for would leave no connection for anybody. Then it is refused.
 */
export async function whileWanted<T>(gone: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  if (!gone) return work();
  const wanted: Wanted = { gone, working: new Set() };
  const end = () => {
    for (const place of new Set([...wanted.working].map((client) => client.place)))
      void endAt(place, wanted.working).catch(() => {});
  };
  gone.addEventListener("abort", end, { once: true });
  try {
    return await calls.run(wanted, work);
  } catch (error) {
    throw gone.aborted ? abandoned() : error;
  } finally {
    gone.removeEventListener("abort", end);
  }
}

/** Does what others wait for too: it goes on when the call that began it is given up. */
export const forOthersToo = <T>(work: () => Promise<T>): Promise<T> => calls.run(undefined, work);

/** Runs a statement for the call that asks for it. */
export function statementOf<T>(client: Connected, run: () => Promise<T>): Promise<T> {
  const wanted = calls.getStore();
  if (!wanted) return run();
  if (wanted.gone.aborted) return Promise.reject(abandoned());
  wanted.working.add(client);
  return run().finally(() => wanted.working.delete(client));
}

/** The abandoned of each place; one connection of its own ends them all, as the others may all be taken. */
const leaving = new Map<Connected["place"], Set<ReadonlySet<Connected>>>();

async function endAt(place: Connected["place"], working: ReadonlySet<Connected>): Promise<void> {
  const known = leaving.get(place);
  if (known) return void known.add(working);
  const all = new Set([working]);
  leaving.set(place, all);
  const client = new pg.Client(place);
  client.on("error", () => {});
  let connected = false;
  const left = () =>
    [...all].flatMap((of) => [...of].flatMap((c) => (c.place === place ? [c.processID] : [])));
  try {
    // most are through by themselves before anybody has to be asked
    for (await sleep(LOOK_MS); left().length; await sleep(LOOK_MS)) {
      if (!connected) await client.connect();
      connected = true;
      await client.query(END, [left(), LOOK_MS]);
      for (const of of all) if (!of.size) all.delete(of);
    }
  } finally {
    leaving.delete(place);
    if (connected) await client.end();
  }
}
