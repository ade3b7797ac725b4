import { randomUUID } from "node:crypto";
import { aBook, type Typed } from "../../../platform/server/sheets/book.sample.ts";
import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { COLUMNS, headOf, SHEET, type ColumnKey } from "./columns.rules.ts";
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
  aBook(SHEET, [heads, ...rows.map((row) => COLUMNS.map(({ key }) => row[key]))], merged);

/** Sends a file to be checked, as the console does. */
export async function sendSheet(house: TestHouse, as: Person, bytes: Buffer, villageId?: number) {
  const form = new FormData();
  if (villageId) form.set("villageId", String(villageId));
  form.append("file", new Blob([new Uint8Array(bytes)]), "房源.xlsx");
  const body = new Response(form);
  const answer = await house.app.inject({
    method: "POST",
    url: uploadRoomImport.path,
    headers: {
      "content-type": body.headers.get("content-type")!,
      "idempotency-key": randomUUID(),
      authorization: as.token,
    },
    payload: Buffer.from(await body.arrayBuffer()),
  });
  const json = answer.json() as { message: string; data: { id: number; state: string; errorCount: number } };
  return { status: answer.statusCode, message: json.message, ...json.data };
}
