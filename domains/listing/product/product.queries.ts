import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import { notFound, Refusal, forbidden, invalid } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { among, from, is, keyword, part, to } from "../../../platform/server/lists/conditions.ts";
import { listOf, type FilterOf } from "../../../platform/server/lists/list.ts";
import { villagesOf, anyOf } from "../../../platform/server/pipeline/scope.ts";
import { layoutText, type PriceUnit, type RoomKind } from "../room/words.rules.ts";
import { products, type productRow } from "./product.contract.ts";
import { payPlanText, type PayPlan } from "./product.rules.ts";
import { priceToday } from "../room/room.queries.ts";
import type { Occupancy } from "../status/status.rules.ts";
import type {
  newPrice,
  productCandidates,
  productDeals,
  productPrices,
  productRooms,
} from "./price.contract.ts";
import type { ProductPrice } from "../room/product-price.service.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { storeKeeper } from "../status/overview.queries.ts";
import { vacantToday } from "../status/status.service.ts";

type Figures = { productId: number; rooms: number; deals: number; rent: Fen };

/** Rooms that follow a product or were let of it within twelve months, store by store. */
const kept = storeKeeper<Figures[]>(async (read, villages) => {
  const { rows } = await sql<Figures & { villageId: number }>`
    select coalesce(r.village_id, d.village_id) "villageId", coalesce(r.product_id, d.product_id) "productId",
      coalesce(r.n, 0) rooms, coalesce(d.n, 0) deals, coalesce(d.rent, 0)::bigint rent
    from (select village_id, product_id, count(*) n from room
      where village_id = ${anyOf(villages)} and product_id is not null and not_retired(retired_day, ${read.today})
      group by 1, 2) r
    full join (select r.village_id, r.product_id, count(*) n, sum(k.monthly_rent) rent ${dealsIn(read, villages)}
      and r.product_id is not null group by 1, 2) d on d.village_id = r.village_id and d.product_id = r.product_id`.execute(
    read.tx,
  );
  return Map.groupBy(rows, (row) => row.villageId);
});

/** Rooms let in the twelve months up to today: what they were signed at. */
export const dealsIn = (read: Read, villages: readonly number[]): RawBuilder<unknown> => sql`
  from contract_room_brief k join contract_brief c on c.id = k.contract_id join room r on r.id = k.room_id
  where r.village_id = ${anyOf(villages)} and c.signed_on <= ${read.today}
    and c.signed_on > (${read.today}::date - interval '12 months')
    and c.state not in ('draft', 'approving', 'signing', 'voided')`;

type ProductFigures = { id: number; rooms: number; vacant: number; average: Fen | null };

/** What the list says of products, over these stores: rooms, empty ones, average rent signed. */
export async function productFigures(read: Read, villages: readonly number[]): Promise<ProductFigures[]> {
  const [stores, vacant] = await Promise.all([kept(read, villages), vacantToday(read, villages)]);
  const of = new Map<number, { rooms: number; deals: number; rent: Fen }>();
  for (const { productId, rooms, deals, rent } of [...stores.values()].flat()) {
    const sums = of.get(productId) ?? { rooms: 0, deals: 0, rent: 0 };
    of.set(productId, { rooms: sums.rooms + rooms, deals: sums.deals + deals, rent: sums.rent + rent });
  }
  return [...of].map(([id, { rooms, deals, rent }]) => ({
    id,
    rooms,
    vacant: vacant.get(id) ?? 0,
    average: deals ? Math.round(rent / deals) : null,
  }));
}

/** The same joined to `product d`. */
export const joinFigures = async (read: Read, villages: readonly number[]): Promise<RawBuilder<unknown>> =>
  sql`left join json_to_recordset(${JSON.stringify(await productFigures(read, villages))}::json)
    as n(id bigint, rooms bigint, vacant bigint) on n.id = d.id`;

type Shown = z.input<typeof productRow>;
const ids = (list: readonly number[]) => sql`${list as number[]}::bigint[]`;

/** The price of all stores today; before the first one, the one it begins with. */
export const generalPrice = (read: Read, product: RawBuilder<unknown>) => sql`
  select x.list_price, x.lowest_price from product_price x where x.product_id = ${product} and x.village_id is null
  order by x.effective_day <= ${read.today} desc,
    case when x.effective_day <= ${read.today} then x.effective_day end desc, x.effective_day limit 1`;

/** A product is seen by whoever sees one of its stores. */
export const seenProducts = (read: Read, villages: readonly number[] = read.who.villages) =>
  sql<boolean>`d.enterprise_id = ${read.who.enterpriseId} and d.village_ids && ${ids(villages)}`;

