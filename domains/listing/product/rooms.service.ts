import { sql } from "kysely";
import { NEXT_VERSION, stamp } from "../../../platform/server/database/versioned.ts";
import { invalid, notFound } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { changed } from "../occupancy/occupancy.service.ts";
import { mayMove } from "../price-change/approval.service.ts";
import { followProducts, leaveProducts } from "../room/product-price.service.ts";

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
