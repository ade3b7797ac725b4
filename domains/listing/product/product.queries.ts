import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { pageEnd } from "../../../platform/server/database/prepared.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { likes } from "../room/keyword.queries.ts";
import { layoutText, type PriceUnit, type RoomKind } from "../room/words.rules.ts";
import { dealsIn, productFigures } from "./figures.queries.ts";
import type { productRow, products } from "./product.contract.ts";
import { payPlanText, type PayPlan } from "./product.rules.ts";

type Query = z.output<typeof products.query>;
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

const SORTS: Record<NonNullable<Query["sort"]>, RawBuilder<unknown>> = {
  name: sql`d.name collate "zh-x-icu"`,
  code: sql`d.code`,
  listPrice: sql`p.list_price`,
  rooms: sql`coalesce(n.rooms, 0)`,
  state: sql`not d.enabled`,
};

const matching = (read: Read, q: Query, villages: readonly number[], figures: RawBuilder<unknown>) => sql`
  from product d
  left join lateral (${generalPrice(read, sql`d.id`)}) p on true
  left join ${figures} on n.id = d.id
  where ${seenProducts(read, villages)}
    ${q.ids?.length ? sql`and d.id = ${anyOf(q.ids)}` : sql``}
    ${q.kind ? sql`and d.kind = ${q.kind}` : sql``}
    ${q.state ? sql`and d.enabled = ${q.state === "enabled"}` : sql``}
    ${q.priceFrom === undefined ? sql`` : sql`and p.list_price >= ${q.priceFrom}`}
    ${q.priceTo === undefined ? sql`` : sql`and p.list_price <= ${q.priceTo}`}
    ${q.keyword ? sql`and ${likes(q.keyword, sql`d.code`, sql`d.name`)}` : sql``}`;

/** Rooms of one product that were let in the twelve months up to today. */
export const dealsSince = (read: Read, product: RawBuilder<unknown>, villages: readonly number[]) =>
  sql`${dealsIn(read, villages)} and r.product_id = ${product}`;

type Row = Omit<Shown, "layout" | "area" | "payPlan" | "state"> & {
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

export async function productRows(read: Read, q: Query): Promise<Shown[]> {
  const villages = villagesOf(read.who, q.villageIds);
  const order = sql.raw(q.order === "desc" ? "desc nulls last" : "asc nulls last");
  const by = sql`${SORTS[q.sort ?? "name"]} ${order}`;
  const { rows } = await sql<Row>`
    with page as (
      select d.id, d.code, d.name, d.kind, d.bedrooms, d.halls, d.baths, d.area_from "areaFrom", d.area_to "areaTo",
        p.list_price "listPrice", p.lowest_price "lowestPrice", d.price_unit "priceUnit", d.pay_plans "payPlans",
        cardinality(d.village_ids) villages, coalesce(n.rooms, 0) rooms, coalesce(n.vacant, 0) vacant,
        n.average "dealAverage", d.enabled, d.version, row_number() over (order by ${by}, d.id) at
      ${matching(read, q, villages, await productFigures(read, villages))} order by at ${pageEnd(q)})
    select page.*,
      (select i.file_id from product_picture i where i.product_id = page.id order by i.sort, i.id limit 1) cover
    from page order by at`.execute(read.tx);
  return rows.map((row) => shownRow(read, row));
}

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

export async function productTotals(read: Read, q: Query) {
  const villages = villagesOf(read.who, q.villageIds);
  const { rows } = await sql<{ total: number; rooms: number; vacant: number }>`
    select count(*) total, coalesce(sum(n.rooms), 0)::bigint rooms, coalesce(sum(n.vacant), 0)::bigint vacant
    ${matching(read, q, villages, await productFigures(read, villages))}`.execute(read.tx);
  return rows[0]!;
}

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
