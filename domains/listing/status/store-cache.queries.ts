import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";

type Kept<T> = { day: Day; mark: string; figures: Promise<T | undefined> };

/** What tells that a store changed: itself, and the number of its changes, not only the last: commits come out of order. */
async function marksOf(read: Read, villages: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ villageId: number; mark: string }>`
    select v.id "villageId", concat_ws('/', v.version, max(c.seq), count(c.seq)) mark
    from village v left join room_change c on c.village_id = v.id where v.id = ${anyOf(villages)} group by v.id`.execute(
    read.tx,
  );
  return new Map(rows.map((r) => [r.villageId, r.mark]));
}

/**
 * Today's figures of each store, counted again once something changed there or the day did. Whoever asks while they are
 * being counted waits for that count instead of starting another. They can be lost at any time. Stores that `count` does
 * not answer have no rooms.
 */
export function storeKeeper<T>(
  count: (read: Read, villages: readonly number[]) => Promise<ReadonlyMap<number, T>>,
) {
  const databases = new WeakMap<object, Map<number, Kept<T>>>();
  return async (read: Read, villages: readonly number[]): Promise<Map<number, T>> => {
    const kept = databases.get(read.tx) ?? new Map<number, Kept<T>>();
    databases.set(read.tx, kept);
    const marks = await marksOf(read, villages);
    const markOf = (id: number) => marks.get(id) ?? "";
    const old = villages.filter(
      (id) => kept.get(id)?.day !== read.today || kept.get(id)?.mark !== markOf(id),
    );
    if (old.length) {
      const fresh = count(read, old);
      for (const id of old) {
        const entry = { day: read.today, mark: markOf(id), figures: fresh.then((found) => found.get(id)) };
        kept.set(id, entry);
        // whoever asks next counts again
        entry.figures.catch(() => kept.get(id) === entry && kept.delete(id));
      }
    }
    const found = await Promise.all(villages.map(async (id) => [id, await kept.get(id)?.figures] as const));
    return new Map(found.flatMap(([id, figures]) => (figures === undefined ? [] : [[id, figures] as const])));
  };
}

/** Periods or days whose figures are kept at once. */
const MOST = 12;

/** The same for figures of a period or a past day, which a change of today may still alter: those asked for last are kept. */
export function storeKeeperOf<K extends string, T>(
  count: (read: Read, villages: readonly number[], key: K) => Promise<ReadonlyMap<number, T>>,
) {
  const keepers = new Map<K, ReturnType<typeof storeKeeper<T>>>();
  return (read: Read, villages: readonly number[], key: K): Promise<Map<number, T>> => {
    const keeper = keepers.get(key) ?? storeKeeper((reading, some) => count(reading, some, key));
    // the one asked for now is the last to go
    keepers.delete(key);
    keepers.set(key, keeper);
    if (keepers.size > MOST) keepers.delete(keepers.keys().next().value!);
    return keeper(read, villages);
  };
}
