import { sql, type RawBuilder } from "kysely";
import { notFound } from "../../kernel/refusal.ts";
import type { Who } from "./act.ts";

/**
 * The villages a query may touch: the ones asked for, or all in scope.
 * Asking for a village outside the scope answers as if it did not exist.
 */
export function villagesOf(who: Who, wanted?: readonly number[]): readonly number[] {
  if (!wanted?.length) return who.villages;
  const mine = new Set(who.villages);
  if (wanted.some((id) => !mine.has(id))) throw notFound();
  return wanted;
}

/** `where village_id = any(…)`: one parameter however many villages. */
export const anyOf = (ids: readonly number[]): RawBuilder<number> =>
  sql<number>`any(${ids as number[]}::bigint[])`;

/** Lets a record through only when it exists and lies in scope; otherwise 404 either way. */
export function seen<R extends { villageId: number | null }>(who: Who, row: R | undefined): R {
  if (!row || row.villageId === null || !who.villages.includes(row.villageId)) throw notFound();
  return row;
}

/** For an id that comes in a body: the same check without a record. */
export function inScope(who: Who, villageId: number): number {
  if (!who.villages.includes(villageId)) throw notFound();
  return villageId;
}

const ABOUT = ["villageIds", "pageNo", "pageSize", "sort", "order", "want"];

/** Everything of the villages is asked for, as when a list opens: nothing is chosen but villages, a page and an order. */
export const wholeScope = (query: object): boolean =>
  Object.entries(query).every(
    ([key, value]) => ABOUT.includes(key) || value === undefined || (Array.isArray(value) && !value.length),
  );
