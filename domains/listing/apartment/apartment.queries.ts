import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import {
  allOf,
  amongWords,
  type Column,
  columnSql,
  from,
  is,
  keyword,
  oneOf,
  part,
  to,
} from "../../../platform/server/lists/conditions.ts";
import { listOf, type FilterOf, type List } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { villagesOf, wholeScope, seen } from "../../../platform/server/pipeline/scope.ts";
import { priceToday, allowLowest, usableProducts } from "../room/room.queries.ts";
import { layoutText, wordOf, type RentMode, type Gender, isDivided, kindOf } from "../room/words.rules.ts";
import { storeKeeper } from "../status/overview.queries.ts";
import { OCCUPANCIES } from "../status/status.rules.ts";
import {
  apartments,
  type apartmentRow,
  type placeFilter,
  type addApartments,
  type apartment,
} from "./apartment.contract.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import { checkHouseWords } from "../dictionary/house.queries.ts";
import type { NewApartment } from "./apartment.service.ts";
import { type RoomMade, roomsOf } from "../room/divide.rules.ts";

/** Filters that lists by flat and by room share, over `apartment a`. */
export const ofFlat = {
  buildingId: is("a.building_id"),
  unitId: is("a.unit_id"),
  floorId: is("a.floor_id"),
  bedrooms: is("a.bedrooms"),
  source: is("a.source"),
  decoration: is("a.decoration"),
  layoutTag: (tag: string) => sql`a.layout_tags @> array[${tag}]`,
  buildingKind: (kind: string) => sql`a.building_id in (select id from building where kind = ${kind})`,
};

type Asked = Partial<FilterOf<typeof apartments>>;

const villagesIn = (read: Read, { villageIds }: Asked) =>
  sql`${villagesOf(read.who, villageIds) as number[]}::bigint[]`;

/** Rooms with a record that waits for approval, over `room r`. */
export const waits = (read: Read, villages: RawBuilder<unknown>) =>
  sql`r.id = any(array(select room_id from rooms_waiting(${read.today}, ${read.today}, ${villages})))`;

/** Filters that are about a room, over `room r` and its status n. */
export const ofRoom = {
  productId: is("r.product_id"),
  occupancy: amongWords("n.occupancy"),
  condition: amongWords("n.condition"),
  flag: (flags: NonNullable<Asked["flag"]>, read: Read, q: Asked) =>
    oneOf(flags.map((f) => (f === "approval" ? waits(read, villagesIn(read, q)) : sql`n.${sql.ref(f)}`))),
  tag: (tag: string) => sql`r.tags @> array[${tag}]`,
};

/** Joins the status of today where it is filtered by: it is only derived for the whole filter then, otherwise for the page. */
export const statusAsked = (read: Read, q: Asked) =>
  q.occupancy?.length || q.condition?.length || q.flag?.some((flag) => flag !== "approval")
    ? sql`join room_status_at(${read.today}, ${read.today}, ${villagesIn(read, q)}, null) n on n.room_id = r.id`
    : sql``;

export const roomWords = part("r.full_name", "r.pinyin", sql`array_to_string(r.tags, ' ')`);

/** Flats with a room that is all that is asked of one. */
function withRoom(read: Read, q: Asked) {
  const { productId, occupancy, condition, flag, tag } = q;
  const wanted = [
    productId === undefined ? undefined : ofRoom.productId(productId),
    occupancy?.length ? ofRoom.occupancy(occupancy) : undefined,
    condition?.length ? ofRoom.condition(condition) : undefined,
    flag?.length ? ofRoom.flag(flag, read, q) : undefined,
    tag ? ofRoom.tag(tag) : undefined,
  ].filter((one) => one !== undefined);
  if (!wanted.length) return sql``;
  return sql`join (select distinct r.apartment_id from room r ${statusAsked(read, q)}
    where r.village_id = any(${villagesIn(read, q)}) and ${allOf(wanted)}) m on m.apartment_id = a.id`;
}
/** Asked of the rooms of a flat, by `withRoom`. */
const ASKED_OF_ROOMS = {
  productId: () => undefined,
  occupancy: () => undefined,
  condition: () => undefined,
  flag: () => undefined,
  tag: () => undefined,
};

