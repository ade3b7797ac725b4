import { sql, type RawBuilder, type Selectable, type Updateable } from "kysely";
import type { DB } from "../../../db/types.gen.ts";
import { stale } from "../../kernel/refusal.ts";
import type { Act } from "../pipeline/act.ts";

/** Tables whose rows have a version: what one saves is what one has seen. */
type Versioned = { [T in keyof DB]: Selectable<DB[T]> extends { version: number } ? T : never }[keyof DB];
/** A row as somebody saw it: its key, its version, and what else must still be so. */
type Seen<T extends keyof DB> = Partial<Selectable<DB[T]>> & { version: number };
type To<T> = { [K in keyof T]?: T[K] | RawBuilder<NonNullable<T[K]>> };

/** The version after the one that is stored. */
export const NEXT_VERSION = sql<number>`version + 1`;

/** Who changes something, and when; nobody for jobs. */
export const stamp = (act: Act) => ({
  updatedAt: act.now.toISOString(),
  updatedBy: act.who.operatorId || null,
});

const stillSo = (seen: object) =>
  sql<boolean>`${sql.join(
    Object.entries(seen).map(([key, value]) =>
      value === null ? sql`${sql.ref(key)} is null` : sql`${sql.ref(key)} = ${value}`,
    ),
    sql` and `,
  )}`;

/** What nobody has saved yet is its version 0. */
export const UNSAVED = { version: 0 };

/** Refuses `stale` where somebody was faster: the row, held, is no longer the version that one has seen. */
export function asSeen(row: { version: number }, version: number): void {
  if (row.version !== version) throw stale();
}

/** Changes a row that is still as it was seen and makes the next version of it; refuses `stale` where somebody was faster. */
export async function revise<T extends Versioned>(
  act: Act,
  table: T,
  seen: Seen<T>,
  to: To<Omit<Updateable<DB[T]>, "id" | "version">>,
): Promise<Selectable<DB[T]>> {
  const row = await act.tx
    .updateTable(table as "room")
    .set({ ...(to as Updateable<DB["room"]>), version: NEXT_VERSION })
    .where(stillSo(seen))
    .returningAll()
    .executeTakeFirst();
  if (!row) throw stale();
  return row as unknown as Selectable<DB[T]>;
}

/** Removes a row that is still as it was seen; refuses `stale` where it is not. */
export async function removeAt<T extends Versioned>(
  act: Act,
  table: T,
  seen: Seen<T>,
): Promise<Selectable<DB[T]>> {
  const row = await act.tx
    .deleteFrom(table as "room")
    .where(stillSo(seen))
    .returningAll()
    .executeTakeFirst();
  if (!row) throw stale();
  return row as unknown as Selectable<DB[T]>;
}
