import { invalid } from "../../../platform/kernel/refusal.ts";
import { wrongCells } from "../../../platform/kernel/wrong-cells.ts";
import { markedBook } from "../../../platform/server/noted-sheet.ts";
import { anyOf, villagesOf } from "../../../platform/server/scope.ts";
import { serve, serveRead, type Served } from "../../../platform/server/serve.ts";
import { sheetTemplate, xlsxReply } from "../../../platform/server/sheet-template.ts";
import { bytesOfFile } from "../../system/file/file.service.ts";
import { FIRM_TITLE } from "../firm/words.rules.ts";
import { MOST_ROWS } from "../import/columns.rules.ts";
import type { IMPORT_STATES } from "../import/import.contract.ts";
import { FIRM_SHEET, templateOf } from "./columns.rules.ts";
import { companyImport, merchantImport, type FirmImportCalls } from "./import.contract.ts";
import { checkUpload, commit, seenImport, undo } from "./import.service.ts";

type State = keyof typeof IMPORT_STATES;

const served = (calls: FirmImportCalls): Served[] => {
  const { kind } = calls;
  return [
    serveRead(calls.template, async () =>
      xlsxReply(
        `${FIRM_TITLE[kind]}导入模板.xlsx`,
        await sheetTemplate({ ...templateOf(kind), rows: MOST_ROWS, megabytes: 10 }),
      ),
    ),
    serve(calls.check, async (act, { body, files }) => {
      const [upload] = files;
      if (!upload) throw invalid({ field: "file", msg: "请上传xlsx文件" });
      return checkUpload(act, calls, upload, body.villageId);
    }),
    serveRead(calls.list, async (read, { query }) => {
      const mine = read.tx
        .selectFrom("firmImport as i")
        .where("i.kind", "=", kind)
        .where("i.villageId", "=", anyOf(villagesOf(read.who, query.villageIds)));
      const list =
        query.want === "totals"
          ? []
          : await mine
              .innerJoin("village as v", "v.id", "i.villageId")
              .leftJoin("operator as o", "o.id", "i.createdBy")
              .select(["i.id", "i.number", "i.fileName", "v.name as villageName", "i.rowCount"])
              .select(["i.errorCount", "i.state", "o.realName", "i.createdAt", "i.version"])
              .orderBy("i.createdAt", query.order ?? "desc")
              .orderBy("i.id", "desc")
              .limit(query.pageSize)
              .offset((query.pageNo - 1) * query.pageSize)
              .execute();
      const counted =
        query.want === "rows"
          ? undefined
          : await mine.select((eb) => eb.fn.countAll<number>().as("n")).executeTakeFirstOrThrow();
      return {
        list: list.map(({ realName, ...row }) => ({
          ...row,
          state: row.state as State,
          createdName: realName ?? "",
        })),
        total: counted?.n ?? null,
      };
    }),
    serveRead(calls.get, async (read, { params }) => {
      const row = await seenImport(read, kind, params.id);
      const [village, person] = await Promise.all([
        read.tx
          .selectFrom("village")
          .select("name")
          .where("id", "=", row.villageId)
          .executeTakeFirstOrThrow(),
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
    serveRead(calls.errorFile, async (read, { params }) => {
      const row = await seenImport(read, kind, params.id);
      const bytes = await bytesOfFile(read, row.fileId);
      const book = await markedBook(bytes, FIRM_SHEET[kind], wrongCells.parse(row.errors));
      return xlsxReply(`标错_${row.fileName}`, book);
    }),
    serve(calls.commit, async (act, { params, body }) => ({
      id: params.id,
      made: await commit(act, kind, params.id, body.version),
    })),
    serve(calls.undo, async (act, { params, body }) => ({
      id: params.id,
      removed: await undo(act, kind, params.id, body.version),
    })),
  ];
};

export default [...served(companyImport), ...served(merchantImport)];
