import { sql, type Kysely } from "kysely";
import type { DB } from "../../../db/types.gen.ts";

/** What a transaction has done or found out, by its name. */
const known = new WeakMap<object, Map<string, unknown>>();
const knownOf = (tx: object): Map<string, unknown> => {
  const of = known.get(tx) ?? new Map<string, unknown>();
  known.set(tx, of);
  return of;
};

/**
 * Those of some keys for which a transaction has not done `what` yet: a lock that it holds until its end, a row that it has
 * made sure of. From now on they count as done. Outside of a transaction they are all of them each time.
 */
export function firstIn<K extends string | number>(
  { tx }: { tx: Kysely<DB> },
  what: string,
  keys: readonly K[],
): K[] {
  if (!tx.isTransaction) return [...new Set(keys)];
  const done = knownOf(tx);
  const fresh = [...new Set(keys)].filter((key) => !done.has(`${what} ${key}`));
  for (const key of fresh) done.set(`${what} ${key}`, true);
  return fresh;
}

/**
 * What a transaction asks once, by its name: what it holds until its end, or never changes itself and may see as it was when
 * it first looked. Outside of one it is asked each time.
 */
export function onceIn<T>({ tx }: { tx: Kysely<DB> }, what: string, ask: () => Promise<T>): Promise<T> {
  if (!tx.isTransaction) return ask();
  const found = knownOf(tx);
  if (!found.has(what)) found.set(what, ask());
  return found.get(what) as Promise<T>;
}

type Left = Map<string, { of: Map<string | number, unknown>; work: (all: never[]) => Promise<void> }>;
const left = new WeakMap<object, Left>();

/** Runs an act of many steps: what each of them says with `atEnd` is done once, when the last is through. */
export async function together<T>({ tx }: { tx: Kysely<DB> }, work: () => Promise<T>): Promise<T> {
  if (left.has(tx)) return work();
  const mine: Left = new Map();
  left.set(tx, mine);
  try {
    const answer = await work();
    // what is done may leave something itself
    while (mine.size) await doneFirst({ tx }, mine.keys().next().value!);
    return answer;
  } finally {
    left.delete(tx);
  }
}

/**
 * Does `what` for some records: at the end of `together`, once for all that its steps have named, by `key`; at once elsewhere.
 * For what follows from the records as they are in the end; a step that reads what it makes asks for it with `doneFirst`.
 */
export async function atEnd<R>(
  { tx }: { tx: Kysely<DB> },
  what: string,
  records: readonly R[],
  key: (record: R) => string | number,
  work: (records: R[]) => Promise<void>,
): Promise<void> {
  const later = left.get(tx);
  const of = later?.get(what)?.of ?? new Map<string | number, unknown>();
  for (const record of records) of.set(key(record), record);
  if (later) later.set(what, { of, work: work as never });
  else if (of.size) await work([...of.values()] as R[]);
}

/** Does now what steps have left under a name until the end. */
export async function doneFirst({ tx }: { tx: Kysely<DB> }, what: string): Promise<void> {
  const waiting = left.get(tx)?.get(what);
  if (!waiting) return;
  left.get(tx)!.delete(what);
  if (waiting.of.size) await waiting.work([...waiting.of.values()] as never[]);
}

let savepoints = 0;

/** Does some work or, where it fails, takes back what it wrote and throws what it threw; the transaction can go on. */
export async function savepoint<T>({ tx }: { tx: Kysely<DB> }, work: () => Promise<T>): Promise<T> {
  const name = sql.ref(`part_${++savepoints % 1000}`);
  const before = [...(left.get(tx) ?? [])].map(
    ([what, { of, work: does }]) => [what, { of: new Map(of), work: does }] as const,
  );
  await sql`savepoint ${name}`.execute(tx);
  try {
    return await work();
  } catch (error) {
    await sql`rollback to savepoint ${name}`.execute(tx);
    // what was done within it is undone too, and what it left is not done
    known.delete(tx);
    if (left.has(tx)) {
      left.get(tx)!.clear();
      for (const [what, waiting] of before) left.get(tx)!.set(what, waiting);
    }
    throw error;
  }
}
