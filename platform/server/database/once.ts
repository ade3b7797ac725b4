import { sql, type Kysely } from "kysely";
import type { DB } from "../../../db/types.gen.ts";

const done = new WeakMap<object, Set<string>>();

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
  const known = done.get(tx) ?? new Set<string>();
  done.set(tx, known);
  const fresh = [...new Set(keys)].filter((key) => !known.has(`${what} ${key}`));
  for (const key of fresh) known.add(`${what} ${key}`);
  return fresh;
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
    for (const { of, work: does } of mine.values()) await does([...of.values()] as never[]);
    return answer;
  } finally {
    left.delete(tx);
  }
}

/**
 * Does `what` for some records: at the end of `together`, once for all that its steps have named, by `key`; at once elsewhere.
 * For what follows from the records as they are in the end and is read by no step before it.
 */
export async function atEnd<R>(
  { tx }: { tx: Kysely<DB> },
  what: string,
  records: readonly R[],
  key: (record: R) => string | number,
  work: (records: R[]) => Promise<void>,
): Promise<void> {
  const known = left.get(tx);
  const of = known?.get(what)?.of ?? new Map<string | number, unknown>();
  for (const record of records) of.set(key(record), record);
  if (known) known.set(what, { of, work: work as never });
  else if (of.size) await work([...of.values()] as R[]);
}

let savepoints = 0;

/** Does some work or, where it fails, takes back what it wrote and throws what it threw; the transaction can go on. */
export async function savepoint<T>({ tx }: { tx: Kysely<DB> }, work: () => Promise<T>): Promise<T> {
  const name = sql.ref(`part_${++savepoints % 1000}`);
  await sql`savepoint ${name}`.execute(tx);
  try {
    return await work();
  } catch (error) {
    await sql`rollback to savepoint ${name}`.execute(tx);
    // what was done within it is undone too
    done.delete(tx);
    throw error;
  }
}
