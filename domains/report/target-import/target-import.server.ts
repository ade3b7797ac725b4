import { wrongCells } from "../../../platform/kernel/wrong-cells.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { xlsxReply } from "../../../platform/server/sheets/sheet-template.ts";
import { errorFile, seenBatch, sheetIn } from "../../system/import/batch.service.ts";
import { serveList } from "../../system/import/serve.service.ts";
import { INDICATORS } from "../overview/overview.rules.ts";
import { yearValue } from "../target/target.rules.ts";
import { figure, SHEET } from "./columns.rules.ts";
import {
  checkTargetImport,
  commitTargetImport,
  exportTargets,
  getTargetImport,
  listTargetImports,
  targetErrorFile,
  targetSheet,
  targetTemplate,
  undoTargetImport,
} from "./target-import.contract.ts";
import { template, yearsOf } from "./template.service.ts";
import { checkUpload, commit, plannedIn, TARGETS, undo } from "./target-import.service.ts";

export default [
  serveRead(targetSheet, async (read, { query }) => {
    const { code, year, pageNo, pageSize, want, order } = query;
    const years = await yearsOf(read, query);
    if (order === "desc") years.reverse();
    const at = (pageNo - 1) * pageSize;
    return {
      total: want === "rows" ? null : years.length,
      list: (want === "totals" ? [] : years.slice(at, at + pageSize)).map(({ name, values }) => ({
        villageName: name,
        indicator: INDICATORS[code].title,
        year: String(year),
        unit: INDICATORS[code].kind === "rate" ? "%" : "元",
        ...Object.fromEntries(values.map((value, i) => [`m${i + 1}`, figure(code, value)])),
        whole: figure(code, yearValue(code, values)),
      })),
    };
  }),
  exportList(exportTargets),

  serveRead(targetTemplate, async (read, { query }) =>
    xlsxReply(`${INDICATORS[query.code].title}${query.year}年目标.xlsx`, await template(read, query)),
  ),

  serve(checkTargetImport, async (act, { body, files }) => ({
    id: await checkUpload(act, sheetIn(files), body.note),
  })),

  serveRead(getTargetImport, async (read, { params }) => {
    const { errors, ...batch } = await seenBatch(read, TARGETS, params.id);
    const { cells } = await plannedIn(read, batch.id);
    return { ...batch, changes: cells.length, errors: wrongCells.parse(errors) };
  }),

  serveList(listTargetImports, TARGETS),
  serveRead(targetErrorFile, (read, { params }) => errorFile(read, TARGETS, params.id, SHEET)),
  serve(commitTargetImport, (act, { params, body }) => commit(act, params.id, body.version)),
  serve(undoTargetImport, async (act, { params, body }) => ({
    id: params.id,
    restored: await undo(act, params.id, body.version),
  })),
];
