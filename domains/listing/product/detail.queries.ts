import { sql } from "kysely";
import type { z } from "zod";
import { forbidden, invalid } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
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
import { dealsSince, generalPrice, productSeen, shownRow } from "./product.queries.ts";
import type { PayPlan } from "./product.rules.ts";

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
      select c.id "contractId", c.contract_no "contractNo", r.full_name "roomName", c.signed_on "signedOn",
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
        .select(["villageId", "lowestPrice"])
        .where("productId", "=", product.id)
        .where("effectiveDay", "<=", given.effectiveDay)
        .orderBy("effectiveDay")
        .execute()
    : [];
  const was = new Map(before.map((price) => [price.villageId, price.lowestPrice]));
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