/** Rooms of one product that were let in the twelve months up to today. */
export const dealsSince = (read: Read, product: RawBuilder<unknown>, villages: readonly number[]) =>
  sql`${dealsIn(read, villages)} and r.product_id = ${product}`;

type Row = Omit<Shown, "layout" | "area" | "payPlan" | "state" | "rooms" | "vacant" | "dealAverage"> & {
  bedrooms: number;
  halls: number;
  baths: number;
  areaFrom: string | null;
  areaTo: string | null;
  payPlans: PayPlan[];
  enabled: boolean;
};

const short = (text: string) => String(Number(text));
export const areaText = (from: string | null, to: string | null): string =>
  from && to
    ? from === to
      ? `${short(from)} ㎡`
      : `${short(from)}-${short(to)} ㎡`
    : from
      ? `${short(from)} ㎡ 起`
      : to
        ? `${short(to)} ㎡ 以内`
        : "";

export function shownRow<R extends Omit<Row, "cover" | "villages">>(read: Read, { lowestPrice, ...row }: R) {
  const usual = row.payPlans.find((plan) => plan.default);
  return {
    ...row,
    ...(read.who.permits.has("#601") && { lowestPrice: lowestPrice ?? null }),
    layout: layoutText(row),
    area: areaText(row.areaFrom, row.areaTo),
    payPlan: usual ? payPlanText(usual) : "",
    state: row.enabled ? ("enabled" as const) : ("disabled" as const),
  };
}

const priced = (read: Read) => sql`product d left join lateral (${generalPrice(read, sql`d.id`)}) p on true`;
const figures = (read: Read, { villageIds }: Partial<FilterOf<typeof products>>) =>
  joinFigures(read, villagesOf(read.who, villageIds));

export const productList = listOf(products, {
  id: "d.id",
  from: priced,
  scope: (read, { villageIds }) => seenProducts(read, villagesOf(read.who, villageIds)),
  where: {
    ids: among("d.id"),
    kind: is("d.kind"),
    state: (state) => sql`d.enabled = ${state === "enabled"}`,
    priceFrom: from("p.list_price"),
    priceTo: to("p.list_price"),
    keyword: keyword(part("d.code", "d.name")),
  },
  sort: {
    name: sql`d.name collate "zh-x-icu"`,
    code: "d.code",
    listPrice: "p.list_price",
    rooms: { by: sql`coalesce(n.rooms, 0)`, join: figures },
    state: sql`not d.enabled`,
  },
  order: "name",
  way: "asc",
  tie: sql`d.id`,
  columns: sql<Row>`d.id, d.code, d.name, d.kind, d.bedrooms, d.halls, d.baths, d.area_from "areaFrom",
    d.area_to "areaTo", p.list_price "listPrice", p.lowest_price "lowestPrice", d.price_unit "priceUnit",
    d.pay_plans "payPlans", cardinality(d.village_ids) villages, d.enabled, d.version,
    (select i.file_id from product_picture i where i.product_id = d.id order by i.sort, i.id limit 1) cover`,
  join: (read) => sql`join ${priced(read)} on d.id = page.id`,
  totals: async (read, q, where) => {
    const { rows } = await sql<{ total: number; rooms: number; vacant: number }>`
      select count(*) total, coalesce(sum(n.rooms), 0)::bigint rooms, coalesce(sum(n.vacant), 0)::bigint vacant
      from ${priced(read)} ${await figures(read, q)} where ${where}`.execute(read.tx);
    return rows[0]!;
  },
  rows: async (rows, read, { villageIds }) => {
    const found = await productFigures(read, villagesOf(read.who, villageIds));
    const of = new Map(found.map((figures) => [figures.id, figures]));
    return rows.map((row) => {
      const { rooms = 0, vacant = 0, average = null } = of.get(row.id) ?? {};
      return shownRow(read, { ...row, rooms, vacant, dealAverage: average });
    });
  },
});

/** A product in scope. */
export async function productSeen(read: Read, id: number) {
  const row = await read.tx
    .selectFrom("product as d")
    .selectAll()
    .where("id", "=", id)
    .where(seenProducts(read))
    .executeTakeFirst();
  if (!row) throw notFound();
  return { ...row, kind: row.kind as RoomKind, priceUnit: row.priceUnit as PriceUnit };
}

