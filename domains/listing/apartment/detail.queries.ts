import { sql } from "kysely";
import type { z } from "zod";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { flatName, priceToday, sourceName } from "../room/filter.queries.ts";
import type { RentMode, Gender } from "../room/words.rules.ts";
import type { apartment } from "./apartment.contract.ts";
import { apartmentSeen } from "./place.queries.ts";

type Detail = z.input<typeof apartment.reply>;

/** A flat with its rooms of today and later, parents first. */
export async function apartmentDetail(read: Read, id: number): Promise<Detail> {
  const row = await apartmentSeen(read, id);
  const [names, rooms] = await Promise.all([
    sql<{ villageName: string; fullName: string; sourceName: string }>`
      select v.name "villageName", ${flatName} "fullName", ${sourceName} "sourceName" from apartment a join village v on v.id = a.village_id
      join building b on b.id = a.building_id left join unit u on u.id = a.unit_id where a.id = ${id}`.execute(
      read.tx,
    ),
    sql<Detail["rooms"][number]>`
      select r.id, r.parent_room_id "parentRoomId", r.kind, r.name, r.is_leaf "isLeaf", r.area, r.capacity,
        p.list_price "listPrice", p.lowest_price "lowestPrice", r.first_day "firstDay", r.retired_day "retiredDay", r.version
      from room r left join lateral (${priceToday(read, sql`r.id`)}) p on true
      where r.apartment_id = ${id} and not_retired(r.retired_day, ${read.today})
      order by r.place, r.id`.execute(read.tx),
  ]);
  const seesLowest = read.who.permits.has("#601");
  return {
    ...row,
    ...names.rows[0]!,
    rentMode: row.rentMode as RentMode,
    gender: row.gender as Gender,
    rentModeFrom: row.rentModeFrom && row.rentModeFrom > read.today ? row.rentModeFrom : null,
    rooms: rooms.rows.map(({ lowestPrice, ...room }) => ({ ...room, ...(seesLowest && { lowestPrice }) })),
  };
}
