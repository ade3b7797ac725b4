import type { z } from "zod";
import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { anyOf, inScope } from "../../../platform/server/pipeline/scope.ts";
import { checkWords } from "../../system/dic/dic.service.ts";
import { attachPictures } from "../../system/file/file.service.ts";
import type { addProduct } from "./product.contract.ts";

constraintSays("product_enterprise_id_code_key", { field: "code", msg: "产品编码已存在" });
constraintSays("product_enterprise_id_name_key", { field: "name", msg: "产品名称已存在" });

type Body = z.output<NonNullable<typeof addProduct.body>>;
export type ProductFields = Omit<Body, "listPrice" | "lowestPrice" | "effectiveDay" | "villagePrices">;

/** Stores in scope and of the enterprise, words of the dictionary, fees of the enterprise. */
export async function usableFields(
  act: Act,
  fields: Omit<ProductFields, "pictures">,
  kept?: { facilities: readonly string[] },
): Promise<void> {
  for (const villageId of fields.villageIds) inScope(act.who, villageId);
  const stores = await act.tx
    .selectFrom("village")
    .select("id")
    .where("id", "=", anyOf(fields.villageIds))
    .where("enterpriseId", "=", act.who.enterpriseId)
    .execute();
  if (stores.length < new Set(fields.villageIds).size)
    throw invalid({ field: "villageIds", msg: "请选择适用门店" });
  await checkWords(act, "facility", "room", fields.facilities, {
    field: "facilities",
    kept: kept?.facilities ?? [],
    villageIds: fields.villageIds,
  });
  const wanted = [...new Set(fields.fees.map((fee) => fee.subjectId))];
  if (wanted.length < fields.fees.length) throw invalid({ field: "fees", msg: "同一费用只能设置一次" });
  const known = await act.tx
    .selectFrom("feeBrief as s")
    .leftJoin("feeChoice as c", "c.id", "s.id")
    .select(["s.name", "c.id as choice"])
    .where("s.id", "=", anyOf(wanted))
    .where("s.enterpriseId", "=", act.who.enterpriseId)
    .execute();
  if (known.length < wanted.length) throw invalid({ field: "fees", msg: "请选择费用" });
  const odd = known.find((subject) => subject.choice === null);
  if (odd) throw invalid({ field: "fees", msg: `${odd.name}不能作为合同费用收取，请选择其他费用科目` });
}

/** The columns of a product as its form fills them. */
export const rowOf = ({ payPlans, fees, villageIds, ...fields }: Omit<ProductFields, "pictures">) => ({
  ...fields,
  villageIds: [...new Set(villageIds)].toSorted((a, b) => a - b),
  areaFrom: fields.areaFrom ?? null,
  areaTo: fields.areaTo ?? null,
  minTermMonths: fields.minTermMonths ?? null,
  maxTermMonths: fields.maxTermMonths ?? null,
  payPlans: JSON.stringify(payPlans),
  fees: JSON.stringify(
    fees.map(({ amount, unitPrice, ...fee }) => ({
      ...fee,
      amount: fee.way === "amount" ? amount : null,
      unitPrice: fee.way === "unit" ? unitPrice : null,
    })),
  ),
});

export async function createProduct(act: Act, { pictures, ...fields }: ProductFields): Promise<number> {
  const by = act.who.operatorId || null;
  const { id } = await act.tx
    .insertInto("product")
    .values({ ...rowOf(fields), enterpriseId: act.who.enterpriseId, createdBy: by, updatedBy: by })
    .returning("id")
    .executeTakeFirstOrThrow();
  await hangPictures(act, id, pictures);
  await act.note({
    kind: "product",
    recordId: id,
    number: fields.code,
    action: "新增",
    summary: `新增产品 ${fields.name}`,
  });
  return id;
}

/** The pictures of a product in their order; the first is the cover. */
export async function hangPictures(act: Act, productId: number, fileIds: readonly number[]): Promise<void> {
  await attachPictures(act, fileIds, { targetKind: "product", targetId: productId });
  await act.tx.deleteFrom("productPicture").where("productId", "=", productId).execute();
  if (!fileIds.length) return;
  await act.tx
    .insertInto("productPicture")
    .values(fileIds.map((fileId, sort) => ({ productId, fileId, sort })))
    .execute();
}