/** A product that one may change: all of its stores are in scope. */
export async function productMine(read: Read, id: number) {
  const row = await productSeen(read, id);
  const mine = new Set(read.who.villages);
  if (row.villageIds.some((villageId) => !mine.has(villageId)))
    throw new Refusal("notAllowed", "该产品还适用于您无权管理的门店，请联系管理这些门店的人修改");
  return row;
}

const mine = (read: Read) => sql`${read.who.villages as number[]}::bigint[]`;
const status = (read: Read, productId: number) => sql`
  room_status_at(${read.today}, ${read.today}, ${mine(read)},
    array(select id from room where product_id = ${productId} and village_id = any(${mine(read)})))`;

type Fee = { subjectId: number; way: "amount" | "unit"; cycle: "month" | "period" | "once" };

/** A product whole; its rooms are counted as far as one may see them. */
export async function productDetail(read: Read, id: number) {
  const row = await productSeen(read, id);
  const { rows } = await sql<{
    listPrice: number | null;
    lowestPrice: number | null;
    rooms: number;
    everRooms: number;
    vacant: number;
    dealAverage: number | null;
    averageArea: string | null;
    villageNames: string | null;
    pictures: number[] | null;
    names: Record<string, string> | null;
  }>`
    select p.list_price "listPrice", p.lowest_price "lowestPrice",
      (select count(*) from room r where r.product_id = ${id}) "everRooms",
      s.rooms, s.area "averageArea",
      (select count(*) from ${status(read, id)} n where n.occupancy = 'vacant') vacant,
      (select round(avg(k.monthly_rent))::bigint ${dealsSince(read, sql`${id}`, read.who.villages)}) "dealAverage",
      (select string_agg(v.name, '、' order by v.id) from village v where v.id = any(${row.villageIds}::bigint[])
        and v.id = any(${mine(read)})) "villageNames",
      (select array_agg(i.file_id order by i.sort, i.id) from product_picture i where i.product_id = ${id}) pictures,
      (select json_object_agg(f.id, f.name) from fee_brief f where f.enterprise_id = ${row.enterpriseId}) names
    from (select 1) one left join lateral (${generalPrice(read, sql`${id}::bigint`)}) p on true
    left join lateral (select count(*) rooms, round(avg(r.area), 2) area from room r where r.product_id = ${id}
      and r.village_id = any(${mine(read)}) and not_retired(r.retired_day, ${read.today})) s on true`.execute(
    read.tx,
  );
  const { names, pictures, villageNames, ...counts } = rows[0]!;
  const elsewhere = row.villageIds.filter((villageId) => !read.who.villages.includes(villageId)).length;
  const payPlans = row.payPlans as unknown as PayPlan[];
  return {
    ...shownRow(read, { ...row, ...counts, payPlans }),
    fees: (row.fees as unknown as Fee[]).map((fee) => ({
      ...fee,
      name: names?.[String(fee.subjectId)] ?? "—",
    })),
    villageNames: [villageNames, elsewhere && `其他门店 ${elsewhere} 个`].filter(Boolean).join("、"),
    pictures: pictures ?? [],
  };
}

export async function pricesOf(read: Read, id: number): Promise<z.input<typeof productPrices.reply>> {
  const { rows } = await sql<z.input<typeof productPrices.reply>[number]>`
    select x.effective_day "effectiveDay", x.village_id "villageId", coalesce(v.name, '全部门店') "villageName",
      x.list_price "listPrice", x.lowest_price "lowestPrice", x.created_at "createdAt",
      coalesce(o.real_name, '系统') "createdName",
      x.effective_day = (select max(effective_day) from product_price where product_id = ${id}
        and effective_day <= ${read.today}) is true current
    from product_price x left join village v on v.id = x.village_id left join operator o on o.id = x.created_by
    where x.product_id = ${id} and (x.village_id is null or x.village_id = any(${mine(read)}))
    order by x.effective_day desc, x.village_id nulls first`.execute(read.tx);
  if (read.who.permits.has("#601")) return rows;
  return rows.map(({ lowestPrice: _, ...row }) => row);
}

export async function roomsOf(read: Read, id: number): Promise<z.input<typeof productRooms.reply>> {
  const { rows } = await sql<z.input<typeof productRooms.reply>["list"][number]>`
    select r.id, r.full_name "fullName", p.list_price "listPrice", r.price_mode "priceMode", s.occupancy
    from room r left join lateral (${priceToday(read, sql`r.id`)}) p on true left join ${status(read, id)} s on s.room_id = r.id
    where r.product_id = ${id} and r.village_id = any(${mine(read)})
      and not_retired(r.retired_day, ${read.today})
    order by r.village_id, r.place, r.id`.execute(read.tx);
  const counts = Map.groupBy(
    rows.filter((row) => row.occupancy),
    (row) => row.occupancy as Occupancy,
  );
  return {
    list: rows.slice(0, 500),
    total: rows.length,
    byStatus: [...counts].map(([occupancy, some]) => ({ occupancy, count: some.length })),
  };
}

