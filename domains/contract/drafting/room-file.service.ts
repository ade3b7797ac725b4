import { MOST_WRONG } from "../../../platform/kernel/fields/wrong-cells.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Read, Upload } from "../../../platform/server/pipeline/act.ts";
import { checkedUpload } from "../../system/file/file.service.ts";
import { type SheetCheck, type SheetTemplate, checkSheet } from "../../system/import/importer.service.ts";

type Named = { row: number; name: string; monthlyRent: number | null };

/** Rooms of a company's contract, one to a row. */
export const ROOM_SHEET: SheetCheck<Named[], object> & SheetTemplate<Named[]> = {
  things: "房间",
  most: 2000,
  template: { example: "1301 2800.00 …" },
  columns: async () => [
    { title: "房间", key: "room", must: true, note: "所选门店的房号或房间全名" },
    { title: "月租金", key: "rent", yuan: true, note: "元/月；不填为标价" },
  ],
  check: async (_read, rows) =>
    rows.map((row) => {
      const { room, rent } = row.typed;
      if (!room) row.say("room", "请填写房间");
      if (rent === 0) row.say("rent", "月租金须大于 0");
      return { row: row.number, name: String(room ?? ""), monthlyRent: rent ? Number(rent) : null };
    }),
};

/** The rows of a file, or what is wrong with its cells. */
export async function roomsOfFile(read: Read, upload: Upload | undefined) {
  if (!upload) throw invalid({ field: "file", msg: "请上传xlsx文件" });
  const { bytes } = await checkedUpload(upload, "sheet10M");
  const { found = [], errors } = await checkSheet(read, ROOM_SHEET, bytes, {});
  return { rows: errors.length ? [] : found, errors: errors.slice(0, MOST_WRONG) };
}
