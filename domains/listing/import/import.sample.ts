import { aBook, type Typed } from "../../../platform/server/sheets/book.sample.ts";
import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { headOf } from "../../system/import/import.rules.ts";
import { sendFile } from "../../system/import/import.sample.ts";
import { COLUMNS, type ColumnKey } from "./columns.rules.ts";
import { uploadRoomImport } from "./import.contract.ts";

export type SampleRow = Partial<Record<ColumnKey, Typed>>;

/** A row of a plain flat; n counts doors floor by floor, eight to a floor, 288 to a building of two units. */
export function aRow(n: number, village = "滨江店"): SampleRow {
  const building = Math.floor(n / 288) + 1;
  const unit = Math.floor((n % 288) / 144) + 1;
  const floor = Math.floor((n % 144) / 8) + 1;
  return {
    village,
    building: `${building}栋`,
    unit: `${unit}单元`,
    floor: `${floor}F`,
    door: String(floor * 100 + (n % 8) + 1),
    mode: "整租",
    bedrooms: 2,
    halls: 1,
    baths: 1,
    grossArea: 89.5,
    innerArea: 72,
    orientation: "南",
    decoration: "精装",
    listPrice: 3000,
    capacity: 3,
    facilities: "空调,床",
  };
}

/** A workbook as people save it, rows from line 2 on. */
export const aSheet = (rows: readonly SampleRow[], heads = COLUMNS.map(headOf), merged?: string) =>
  aBook("房源", [heads, ...rows.map((row) => COLUMNS.map(({ key }) => row[key]))], merged);

/** Sends a file to be checked, as the console does. */
export const sendSheet = (house: TestHouse, as: Person, bytes: Buffer, villageId?: number) =>
  sendFile(house, as, uploadRoomImport, bytes, { villageId }, "房源.xlsx");
