import { sql } from "kysely";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { notFound, Refusal, stale } from "../../../platform/kernel/refusal.ts";
import type { Act, Read, Upload } from "../../../platform/server/act.ts";
import { anyOf, inScope } from "../../../platform/server/scope.ts";
import { bytesOfFile, storeFile } from "../../system/file/file.service.ts";
import { makeCompany } from "../company/company.service.ts";
import { FIRM_TITLE, type FirmKind } from "../firm/words.rules.ts";
import { makeMerchant } from "../merchant/merchant.service.ts";
import { checkFirms, type FirmRow } from "./check.service.ts";
import type { FirmImportCalls } from "./import.contract.ts";

/** Checks a file and keeps it with its errors; nothing is made. */
export async function checkUpload(
  act: Act,
  { kind, needs }: FirmImportCalls,
  upload: Upload,
  villageId: number,
): Promise<{ id: number }> {
  inScope(act.who, villageId);
  const carrier = { purpose: "sheet10M", targetKind: "firmImport", villageId, needs } as const;
  const file = await storeFile(act, upload, carrier);
  const twin = await act.tx
    .selectFrom("firmImport")
    .select(["number", "updatedAt"])
    .where("sha256", "=", file.sha256)
    .where("kind", "=", kind)
    .where("villageId", "=", anyOf(act.who.villages))
    .where("state", "=", "done")
    .executeTakeFirst();
  if (twin)
    throw new Refusal(
      "twice",
      `该文件已于 ${timeInZone(twin.updatedAt, act.settings.TIME_ZONE).slice(0, 16)} 导入（${twin.number}）`,
    );
  const checked = await checkFirms(act, kind, upload.bytes, villageId);
  const [number] = await act.numbers("DQ");
  const { enterpriseId } = await act.tx
    .selectFrom("village")
    .select("enterpriseId")
    .where("id", "=", villageId)
    .executeTakeFirstOrThrow();
  return act.tx
    .insertInto("firmImport")
    .values({
      number: number!,
      kind,
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

export async function seenImport(read: Read, kind: FirmKind, id: number, lock = false) {
  const row = await read.tx
    .selectFrom("firmImport")
    .selectAll()
    .where("id", "=", id)
    .where("kind", "=", kind)
    .where("villageId", "=", anyOf(read.who.villages))
    .$if(lock, (q) => q.forUpdate())
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

const moveTo = (act: Act, id: number, change: { state: string; errors?: unknown[]; errorCount?: number }) =>
  act.tx
    .updateTable("firmImport")
    .set((eb) => ({
      state: change.state,
      ...(change.errors && { errors: JSON.stringify(change.errors), errorCount: change.errorCount! }),
      version: eb("version", "+", 1),
      updatedAt: act.now.toISOString(),
    }))
    .where("id", "=", id)
    .execute();

const made = (act: Act, row: FirmRow): Promise<number> =>
  row.kind === "company" ? makeCompany(act, row.input) : makeMerchant(act, row.input);

/** Makes every firm of the file, or none: what was registered meanwhile sends the file back to its errors. */
export async function commit(act: Act, kind: FirmKind, id: number, version: number): Promise<number> {
  const batch = await seenImport(act, kind, id, true);
  if (batch.version !== version) throw stale();
  if (batch.state !== "ready")
    throw new Refusal("notAllowed", batch.state === "done" ? "该批次已导入" : "文件有错误，不能导入");
  const checked = await checkFirms(act, kind, await bytesOfFile(act, batch.fileId), batch.villageId);
  if (checked.errorCount) {
    await moveTo(act, id, { state: "failed", errors: checked.errors, errorCount: checked.errorCount });
    const [first] = checked.errors;
    throw new Refusal("changed", `第 ${first!.row} 行：${first!.msg}，未导入任何记录`, 409, { keeps: true });
  }
  const ids: number[] = [];
  for (const row of checked.rows) ids.push(await made(act, row));
  await act.tx.updateTable("firm").set({ importId: id }).where("id", "=", anyOf(ids)).execute();
  await moveTo(act, id, { state: "done" });
  await act.note({
    kind: "firmImport",
    recordId: id,
    number: batch.number,
    villageId: batch.villageId,
    action: "导入",
    summary: `导入${FIRM_TITLE[kind]} ${ids.length} 家`,
  });
  return ids.length;
}

/** Takes back what an import made, as long as nothing hangs on it. */
export async function undo(act: Act, kind: FirmKind, id: number, version: number): Promise<number> {
  const batch = await seenImport(act, kind, id, true);
  if (batch.version !== version) throw stale();
  if (batch.state !== "done") throw new Refusal("notAllowed", "只有已导入的批次可以撤销");
  const { rows } = await sql<{ name: string; why: string }>`
    select p.name, case when exists (select 1 from contract where party_id = p.id) then '有合同'
        when exists (select 1 from bill where party_id = p.id) then '有账单'
        when exists (select 1 from flow where party_id = p.id) then '有流水'
        when exists (select 1 from examine e where e.target_kind = x.kind and e.target_id = p.id and e.state = 'approving') then '在审批中'
        when x.merged_into_id is not null or exists (select 1 from firm y where y.merged_into_id = p.id) then '已合并'
        when (select count(*) from party_village where party_id = p.id) > 1 then '已关联到其他门店' end why
    from firm x join party p on p.id = x.id where x.import_id = ${id}`.execute(act.tx);
  const hanging = rows.filter((r) => r.why);
  if (hanging.length)
    throw new Refusal(
      "inUse",
      `${hanging.length} 家不能撤销：${hanging
        .slice(0, 5)
        .map((h) => `${h.name}${h.why}`)
        .join("、")}`,
    );
  await sql`delete from party where id in (select id from firm where import_id = ${id})`.execute(act.tx);
  await moveTo(act, id, { state: "undone" });
  await act.note({
    kind: "firmImport",
    recordId: id,
    number: batch.number,
    villageId: batch.villageId,
    action: "撤销导入",
    summary: `撤销导入${FIRM_TITLE[kind]} ${rows.length} 家`,
  });
  return rows.length;
}
