import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { yuan, type Fen } from "../../../platform/kernel/fen.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { followProducts, priceProduct } from "../product/price.service.ts";
import type { ProductChange } from "./change.rules.ts";

type Following = { roomId: number; byProduct: boolean; productId: number | null };
/** The price of a product on the very day of a change, as it was before. */
type Replaced = { productId: number; rows: { villageId: number | null; listPrice: Fen; lowestPrice: Fen }[] };

/** Whoever prices a product locks it first, and so does a change that does. */
export async function lockProducts(act: Act, rooms: readonly Following[]): Promise<void> {
  const ids = new Set(rooms.flatMap((room) => (room.byProduct && room.productId ? [room.productId] : [])));
  if (ids.size)
    await sql`select id from product where id = ${anyOf([...ids])} order by id for update`.execute(act.tx);
}

const pricesOn = (act: Act, productId: number, day: Day) =>
  act.tx
    .selectFrom("productPrice")
    .select(["villageId", "listPrice", "lowestPrice"])
    .where("productId", "=", productId)
    .where("effectiveDay", "=", day)
    .orderBy("id")
    .execute();

/** Gives products their new price from the day on; their rooms follow. Answers what stood on that day before. */
export async function priceProducts(
  act: Act,
  products: readonly ProductChange[],
  day: Day,
  how: string,
): Promise<Replaced[]> {
  const replaced: Replaced[] = [];
  for (const { id, name, unit, rooms, prices } of products) {
    replaced.push({ productId: id, rows: await pricesOn(act, id, day) });
    const [general] = prices.filter((p) => p.villageId === null);
    const priced = prices.map((p) => ({ villageId: p.villageId, listPrice: p.list, lowestPrice: p.lowest }));
    await priceProduct(
      act,
      { id, priceUnit: unit },
      {
        effectiveDay: day,
        listPrice: general!.list,
        lowestPrice: general!.lowest,
        villages: priced.flatMap(({ villageId, ...p }) => (villageId === null ? [] : [{ villageId, ...p }])),
      },
    );
    await noteProduct(
      act,
      id,
      `${how}，${day} 起 ${name} 标价 ${yuan(general!.list)}，${rooms} 间跟随房间随之变更`,
    );
  }
  return replaced;
}

/** The prices that products had come back; one that somebody has set since then stays. */
export async function takeBackProducts(
  act: Act,
  change: { id: number; effectiveDay: Day; productPrices: unknown },
  rooms: readonly Following[],
): Promise<void> {
  for (const { productId, rows } of change.productPrices as Replaced[]) {
    const { numAffectedRows } = await sql`delete from product_price where product_id = ${productId}
      and effective_day = ${change.effectiveDay} and created_at = (select applied_at from price_change where id = ${change.id})`.execute(
      act.tx,
    );
    if (!numAffectedRows) continue;
    if (rows.length)
      await act.tx
        .insertInto("productPrice")
        .values(rows.map((row) => ({ ...row, productId, effectiveDay: change.effectiveDay })))
        .execute();
    const followers = rooms.filter((r) => r.byProduct && r.productId === productId).map((r) => r.roomId);
    await followProducts(act, followers);
    await noteProduct(act, productId, "调价已取消，产品价格恢复");
  }
}

async function noteProduct(act: Act, id: number, summary: string): Promise<void> {
  const { code } = await act.tx
    .selectFrom("product")
    .select("code")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  await act.note({ kind: "product", recordId: id, number: code, action: "调价", summary });
}
