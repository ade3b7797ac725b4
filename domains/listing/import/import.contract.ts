import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { dayInput, id, number, status, text } from "../../../platform/kernel/field.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { oneRecord } from "../../../platform/kernel/records.ts";
import { wrongCells } from "../../../platform/kernel/wrong-cells.ts";
import { longBatch, longReplies } from "../../system/import/import.contract.ts";
import { LONG_STATES } from "../../system/import/import.rules.ts";
import { importPreview } from "./preview.rules.ts";

const path = "/room/api/v3/roomImport";

export const ROOM_IMPORT_STATES = { checking: ["检查中", "blue"], ...LONG_STATES } as const;
const row = longBatch.extend({
  state: status("状态", ROOM_IMPORT_STATES),
  villageId: id.nullable(),
  villageName: text("门店").nullable(),
  made: text("新建", { help: "楼栋 / 单元 / 楼层 / 房源 / 房间" }),
});

const sentIn = { kind: "days", title: "时间", from: "from", to: "to" } as const;
export const roomImports = call({
  method: "GET",
  path,
  summary: "房源导入批次",
  needs: "6.import",
  query: pageQuery("createdAt").extend({
    villageIds: filter.villages(),
    state: filter.choices("状态", ROOM_IMPORT_STATES),
    from: filter.by(dayInput("开始日").optional(), sentIn),
    to: filter.by(dayInput("结束日").optional(), sentIn),
    keyword: filter.keyword("编号、文件名"),
  }),
  reply: pageReply(row),
});

export const roomImport = call({
  method: "GET",
  path: `${path}/:id`,
  summary: "房源导入批次详情",
  needs: "6.import",
  params: oneRecord,
  reply: row.extend({ preview: importPreview.nullable() }),
});

export const roomImportErrors = call({
  method: "GET",
  path: `${path}/:id/errors`,
  summary: "房源导入错误",
  needs: "6.import",
  params: oneRecord,
  reply: z.object({
    list: z.array(wrongCells.element.extend({ sheet: text("工作表") })),
    total: number("错误数"),
  }),
});

/** The file as it came, with every wrong cell marked and its sentence beside it. */
export const roomImportErrorFile = call({
  method: "GET",
  path: `${path}/:id/errorFile`,
  summary: "下载房源导入错误文件",
  needs: "6.import",
  params: oneRecord,
  timeout: 300_000,
});

export const roomImportTemplate = call({
  method: "GET",
  path: `${path}/template`,
  summary: "下载房源导入模板",
  needs: "6.import",
  query: z.object({ villageId: z.coerce.number().int().positive().optional() }),
  timeout: 300_000,
});

/** Keeps the file and checks it; nothing is made yet. */
export const uploadRoomImport = call({
  method: "POST",
  path,
  summary: "上传并检查房源文件",
  needs: "6.import",
  target: "roomImport",
  upload: { maxBytes: 10 * 1024 * 1024, maxFiles: 1 },
  timeout: 120_000,
  perMinute: 120,
  body: z.object({ villageId: z.coerce.number().int().positive().optional() }),
  reply: longReplies.check,
});

export const recheckRoomImport = call({
  method: "POST",
  path: `${path}/:id/check`,
  summary: "重新检查房源文件",
  needs: "6.import",
  target: "roomImport",
  timeout: 120_000,
  perMinute: 120,
  params: oneRecord,
  body: z.object({}),
  reply: longReplies.check,
});

/** All or nothing. Pressed twice it makes one batch. */
export const commitRoomImport = call({
  method: "POST",
  path: `${path}/:id/commit`,
  summary: "确认导入房源",
  needs: "6.import",
  target: "roomImport",
  money: true,
  timeout: 120_000,
  params: oneRecord,
  body: z.object({}),
  reply: longReplies.commit,
});

export const undoRoomImport = call({
  method: "POST",
  path: `${path}/:id/undo`,
  summary: "撤销房源导入",
  needs: "#603",
  target: "roomImport",
  timeout: 120_000,
  params: oneRecord,
  body: z.object({}),
  reply: longReplies.commit,
});

/** What the page works with. */
export const roomImportCalls = {
  template: roomImportTemplate,
  check: uploadRoomImport,
  list: roomImports,
  get: roomImport,
  errors: roomImportErrors,
  errorFile: roomImportErrorFile,
  recheck: recheckRoomImport,
  commit: commitRoomImport,
  undo: undoRoomImport,
};
