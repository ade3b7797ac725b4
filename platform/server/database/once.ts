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
