import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { wrongCells } from "../../../platform/kernel/wrong-cells.ts";
import {
  bareBatch,
  batchesWithoutStore,
  importId,
  sheetUpload,
} from "../../system/import/import.contract.ts";
import { TARGET_CODES } from "./target.rules.ts";

const TARGET = "/report/api/v3/indicatorTarget";
const BASE = `${TARGET}/import`;
const one = { needs: "139.import", target: "targetImport", params: importId } as const;
const year = z.coerce.number().int().min(2000).max(2099);
const code = z.enum(TARGET_CODES, { error: "请选择指标" });

const MONTHS = Object.fromEntries(
  Array.from({ length: 12 }, (_, i) => [`m${i + 1}`, f.number(`${i + 1}月`).nullable()]),
) as Record<`m${number}`, z.ZodNullable<z.ZodNumber>>;

/** The grid as rows of figures: percent or yuan. */
export const targetSheet = call({
  method: "GET",
  path: `${TARGET}/sheet`,
  summary: "目标值表",
  needs: "139.query",
  query: pageQuery("villageName").extend({ year, code, villageIds: idList }),
  reply: pageReply(
    z.object({
      villageName: f.text("门店"),
      indicator: f.text("指标"),
      year: f.text("年份"),
      unit: f.text("单位"),
      ...MONTHS,
      whole: f.number("全年").nullable(),
    }),
  ),
});

export const exportTargets = exportOf({
  type: "indicatorTarget",
  title: "目标值",
  needs: "139.export",
  list: targetSheet,
  filters: { code: "指标", year: "年份" },
});

/** The targets of a year as they stand, to be changed and brought back. */
export const targetTemplate = call({
  method: "GET",
  path: `${BASE}/template`,
  summary: "目标导入模板",
  needs: "139.import",
  query: z.object({ year, code, villageIds: idList }),
});

/** A dry run: the whole file is checked and kept, nothing is changed yet. */
export const checkTargetImport = call({
  method: "POST",
  path: BASE,
  summary: "检查目标导入文件",
  needs: "139.import",
  target: "targetImport",
  ...sheetUpload,
  /** Required when a month that is over is changed. */
  body: z.object({ note: f.remark("原因", 200).default("") }),
  reply: z.object({ id: f.id }),
});

export const getTargetImport = call({
  ...one,
  method: "GET",
  path: `${BASE}/:id`,
  summary: "目标导入批次",
  reply: bareBatch.extend({ changes: f.number("修改格数"), errors: wrongCells }),
});

/** The files that whoever asks has brought. */
export const listTargetImports = batchesWithoutStore({ base: BASE, title: "目标", needs: "139.import" });

/** The file as it came, with every wrong cell marked. */
export const targetErrorFile = call({
  ...one,
  method: "GET",
  path: `${BASE}/:id/errorFile`,
  summary: "下载目标标错文件",
});

export const commitTargetImport = call({
  ...one,
  method: "POST",
  path: `${BASE}/:id/commit`,
  summary: "确认导入目标",
  timeout: 300_000,
  body: z.object({ version: f.version }),
  reply: z.object({ id: f.id, saved: z.number().int(), version: f.version }),
});

export const undoTargetImport = call({
  ...one,
  method: "POST",
  path: `${BASE}/:id/undo`,
  summary: "撤销目标导入",
  timeout: 300_000,
  body: z.object({ version: f.version }),
  reply: z.object({ id: f.id, restored: z.number().int() }),
});

export const targetImport = {
  template: targetTemplate,
  check: checkTargetImport,
  get: getTargetImport,
  errorFile: targetErrorFile,
  list: listTargetImports,
  commit: commitTargetImport,
  undo: undoTargetImport,
};
