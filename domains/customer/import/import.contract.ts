import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { wrongCells } from "../../../platform/kernel/wrong-cells.ts";

const BASE = "/customer/api/v3/renter/import";
const importId = z.object({ id: z.coerce.number().pipe(f.id) });

export const IMPORT_STATES = {
  failed: ["有错误", "red"],
  ready: ["待确认", "gold"],
  done: ["已导入", "green"],
  undone: ["已撤销", "grey"],
} as const satisfies Words;

const row = z.object({
  id: f.id,
  number: f.link("编号"),
  fileName: f.text("文件"),
  villageName: f.text("门店"),
  rowCount: f.number("行数"),
  errorCount: f.number("错误数"),
  state: f.status("状态", IMPORT_STATES),
  createdName: f.person("操作人"),
  createdAt: f.instant("时间"),
  version: f.version,
});

export const importTemplate = call({
  method: "GET",
  path: `${BASE}/template`,
  summary: "租客导入模板",
  needs: "16.import",
});

/** A dry run: the whole file is checked and kept, nothing is made yet. */
export const checkImport = call({
  method: "POST",
  path: BASE,
  summary: "检查租客导入文件",
  needs: "16.import",
  target: "renterImport",
  upload: { maxBytes: 10 * 1024 * 1024, maxFiles: 1 },
  timeout: 300_000,
  perMinute: 30,
  body: z.object({ villageId: z.coerce.number({ error: "请选择登记门店" }).pipe(f.id) }),
  reply: z.object({ id: f.id }),
});

export const listImports = call({
  method: "GET",
  path: BASE,
  summary: "租客导入批次",
  needs: "16.import",
  query: pageQuery("createdAt").extend({ villageIds: idList }),
  reply: pageReply(row),
});

export const getImport = call({
  method: "GET",
  path: `${BASE}/:id`,
  summary: "租客导入批次详情",
  needs: "16.import",
  target: "renterImport",
  params: importId,
  reply: row.extend({
    errors: wrongCells,
  }),
});

/** The file as it came, with every wrong cell marked. */
export const importErrorFile = call({
  method: "GET",
  path: `${BASE}/:id/errorFile`,
  summary: "下载标错文件",
  needs: "16.import",
  target: "renterImport",
  params: importId,
});

export const commitImport = call({
  method: "POST",
  path: `${BASE}/:id/commit`,
  summary: "确认导入租客",
  needs: "16.import",
  target: "renterImport",
  timeout: 300_000,
  params: importId,
  body: z.object({ version: f.version }),
  reply: z.object({ id: f.id, made: z.number().int() }),
});

export const undoImport = call({
  method: "POST",
  path: `${BASE}/:id/undo`,
  summary: "撤销租客导入",
  needs: "16.import",
  target: "renterImport",
  timeout: 300_000,
  params: importId,
  body: z.object({ version: f.version }),
  reply: z.object({ id: f.id, removed: z.number().int() }),
});