export async function candidatesOf(read: Read, id: number): Promise<z.input<typeof productCandidates.reply>> {
  const { kind, villageIds } = await productSeen(read, id);
  const { rows } = await sql<z.input<typeof productCandidates.reply>[number]>`
    select r.id, r.full_name "fullName", v.name "villageName", r.product_id "productId", d.name "productName",
      p.list_price "listPrice", r.price_mode "priceMode"
    from room r join village v on v.id = r.village_id left join product d on d.id = r.product_id
    left join lateral (${priceToday(read, sql`r.id`)}) p on true
    where r.kind = ${kind} and r.village_id = any(${mine(read)}) and r.village_id = any(${villageIds}::bigint[])
      and not_retired(r.retired_day, ${read.today})
    order by r.product_id is distinct from ${id}, r.product_id is not null, r.village_id, r.place, r.id limit 5000`.execute(
    read.tx,
  );
  return rows;
}

export async function dealsOf(read: Read, id: number): Promise<z.input<typeof productDeals.reply>> {
  const from = dealsSince(read, sql`${id}`, read.who.villages);
  const { rows } = await sql<z.input<typeof productDeals.reply>["list"][number]>`
    with deal as (
      select c.id "contractId", c.kind "contractKind", c.contract_no "contractNo", r.full_name "roomName", c.signed_on "signedOn",
        k.monthly_rent "monthlyRent", coalesce(k.list_price, (select x.list_price from room_price x
          where x.room_id = k.room_id and x.effective_day <= c.signed_on order by x.effective_day desc limit 1)) "listPrice"
      ${from})
    select *, "monthlyRent" - "listPrice" difference from deal order by "signedOn" desc, "contractId" desc`.execute(
    read.tx,
  );
  const average = (all: (number | null)[]) => {
    const known = all.filter((fen) => fen !== null);
    return known.length ? Math.round(known.reduce((sum, fen) => sum + fen, 0) / known.length) : null;
  };
  return {
    list: rows.slice(0, 200),
    total: rows.length,
    averageRent: average(rows.map((row) => row.monthlyRent)),
    averageList: average(rows.map((row) => row.listPrice)),
  };
}

type Given = z.output<typeof newPrice>;

/**
 * The price that a form asks for. Whoever may not see the lowest price leaves it where it was, never above the list
 * price. Refuses a day in the past and a store that the product is not for.
 */
export async function pricesFor(
  read: Read,
  product: { id?: number; villageIds: readonly number[] },
  given: Given,
): Promise<ProductPrice> {
  if (given.effectiveDay < read.today) throw invalid({ field: "effectiveDay", msg: "生效日期不能早于今天" });
  const all = [given, ...given.villagePrices];
  if (all.some((price) => price.lowestPrice) && !read.who.permits.has("#601")) throw forbidden();
  const strange = given.villagePrices.find((price) => !product.villageIds.includes(price.villageId));
  if (strange) throw invalid({ field: "villagePrices", msg: "只能设置适用门店的价格" });
  const before = product.id
    ? await read.tx
        .selectFrom("productPrice")
        .select(["villageId", "lowestPrice", "effectiveDay"])
        .where("productId", "=", product.id)
        .where("effectiveDay", "<=", given.effectiveDay)
        .orderBy("effectiveDay")
        .execute()
    : [];
  // a store that differed on an earlier day only has the price of all others since
  const since = before.at(-1)?.effectiveDay;
  const was = new Map(
    before.flatMap((p) => (p.effectiveDay === since ? [[p.villageId, p.lowestPrice] as const] : [])),
  );
  const lowest = (
    villageId: number | null,
    p: { listPrice: number; lowestPrice?: number | null | undefined },
  ) => p.lowestPrice ?? Math.min(was.get(villageId) ?? was.get(null) ?? p.listPrice, p.listPrice);
  return {
    effectiveDay: given.effectiveDay,
    listPrice: given.listPrice,
    lowestPrice: lowest(null, given),
    villages: given.villagePrices.map((price) => ({
      villageId: price.villageId,
      listPrice: price.listPrice,
      lowestPrice: lowest(price.villageId, price),
    })),
  };
}
