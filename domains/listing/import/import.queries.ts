import { sql } from "kysely";
import type { z } from "zod";
import {
  amongWords,
  fromDay,
  holds,
  keyword,
  part,
  toDay,
} from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import { villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { roomImports } from "./import.contract.ts";
import { visible } from "./import.service.ts";
import type { ImportPreview } from "./preview.rules.ts";

type Row = z.input<typeof roomImports.reply>["list"][number];

const FROM = sql`room_import join operator o on o.id = room_import.created_by`;

export const imports = listOf(roomImports, {
  id: "room_import.id",
  from: FROM,
  scope: (read, { villageIds }) =>
    villageIds?.length
      ? sql`${visible(read)} and ${holds("room_import.village_ids")(villagesOf(read.who, villageIds))}`
      : visible(read),
  where: {
    state: amongWords("room_import.state"),
    from: fromDay("room_import.created_at"),
    to: toDay("room_import.created_at"),
    keyword: keyword(part("room_import.number", "room_import.file_name")),
  },
  sort: {
    createdAt: { order: (way) => sql`room_import.created_at ${way}, room_import.id desc`, way: "desc" },
  },
  order: "createdAt",
  columns: sql<Omit<Row, "made"> & { counts: unknown }>`room_import.id, room_import.number,
    room_import.file_name "fileName", room_import.village_id "villageId", room_import.row_count "rowCount",
    room_import.made counts, room_import.error_count "errorCount", room_import.state, room_import.progress,
    o.real_name "createdName", room_import.created_at "createdAt",
    (select string_agg(v.name, '、' order by v.id) from village v where v.id = any (room_import.village_ids)) "villageName"`,
  join: sql`join ${FROM} on room_import.id = page.id`,
  rows: (rows) =>
    rows.map(({ counts, ...row }) => {
      const made = counts as ImportPreview["made"] | null;
      // "2 / 4 / 36 / 1200 / 1200": buildings, units, floors, flats, rooms
      const text = made && [made.buildings, made.units, made.floors, made.apartments, made.rooms].join(" / ");
      return { ...row, made: text ?? "" };
    }),
});
