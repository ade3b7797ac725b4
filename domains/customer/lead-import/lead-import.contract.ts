import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { wrongCells } from "../../../platform/kernel/wrong-cells.ts";
import { IMPORT_STATES } from "../import/import.contract.ts";

const BASE = "/customer/api/v3/lead/import";
const importId = z.object({ id: z.coerce.number().pipe(f.id) });
const one = { needs: "15.import", target: "leadImport", params: importId } as const;

export const leadTemplate = call({
  method: "GET",
  path: `${BASE}/template`,
  summary: "客源导入模板",
  needs: "15.import",
});

/** A dry run: the whole file is checked and kept, nothing is made yet. */
export const checkLeadImport = call({
  method: "POST",
  path: BASE,
  summary: "检查客源导入文件",
  needs: "15.import",
  target: "leadImport",
  upload: { maxBytes: 10 * 1024 * 1024, maxFiles: 1 },
  timeout: 300_000,
  perMinute: 30,
  body: z.object({ villageId: z.coerce.number({ error: "请选择意向门店" }).pipe(f.id) }),
  reply: z.object({ id: f.id }),
});

export const getLeadImport = call({
  ...one,
  method: "GET",
  path: `${BASE}/:id`,
  summary: "客源导入批次",
  reply: z.object({
    id: f.id,
    number: f.link("编号"),
    fileName: f.text("文件"),
    rowCount: f.number("行数"),
    errorCount: f.number("错误数"),
    state: f.status("状态", IMPORT_STATES),
    errors: wrongCells,
    version: f.version,
  }),
});

/** The file as it came, with every wrong cell marked. */
export const leadErrorFile = call({
  ...one,
  method: "GET",
  path: `${BASE}/:id/errorFile`,
  summary: "下载客源标错文件",
});

export const commitLeadImport = call({
  ...one,
  method: "POST",
  path: `${BASE}/:id/commit`,
  summary: "确认导入客源",
  timeout: 300_000,
  body: z.object({ version: f.version }),
  reply: z.object({ id: f.id, made: z.number().int() }),
});

export const undoLeadImport = call({
  ...one,
  method: "POST",
  path: `${BASE}/:id/undo`,
  summary: "撤销客源导入",
  timeout: 300_000,
  body: z.object({ version: f.version }),
  reply: z.object({ id: f.id, removed: z.number().int() }),
});