/** What is there today, what was taken out of stock, or both, by the day it went. */
export const inStock =
  (gone: Column) =>
  (stock: z.output<typeof placeFilter.stock>, { today }: Read) => {
    const day = columnSql(gone);
    if (stock === "all") return undefined;
    return stock === "retired" ? sql`${day} <= ${today}` : sql`(${day} is null or ${day} > ${today})`;
  };

/** "滨江店·3栋·1单元·1203" of a flat, over v, b, u and a. */
export const flatName = sql<string>`concat_ws('·', coalesce(nullif(v.short_name, ''), v.name),
  nullif(b.community_name, ''), b.name, u.name, a.name)`;

/** Whose a flat is, in words, over v and a. */
export const sourceName = sql<string>`coalesce((select d.name from dic_item d where d.enterprise_id = v.enterprise_id
  and d.kind = 'house' and d.group_key = 'source' and d.code = a.source), a.source)`;

/** What a flat or room still lacks, in the order in which people fill it in. */
export const missingOf = (row: { pictures: number; listPrice: number | null; noProduct: boolean }) =>
  [row.pictures ? "" : "图片", row.listPrice === null ? "标价" : "", row.noProduct ? "产品" : ""].filter(
    Boolean,
  );

/** Share of what is there of picture, price, product and area, which is always there. */
export const completeOf = (missing: readonly string[]): number => (4 - missing.length) / 4;

/** Whole stores are asked for, as when a list opens: rooms that are in stock is what it opens with. */
export const wholeStores = ({ stock, ...q }: { stock?: unknown }): boolean =>
  (stock === undefined || stock === "in") && wholeScope(q);

/** Sums of some stores together; square metres to the hundredth. */
export const addedUp = <T extends Record<string, number>>(stores: Iterable<T>, none: T): T => {
  const sums: Record<string, number> = { ...none };
  for (const store of stores)
    for (const [key, value] of Object.entries(store))
      sums[key] = Math.round((sums[key]! + value) * 100) / 100;
  return sums as T;
};

type Shown = z.input<typeof apartmentRow>;
type Row = Omit<Shown, "layout" | "missing" | "complete" | "occupancyText"> & {
  bedrooms: number;
  halls: number;
  baths: number;
  states: string[] | null;
  /** One of its rooms is of no product. */
  noProduct: boolean;
};

/** The rooms of a flat: how many are let apart, and what they cost together or as a whole. */
const summed = (read: Read) => sql`
  left join lateral (
    select count(*) filter (where r.is_leaf) rooms, array_agg(r.id) filter (where r.is_leaf) leaves,
      sum(x.n) pictures, coalesce(bool_or(r.product_id is null) filter (where r.is_leaf), true) "noProduct",
      coalesce(max(p.list_price) filter (where not r.is_leaf), sum(p.list_price) filter (where r.is_leaf))::bigint list_price,
      coalesce(max(p.lowest_price) filter (where not r.is_leaf), sum(p.lowest_price) filter (where r.is_leaf))::bigint lowest_price
    from room r
    left join lateral (${priceToday(read, sql`r.id`)}) p on true
    left join lateral (select count(*) n from room_picture i where i.room_id = r.id) x on true
    where r.apartment_id = a.id and (not_retired(r.retired_day, ${read.today}) or a.retired_day is not null)
  ) s on true`;

/** Sums over rooms are only looked at where the filter asks for them. */
const bySums = (q: Asked) => q.priceFrom !== undefined || q.priceTo !== undefined || q.incomplete === "1";

const FLATS = sql`apartment a
  join village v on v.id = a.village_id join building b on b.id = a.building_id left join unit u on u.id = a.unit_id`;

