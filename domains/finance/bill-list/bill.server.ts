import { billNote } from "../bill/keep.service.ts";
import { sql } from "kysely";
import { yuan } from "../../../platform/kernel/fen.ts";
import { containing } from "../../../platform/kernel/texts/like.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { anyOf, seen, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { allSeen, lockBills, readBills } from "../bill/bills.queries.ts";
import { billDetailOf, linesShown } from "./detail.queries.ts";
import { exportBillsByVillage, exportVillagesBills } from "./by-village.contract.ts";
import { villagesBills } from "./by-village.queries.ts";
import { explainLine } from "./explain.service.ts";
import { billCounts, bills } from "./list.queries.ts";
import { previewReduce, reduceBatch } from "../bill-acts/acts.contract.ts";
import { adjustLines } from "../bill-acts/adjust.service.ts";
import { previewReductions, proposeAdjust } from "../bill-acts/approval.service.ts";
import { explainBill, getBill, buildingOptions, countBills, exportBills } from "./bill.contract.ts";

type Building = { id: number; name: string; villageId: number; villageName: string };

const sorted = (ids: readonly number[]) => [...new Set(ids)].sort((a, b) => a - b);

export default [
  serveList(bills),
  exportList(exportBills),
  serveList(villagesBills),
  exportList(exportBillsByVillage),
  exportList(exportVillagesBills),
  serveRead(countBills, (read, { query }) => billCounts(read, query)),

  serveRead(getBill, (read, { params }) => billDetailOf(read, params.id)),

  serveRead(explainBill, async (read, { params }) => {
    const [bill] = await readBills(read, [params.id]);
    seen(read.who, bill);
    const lines = await linesShown(read, params.id);
    return {
      at: read.now.toISOString(),
      lines: lines.map((line) => {
        const { rows, amount } = explainLine(line);
        return {
          id: line.id,
          said: rows.map((r): [string, string] => [...r]),
          amount: line.amount,
          again: amount,
          diff: amount === null ? 0 : amount - line.amount,
        };
      }),
    };
  }),
  serveRead(buildingOptions, async (read, { query: q }) => {
    const like = q.keyword && containing(q.keyword);
    const { rows } = await sql<Building>`
      select b.id, concat_ws(' ', nullif(b.community_name, ''), b.name) name, b.village_id "villageId",
        v.name "villageName"
      from building b join village v on v.id = b.village_id
      where b.village_id = ${anyOf(villagesOf(read.who, q.villageIds))}
        ${q.ids?.length ? sql`and b.id = ${anyOf(q.ids)}` : sql``}
        ${like ? sql`and (b.name ilike ${like} or b.community_name ilike ${like} or v.name ilike ${like})` : sql``}
      order by v.name, b.sort, b.name, b.id limit ${q.pageSize}`.execute(read.tx);
    return rows;
  }),
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
        .map((row) =>
          billNote(
            { ...row, villageId: villageOf.get(row.id)! },
            "调整",
            `批量减免 ${row.subjects} ${yuan(row.before)} → ${yuan(row.after)}：${reason}`,
          ),
        ),
    );
    return { count: now.length, waiting: waiting.length };
  }),
];
