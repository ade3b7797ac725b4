import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import * as f from "../../../platform/kernel/field.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { wrongCells } from "../../../platform/kernel/fields/wrong-cells.ts";
import { bareBatch, importFamily, listedBatch } from "../../system/import/import.contract.ts";
import { CODE_WORDS } from "../indicator/figure.rules.ts";
import { TARGET_CODES } from "./target.rules.ts";

const TARGET = "/report/api/v3/indicatorTarget";
const year = z.coerce.number().int().min(2000).max(2099);
const code = filter.by(z.enum(TARGET_CODES, { error: "请选择指标" }), {
  kind: "choice",
  title: "指标",
  words: CODE_WORDS,
});

const MONTHS = Object.fromEntries(
  Array.from({ length: 12 }, (_, i) => [`m${i + 1}`, f.number(`${i + 1}月`).nullable()]),
) as Record<`m${number}`, z.ZodNullable<z.ZodNumber>>;

/** The grid as rows of figures: percent or yuan. */
export const targetSheet = callsAt(TARGET).get("/sheet", "目标值表", "139.query", {
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
  filters: { year: "年份" },
});

const targets = importFamily({
  base: `${TARGET}/import`,
  title: "目标",
  needs: "139.import",
  target: "targetImport",
});

export const targetImport = {
  /** The targets of a year as they stand, to be changed and brought back. */
  template: targets.template(z.object({ year, code, villageIds: idList })),
  /** The note is required when a month that is over is changed. */
  check: targets.check(z.object({ note: f.remark("原因", 200).default("") })),
  get: targets.get(bareBatch.extend({ changes: f.number("修改格数"), errors: wrongCells }), {
    summary: "目标导入批次",
  }),
  errorFile: targets.errorFile(),
  columns: targets.columns(),
  /** The files that whoever asks has brought. */
  list: targets.list(listedBatch, {}),
  commit: targets.commit(z.object({ id: f.id, saved: z.number().int(), version: f.version })),
  undo: targets.undo(z.object({ id: f.id, restored: z.number().int() })),
};
