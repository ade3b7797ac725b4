import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import { daysBetween, type Day } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { pageEnd } from "../../../platform/server/database/prepared.ts";
import { seen, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { storeKeeper } from "../status/store-cache.queries.ts";
import {
  completeOf,
  flatFilter,
  inStock,
  keywordIn,
  missingOf,
  priceToday,
  addedUp,
  wholeStores,
} from "./filter.queries.ts";
import { rooms, type roomRow } from "./list.contract.ts";
import { layoutText, type PRICE_MODES } from "./words.rules.ts";

type Query = z.output<typeof rooms.query>;
type Shown = z.input<typeof roomRow>;

/** Status is only derived for the whole filter when it is filtered by; otherwise just for the page. */
const byStatus = (q: Query) =>
  q.occupancy?.length || q.condition?.length || q.flag?.some((flag) => flag !== "approval");

/** Rooms with a record that waits for approval. */
const waiting = (read: Read, villages: RawBuilder<unknown>) =>
  sql`array(select room_id from rooms_waiting(${read.today}, ${read.today}, ${villages}))`;

const byPrice = (q: Query) => q.priceFrom !== undefined || q.priceTo !== undefined || q.sort === "listPrice";

const matching = (read: Read, q: Query, withPrice: boolean) => sql`
  from room r join apartment a on a.id = r.apartment_id
  ${withPrice ? sql`left join lateral (${priceToday(read, sql`r.id`)}) p on true` : sql``}
  ${
    byStatus(q)
      ? sql`join room_status_at(${read.today}, ${read.today}, ${villagesOf(read.who, q.villageIds) as number[]}::bigint[], null) n
          on n.room_id = r.id`
      : sql``
  }
  where ${flatFilter(read, q)}
    ${q.orientation ? sql`and r.orientation = ${q.orientation}` : sql``}
    ${inStock(read, q, sql`r.retired_day`)}
    ${q.kind?.length ? sql`and r.kind = any(${q.kind})` : sql``}
    ${q.productId ? sql`and r.product_id = ${q.productId}` : sql``}
    ${q.apartmentId ? sql`and r.apartment_id = ${q.apartmentId}` : sql``}
    ${q.occupancy?.length ? sql`and n.occupancy = any(${q.occupancy})` : sql``}
    ${q.condition?.length ? sql`and n.condition = any(${q.condition})` : sql``}
    ${
      q.flag?.length
        ? sql`and (${sql.join(
            q.flag.map((f) =>
              f === "approval"
                ? sql`r.id = any(${waiting(read, sql`${villagesOf(read.who, q.villageIds) as number[]}::bigint[]`)})`
                : sql`n.${sql.ref(f)}`,
            ),
            sql` or `,
          )})`
        : sql``
    }
    ${q.tag ? sql`and r.tags @> array[${q.tag}]` : sql``}
    ${q.facility ? sql`and r.facilities @> array[${q.facility}]` : sql``}
    ${q.holdReason ? sql`and r.hold_reason = ${q.holdReason}` : sql``}
    ${q.areaFrom === undefined ? sql`` : sql`and r.area >= ${q.areaFrom}`}
    ${q.areaTo === undefined ? sql`` : sql`and r.area <= ${q.areaTo}`}
    ${q.priceFrom === undefined ? sql`` : sql`and p.list_price >= ${q.priceFrom}`}
    ${q.priceTo === undefined ? sql`` : sql`and p.list_price <= ${q.priceTo}`}
    ${
      q.incomplete === "1"
        ? sql`and (r.product_id is null or not exists (select 1 from room_picture i where i.room_id = r.id)
            or not exists (select 1 from room_price x where x.room_id = r.id))`
        : sql``
    }
    ${keywordIn(q, sql`r.full_name`, sql`r.pinyin`, sql`array_to_string(r.tags, ' ')`)}`;

const ORDERS: Record<NonNullable<Query["sort"]>, RawBuilder<unknown>> = {
  place: sql`r.village_id, r.place`,
  area: sql`r.area`,
  listPrice: sql`p.list_price`,
  firstDay: sql`r.first_day`,
};

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

/** The rows of some rooms, in the order of their ids. */
async function shown(
  read: Read,
  ids: readonly number[],
): Promise<(Shown & { parentRoomId: number | null })[]> {
  const { rows } = await sql<Row & { parentRoomId: number | null }>`
    select r.id, r.apartment_id "apartmentId", r.village_id "villageId", r.parent_room_id "parentRoomId",
      r.full_name "fullName", r.name, r.kind, r.is_leaf "isLeaf", a.bedrooms, a.halls, a.baths, r.area,
      coalesce(nullif(r.orientation, ''), a.orientation) orientation, r.product_id "productId", d.name "productName",
      p.list_price "listPrice", p.lowest_price "lowestPrice", p.unit "priceUnit", n.occupancy, n.condition,
      n.arrears, n.signing, n.unsettled,
      r.id = any(${waiting(read, sql`array(select distinct village_id from room where id = any(${ids as number[]}::bigint[]))`)}) approval,
      n.contract_id "contractId",
      case when n.contract_id is not null then n.until end until, n.vacant_since "vacantSince",
      t.name "partyName", r.tags, r.first_day "firstDay", r.retired_day "retiredDay", r.version,
      (select coalesce(sum(x.quantity), 0)::int from room_asset x
        where x.room_id = r.id and x.state in ('inUse', 'damaged')) assets,
      (select count(*) from room_picture i where i.room_id = r.id) pictures
    from unnest(${ids as number[]}::bigint[]) with ordinality as w(id, at)
    join room r on r.id = w.id join apartment a on a.id = r.apartment_id
    left join product d on d.id = r.product_id
    left join lateral (${priceToday(read, sql`r.id`)}) p on true
    left join room_status_of(${read.today}, ${read.today},
      array(select distinct village_id from room where id = any(${ids as number[]}::bigint[])),
      ${ids as number[]}::bigint[]) n on n.room_id = r.id
    left join party_brief t on t.id = n.party_id
    order by w.at`.execute(read.tx);
  const seesLowest = read.who.permits.has("#601");
  const seesNames = read.who.permits.has("16.query");
  return rows.map(
    ({
      bedrooms,
      halls,
      baths,
      arrears,
      signing,
      unsettled,
      approval,
      vacantSince,
      lowestPrice,
      partyName,
      ...row
    }) => {
      const missing = missingOf(row);
      return {
        ...row,
        ...(seesLowest && { lowestPrice: lowestPrice ?? null }),
        layout: layoutText({ bedrooms, halls, baths }),
        flags: (["arrears", "approval", "signing", "unsettled"] as const).filter(
          (flag) => ({ arrears, approval, signing, unsettled })[flag],
        ),
        partyName: partyName && !seesNames ? `${partyName.slice(0, 1)}*` : partyName,
        vacantDays: vacantSince ? daysBetween(vacantSince, read.today) : null,
        missing,
        complete: completeOf(missing, 4),
      };
    },
  );
}

export async function roomRows(read: Read, q: Query): Promise<Shown[]> {
  const down = q.order === "desc" ? sql`desc` : sql`asc`;
  const order =
    q.sort === "place" || !q.sort
      ? sql`r.village_id ${down}, r.place ${down}`
      : sql`${ORDERS[q.sort]} ${down}`;
  const { rows } = await sql<{ id: number }>`
    select r.id ${matching(read, q, byPrice(q))} order by ${order}, r.id
    ${pageEnd(q)}`.execute(read.tx);
  return shown(
    read,
    rows.map((row) => row.id),
  );
}

type Totals = { total: number; rooms: number; area: number; listPrice: number };
const NONE: Totals = { total: 0, rooms: 0, area: 0, listPrice: 0 };
const TOTALS = sql`count(*)::int total, (count(*) filter (where r.is_leaf))::int rooms,
  coalesce(sum(r.area) filter (where r.is_leaf), 0)::float8 area,
  coalesce(sum(p.list_price) filter (where r.is_leaf), 0)::bigint "listPrice"`;

const totalsOfStores = storeKeeper<Totals>(async (read, villages) => {
  const whole = { ...rooms.query.parse({}), villageIds: [...villages] };
  const { rows } = await sql<Totals & { villageId: number }>`
    select r.village_id "villageId", ${TOTALS} ${matching(read, whole, true)} group by 1`.execute(read.tx);
  return new Map(rows.map(({ villageId, ...totals }) => [villageId, totals]));
});

export async function roomTotals(read: Read, q: Query): Promise<Totals> {
  if (wholeStores(q))
    return addedUp((await totalsOfStores(read, villagesOf(read.who, q.villageIds))).values(), NONE);
  const { rows } = await sql<Totals>`select ${TOTALS} ${matching(read, q, true)}`.execute(read.tx);
  return rows[0]!;
}

/** A room that the caller may see, as it is stored. */
export const roomSeen = async (read: Read, id: number) =>
  seen(read.who, await read.tx.selectFrom("room").selectAll().where("id", "=", id).executeTakeFirst());

/** Everything about one room. */
export async function roomDetail(read: Read, id: number) {
  const stored = await roomSeen(read, id);
  const [row, pictures, village] = await Promise.all([
    shown(read, [id]),
    read.tx.selectFrom("roomPicture").select("fileId").where("roomId", "=", id).orderBy("sort").execute(),
    read.tx.selectFrom("village").select("name").where("id", "=", stored.villageId).executeTakeFirstOrThrow(),
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
