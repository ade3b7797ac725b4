import { timeInZone } from "../../../platform/kernel/day.ts";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { notFound, Refusal, stale } from "../../../platform/kernel/refusal.ts";
import type { Act, Read, Upload } from "../../../platform/server/pipeline/act.ts";
import { bytesOfFile, storeFile } from "../../system/file/file.service.ts";
import { makeBills, type NewBill } from "../bill/bill.service.ts";
import { lateFeeTermsOf } from "../setting/setting.service.ts";
import { checkFile, type Checked, type Found } from "./check.service.ts";

/** Checks a file and keeps it with its errors; no bill is made. */
export async function checkUpload(act: Act, upload: Upload): Promise<{ id: number }> {
  const file = await storeFile(act, upload, {
    purpose: "sheet30M",
    targetKind: "billImport",
    needs: "#2605",
  });
  const twin = await act.tx
    .selectFrom("billImport")
    .innerJoin("operator", "operator.id", "billImport.createdBy")
    .select(["billImport.number", "billImport.updatedAt"])
    .where("billImport.sha256", "=", file.sha256)
    .where("billImport.state", "=", "done")
    .where("operator.enterpriseId", "is not distinct from", act.who.enterpriseId)
    .executeTakeFirst();
  if (twin) {
    const at = timeInZone(twin.updatedAt, act.settings.TIME_ZONE).slice(0, 16);
    throw new Refusal("twice", `该文件已于 ${at} 导入（${twin.number}）`);
  }
  const checked = await checkFile(act, upload.bytes);
  const [number] = await act.numbers("DR");
  return act.tx
    .insertInto("billImport")
    .values({
      number: number!,
      villageIds: checked.villageIds,
      fileId: file.id,
      fileName: file.name,
      sha256: file.sha256,
      ...kept(checked),
      state: checked.errorCount ? "failed" : "ready",
      createdBy: act.who.operatorId,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
}

const kept = ({ rowCount, amount, errors, errorCount }: Checked) => ({
  rowCount,
  amount,
  errors: JSON.stringify(errors),
  errorCount,
});

/** One's own file, as long as the stores that it names are still one's own. */
export async function seenImport(read: Read, id: number, lock = false) {
  const row = await read.tx
    .selectFrom("billImport")
    .selectAll()
    .where("id", "=", id)
    .where("createdBy", "=", read.who.operatorId)
    .$if(lock, (q) => q.forUpdate())
    .executeTakeFirst();
  if (!row || row.villageIds.some((village) => !read.who.villages.includes(village))) throw notFound();
  return row;
}

/** Makes every bill of the file, or none: what changed meanwhile sends the file back to its errors. */
export async function commit(act: Act, id: number, version: number): Promise<number> {
  const batch = await seenImport(act, id, true);
  if (batch.version !== version) throw stale();
  if (batch.state !== "ready")
    throw new Refusal("notAllowed", batch.state === "done" ? "该批次已导入" : "文件有错误，不能导入");
  const checked = await checkFile(act, await bytesOfFile(act, batch.fileId));
  const state = checked.errorCount ? "failed" : "done";
  await act.tx
    .updateTable("billImport")
    .set({
      ...kept(checked),
      state,
      version: NEXT_VERSION,
      updatedAt: act.now.toISOString(),
    })
    .where("id", "=", id)
    .execute();
  if (checked.errorCount) {
    const [first] = checked.errors;
    throw new Refusal("changed", `第 ${first!.row} 行：${first!.msg}，未导入任何账单`, 409, { keeps: true });
  }
  const bills = await newBills(act, checked.rows, id);
  const made = await makeBills(act, bills);
  await act.note([
    ...made.map((bill, i) => ({
      kind: "bill",
      recordId: bill.id,
      number: bill.billNo,
      villageId: bills[i]!.villageId,
      action: "导入",
      summary: `导入账单 ${yuan(checked.rows[i]!.typed.amount)}（${batch.number} 第 ${checked.rows[i]!.text.number} 行）`,
    })),
    {
      kind: "billImport",
      recordId: id,
      number: batch.number,
      action: "导入",
      summary: `导入账单 ${made.length} 笔，合计 ${yuan(checked.amount)}`,
    },
  ]);
  return made.length;
}

async function newBills(act: Act, rows: readonly Found[], importId: number): Promise<NewBill[]> {
  const terms = new Map<number, Awaited<ReturnType<typeof lateFeeTermsOf>>>();
  for (const { villageId } of rows)
    if (!terms.has(villageId)) terms.set(villageId, await lateFeeTermsOf(act, villageId));
  return rows.map(({ typed, subject, villageId, roomId, contractId, partyId }): NewBill => {
    const { from, to, dueDate, amount, remark } = typed;
    return {
      villageId,
      roomId,
      contractId,
      partyId,
      title: subject.name,
      dueDate,
      periodStart: from,
      periodEnd: to,
      source: "import",
      sourceId: importId,
      remark,
      ...terms.get(villageId)!,
      lines: [
        {
          subject: subject.id,
          roomId,
          amount,
          periodStart: from,
          periodEnd: to,
          slices: [{ from, to, amount }],
          explain: { rule: "manual", quantity: "1", price: amount },
        },
      ],
    };
  });
}
