import { z } from "zod";
import * as filter from "../../../platform/kernel/filter.ts";
import { dayInput, id, number, status, text } from "../../../platform/kernel/field.ts";
import { wrongCells } from "../../../platform/kernel/fields/wrong-cells.ts";
import { importFamily, longBatch, longReplies } from "../../system/import/import.contract.ts";
import { LONG_STATES } from "../../system/import/import.rules.ts";
import { importPreview } from "./preview.rules.ts";

const rooms = importFamily({
  base: "/room/api/v3/roomImport",
  title: "房源",
  needs: "6.import",
  target: "roomImport",
});

export const ROOM_IMPORT_STATES = { checking: ["检查中", "blue"], ...LONG_STATES } as const;
const row = longBatch.extend({
  state: status("状态", ROOM_IMPORT_STATES),
  villageId: id.nullable(),
  villageName: text("门店").nullable(),
  made: text("新建", { help: "楼栋 / 单元 / 楼层 / 房源 / 房间" }),
});

const sentIn = { kind: "days", title: "时间", from: "from", to: "to" } as const;
export const roomImports = rooms.list(row, {
  villageIds: filter.villages(),
  state: filter.choices("状态", ROOM_IMPORT_STATES),
  from: filter.by(dayInput("开始日").optional(), sentIn),
  to: filter.by(dayInput("结束日").optional(), sentIn),
  keyword: filter.keyword("编号、文件名"),
});
export const roomImport = rooms.get(row.extend({ preview: importPreview.nullable() }));
export const roomImportErrors = rooms.errors(
  z.object({
    list: z.array(wrongCells.element.extend({ sheet: text("工作表") })),
    total: number("错误数"),
  }),
);
export const roomImportErrorFile = rooms.errorFile({ summary: "下载房源导入错误文件", timeout: 300_000 });
const chosen = z.object({ villageId: z.coerce.number().int().positive().optional() });
export const roomImportTemplate = rooms.template(chosen, {
  summary: "下载房源导入模板",
  timeout: 300_000,
});
/** A file of thousands of rooms is judged row by row. */
const judged = { timeout: 120_000, perMinute: 30 };
export const uploadRoomImport = rooms.check(chosen, {
  ...judged,
  summary: "上传并检查房源文件",
  reply: longReplies.check,
});
const body = z.object({});
export const roomImportColumns = rooms.columns();
export const recheckRoomImport = rooms.recheck(longReplies.check, { ...judged, body });
/** All or nothing. Pressed twice it makes one batch. */
export const commitRoomImport = rooms.commit(longReplies.commit, { body, timeout: 120_000 });
export const undoRoomImport = rooms.undo(longReplies.commit, { body, needs: "#603", timeout: 120_000 });

/** What the page works with. */
export const roomImportCalls = {
  template: roomImportTemplate,
  check: uploadRoomImport,
  list: roomImports,
  get: roomImport,
  errors: roomImportErrors,
  errorFile: roomImportErrorFile,
  columns: roomImportColumns,
  recheck: recheckRoomImport,
  commit: commitRoomImport,
  undo: undoRoomImport,
};
