import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { NewApartment } from "../apartment/apartment.service.ts";
import {
  buildingKey,
  doorKey,
  structureOf,
  type Spot,
  type Structure,
} from "../building/building.service.ts";
import { houseWords } from "../dictionary/house.queries.ts";
import { seenProducts } from "../product/product.queries.ts";
import type { Row } from "../../system/import/rows.service.ts";
import { storesNamed } from "../../system/import/stores.service.ts";
import { nearest } from "../../system/import/value.rules.ts";
import { readRow, type FlatRow } from "./row.rules.ts";

export type PlannedFlat = {
  n: number;
  flat: FlatRow;
  villageId: number;
  villageName: string;
  spot: Spot;
  productId: number | null;
};
export type Plan = { flats: PlannedFlat[]; there: Structure };

type Product = { id: number; name: string; code: string; kind: string; villageIds: number[] };

/**
 * Judges all rows: every cell, rows against each other, and all of it against what stands already. With a store chosen
 * for the file only its own rows are let through.
 */
export async function checkRooms(
  read: Read,
  rows: readonly Row[],
  { villageId }: { villageId?: number | null },
): Promise<Plan> {
  const products = await read.tx
    .selectFrom("product as d")
    .select(["id", "name", "code", "kind", "villageIds"])
    .where(seenProducts(read))
    .where("enabled", "=", true)
    .execute();
  const words = await houseWords(read);
  const storeOf = await storesNamed(read);
  const own = rows.map((row) => {
    const { flat, wrong } = readRow(row.text, read.today, words);
    for (const { key, msg } of wrong) row.add(key, msg);
    const store = storeOf(row, villageId);
    const elsewhere = row.wrong.some(({ key }) => key === "village");
    if (store?.mode === "scattered" && !elsewhere && row.text["community"] === undefined)
      row.add("community", "分散式门店请填写小区");
    return { row, flat, store };
  });
  const there = await structureOf(read, [...new Set(own.flatMap(({ store }) => store?.id ?? []))]);
  const doors = new Map<string, number>();
  const flats: PlannedFlat[] = [];
  for (const { row, flat, store } of own) {
    const { lowestPrice, product: called, building, door } = row.text;
    if (lowestPrice !== undefined && !read.who.permits.has("#601"))
      row.add("lowestPrice", "没有权限设置底价，请留空");
    const product = called === undefined ? null : productOf(called, flat, store?.id, products);
    if (product?.msg) row.add("product", product.msg);
    if (!store || !building || !door) continue;
    const spot = spotOf(store.id, row, flat);
    againstPlace(there, doors, spot, row);
    if (flat && !row.wrong.length)
      flats.push({
        n: row.number,
        flat,
        villageId: store.id,
        villageName: store.name,
        spot,
        productId: product?.id ?? null,
      });
  }
  return { flats, there };
}

const spotOf = (villageId: number, row: Row, flat: FlatRow | undefined): Spot => ({
  villageId,
  community: row.text.community ?? "",
  building: row.text.building!,
  unit: row.text.unit ?? null,
  floor: flat?.floor ?? 0,
});

/** Doors that stand already or earlier in the file, and floors outside a building that stands. */
function againstPlace(there: Structure, doors: Map<string, number>, spot: Spot, row: Row): void {
  const door = row.text["door"]!;
  const key = doorKey(spot, door);
  const called = [spot.building, spot.unit, door].filter(Boolean).join("·");
  const first = doors.get(key);
  if (first !== undefined) row.add("door", `第 ${row.number} 行与第 ${first} 行重复：${called}`);
  else doors.set(key, row.number);
  if (there.doors.has(key)) row.add("door", `系统中已有该房源：${called}`);
  const building = there.buildings.get(buildingKey(spot));
  if (building && (spot.floor > building.floorsAbove || -spot.floor > building.floorsBelow))
    row.add("floor", `${spot.building} 共地上 ${building.floorsAbove} 层、地下 ${building.floorsBelow} 层`);
}

function productOf(
  typed: string,
  flat: FlatRow | undefined,
  villageId: number | undefined,
  products: readonly Product[],
) {
  const product = products.find((p) => p.name === typed || p.code === typed);
  if (!product) {
    const near = nearest(
      typed,
      products.map((p) => p.name),
    ).join("、");
    return { id: null, msg: `没有产品“${typed.slice(0, 30)}”，相近的有：${near || "无"}` };
  }
  if (flat && product.kind !== flat.kind) return { id: null, msg: "产品类型与出租方式不一致" };
  return villageId && !product.villageIds.includes(villageId)
    ? { id: null, msg: "产品不适用于该门店" }
    : { id: product.id, msg: "" };
}

/** A planned flat as the listing makes it, once its floor stands. */
export const newApartment = (
  { flat, villageId, productId }: PlannedFlat,
  standing: { buildingId: number; unitId: number | null; floorId: number },
  importId: number,
): NewApartment => ({
  villageId,
  ...standing,
  ...flat.facts,
  name: flat.door,
  rentMode: flat.mode,
  wholeToo: flat.wholeToo,
  importId,
  rooms: flat.rooms.map((room) => ({
    ...room,
    productId: room.below ? null : productId,
    ...(room.below && { below: room.below.map((below) => ({ ...below, productId })) }),
  })),
});
