import { sql, type RawBuilder } from "kysely";
import type { Act, Read } from "../../../platform/server/act.ts";
import { changed } from "../occupancy/occupancy.service.ts";

type Place = { table: "apartment" | "room" | "public_area"; column: string; many?: true };

/** Which columns hold the words of a group. */
const PLACES: Record<string, readonly Place[]> = {
  orientation: [
    { table: "apartment", column: "orientation" },
    { table: "room", column: "orientation" },
  ],
  decoration: [{ table: "apartment", column: "decoration" }],
  roomTag: [{ table: "room", column: "tags", many: true }],
  areaKind: [{ table: "public_area", column: "kind_dic" }],
  room: [{ table: "room", column: "facilities", many: true }],
};

const mine = (enterpriseId: number): RawBuilder<boolean> =>
  sql<boolean>`village_id in (select id from village where enterprise_id = ${enterpriseId})`;

/** In how many flats, rooms and public areas of the enterprise each word of the group stands. */
export async function usesOf(read: Read, group: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { table, column, many } of PLACES[group] ?? []) {
    const word = many ? sql`unnest(${sql.ref(column)})` : sql.ref(column);
    const { rows } = await sql<{ word: string; n: number }>`
      select word, count(*)::int n from (select ${word} word from ${sql.table(table)}
        where ${mine(read.who.enterpriseId)}) w where word <> '' group by word`.execute(read.tx);
    for (const { word: name, n } of rows) counts.set(name, (counts.get(name) ?? 0) + n);
  }
  return counts;
}

/** Puts one word in the place of another in every flat, room and public area of the enterprise. */
export async function moveUses(act: Act, group: string, from: string, to: string): Promise<number> {
  let moved = 0;
  for (const { table, column, many } of PLACES[group] ?? []) {
    const ref = sql.ref(column);
    const set = many
      ? sql`${ref} = array(select word from unnest(array_replace(${ref}, ${from}, ${to}))
          with ordinality as w (word, at) group by word order by min(at))`
      : sql`${ref} = ${to}`;
    const where = many ? sql`${ref} @> array[${from}]` : sql`${ref} = ${from}`;
    const { rows } = await sql<{ roomId: number; villageId: number }>`
      update ${sql.table(table)} set ${set}, version = version + 1
      where ${where} and ${mine(act.who.enterpriseId)} returning id "roomId", village_id "villageId"`.execute(
      act.tx,
    );
    moved += rows.length;
    if (table === "room") await changed(act, rows);
  }
  return moved;
}