const SUMS = sql<Omit<typeof NONE, "total">>`coalesce(sum(a.gross_area), 0)::float8 "grossArea",
  coalesce(sum(s.rooms), 0)::bigint rooms, coalesce(sum(s.list_price), 0)::bigint "listPrice"`;

/** Flats with the status of their rooms today. */
export const apartmentList: List<typeof apartments> = listOf(apartments, {
  id: "a.id",
  from: (read, q) => sql`${FLATS} ${bySums(q) ? summed(read) : sql``} ${withRoom(read, q)}`,
  village: "a.village_id",
  where: {
    ...ofFlat,
    orientation: is("a.orientation"),
    stock: inStock("a.retired_day"),
    rentMode: is("a.rent_mode"),
    areaFrom: from("a.gross_area"),
    areaTo: to("a.gross_area"),
    priceFrom: from("s.list_price"),
    priceTo: to("s.list_price"),
    incomplete: (wanted) =>
      wanted === "1"
        ? sql`(coalesce(s.pictures, 0) = 0 or s.list_price is null or s."noProduct")`
        : undefined,
    ...ASKED_OF_ROOMS,
    keyword: keyword(
      part(flatName),
      (text) => sql`exists (select from room r where r.apartment_id = a.id and ${roomWords(text)})`,
    ),
  },
  sort: {
    place: { order: (way) => sql`a.village_id ${way}, a.place ${way}, a.id` },
    grossArea: "a.gross_area",
  },
  order: "place",
  inBatches: true,
  way: "asc",
  tie: sql`a.id`,
  columns: (
    read: Read,
  ) => sql<Row>`a.id, a.village_id "villageId", ${flatName} "fullName", a.rent_mode "rentMode",
    case when a.rent_mode_from > ${read.today} then a.rent_mode_from end "rentModeFrom", a.bedrooms, a.halls, a.baths,
    a.gross_area "grossArea", a.orientation, ${sourceName} source, a.head_lease_end "headLeaseEnd",
    s.list_price "listPrice", s.lowest_price "lowestPrice", s.rooms, coalesce(s.pictures, 0)::bigint pictures, s."noProduct",
    a.retired_day "retiredDay", a.version, n.states, coalesce(n.let, 0) "letRooms", n.vacant_days "vacantDays"`,
  join: (read) => sql`join ${FLATS} on a.id = page.id ${summed(read)}
    left join (
      select r.apartment_id, array_agg(n.occupancy order by n.room_id) states, count(*) filter (where n.is_let) let,
        max(${read.today}::date - n.vacant_since) vacant_days
      from room_status_of(${read.today}, ${read.today},
        array(select distinct a.village_id from page join apartment a on a.id = page.id),
        array(select r.id from page join room r on r.apartment_id = page.id where r.is_leaf)) n
      join room r on r.id = n.room_id group by 1) n on n.apartment_id = a.id`,
  sums: { select: SUMS, join: (read, q) => (bySums(q) ? sql`` : summed(read)) },
  totals: (read, q) =>
    wholeStores(q)
      ? totalsOfStores(read, villagesOf(read.who, q.villageIds)).then((kept) => addedUp(kept.values(), NONE))
      : undefined,
  rows: (rows, read) => rows.map((row) => shown(row, read)),
});

function shown(
  { bedrooms, halls, baths, states, lowestPrice, noProduct, ...row }: Row,
  { who }: Read,
): Shown {
  const missing = missingOf({ ...row, noProduct });
  return {
    ...row,
    ...(who.permits.has("#601") && { lowestPrice: lowestPrice ?? null }),
    rentMode: row.rentMode as RentMode,
    layout: layoutText({ bedrooms, halls, baths }),
    occupancyText: together(states ?? [], row.letRooms),
    missing,
    complete: completeOf(missing),
  };
}

/** One word when all leaves agree, else how many of them are let. */
function together(states: readonly string[], letRooms: number): string {
  const [first] = states;
  if (first === undefined) return "";
  return states.every((state) => state === first)
    ? wordOf(OCCUPANCIES, first)
    : `部分在租 ${letRooms}/${states.length}`;
}

