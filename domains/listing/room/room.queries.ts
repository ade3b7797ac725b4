import { type RawBuilder, sql } from "kysely";
import { forbidden, invalid } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { seen } from "../../../platform/server/pipeline/scope.ts";

/** The price of a room today; before its first day, the one it begins with. */
export const priceToday = (read: Read, room: RawBuilder<unknown>) => sql`
  select p.list_price, p.lowest_price, p.unit from room_price p where p.room_id = ${room}
  order by p.effective_day <= ${read.today} desc,
    case when p.effective_day <= ${read.today} then p.effective_day end desc, p.effective_day limit 1`;

/** A room that the caller may see, as it is stored. */
export const roomSeen = async (read: Read, id: number) =>
  seen(read.who, await read.tx.selectFrom("room").selectAll().where("id", "=", id).executeTakeFirst());

/** The lowest price is set only by who may see it. */
export function allowLowest(
  read: Read,
  ...prices: (
    | { listPrice?: number | null | undefined; lowestPrice?: number | null | undefined }
    | null
    | undefined
  )[]
) {
  for (const price of prices) {
    if (!price?.lowestPrice) continue;
    if (!read.who.permits.has("#601")) throw forbidden();
    if (price.lowestPrice > (price.listPrice ?? 0))
      throw invalid({ field: "lowestPrice", msg: "底价不能高于标价" });
  }
}

/** A product must belong to the enterprise, be enabled, be of the room's kind and, where the store is given, for it. */
export async function usableProducts(
  read: Read,
  wanted: readonly { productId?: number | null | undefined; kind: string; villageId?: number }[],
): Promise<void> {
  const named = wanted.filter((w) => w.productId);
  if (!named.length) return;
  const rows = await read.tx
    .selectFrom("product")
    .select(["id", "kind", "enabled", "villageIds"])
    .where("enterpriseId", "=", read.who.enterpriseId)
    .where("id", "in", [...new Set(named.map((w) => w.productId!))])
    .execute();
  const known = new Map(rows.map((row) => [row.id, row]));
  for (const { productId, kind, villageId } of named) {
    const product = known.get(productId!);
    if (!product?.enabled) throw invalid({ field: "productId", msg: "请选择产品" });
    if (product.kind !== kind) throw invalid({ field: "productId", msg: "产品类型与房间类型不一致" });
    if (villageId && !product.villageIds.includes(villageId))
      throw invalid({ field: "productId", msg: "产品不适用于该门店" });
  }
}
