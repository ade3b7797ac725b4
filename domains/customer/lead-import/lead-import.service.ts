import { sql } from "kysely";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { notFound, Refusal, stale } from "../../../platform/kernel/refusal.ts";
import type { Act, Read, Upload } from "../../../platform/server/act.ts";
import { anyOf, inScope } from "../../../platform/server/scope.ts";
import { bytesOfFile, storeFile } from "../../system/file/file.service.ts";
import { insertLeads } from "../lead/many.service.ts";
import { checkFile } from "./check.service.ts";

/** Checks a file and keeps it with its errors; nothing is made. */
export async function checkUpload(act: Act, upload: Upload, villageId: number): Promise<{ id: number }> {
  inScope(act.who, villageId);
  const file = await storeFile(act, upload, {
    purpose: "sheet10M",
    targetKind: "leadImport",
    villageId,
    needs: "15.import",
  });
  const twin = await act.tx
    .selectFrom("leadImport")
    .select(["number", "updatedAt"])
    .where("sha256", "=", file.sha256)
    .where("villageId", "=", anyOf(act.who.villages))
    .where("state", "=", "done")
    .executeTakeFirst();
  if (twin)
    throw new Refusal(
      "twice",
      `该文件已于 ${timeInZone(twin.updatedAt, act.settings.TIME_ZONE).slice(0, 16)} 导入（${twin.number}）`,
    );
  const { enterpriseId } = await act.tx
    .selectFrom("village")
    .select("enterpriseId")
    .where("id", "=", villageId)
    .executeTakeFirstOrThrow();
  const checked = await checkFile(act, upload.bytes, { villageId, enterpriseId });
  const [number] = await act.numbers("DK");
  return act.tx
    .insertInto("leadImport")
    .values({
      number: number!,
      enterpriseId,
      villageId,
      fileId: file.id,
      fileName: file.name,
      sha256: file.sha256,
      rowCount: checked.rowCount,
      errors: JSON.stringify(checked.errors),
      errorCount: checked.errorCount,
      state: checked.errorCount ? "failed" : "ready",
      createdBy: act.who.operatorId,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
}

export async function seenImport(read: Read, id: number, lock = false) {
  const row = await read.tx
    .selectFrom("leadImport")
    .selectAll()
    .where("id", "=", id)
    .where("villageId", "=", anyOf(read.who.villages))
    .$if(lock, (q) => q.forUpdate())
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

const moveTo = (act: Act, id: number, change: { state: string; errors?: unknown[]; errorCount?: number }) =>
  act.tx
    .updateTable("leadImport")
    .set((eb) => ({
      state: change.state,
      ...(change.errors && { errors: JSON.stringify(change.errors), errorCount: change.errorCount! }),
      version: eb("version", "+", 1),
      updatedAt: act.now.toISOString(),
    }))
    .where("id", "=", id)
    .execute();

/** Registers everybody in the file, or nobody: who came by another way meanwhile sends the file back to its errors. */
export async function commit(act: Act, id: number, version: number): Promise<number> {
  const batch = await seenImport(act, id, true);
  if (batch.version !== version) throw stale();
  if (batch.state !== "ready")
    throw new Refusal("notAllowed", batch.state === "done" ? "该批次已导入" : "文件有错误，不能导入");
  const checked = await checkFile(act, await bytesOfFile(act, batch.fileId), batch);
  if (checked.errorCount) {
    await moveTo(act, id, { state: "failed", errors: checked.errors, errorCount: checked.errorCount });
    const [first] = checked.errors;
    throw new Refusal("changed", `第 ${first!.row} 行：${first!.msg}，未导入任何记录`, 409, { keeps: true });
  }
  await insertLeads(act, batch.enterpriseId, checked.rows, id);
  await moveTo(act, id, { state: "done" });
  await noteImport(act, batch, "导入", `导入客源 ${checked.rows.length} 条`);
  return checked.rows.length;
}

/** Takes back what an import made, as long as nobody has worked on it. */
export async function undo(act: Act, id: number, version: number): Promise<number> {
  const batch = await seenImport(act, id, true);
  if (batch.version !== version) throw stale();
  if (batch.state !== "done") throw new Refusal("notAllowed", "只有已导入的批次可以撤销");
  const { rows } = await sql<{ name: string }>`
    select l.name from lead l where l.import_id = ${id} and (l.state <> 'new'
      or exists (select 1 from reservation r where r.lead_id = l.id)
      or exists (select 1 from viewing w where w.lead_id = l.id)) order by l.id`.execute(act.tx);
  if (rows.length)
    throw new Refusal(
      "inUse",
      `${rows.length} 条客源已有跟进，不能撤销：${rows
        .slice(0, 5)
        .map((row) => row.name)
        .join("、")}`,
    );
  const gone = await act.tx.deleteFrom("lead").where("importId", "=", id).executeTakeFirst();
  await moveTo(act, id, { state: "undone" });
  await noteImport(act, batch, "撤销导入", `撤销导入客源 ${gone.numDeletedRows} 条`);
  return Number(gone.numDeletedRows);
}

const noteImport = (
  act: Act,
  batch: { id: number; number: string; villageId: number },
  action: string,
  summary: string,
) =>
  act.note({
    kind: "leadImport",
    recordId: batch.id,
    number: batch.number,
    villageId: batch.villageId,
    action,
    summary,
  });
