import { sql } from "kysely";
import type { z } from "zod";
import { type Day, daysBetween } from "../../../platform/kernel/day.ts";
import { amongWords, from, is, keyword, to } from "../../../platform/server/lists/conditions.ts";
import { type FilterOf, type List, listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { villagesOf } from "../../../platform/server/pipeline/scope.ts";
import {
  addedUp,
  completeOf,
  inStock,
  missingOf,
  ofFlat,
  ofRoom,
  roomWords,
  statusAsked,
  waits,
  wholeStores,
} from "../apartment/apartment.queries.ts";
import { priceToday, roomSeen } from "../room/room.queries.ts";
import { type PRICE_MODES, layoutText } from "../room/words.rules.ts";
import { storeKeeper } from "../status/overview.queries.ts";
import { type roomRow, rooms } from "./room.contract.ts";
import { theRow } from "../../../platform/server/database/row.ts";

type Filter = Partial<FilterOf<typeof rooms>>;
type Shown = z.input<typeof roomRow>;
type Row = Omit<Shown, "layout" | "missing" | "complete" | "flags"> & {
  bedrooms: number;
  halls: number;
  baths: number;
  arrears: boolean | null;
  signing: boolean | null;
  unsettled: boolean | null;
  approval: boolean;
  vacantSince: Day | null;
};

const byPrice = (q: Filter & { sort?: string | undefined }) =>
  q.priceFrom !== undefined || q.priceTo !== undefined || q.sort === "listPrice";
const price = (read: Read) => sql`left join lateral (${priceToday(read, sql`r.id`)}) p on true`;

const matching = (read: Read, q: Filter) => sql`room r join apartment a on a.id = r.apartment_id
  ${byPrice(q) ? price(read) : sql``}
  ${statusAsked(read, q)}`;

const SUMS = sql<Omit<typeof NONE, "total">>`(count(*) filter (where r.is_leaf))::int rooms,
  coalesce(sum(r.area) filter (where r.is_leaf), 0)::float8 area,
  coalesce(sum(p.list_price) filter (where r.is_leaf), 0)::bigint "listPrice"`;

export const roomList: List<typeof rooms> = listOf(rooms, {
  id: "r.id",
  from: matching,
  village: "a.village_id",
  where: {
    ...ofFlat,
    orientation: is("r.orientation"),
    stock: inStock("r.retired_day"),
    kind: amongWords("r.kind"),
    ...ofRoom,
    apartmentId: is("r.apartment_id"),
    facility: (facility) => sql`r.facilities @> array[${facility}]`,
    holdReason: is("r.hold_reason"),
    areaFrom: from("r.area"),
    areaTo: to("r.area"),
    priceFrom: from("p.list_price"),
    priceTo: to("p.list_price"),
    incomplete: (wanted) =>
      wanted === "1"
        ? sql`(r.product_id is null or not exists (select 1 from room_picture i where i.room_id = r.id)
            or not exists (select 1 from room_price x where x.room_id = r.id))`
        : undefined,
    keyword: keyword(roomWords),
  },
  sort: {
    place: { order: (way) => sql`r.village_id ${way}, r.place ${way}, r.id` },
    area: "r.area",
    listPrice: { order: (way) => sql`p.list_price ${way}, r.id` },
    firstDay: "r.first_day",
  },
  order: "place",
  inBatches: true,
  way: "asc",
  tie: sql`r.id`,
  columns: (read: Read) => sql<Row>`r.id, r.apartment_id "apartmentId", r.village_id "villageId",
    r.full_name "fullName", r.name, r.kind, r.is_leaf "isLeaf", a.bedrooms, a.halls, a.baths, r.area,
    coalesce(nullif(r.orientation, ''), a.orientation) orientation, r.product_id "productId", d.name "productName",
    p.list_price "listPrice", p.lowest_price "lowestPrice", p.unit "priceUnit", n.occupancy, n.condition,
    n.arrears, n.signing, n.unsettled, ${waits(read, STORES)} approval, n.contract_id "contractId", case when n.contract_id is not null then t.kind end "contractKind",
    case when n.contract_id is not null then n.until end until, n.vacant_since "vacantSince",
    t.name "partyName", r.tags, r.first_day "firstDay", r.retired_day "retiredDay", r.version,
    (select coalesce(sum(x.quantity), 0)::int from room_asset x
      where x.room_id = r.id and x.state in ('inUse', 'damaged')) assets,
    (select count(*) from room_picture i where i.room_id = r.id) pictures`,
  join: (read) => sql`join room r on r.id = page.id join apartment a on a.id = r.apartment_id
    left join product d on d.id = r.product_id ${price(read)}
    left join room_status_of(${read.today}, ${read.today}, ${STORES}, array(select id from page)) n on n.room_id = r.id
    left join party_brief t on t.id = n.party_id`,
  sums: { select: SUMS, join: (read, q) => (byPrice(q) ? sql`` : price(read)) },
  totals: (read, q) =>
    wholeStores(q)
      ? totalsOfStores(read, villagesOf(read.who, q.villageIds)).then((kept) => addedUp(kept.values(), NONE))
      : undefined,
  rows: (rows, read) => rows.map((row) => shown(row, read)),
});

const STORES = sql`array(select distinct s.village_id from page join room s on s.id = page.id)`;

function shown(row: Row, { who, today }: Read): Shown {
  const { bedrooms, halls, baths, arrears, signing, unsettled, approval, vacantSince, lowestPrice, ...rest } =
    row;
  const flags = { arrears, approval, signing, unsettled };
  const missing = missingOf({ ...rest, noProduct: rest.productId === null });
  return {
    ...rest,
    ...(who.permits.has("#601") && { lowestPrice: lowestPrice ?? null }),
    layout: layoutText({ bedrooms, halls, baths }),
    flags: (["arrears", "approval", "signing", "unsettled"] as const).filter((flag) => flags[flag]),
    partyName:
      rest.partyName && !who.permits.has("16.query") ? `${rest.partyName.slice(0, 1)}*` : rest.partyName,
    vacantDays: vacantSince ? daysBetween(vacantSince, today) : null,
    missing,
    complete: completeOf(missing),
  };
}

const NONE = { total: 0, rooms: 0, area: 0, listPrice: 0 };
const totalsOfStores = storeKeeper<typeof NONE>(async (read, villages) => {
  const whole: Filter = { villageIds: [...villages], stock: "in" };
  const { rows } = await sql<typeof NONE & { villageId: number }>`
    select r.village_id "villageId", count(*)::int total, ${SUMS} from ${matching(read, whole)} ${price(read)}
    where ${await roomList.condition(read, whole)} group by 1`.execute(read.tx);
  return new Map(rows.map(({ villageId, ...totals }) => [villageId, totals]));
});

/** Everything about one room. */
export async function roomDetail(read: Read, id: number) {
  const stored = await roomSeen(read, id);
  const [row, pictures, village] = await Promise.all([
    roomList.rowsOf(read, [id]),
    read.tx.selectFrom("roomPicture").select("fileId").where("roomId", "=", id).orderBy("sort").execute(),
    theRow(read, "village", ["name"], { id: stored.villageId }),
  ]);
  const priceMode = stored.priceMode as keyof typeof PRICE_MODES;
  return {
    ...stored,
    ...row[0]!,
    priceMode,
    villageName: village.name,
    pictureIds: pictures.map((p) => p.fileId),
  };
}
