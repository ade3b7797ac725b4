import type { z } from "zod";
import { forbidden, invalid } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { newPrice } from "./price.contract.ts";
import type { ProductPrice } from "./price.service.ts";

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
