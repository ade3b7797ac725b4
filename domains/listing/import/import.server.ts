import { createHash } from "node:crypto";
import { invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { attachFile, bytesOfFile, storeFile } from "../../system/file/file.service.ts";
import { checkFile } from "./check.queries.ts";
import { markedFile, templateFor, undoBatch } from "./template.service.ts";
import {
  commitRoomImport,
  recheckRoomImport,
  roomImport,
  roomImportErrorFile,
  roomImportErrors,
  roomImportTemplate,
  undoRoomImport,
  uploadRoomImport,
  roomImportCommitted,
} from "./import.contract.ts";
import { imports } from "./import.queries.ts";
import { AT_ONCE, type ImportPreview, type ImportState, commitRefusal } from "./preview.rules.ts";
import { check, importSeen, takeBatch } from "./import.service.ts";
import type { SheetError } from "../../../platform/server/sheets/sheet-reading.ts";

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

const stateOf = async (act: Act, id: number) => {
  const { state, errorCount } = await importSeen(act, id);
  return { id, state, errorCount };
};

const move = (act: Act, id: number, state: ImportState) =>
  act.tx
    .updateTable("roomImport")
    .set({ state, updatedAt: act.now.toISOString() })
    .where("id", "=", id)
    .execute();

/** The same file is not taken twice while what it made stands. */
async function refuseTaken(act: Act, sha256: string): Promise<void> {
  const taken = await act.tx
    .selectFrom("roomImport")
    .select(["number", "doneAt"])
    .where("sha256", "=", sha256)
    .where("state", "in", ["importing", "done"])
    .executeTakeFirst();
  if (!taken) return;
  const at = taken.doneAt ? timeInZone(taken.doneAt, act.settings.TIME_ZONE).slice(0, 16) : "";
  throw new Refusal(
    "taken",
    at ? `该文件已于 ${at} 导入（${taken.number}）` : `该文件正在导入（${taken.number}）`,
  );
}

export default [
  serveList(imports),

  serveRead(roomImportTemplate, async (read, { query }) => ({
    name: "房源导入模板.xlsx",
    type: XLSX,
    body: await templateFor(read, query.villageId),
  })),

  serveRead(roomImport, async (read, { params }) => {
    const { preview } = await importSeen(read, params.id);
    const [row] = await imports.rowsOf(read, [params.id]);
    return { ...row!, preview: preview as ImportPreview | null };
  }),

  serveRead(roomImportErrors, async (read, { params }) => {
    const row = await importSeen(read, params.id);
    return { list: row.errors as SheetError[], total: row.errorCount };
  }),

  serveRead(roomImportErrorFile, async (read, { params }) => {
    const row = await importSeen(read, params.id);
    const bytes = await bytesOfFile(read, row.fileId);
    // more errors may stand in the file than are kept: all of them are marked
    const { errors } = await checkFile(read, bytes, row.villageId);
    return {
      name: `${row.fileName.replace(/\.xlsx$/i, "")}-错误.xlsx`,
      type: XLSX,
      body: markedFile(bytes, errors),
    };
  }),

  serve(uploadRoomImport, async (act, { body, files }) => {
    const [upload] = files;
    if (!upload) throw invalid({ field: "file", msg: "请上传xlsx文件" });
    const villageId = body.villageId ? inScope(act.who, body.villageId) : null;
    const sha256 = createHash("sha256").update(upload.bytes).digest("hex");
    await refuseTaken(act, sha256);
    const file = await storeFile(act, upload, { purpose: "sheet10M" });
    const [number] = await act.numbers("DR");
    const { id } = await act.tx
      .insertInto("roomImport")
      .values({
        number: number!,
        fileId: file.id,
        fileName: file.name,
        sha256,
        villageId,
        createdBy: act.who.operatorId,
        createdAt: act.now.toISOString(),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await attachFile(act, file.id, { targetKind: "roomImport", targetId: id, villageId, needs: "6.import" });
    await check(act, id, upload.bytes, villageId);
    return stateOf(act, id);
  }),

  serve(recheckRoomImport, async (act, { params }) => {
    const row = await importSeen(act, params.id);
    if (row.state === "importing" || row.state === "done")
      throw new Refusal("notAllowed", commitRefusal(row.state)!);
    await refuseTaken(act, row.sha256);
    await check(act, row.id, await bytesOfFile(act, row.fileId), row.villageId);
    return stateOf(act, row.id);
  }),

  serve(commitRoomImport, async (act, { params }) => {
    await act.tx.selectFrom("roomImport").select("id").where("id", "=", params.id).forUpdate().execute();
    const row = await importSeen(act, params.id);
    const why = commitRefusal(row.state);
    if (why) throw new Refusal("notAllowed", why);
    await refuseTaken(act, row.sha256);
    if (row.rowCount > AT_ONCE) {
      await move(act, row.id, "importing");
      await act.emit(roomImportCommitted, { id: row.id, operatorId: act.who.operatorId });
      return { id: row.id, state: "importing" as const };
    }
    return { id: row.id, state: await takeBatch(act, row) };
  }),

  serve(undoRoomImport, async (act, { params }) => {
    await act.tx.selectFrom("roomImport").select("id").where("id", "=", params.id).forUpdate().execute();
    const row = await importSeen(act, params.id);
    if (row.state !== "done") throw new Refusal("notAllowed", "只有已导入的批次可以撤销");
    const gone = await undoBatch(act, row.id);
    await move(act, row.id, "undone");
    const summary = `撤销导入，移除 ${gone.apartments} 套房源、${gone.rooms} 个房间（${row.number}）`;
    await act.note([
      { kind: "roomImport", recordId: row.id, number: row.number, action: "撤销导入", summary },
      ...row.villageIds.map((villageId) => ({
        kind: "village",
        recordId: villageId,
        villageId,
        action: "导入房源",
        summary,
      })),
    ]);
    return { id: row.id, state: "undone" as const };
  }),
];
