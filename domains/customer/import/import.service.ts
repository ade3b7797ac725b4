import { sql } from "kysely";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { notFound, Refusal, stale } from "../../../platform/kernel/refusal.ts";
import type { Act, Read, Upload } from "../../../platform/server/act.ts";
import { anyOf, inScope } from "../../../platform/server/scope.ts";
import { bytesOfFile, storeFile } from "../../system/file/file.service.ts";

import { checkFile } from "./check.service.ts";
import { createRenters } from "./make.service.ts";

/** Checks a file and keeps it with its errors; nothing is made. */
export async function checkUpload(act: Act, upload: Upload, villageId: number): Promise<{ id: number }> {
  inScope(act.who, villageId);
  const file = await storeFile(act, upload, {
    purpose: "sheet10M",
    targetKind: "renterImport",
    villageId,
    needs: "16.import",
  });
  const twin = await act.tx
    .selectFrom("renterImport")
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
  const checked = await checkFile(act, upload.bytes, villageId);
  const [number] = await act.numbers("DZ");
  const { enterpriseId } = await act.tx
    .selectFrom("village")
    .select("enterpriseId")
    .where("id", "=", villageId)
    .executeTakeFirstOrThrow();
  return act.tx
    .insertInto("renterImport")
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
    .selectFrom("renterImport")
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
    .updateTable("renterImport")
    .set((eb) => ({
      state: change.state,
      ...(change.errors && { errors: JSON.stringify(change.errors), errorCount: change.errorCount! }),
      version: eb("version", "+", 1),
      updatedAt: act.now.toISOString(),
    }))
    .where("id", "=", id)
    .execute();

/** Makes every renter of the file, or none: what was registered meanwhile sends the file back to its errors. */
export async function commit(act: Act, id: number, version: number): Promise<number> {
  const batch = await seenImport(act, id, true);
  if (batch.version !== version) throw stale();
  if (batch.state !== "ready")
    throw new Refusal("notAllowed", batch.state === "done" ? "该批次已导入" : "文件有错误，不能导入");
  const checked = await checkFile(act, await bytesOfFile(act, batch.fileId), batch.villageId);
  if (checked.errorCount) {
    await moveTo(act, id, { state: "failed", errors: checked.errors, errorCount: checked.errorCount });
    const [first] = checked.errors;
    throw new Refusal("changed", `第 ${first!.row} 行：${first!.msg}，未导入任何记录`, 409, { keeps: true });
  }
  await createRenters(
    act,
    checked.rows.map((r) => r.input),
    id,
  );
  await moveTo(act, id, { state: "done" });
  await act.note({
    kind: "renterImport",
    recordId: id,
    number: batch.number,
    villageId: batch.villageId,
    action: "导入",
    summary: `导入租客 ${checked.rows.length} 人`,
  });
  return checked.rows.length;
}

/** Takes back what an import made, as long as nothing hangs on it. */
export async function undo(act: Act, id: number, version: number): Promise<number> {
  const batch = await seenImport(act, id, true);
  if (batch.version !== version) throw stale();
  if (batch.state !== "done") throw new Refusal("notAllowed", "只有已导入的批次可以撤销");
  const { rows } = await sql<{ name: string; why: string }>`
    select p.name, case when exists (select 1 from contract where party_id = p.id) then '有合同'
        when exists (select 1 from reservation where party_id = p.id) then '有预订'
        when exists (select 1 from lead where renter_id = p.id) then '有客源'
        when exists (select 1 from bill where party_id = p.id) then '有账单'
        when exists (select 1 from flow where party_id = p.id) then '有流水'
        when exists (select 1 from contract_occupant where renter_id = p.id) then '有同住记录'
        when r.merged_into_id is not null or exists (select 1 from renter x where x.merged_into_id = p.id) then '已合并'
        when (select count(*) from party_village where party_id = p.id) > 1 then '已关联到其他门店' end why
    from renter r join party p on p.id = r.id where r.import_id = ${id}`.execute(act.tx);
  const hanging = rows.filter((r) => r.why);
  if (hanging.length)
    throw new Refusal(
      "inUse",
      `${hanging.length} 人不能撤销：${hanging
        .slice(0, 5)
        .map((h) => `${h.name}${h.why}`)
        .join("、")}`,
    );
  await sql`delete from party where id in (select id from renter where import_id = ${id})`.execute(act.tx);
  await moveTo(act, id, { state: "undone" });
  await act.note({
    kind: "renterImport",
    recordId: id,
    number: batch.number,
    villageId: batch.villageId,
    action: "撤销导入",
    summary: `撤销导入租客 ${rows.length} 人`,
  });
  return rows.length;
}
