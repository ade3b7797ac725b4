import { sql } from "kysely";
import type { z } from "zod";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { amongWords, is, keyword, part } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { layoutText } from "../room/words.rules.ts";
import { listings, type countListings, type listingRow } from "./listing.contract.ts";

type Query = Partial<z.output<typeof listings.query>>;
type Shown = z.input<typeof listingRow>;

/** Status is only derived for all rooms where it is filtered by. */
const from = (read: Read, q: Query) => sql`
  listing l join channel c on c.id = l.channel_id join room r on r.id = l.room_id
  ${q.occupancy?.length ? sql`join room_status_at(${read.today}, ${read.today}, ${villagesOf(read.who, q.villageIds) as number[]}::bigint[], null) n on n.room_id = r.id` : sql``}`;

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

export const listingList = listOf(listings, {
  id: "l.id",
  from,
  village: "l.village_id",
  where: {
    channelId: is("l.channel_id"),
    roomId: is("l.room_id"),
    state: amongWords("l.state"),
    occupancy: amongWords("n.occupancy"),
    hold: (hold) => sql`(l.hold or r.publish_hold) = ${hold === "held"}`,
    keyword: keyword(part("r.full_name", "r.pinyin", sql`coalesce(l.title, l.document ->> 'title', '')`)),
  },
  sort: { state: "l.rank", syncedAt: "l.synced_at" },
  order: "state",
  inBatches: true,
  way: "asc",
  tie: sql`l.id`,
  columns: sql<Row>`l.id, l.room_id "roomId", r.full_name "roomName", l.channel_id "channelId", c.name "channelName",
    coalesce(l.title, l.document ->> 'title') "ownTitle", v.name "villageName", a.bedrooms, a.halls, a.baths,
    r.area::text area, coalesce(nullif(r.orientation, ''), a.orientation) orientation,
    p.list_price price, n.occupancy, l.state, l.outside_url "outsideUrl", l.synced_at "syncedAt", l.error, l.misses,
    l.views, l.enquiries, (l.hold or r.publish_hold) held, l.version,
    coalesce(cardinality(l.pictures), nullif((select count(*) from room_picture i where i.room_id = r.id), 0),
      (select count(*) from product_picture i where i.product_id = r.product_id))::int pictures`,
  join: (read) => sql`join listing l on l.id = page.id join channel c on c.id = l.channel_id
    join room r on r.id = l.room_id join apartment a on a.id = r.apartment_id join village v on v.id = r.village_id
    left join lateral (select list_price from room_price x where x.room_id = r.id and x.effective_day <= ${read.today}
      order by x.effective_day desc limit 1) p on true
    left join room_status_of(${read.today}, ${read.today},
      array(select distinct l.village_id from page join listing l on l.id = page.id),
      array(select l.room_id from page join listing l on l.id = page.id)) n on n.room_id = r.id`,
  rows: (rows) => rows.map(rowOf),
});

const rowOf = ({
  ownTitle,
  villageName,
  bedrooms,
  halls,
  baths,
  area,
  orientation,
  error,
  misses,
  ...row
}: Row): Shown => ({
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
});

export async function countsOf(read: Read, q: z.output<typeof countListings.query>) {
  const { rows } = await sql<{
    state: string;
    n: number;
  }>`select l.state, count(*) n from ${from(read, q)} where ${await listingList.condition(read, q)} group by 1`.execute(
    read.tx,
  );
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
  return { stored, row: (await listingList.rowsOf(read, [id]))[0]! };
}

/** Every listing of a room, also those of channels that show more than the reader's stores. */
export async function listingsOfRoom(read: Read, roomId: number): Promise<Shown[]> {
  const rows = await read.tx
    .selectFrom("listing")
    .select("id")
    .where("roomId", "=", roomId)
    .orderBy("channelId")
    .execute();
  return listingList.rowsOf(
    read,
    rows.map((row) => row.id),
  );
}
