import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { wrongCells } from "../../../platform/kernel/wrong-cells.ts";
import { bareBatch, importId, sheetUpload } from "../../system/import/import.contract.ts";

const BASE = "/billing/api/v3/bill/import";
export const importTemplate = call({
  method: "GET",
  path: `${BASE}/template`,
  summary: "账单导入模板",
  needs: "#2605",
});

/** A dry run: the whole file is checked and kept, no bill is made yet. */
export const checkImport = call({
  method: "POST",
  path: BASE,
  summary: "检查账单导入文件",
  needs: "#2605",
  target: "billImport",
  ...sheetUpload,
  upload: { maxBytes: 30 * 1024 * 1024, maxFiles: 1 },
  reply: z.object({ id: f.id }),
});

/** One's own file and what was found in it. */
export const getImport = call({
  method: "GET",
  path: `${BASE}/:id`,
  summary: "账单导入批次详情",
  needs: "#2605",
  target: "billImport",
  params: importId,
  reply: bareBatch.extend({
    number: f.text("编号"),
    amount: f.money("金额合计"),
    errors: wrongCells,
  }),
});

/** The file as it came, with every wrong cell marked. */
export const importErrorFile = call({
  method: "GET",
  path: `${BASE}/:id/errorFile`,
  summary: "下载账单标错文件",
  needs: "#2605",
  target: "billImport",
  params: importId,
});

export const commitImport = call({
  method: "POST",
  path: `${BASE}/:id/commit`,
  summary: "确认导入账单",
  needs: "#2605",
  money: true,
  target: "billImport",
  timeout: 300_000,
  params: importId,
  body: z.object({ version: f.version }),
  reply: z.object({ id: f.id, made: z.number().int() }),
});

/** What the dialog works with. */
export const billImport = {
  template: importTemplate,
  check: checkImport,
  get: getImport,
  errorFile: importErrorFile,
  commit: commitImport,
};
