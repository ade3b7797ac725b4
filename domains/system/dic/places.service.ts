import { sql, type RawBuilder } from "kysely";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import type { DicUses } from "./dic.service.ts";

/**
 * A column that holds words: one, or an array of them. Changed rows get a new version where the table has one. What was
 * written down with a word's help is a sentence of its day: it is counted and never rewritten.
 */
export type Place = { table: string; column: string; many?: true; unversioned?: true; written?: true };

/**
 * Counts and moves words in the columns that hold them, by group. `mine` narrows a table to the enterprise; `after`
 * hears which rows of a table were changed.
 */
export function usesIn(
  places: Readonly<Record<string, readonly Place[]>>,
  mine: (enterpriseId: number) => RawBuilder<boolean>,
  after?: (act: Act, table: string, changed: { roomId: number; villageId: number }[]) => Promise<void>,
): DicUses {
  return {
    count: async (read: Read, group: string) => {
      const own = places[group];
      if (!own) return undefined;
      const counts = new Map<string, Record<string, number>>();
      for (const { table, column, many } of own) {
        const word = many ? sql`unnest(${sql.ref(column)})` : sql.ref(column);
        const { rows } = await sql<{ word: string; n: number }>`
          select word, count(*)::int n from (select ${word} word from ${sql.table(table)}
            where ${mine(read.who.enterpriseId)}) w where word <> '' group by word`.execute(read.tx);
        for (const { word: name, n } of rows) {
          const before = counts.get(name);
          counts.set(name, { ...before, [table]: (before?.[table] ?? 0) + n });
        }
      }
      return counts;
    },
    move: async (act: Act, group: string, from: string, to: string) => {
      let moved = 0;
      for (const { table, column, many, unversioned, written } of places[group] ?? []) {
        if (written) continue;
        const ref = sql.ref(column);
        const set = many
          ? sql`${ref} = array(select word from unnest(array_replace(${ref}, ${from}, ${to}))
              with ordinality as w (word, at) group by word order by min(at))`
          : sql`${ref} = ${to}`;
        const where = many ? sql`${ref} @> array[${from}]` : sql`${ref} = ${from}`;
        const { rows } = await sql<{ roomId: number; villageId: number }>`
          update ${sql.table(table)} set ${set} ${unversioned ? sql`` : sql`, version = version + 1`}
          where ${where} and ${mine(act.who.enterpriseId)}
          returning ${after ? sql`id "roomId", village_id "villageId"` : sql`1`}`.execute(act.tx);
        moved += rows.length;
        await after?.(act, table, rows);
      }
      return moved;
    },
  };
}
