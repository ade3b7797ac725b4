import { invalid } from "../../../platform/kernel/refusal.ts";
import { wrongCells } from "../../../platform/kernel/wrong-cells.ts";
import { markedBook } from "../../../platform/server/noted-sheet.ts";
import { serve, serveRead } from "../../../platform/server/serve.ts";
import { sheetTemplate, xlsxReply } from "../../../platform/server/sheet-template.ts";
import { bytesOfFile } from "../../system/file/file.service.ts";
import type { IMPORT_STATES } from "../import/import.contract.ts";
import { COLUMNS, MOST_ROWS, SHEET } from "./columns.rules.ts";
import {
  checkLeadImport,
  commitLeadImport,
  getLeadImport,
  leadErrorFile,
  leadTemplate,
  undoLeadImport,
} from "./lead-import.contract.ts";
import { checkUpload, commit, seenImport, undo } from "./lead-import.service.ts";

/** The sheet in which people write down who asked for a room. */
const templateFile = () =>
  sheetTemplate({
    sheet: SHEET,
    columns: COLUMNS.map(({ title, must, note, words }) => ({
      title,
      must,
      note,
      choices: words && Object.values(words).map(([word]) => word),
    })),
    rows: MOST_ROWS,
    megabytes: 10,
    example: "沈知夏 13812345678 来源：上门 预算：2500-3500",
  });

export default [
  serveRead(leadTemplate, async () => xlsxReply("客源导入模板.xlsx", await templateFile())),

  serve(checkLeadImport, async (act, { body, files }) => {
    const [upload] = files;
    if (!upload) throw invalid({ field: "file", msg: "请上传xlsx文件" });
    return checkUpload(act, upload, body.villageId);
  }),

  serveRead(getLeadImport, async (read, { params }) => {
    const row = await seenImport(read, params.id);
    return { ...row, state: row.state as keyof typeof IMPORT_STATES, errors: wrongCells.parse(row.errors) };
  }),

  serveRead(leadErrorFile, async (read, { params }) => {
    const row = await seenImport(read, params.id);
    const bytes = await bytesOfFile(read, row.fileId);
    return xlsxReply(`标错_${row.fileName}`, await markedBook(bytes, SHEET, wrongCells.parse(row.errors)));
  }),

  serve(commitLeadImport, async (act, { params, body }) => ({
    id: params.id,
    made: await commit(act, params.id, body.version),
  })),
  serve(undoLeadImport, async (act, { params, body }) => ({
    id: params.id,
    removed: await undo(act, params.id, body.version),
  })),
];
