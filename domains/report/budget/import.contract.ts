import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { wrongCells } from "../../../platform/kernel/fields/wrong-cells.ts";
import { idList } from "../../../platform/kernel/paging.ts";
import { bareBatch, importFamily, listedBatch } from "../../system/import/import.contract.ts";

const family = importFamily({
  base: "/billing/api/v3/budget/import",
  title: "预算",
  needs: "136.import",
  target: "budgetImport",
});

export const budgetImport = {
  /** The drafts of a year as they stand, to be filled and brought back. */
  template: family.template(
    z.object({ year: z.coerce.number().int().min(2020).max(2039), villageIds: idList }),
  ),
  check: family.check(),
  get: family.get(bareBatch.extend({ changes: f.number("修改格数"), errors: wrongCells }), {
    summary: "预算导入批次",
  }),
  errorFile: family.errorFile(),
  columns: family.columns(),
  /** The caller's own files. */
  list: family.list(listedBatch, {}),
  commit: family.commit(z.object({ id: f.id, saved: z.number().int(), version: f.version })),
  undo: family.undo(z.object({ id: f.id, restored: z.number().int() })),
};
