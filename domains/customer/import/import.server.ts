import { invalid } from "../../../platform/kernel/refusal.ts";
import { wrongCells } from "../../../platform/kernel/wrong-cells.ts";
import { anyOf, villagesOf } from "../../../platform/server/scope.ts";
import { serve, serveRead } from "../../../platform/server/serve.ts";
import { bytesOfFile } from "../../system/file/file.service.ts";
import { markedBook } from "../../../platform/server/noted-sheet.ts";
import { xlsxReply } from "../../../platform/server/sheet-template.ts";
import { SHEET } from "./columns.rules.ts";
import {
  checkImport,
  commitImport,
  getImport,
  importErrorFile,
  importTemplate,
  listImports,
  undoImport,
  type IMPORT_STATES,
} from "./import.contract.ts";
import { checkUpload, commit, seenImport, undo } from "./import.service.ts";
import { templateFile } from "./template.service.ts";

type State = keyof typeof IMPORT_STATES;
export default [
  serveRead(importTemplate, async (read) => xlsxReply("租客导入模板.xlsx", await templateFile(read))),

  serve(checkImport, async (act, { body, files }) => {
    const [upload] = files;
    if (!upload) throw invalid({ field: "file", msg: "请上传xlsx文件" });
    return checkUpload(act, upload, body.villageId);
  }),

  serveRead(listImports, async (read, { query }) => {
    const mine = read.tx
      .selectFrom("renterImport as i")
      .where("i.villageId", "=", anyOf(villagesOf(read.who, query.villageIds)));
    const [list, counted] = await Promise.all([
      query.want === "totals"
        ? []
        : mine
            .innerJoin("village as v", "v.id", "i.villageId")
            .leftJoin("operator as o", "o.id", "i.createdBy")
            .select([
              "i.id",
              "i.number",
              "i.fileName",
              "v.name as villageName",
              "i.rowCount",
              "i.errorCount",
              "i.state",
              "o.realName as createdName",
              "i.createdAt",
              "i.version",
            ])
            .orderBy("i.createdAt", query.order ?? "desc")
            .orderBy("i.id", "desc")
            .limit(query.pageSize)
            .offset((query.pageNo - 1) * query.pageSize)
            .execute(),
      query.want === "rows"
        ? undefined
        : mine.select((eb) => eb.fn.countAll<number>().as("n")).executeTakeFirstOrThrow(),
    ]);
    return {
      list: list.map((row) => ({ ...row, state: row.state as State, createdName: row.createdName ?? "" })),
      total: counted?.n ?? null,
    };
  }),

  serveRead(getImport, async (read, { params }) => {
    const row = await seenImport(read, params.id);
    const [village, person] = await Promise.all([
      read.tx.selectFrom("village").select("name").where("id", "=", row.villageId).executeTakeFirstOrThrow(),
      read.tx.selectFrom("operator").select("realName").where("id", "=", row.createdBy).executeTakeFirst(),
    ]);
    return {
      ...row,
      state: row.state as State,
      villageName: village.name,
      createdName: person?.realName ?? "",
      errors: wrongCells.parse(row.errors),
    };
  }),

  serveRead(importErrorFile, async (read, { params }) => {
    const row = await seenImport(read, params.id);
    const bytes = await bytesOfFile(read, row.fileId);
    return xlsxReply(`标错_${row.fileName}`, await markedBook(bytes, SHEET, wrongCells.parse(row.errors)));
  }),

  serve(commitImport, async (act, { params, body }) => ({
    id: params.id,
    made: await commit(act, params.id, body.version),
  })),

  serve(undoImport, async (act, { params, body }) => ({
    id: params.id,
    removed: await undo(act, params.id, body.version),
  })),
];
