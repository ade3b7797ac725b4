import { forbidden, invalid } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";

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
