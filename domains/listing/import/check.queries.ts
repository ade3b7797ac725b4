import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { openSheet } from "../../../platform/server/sheets/foreign-sheet.ts";
import { readTexts, type SheetError, type TextRow } from "../../../platform/server/sheets/sheet-reading.ts";
import { columnNumber } from "../../../platform/server/sheets/sheet-rows.ts";
import type { NewApartment } from "../apartment/apartment.service.ts";
import {
  buildingKey,
  doorKey,
  structureOf,
  type Spot,
  type Structure,
} from "../building/building.service.ts";
import { houseWords } from "../dictionary/house.queries.ts";
import { SHAPE, SHEET, type ColumnKey } from "./columns.rules.ts";
import { readRow, type FlatRow, type Wrong } from "./row.rules.ts";
import { nearest } from "../../system/import/value.rules.ts";

export type PlannedFlat = {
  row: TextRow<ColumnKey>;
  flat: FlatRow;
  villageId: number;
  spot: Spot;
  productId: number | null;
};
export type Checked = {
  errors: SheetError[];
  rowCount: number;
  flats: PlannedFlat[];
  there: Structure;
  villages: Map<number, { id: number; name: string }>;
};

type Village = { id: number; name: string; shortName: string; code: string; mode: string; state: string };
type Product = { id: number; name: string; code: string; kind: string };

/**
 * Judges a whole file: every cell, rows against each other, and all of it against what stands already. Nothing is
 * written. With a village only its own rows are let through.
 */
export async function checkFile(read: Read, bytes: Buffer, villageId: number | null): Promise<Checked> {
  const reading = readTexts(await openSheet(bytes, SHEET), SHAPE);
  const errors = [...reading.errors];
  const none = { errors, rowCount: reading.rows.length, flats: [], villages: new Map() };
  if (errors.length) return { ...none, there: await structureOf(read, []) };
  const villages = await read.tx
    .selectFrom("village")
    .select(["id", "name", "shortName", "code", "mode", "state"])
    .where("id", "=", anyOf(read.who.villages))
    .execute();
  const products = await read.tx
    .selectFrom("product")
    .select(["id", "name", "code", "kind"])
    .where("enterpriseId", "=", read.who.enterpriseId)
    .where("enabled", "=", true)
    .execute();
  const words = await houseWords(read);
  const named = byName(villages);
  const read1 = reading.rows.map((row) => ({ row, ...readRow(row.typed, read.today, words) }));
  const used = new Set(read1.flatMap(({ row }) => named.get(row.typed.village ?? "")?.id ?? []));
  const there = await structureOf(read, [...used]);
  const doors = new Map<string, number>();
  const flats: PlannedFlat[] = [];
  for (const { row, flat, wrong } of read1) {
    // a cell that could not be read at all says so once
    const unread = new Set(row.wrong.map((w) => w.key));
    const all: Wrong[] = [...row.wrong, ...wrong.filter((w) => !unread.has(w.key))];
    const village = named.get(row.typed.village ?? "");
    if (row.typed.village !== undefined)
      all.push(
        ...againstVillage(village, villageId, row.typed.community, [...named.keys()], row.typed.village),
      );
    if (row.typed.lowestPrice !== undefined && !read.who.permits.has("#601"))
      all.push({ key: "lowestPrice", msg: "没有权限设置底价，请留空" });
    const product = row.typed.product === undefined ? null : productOf(row.typed.product, flat, products);
    if (product?.msg) all.push({ key: "product", msg: product.msg });
    if (village && row.typed.building && row.typed.door) {
      const spot = spotOf(village.id, row, flat);
      all.push(...againstPlace(there, doors, spot, row));
      if (flat && !all.length)
        flats.push({ row, flat, villageId: village.id, spot, productId: product?.id ?? null });
    }
    errors.push(...all.map((w) => reading.errorAt(row, w)));
  }
  errors.sort((a, b) => a.row - b.row || columnNumber(a.column) - columnNumber(b.column));
  return {
    errors,
    rowCount: reading.rows.length,
    flats,
    there,
    villages: new Map(villages.map((v) => [v.id, v])),
  };
}

/** A name that two villages have, such as a short name, leads to neither. */
function byName(villages: readonly Village[]): Map<string, Village> {
  const found = new Map<string, Village>();
  const twice = new Set<string>();
  for (const village of villages)
    for (const name of new Set([village.name, village.code, village.shortName].filter(Boolean)))
      if (found.has(name)) twice.add(name);
      else found.set(name, village);
  for (const name of twice) found.delete(name);
  return found;
}

function againstVillage(
  village: Village | undefined,
  only: number | null,
  community: string | undefined,
  names: readonly string[],
  typed: string,
): Wrong[] {
  if (!village)
    return [
      {
        key: "village",
        msg: `没有门店“${typed.slice(0, 30)}”，或无权查看；相近的有：${nearest(typed, names).join("、") || "无"}`,
      },
    ];
  if (only !== null && village.id !== only) return [{ key: "village", msg: "与所选门店不一致" }];
  if (village.state === "closed") return [{ key: "village", msg: "门店已停业" }];
  return village.mode === "scattered" && community === undefined
    ? [{ key: "community", msg: "分散式门店请填写小区" }]
    : [];
}

const spotOf = (villageId: number, row: TextRow<ColumnKey>, flat: FlatRow | undefined): Spot => ({
  villageId,
  community: row.typed.community ?? "",
  building: row.typed.building!,
  unit: row.typed.unit ?? null,
  floor: flat?.floor ?? 0,
});

/** Doors that stand already or earlier in the file, and floors outside a building that stands. */
function againstPlace(
  there: Structure,
  doors: Map<string, number>,
  spot: Spot,
  row: TextRow<ColumnKey>,
): Wrong[] {
  const wrong: Wrong[] = [];
  const door = row.typed.door!;
  const key = doorKey(spot, door);
  const called = [spot.building, spot.unit, door].filter(Boolean).join("·");
  const first = doors.get(key);
  if (first !== undefined)
    wrong.push({ key: "door", msg: `第 ${row.number} 行与第 ${first} 行重复：${called}` });
  else doors.set(key, row.number);
  if (there.doors.has(key)) wrong.push({ key: "door", msg: `系统中已有该房源：${called}` });
  const building = there.buildings.get(buildingKey(spot));
  if (building && (spot.floor > building.floorsAbove || -spot.floor > building.floorsBelow))
    wrong.push({
      key: "floor",
      msg: `${spot.building} 共地上 ${building.floorsAbove} 层、地下 ${building.floorsBelow} 层`,
    });
  return wrong;
}

function productOf(typed: string, flat: FlatRow | undefined, products: readonly Product[]) {
  const product = products.find((p) => p.name === typed || p.code === typed);
  if (!product) {
    const near = nearest(
      typed,
      products.map((p) => p.name),
    ).join("、");
    return { id: null, msg: `没有产品“${typed.slice(0, 30)}”，相近的有：${near || "无"}` };
  }
  return flat && product.kind !== flat.kind
    ? { id: null, msg: "产品类型与出租方式不一致" }
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
