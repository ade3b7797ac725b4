import { addDays } from "../../../platform/kernel/day.ts";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import { invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { openSheet } from "../../../platform/server/sheets/foreign-sheet.ts";
import { notedSheet, type RowNote } from "../../../platform/server/sheets/noted-sheet.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { attachFile, bytesOfFile, storeFile } from "../../system/file/file.service.ts";
import { checkFile } from "./check.service.ts";
import { SHEET } from "./columns.rules.ts";
import {
  commitContractImport,
  contractImport,
  contractImportResult,
  contractImportTemplate,
  dryRunContractImport,
  undoContractImport,
  contractImportCommitted,
} from "./import.contract.ts";
import { contractsOf, imports, importSeen } from "./import.queries.ts";
import { AT_ONCE, commitRefusal, type ImportState } from "./planned.rules.ts";
import { check, takeBatch } from "./import.service.ts";
import { templateFor } from "./template.service.ts";
import { undoBatch } from "./undo.service.ts";

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
/** Balances older than this are no take-over but history. */
const OLDEST_DAYS = 365;

const move = (act: Act, id: number, state: ImportState) =>
  act.tx
    .updateTable("contractImport")
    .set({ state, version: NEXT_VERSION, updatedAt: act.now.toISOString() })
    .where("id", "=", id)
    .execute();

export default [
  serveRead(contractImportTemplate, async (read) => ({
    name: "在租合同导入模板.xlsx",
    type: XLSX,
    body: await templateFor(read),
  })),

  serveList(imports),

  serveRead(contractImport, async (read, { params }) => {
    const { totals, errors } = await importSeen(read, params.id);
    const [row] = await imports.rowsOf(read, [params.id]);
    return { ...row!, totals, errors };
  }),

  serveRead(contractImportResult, async (read, { params }) => {
    const batch = await importSeen(read, params.id);
    const bytes = await bytesOfFile(read, batch.fileId);
    const made = await contractsOf(read, batch.id);
    const taken = batch.state === "done" || batch.state === "undone";
    const notes: RowNote[] = taken
      ? made.map((c) => ({ row: c.row, text: c.contractNo, wrong: false }))
      : // more errors may stand in the file than are kept: all of them are marked
        (await checkFile(read, bytes, batch.takenOn)).errors.map((e) => ({
          row: e.row,
          column: e.column,
          text: `${e.column && `${e.column} 列 `}${e.header && `${e.header}：`}${e.msg}`,
          wrong: true,
        }));
    return {
      name: `${batch.fileName.replace(/\.xlsx$/i, "")}-${taken ? "结果" : "错误"}.xlsx`,
      type: XLSX,
      body: notedSheet(await openSheet(bytes, SHEET), {
        title: taken ? "合同号" : "错误说明",
        notes,
      }),
    };
  }),

  serve(dryRunContractImport, async (act, { body, files }) => {
    const [upload] = files;
    if (!upload) throw invalid({ field: "file", msg: "请上传xlsx文件" });
    const { takenOn } = body;
    if (takenOn > act.today) throw invalid({ field: "takenOn", msg: "接管日不能晚于今天" });
    if (takenOn < addDays(act.today, -OLDEST_DAYS))
      throw invalid({ field: "takenOn", msg: "接管日不能早于一年前" });
    const file = await storeFile(act, upload, { purpose: "sheet10M" });
    const [number] = await act.numbers("QC");
    const { id } = await act.tx
      .insertInto("contractImport")
      .values({
        number: number!,
        takenOn,
        fileId: file.id,
        fileName: file.name,
        sha256: file.sha256,
        createdBy: act.who.operatorId,
        createdAt: act.now.toISOString(),
        updatedAt: act.now.toISOString(),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await attachFile(act, file.id, { targetKind: "contractImport", targetId: id });
    const { errors } = await check(act, id, upload.bytes, takenOn);
    return { id, state: errors.length ? ("failed" as const) : ("ready" as const), errorCount: errors.length };
  }),

  serve(commitContractImport, async (act, { body }) => {
    const batch = await importSeen(act, body.id, true);
    const why = commitRefusal(batch.state);
    if (why) throw new Refusal("notAllowed", why);
    if (batch.rowCount > AT_ONCE) {
      await move(act, batch.id, "importing");
      await act.emit(contractImportCommitted, { id: batch.id, operatorId: act.who.operatorId });
      return { id: batch.id, state: "importing" as const };
    }
    return { id: batch.id, state: await takeBatch(act, batch) };
  }),

  serve(undoContractImport, async (act, { body }) => {
    const batch = await importSeen(act, body.id, true);
    if (batch.state !== "done") throw new Refusal("notAllowed", "只有已导入的批次可以撤销");
    const contracts = await undoBatch(act, batch);
    await move(act, batch.id, "undone");
    return { id: batch.id, contracts };
  }),
];
