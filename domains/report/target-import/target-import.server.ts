import { invalid } from "../../../platform/kernel/refusal.ts";
import { wrongCells } from "../../../platform/kernel/wrong-cells.ts";
import { exportList } from "../../../platform/server/export.ts";
import { markedBook } from "../../../platform/server/noted-sheet.ts";
import { serve, serveRead } from "../../../platform/server/serve.ts";
import { xlsxReply } from "../../../platform/server/sheet-template.ts";
import { bytesOfFile } from "../../system/file/file.service.ts";
import { INDICATORS } from "../overview/overview.rules.ts";
import { yearValue } from "../target/target.rules.ts";
import { figure, SHEET } from "./columns.rules.ts";
import {
  checkTargetImport,
  commitTargetImport,
  exportTargets,
  getTargetImport,
  targetErrorFile,
  targetSheet,
  targetTemplate,
  undoTargetImport,
  type IMPORT_STATES,
} from "./target-import.contract.ts";
import { template, yearsOf } from "./template.service.ts";
import { checkUpload, commit, seenImport, undo } from "./target-import.service.ts";

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

  serve(checkTargetImport, async (act, { body, files }) => {
    const [upload] = files;
    if (!upload) throw invalid({ field: "file", msg: "请上传xlsx文件" });
    return checkUpload(act, upload, body.note);
  }),

  serveRead(getTargetImport, async (read, { params }) => {
    const row = await seenImport(read, params.id);
    return {
      ...row,
      changes: (row.cells as unknown as unknown[]).length,
      state: row.state as keyof typeof IMPORT_STATES,
      errors: wrongCells.parse(row.errors),
    };
  }),

  serveRead(targetErrorFile, async (read, { params }) => {
    const row = await seenImport(read, params.id);
    const bytes = await bytesOfFile(read, row.fileId);
    return xlsxReply(`标错_${row.fileName}`, await markedBook(bytes, SHEET, wrongCells.parse(row.errors)));
  }),

  serve(commitTargetImport, (act, { params, body }) => commit(act, params.id, body.version)),
  serve(undoTargetImport, async (act, { params, body }) => ({
    id: params.id,
    restored: await undo(act, params.id, body.version),
  })),
];
