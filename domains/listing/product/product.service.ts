import type { z } from "zod";
import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import { type Act, entryOn } from "../../../platform/server/pipeline/act.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { anyOf, inScope } from "../../../platform/server/pipeline/scope.ts";
import { checkWords } from "../../system/dic/dic.service.ts";
import { attachPictures, letGo } from "../../system/file/file.service.ts";
import type { addProduct } from "./product.contract.ts";
import { sql } from "kysely";
import { NEXT_VERSION, stamp } from "../../../platform/server/database/versioned.ts";
import { changed } from "../occupancy/occupancy.service.ts";
import { mayMove } from "../price-change/approval.service.ts";
import { ownAhead, refusePending } from "../pricing/given.service.ts";
import { followProducts, leaveProducts } from "../room/product-price.service.ts";

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
  await act.note(entryOn("product", { id }, fields.code, "新增", `新增产品 ${fields.name}`));
  return id;
}

/** The pictures of a product in their order; the first is the cover. Answers whether they are others than before. */
export async function hangPictures(
  act: Act,
  productId: number,
  fileIds: readonly number[],
): Promise<boolean> {
  const before = await act.tx
    .selectFrom("productPicture")
    .select("fileId")
    .where("productId", "=", productId)
    .orderBy("sort")
    .execute();
  if (before.map((picture) => picture.fileId).join() === fileIds.join()) return false;
  await attachPictures(act, fileIds, { targetKind: "product", targetId: productId });
  await act.tx.deleteFrom("productPicture").where("productId", "=", productId).execute();
  await letGo(
    act,
    before.map((picture) => picture.fileId).filter((id) => !fileIds.includes(id)),
  );
  if (!fileIds.length) return true;
  await act.tx
    .insertInto("productPicture")
    .values(fileIds.map((fileId, sort) => ({ productId, fileId, sort })))
    .execute();
  return true;
}

type Product = { id: number; name: string; kind: string; villageIds: readonly number[] };
type Wanted = { add: readonly number[]; remove: readonly number[]; ownPrice: "keep" | "follow" };

/**
 * Puts rooms under a product and takes others from it. A room with a price of its own keeps it or follows from today
 * on, as `ownPrice` says; one without any follows. What leaves keeps the price it has as its own.
 */
export async function linkRooms(act: Act, product: Product, { add, remove, ownPrice }: Wanted) {
  const wanted = [...new Set([...add, ...remove])];
  const rows = await act.tx
    .selectFrom("room as r")
    .select(["r.id", "r.villageId", "r.fullName", "r.kind", "r.productId", "r.priceMode", "r.retiredDay"])
    .select(sql<boolean>`exists (select 1 from room_price p where p.room_id = r.id)`.as("priced"))
    .where("r.id", "=", anyOf(wanted))
    .where("r.villageId", "=", anyOf(act.who.villages))
    .orderBy("r.id")
    .forUpdate()
    .execute();
  if (rows.length < wanted.length) throw notFound();
  const adding = new Set(add);
  const coming = rows.filter((row) => adding.has(row.id) && row.productId !== product.id);
  const staying = rows.filter((row) => adding.has(row.id) && row.productId === product.id);
  const going = rows.filter((row) => !adding.has(row.id));
  for (const row of coming) {
    const msg =
      row.kind !== product.kind
        ? `${row.fullName} 的类型与产品不一致`
        : !product.villageIds.includes(row.villageId)
          ? `${row.fullName} 所在门店不在产品的适用门店内`
          : row.retiredDay && row.retiredDay <= act.today
            ? `${row.fullName} 已注销`
            : undefined;
    if (msg) throw invalid({ field: "add", msg });
  }
  const strange = going.find((row) => row.productId !== product.id);
  if (strange) throw invalid({ field: "remove", msg: `${strange.fullName} 不属于该产品` });
  const follows = (row: (typeof rows)[number]) =>
    !row.priced || ownPrice === "follow" || row.priceMode === "follow";
  const following = [...coming, ...staying.filter((row) => row.priceMode === "own")].filter(follows);
  const keeping = coming.filter((row) => !follows(row));
  await mayMove(
    act,
    following.filter((row) => row.priced),
    product.id,
  );
  await keepsNothingAhead(
    act,
    following.filter((row) => row.priceMode === "own").map((row) => row.id),
  );
  await set(act, following, product.id, "follow");
  await set(act, keeping, product.id, "own");
  await set(act, going, null, "own");
  await followProducts(
    act,
    following.map((row) => row.id),
  );
  await leaveProducts(
    act,
    going.map((row) => row.id),
  );
  const touched = [...following, ...keeping, ...going];
  await changed(
    act,
    touched.map((row) => ({ roomId: row.id, villageId: row.villageId })),
  );
  const told = (list: typeof rows, summary: string) =>
    list.map((row) => ({
      kind: "room",
      recordId: row.id,
      number: row.fullName,
      villageId: row.villageId,
      action: "关联产品",
      summary,
    }));
  await act.note([
    ...told(following, `关联产品 ${product.name}，价格跟随产品`),
    ...told(keeping, `关联产品 ${product.name}，保留自有价格`),
    ...told(going, `移出产品 ${product.name}`),
  ]);
  return { added: coming.length, removed: going.length, following: following.length };
}

/** What is planned for rooms of their own would go unseen with the prices of their product: each is turned by itself, where it is shown. */
async function keepsNothingAhead(act: Act, roomIds: readonly number[]): Promise<void> {
  await refusePending(act, roomIds, act.today, true);
  const ahead = await ownAhead(act, roomIds);
  if (ahead)
    throw new Refusal(
      "notAllowed",
      `${ahead.room} 已定 ${ahead.day} 起的价格，跟随产品后会取消；请保留自有价格，再在房间的价格中逐间恢复跟随产品`,
    );
}

async function set(
  act: Act,
  rows: readonly { id: number }[],
  productId: number | null,
  priceMode: "own" | "follow",
): Promise<void> {
  if (!rows.length) return;
  await act.tx
    .updateTable("room")
    .set({
      productId,
      priceMode,
      version: NEXT_VERSION,
      ...stamp(act),
    })
    .where("id", "=", anyOf(rows.map((row) => row.id)))
    .execute();
}
