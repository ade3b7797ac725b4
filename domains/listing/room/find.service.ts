import { sql } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { beginning } from "../../../platform/kernel/like.ts";
import { part } from "../../../platform/server/lists/conditions.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { layoutText } from "./words.rules.ts";

type Row = { id: number; fullName: string; bedrooms: number; halls: number; baths: number };

/**
 * Rooms of the operator's stores by what is typed of their place, the one with just this number first. Two characters
 * begin the room's own number or the initials of its place: so short a part of a name has no index.
 */
export async function findRooms(read: Read, typed: string, most: number) {
  const begins = beginning(typed);
  const { rows } = await sql<Row>`
    select r.id, r.full_name "fullName", a.bedrooms, a.halls, a.baths
    from room r join apartment a on a.id = r.apartment_id
    where r.village_id = ${anyOf(read.who.villages)} and not_retired(r.retired_day, ${read.today})
      and ${
        typed.length > 2
          ? part("r.full_name", "r.pinyin")(typed)
          : sql`(r.name like ${begins.toUpperCase()} or r.pinyin like ${begins.toLowerCase()})`
      }
    order by r.name = ${typed} desc, r.village_id, r.place, r.id limit ${most}`.execute(read.tx);
  return rows.map(({ id, fullName, ...rest }) => ({ id, title: fullName, note: layoutText(rest) }));
}
