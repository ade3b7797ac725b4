import { sql } from "kysely";
import type { z } from "zod";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { pageEnd } from "../../../platform/server/database/prepared.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { likes } from "../room/keyword.queries.ts";
import { layoutText } from "../room/words.rules.ts";
import type { countListings, listingRow, listings } from "./listing.contract.ts";

type Query = Partial<z.output<typeof listings.query>>;
type Shown = z.input<typeof listingRow>;

const matching = (read: Read, q: Query) => {
  const villages = villagesOf(read.who, q.villageIds);
  return sql`
    from listing l join channel c on c.id = l.channel_id join room r on r.id = l.room_id
    ${q.occupancy?.length ? sql`join room_status_at(${read.today}, ${read.today}, ${villages as number[]}::bigint[], null) n on n.room_id = r.id and n.occupancy = any(${q.occupancy}::text[])` : sql``}
    where l.village_id = ${anyOf(villages)}
      ${q.channelId ? sql`and l.channel_id = ${q.channelId}` : sql``}
      ${q.roomId ? sql`and l.room_id = ${q.roomId}` : sql``}
      ${q.state?.length ? sql`and l.state = any(${q.state}::text[])` : sql``}
      ${q.hold ? sql`and (l.hold or r.publish_hold) = ${q.hold === "held"}` : sql``}
      ${q.keyword ? sql`and ${likes(q.keyword, sql`r.full_name`, sql`r.pinyin`, sql`coalesce(l.title, l.document ->> 'title', '')`)}` : sql``}`;
};

type Row = Omit<Shown, "title" | "reason"> & {
  ownTitle: string | null;
  villageName: string;
  bedrooms: number;
  halls: number;
  baths: number;
  area: string;
  orientation: string;
  error: string;
  misses: string[];
};

async function shown(read: Read, ids: readonly number[]): Promise<Shown[]> {
  if (!ids.length) return [];
  const { rows } = await sql<Row>`
    select l.id, l.room_id "roomId", r.full_name "roomName", l.channel_id "channelId", c.name "channelName",
      coalesce(l.title, l.document ->> 'title') "ownTitle", v.name "villageName", a.bedrooms, a.halls, a.baths,
      r.area::text area, coalesce(nullif(r.orientation, ''), a.orientation) orientation,
      p.list_price price, n.occupancy, l.state, l.outside_url "outsideUrl", l.synced_at "syncedAt", l.error, l.misses,
      l.views, l.enquiries, (l.hold or r.publish_hold) held, l.version,
      coalesce(cardinality(l.pictures), nullif((select count(*) from room_picture i where i.room_id = r.id), 0),
        (select count(*) from product_picture i where i.product_id = r.product_id))::int pictures
    from unnest(${ids as number[]}::bigint[]) with ordinality as w(id, at)
    join listing l on l.id = w.id join channel c on c.id = l.channel_id join room r on r.id = l.room_id
    join apartment a on a.id = r.apartment_id join village v on v.id = r.village_id
    left join lateral (select list_price from room_price x where x.room_id = r.id and x.effective_day <= ${read.today}
      order by x.effective_day desc limit 1) p on true
    left join room_status_of(${read.today}, ${read.today},
      array(select distinct village_id from listing where id = any(${ids as number[]}::bigint[])),
      array(select room_id from listing where id = any(${ids as number[]}::bigint[]))) n on n.room_id = r.id
    order by w.at`.execute(read.tx);
  return rows.map(
    ({ ownTitle, villageName, bedrooms, halls, baths, area, orientation, error, misses, ...row }) => ({
      ...row,
      title:
        ownTitle ??
        [
          villageName,
          layoutText({ bedrooms, halls, baths }),
          `${Number(area)}㎡`,
          orientation && `${orientation}向`,
        ]
          .filter(Boolean)
          .join(" ")
          .slice(0, 30),
      reason: row.state === "failed" ? error : row.state === "online" ? "" : misses.join("；"),
    }),
  );
}

export async function listingRows(read: Read, q: z.output<typeof listings.query>): Promise<Shown[]> {
  const down = q.order === "desc" ? sql`desc` : sql`asc`;
  const by = q.sort === "syncedAt" ? sql`l.synced_at ${down} nulls last` : sql`l.rank ${down}`;
  const { rows } = await sql<{
    id: number;
  }>`select l.id ${matching(read, q)} order by ${by}, l.id ${pageEnd(q)}`.execute(read.tx);
  return shown(
    read,
    rows.map((row) => row.id),
  );
}

export async function listingCount(read: Read, q: Query): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) n ${matching(read, q)}`.execute(read.tx);
  return rows[0]!.n;
}

export async function countsOf(read: Read, q: z.output<typeof countListings.query>) {
  const { rows } = await sql<{
    state: string;
    n: number;
  }>`select l.state, count(*) n ${matching(read, q)} group by 1`.execute(read.tx);
  const counts = Object.fromEntries(rows.map((row) => [row.state, row.n]));
  return { ...counts, all: rows.reduce((sum, row) => sum + row.n, 0) };
}

/** A listing in scope, with its row as the list shows it. */
export async function listingSeen(read: Read, id: number) {
  const stored = await read.tx
    .selectFrom("listing")
    .selectAll()
    .where("id", "=", id)
    .where("villageId", "=", anyOf(read.who.villages))
    .executeTakeFirst();
  if (!stored) throw notFound();
  return { stored, row: (await shown(read, [id]))[0]! };
}

/** Every listing of a room, also those of channels that show more than the reader's stores. */
export async function listingsOfRoom(read: Read, roomId: number): Promise<Shown[]> {
  const rows = await read.tx
    .selectFrom("listing")
    .select("id")
    .where("roomId", "=", roomId)
    .orderBy("channelId")
    .execute();
  return shown(
    read,
    rows.map((row) => row.id),
  );
}
