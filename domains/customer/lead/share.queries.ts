import { sql } from "kysely";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { layoutText } from "../../listing/room/words.rules.ts";
import { seenLead } from "./lead.queries.ts";
import type { Share } from "./share.rules.ts";

type Row = Omit<Share, "layout" | "consultantName" | "consultantPhone"> & {
  bedrooms: number;
  halls: number;
  baths: number;
  pictures: number[];
};

/** A room of the lead's stores as a customer may see it; the consultant is whoever looks after the lead. */
export async function shareOf(read: Read, id: number, roomId: number) {
  const lead = await seenLead(read, id);
  const { rows } = await sql<Row>`
    select v.name "storeName", v.address, r.kind, a.bedrooms, a.halls, a.baths, r.area::text area,
      coalesce(nullif(r.orientation, ''), a.orientation) orientation, p.list_price "listPrice", p.unit,
      greatest(l.move_in_day, ${read.today}::date) "freeFrom",
      coalesce((select array_agg(i.file_id order by i.sort, i.id) from room_picture i where i.room_id = r.id),
        (select array_agg(i.file_id order by i.sort, i.id) from product_picture i where i.product_id = r.product_id), '{}') pictures
    from lead l join room r on r.village_id = any(l.village_ids) join apartment a on a.id = r.apartment_id
    join village v on v.id = r.village_id
    left join lateral (select q.list_price, q.unit from room_price q
      where q.room_id = r.id and q.effective_day <= greatest(l.move_in_day, ${read.today}::date)
      order by q.effective_day desc limit 1) p on true
    where l.id = ${id} and r.id = ${roomId} and r.village_id = any(${read.who.villages as number[]}::bigint[])`.execute(
    read.tx,
  );
  const [row] = rows;
  if (!row) throw notFound();
  const consultant = await read.tx
    .selectFrom("operator")
    .select(["realName", "phone"])
    .where("id", "=", lead.ownerId ?? read.who.operatorId)
    .executeTakeFirstOrThrow();
  const { bedrooms, halls, baths, ...room } = row;
  return {
    ...room,
    layout: layoutText({ bedrooms, halls, baths }),
    consultantName: consultant.realName,
    consultantPhone: consultant.phone ?? "",
  };
}
