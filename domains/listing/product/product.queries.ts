import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { among, from, is, keyword, part, to } from "../../../platform/server/lists/conditions.ts";
import { listOf, type FilterOf } from "../../../platform/server/lists/list.ts";
import { villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { layoutText, type PriceUnit, type RoomKind } from "../room/words.rules.ts";
import { dealsIn, joinFigures, productFigures } from "./figures.queries.ts";
import { products, type productRow } from "./product.contract.ts";
import { payPlanText, type PayPlan } from "./product.rules.ts";

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
