import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { adjustLines } from "./adjust.service.ts";
import { proposeAdjust } from "./approval.service.ts";
import { allSeen, lockBills, readBills } from "./bills.queries.ts";
import { previewReduce, reduceBatch } from "./reduce.contract.ts";
import { previewReductions } from "./reduce.service.ts";

const sorted = (ids: readonly number[]) => [...new Set(ids)].sort((a, b) => a - b);

export default [
  serveRead(previewReduce, async (read, { body: { ids, ...how } }) => {
    const wanted = sorted(ids);
    const bills = allSeen(read.who, await readBills(read, wanted), wanted);
    return (await previewReductions(read, bills, how)).preview;
  }),

  serve(reduceBatch, async (act, { body: { ids, reason, previewHash, ...how } }) => {
    const wanted = sorted(ids);
    const bills = allSeen(act.who, await lockBills(act, wanted), wanted);
    const { preview, changes } = await previewReductions(act, bills, how);
    const refused = preview.rows.find((row) => row.refusal);
    if (preview.hash !== previewHash || refused)
      throw new Refusal("previewChanged", "账单试算已变化，请核对后重新确认", 409, { data: preview });
    const lineOwner = new Map(bills.flatMap((bill) => bill.lines.map((line) => [line.id, bill.id])));
    const byBill = Map.groupBy(changes, (change) => lineOwner.get(change.lineId)!);
    const adjustments = bills.map((bill) => ({ bill, changes: byBill.get(bill.id) ?? [] }));
    const { now, waiting } = await proposeAdjust(act, adjustments, reason);
    const done = new Set(now);
    await adjustLines(
      act,
      changes
        .filter((change) => done.has(lineOwner.get(change.lineId)!))
        .map((change) => ({ ...change, reason })),
    );
    const villageOf = new Map(bills.map((bill) => [bill.id, bill.villageId]));
    await act.note(
      preview.rows
        .filter((row) => done.has(row.id))
        .map((row) => ({
          kind: "bill",
          recordId: row.id,
          number: row.billNo,
          villageId: villageOf.get(row.id)!,
          action: "调整",
          summary: `批量减免 ${row.subjects} ${yuan(row.before)} → ${yuan(row.after)}：${reason}`,
        })),
    );
    return { count: now.length, waiting: waiting.length };
  }),
];