const NONE = { total: 0, grossArea: 0, rooms: 0, listPrice: 0 };
const totalsOfStores = storeKeeper<typeof NONE>(async (read, villages) => {
  const where = await apartmentList.condition(read, { villageIds: [...villages], stock: "in" });
  const { rows } = await sql<typeof NONE & { villageId: number }>`
    select a.village_id "villageId", count(*)::int total, ${SUMS} from ${FLATS} ${summed(read)}
    where ${where} group by 1`.execute(read.tx);
  return new Map(rows.map(({ villageId, ...totals }) => [villageId, totals]));
});

export type FlatForm = Omit<z.output<typeof addApartments.body>, "names">;
type Divided = Pick<FlatForm, "rentMode" | "wholeToo" | "unit" | "rooms" | "whole">;

/** The rooms that a form asks for; refuses names, prices and products that cannot be. */
export async function roomsAsked(
  read: Read,
  form: Divided,
  { villageId, ...flat }: { villageId: number; name: string; grossArea: number },
  share: Parameters<typeof roomsOf>[2] = {},
): Promise<RoomMade[]> {
  const divided = isDivided(form.rentMode);
  const names = form.rooms.map((room) => room.name);
  if (divided && !names.length) throw invalid({ field: "rooms", msg: "请填写房间名" });
  const twice = divided && names.find((name, i) => names.indexOf(name) !== i);
  if (twice) throw invalid({ field: "rooms", msg: `房间名重复：${twice}` });
  if (divided && form.wholeToo && names.includes(flat.name))
    throw invalid({ field: "rooms", msg: `房间名不能与门牌相同：${flat.name}` });
  allowLowest(read, ...form.rooms, form.whole);
  const kind = kindOf(form.rentMode);
  await usableProducts(read, [
    ...form.rooms.map((room) => ({ productId: room.productId, kind, villageId })),
    { productId: form.whole?.productId, kind: divided ? "whole" : kind, villageId },
  ]);
  const whole = form.whole ?? undefined;
  const given = divided
    ? form.rooms
    : [{ area: flat.grossArea, ...form.rooms[0], ...whole, name: flat.name }];
  return roomsOf(
    { ...flat, rentMode: form.rentMode, wholeToo: form.wholeToo && divided },
    given.map((room) => ({ ...room, capacity: room.capacity ?? (kind === "bed" ? 1 : 2) })),
    { ...share, unit: form.unit },
    whole && { ...whole, capacity: whole.capacity ?? 2 },
  );
}

/** One flat of the form, behind one door. */
export async function flatOf(
  read: Read,
  form: FlatForm,
  villageId: number,
  name: string,
): Promise<NewApartment> {
  if (form.innerArea && form.innerArea > form.grossArea)
    throw invalid({ field: "innerArea", msg: "套内面积不能大于建筑面积" });
  await checkHouseWords(read, form, { villageId });
  const { facilities, tags, minTermMonths, firstDay, unit: _, whole: __, rooms: ___, ...flat } = form;
  const rooms = await roomsAsked(
    read,
    form,
    { villageId, name, grossArea: form.grossArea },
    {
      orientation: form.orientation,
      facilities,
      tags,
      minTermMonths: minTermMonths ?? null,
      ...(firstDay && { firstDay }),
    },
  );
  return {
    ...flat,
    villageId,
    name,
    unitId: form.unitId ?? null,
    innerArea: form.innerArea ?? null,
    headLeaseEnd: form.headLeaseEnd ?? null,
    wholeToo: form.wholeToo && isDivided(form.rentMode),
    rooms,
  };
}

/** A flat that the caller may see, as it is stored. */
export const apartmentSeen = async (read: Read, id: number) =>
  seen(read.who, await read.tx.selectFrom("apartment").selectAll().where("id", "=", id).executeTakeFirst());

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
