import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";

type Kept<T> = { day: Day; mark: string; read: number; rooms: Promise<readonly T[]>; count: number };

/** Stores with 20,000 rooms together, about 20 MB; what nobody has looked at for longest gives way. */
const MOST_ROOMS = 20_000;
/** A name that was committed out of order leaves no newer mark; it is seen after a minute at the latest. */
const LONGEST_MS = 60_000;

/** What tells that a store's board changed: the store itself, its changes, and the last change of any tenant's name. */
async function markOf(read: Read, villageId: number): Promise<string> {
  const { rows } = await sql<{ mark: string }>`
    select concat_ws('/', max(seq), count(*), (select version from village where id = ${villageId}),
      (select max(updated_at) from party_brief)) mark
    from room_change where village_id = ${villageId}`.execute(read.tx);
  return rows[0]!.mark;
}

/**
 * Today's rooms of a store, read once for everybody who looks until something changes there. The mark is read first:
 * what changes while the rooms are read has another mark and is read again. It can be lost at any time.
 */
export function boardKeeper<T>(readAll: (read: Read, villageId: number) => Promise<readonly T[]>) {
  const stores = new WeakMap<object, Map<number, Kept<T>>>();
  return async (read: Read, villageId: number): Promise<readonly T[]> => {
    const kept = stores.get(read.tx) ?? new Map<number, Kept<T>>();
    stores.set(read.tx, kept);
    const mark = await markOf(read, villageId);
    const known = kept.get(villageId);
    const age = performance.now() - (known?.read ?? 0);
    if (known?.day === read.today && known.mark === mark && age < LONGEST_MS) {
      kept.delete(villageId);
      kept.set(villageId, known);
      return known.rooms;
    }
    const fresh: Kept<T> = {
      day: read.today,
      mark,
      read: performance.now(),
      rooms: readAll(read, villageId),
      count: 0,
    };
    kept.delete(villageId);
    kept.set(villageId, fresh);
    try {
      fresh.count = (await fresh.rooms).length;
    } catch (error) {
      if (kept.get(villageId) === fresh) kept.delete(villageId);
      throw error;
    }
    let rooms = [...kept.values()].reduce((sum, k) => sum + k.count, 0);
    for (const [id, { count }] of kept) {
      if (rooms <= MOST_ROOMS || id === villageId) break;
      kept.delete(id);
      rooms -= count;
    }
    return fresh.rooms;
  };
}
