import { invalid } from "../../../platform/kernel/refusal.ts";
import { wrongCells } from "../../../platform/kernel/wrong-cells.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { bytesOfFile } from "../../system/file/file.service.ts";
import { openSheet } from "../../../platform/server/sheets/foreign-sheet.ts";
import { markedSheet } from "../../../platform/server/sheets/noted-sheet.ts";
import { xlsxReply } from "../../../platform/server/sheets/sheet-template.ts";
import { SHEET } from "./columns.rules.ts";
import {
  checkImport,
  commitImport,
  getImport,
  importErrorFile,
  importTemplate,
  type IMPORT_STATES,
} from "./import.contract.ts";
import { checkUpload, commit, seenImport } from "./import.service.ts";
import { templateFile } from "./template.service.ts";

export default [
  serveRead(importTemplate, async () => xlsxReply("账单导入模板.xlsx", await templateFile())),

  serve(checkImport, async (act, { files: [upload] }) => {
    if (!upload) throw invalid({ field: "file", msg: "请上传xlsx文件" });
    return checkUpload(act, upload);
  }),

  serveRead(getImport, async (read, { params }) => {
    const row = await seenImport(read, params.id);
    return { ...row, state: row.state as keyof typeof IMPORT_STATES, errors: wrongCells.parse(row.errors) };
  }),

  serveRead(importErrorFile, async (read, { params }) => {
    const row = await seenImport(read, params.id);
    const bytes = await bytesOfFile(read, row.fileId);
    return xlsxReply(
      `标错_${row.fileName}`,
      markedSheet(await openSheet(bytes, SHEET), wrongCells.parse(row.errors)),
    );
  }),

  serve(commitImport, async (act, { params, body }) => ({
    id: params.id,
    made: await commit(act, params.id, body.version),
  })),
];
