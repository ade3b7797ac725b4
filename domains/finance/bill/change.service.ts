import { createHash } from "node:crypto";
import type { z } from "zod";
import { isAmount, TOO_LARGE, type Fen } from "../../../platform/kernel/fen.ts";
import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { freezable, lateFeesOf } from "../latefee/latefee.service.ts";
import type { adjustPreview, LineChange } from "./acts.contract.ts";
import { aroundOf } from "./bills.queries.ts";
import { isPayable, netOf, whyNotAdjust, type Bill } from "./bill.rules.ts";
import { changeOf } from "./correction.rules.ts";
import { taxOf } from "./tax.rules.ts";

export type AdjustPreview = z.input<typeof adjustPreview>;

/** Before and after of changes to a bill, with the hash that confirms it. `lineId` null is the late fee grown so far. */
export async function previewChanges(
  read: Read,
  bill: Bill,
  changes: readonly LineChange[],
): Promise<AdjustPreview & { changes: { lineId: number | null; amount: Fen }[] }> {
  const why = whyNotAdjust(bill);
  if (why) throw new Refusal("notAllowed", why);
  const around = await aroundOf(read, [bill.villageId]);
  const { subjects } = around;
  const fee = (await lateFeesOf(read, [bill], read.today, around)).get(bill.id);
  const grown = fee ? Math.max(0, freezable(bill, fee, 0)) : 0;
  if (new Set(changes.map((c) => c.lineId)).size < changes.length)
    throw invalid({ field: "changes", msg: "同一费用只能调整一次" });
  const rows = changes.map((change, i) => {
    const line = bill.lines.find((l) => l.id === change.lineId && isPayable(l));
    if (change.lineId !== null && !line) throw notFound();
    if (!line && !grown) throw invalid({ field: `changes.${i}.lineId`, msg: "没有未入账的滞纳金" });
    const subject = line ? subjects.of(line.feeSubjectId) : subjects.late(bill.villageId);
    const taxed = line ?? subject;
    const before = line ? netOf(line) : grown;
    const amount = changeOf(
      before,
      change.mode === "percent"
        ? { mode: "percent", percent: change.percent ?? "0" }
        : { mode: change.mode, value: change.value ?? 0 },
    );
    const after = before + amount;
    const taken = line ? line.settled + line.writtenOff : 0;
    if (after < taken)
      throw invalid({
        field: `changes.${i}.value`,
        msg: taken ? "减免后金额小于已收金额，请先撤销分配" : "减免金额不能大于费用金额",
      });
    if (!isAmount(after)) throw invalid({ field: `changes.${i}.value`, msg: TOO_LARGE });
    if (amount === 0) throw invalid({ field: `changes.${i}.value`, msg: "金额必须大于0" });
    return {
      lineId: change.lineId,
      subject: subject.name,
      before,
      change: amount,
      after,
      taxBefore: taxOf(before, taxed),
      taxAfter: taxOf(after, taxed),
    };
  });
  const fresh = rows.some((r) => r.lineId === null) ? grown : 0;
  const more = rows.reduce((sum, r) => sum + r.change, 0);
  if (more > 0 && !isAmount(bill.amount + bill.adjusted + more))
    throw invalid({ field: "changes", msg: TOO_LARGE });
  const outstandingAfter = bill.outstanding + fresh + more;
  const basis = [bill.id, bill.version, bill.outstanding, rows.map((r) => [r.lineId, r.before, r.change])];
  return {
    rows,
    outstandingBefore: bill.outstanding + fresh,
    outstandingAfter,
    hash: createHash("sha256").update(JSON.stringify(basis)).digest("hex"),
    changes: rows.map((r) => ({ lineId: r.lineId, amount: r.change })),
  };
}
