import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { z } from "zod";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { frozenBy } from "../../approval/examine/frozen.service.ts";
import { FROZEN } from "../../approval/examine/engine.rules.ts";
import { subjectsFor } from "../subject/subject.service.ts";
import { type Bill, type Reduced, reduced } from "./bill.rules.ts";
import type { Reduce, reducePreview } from "./reduce.contract.ts";

export type ReducePreview = z.input<typeof reducePreview>;
type Named = { id: number; villageName: string; roomName: string | null; partyName: string };

/** Before and after of every bill, with the hash that confirms those that nothing refuses. */
export async function previewReductions(
  read: Read,
  bills: readonly Bill[],
  how: Omit<Reduce, "ids">,
): Promise<{ preview: ReducePreview; changes: Reduced["changes"] }> {
  const subjects = await subjectsFor(
    read,
    bills.map((b) => b.villageId),
  );
  const names = await namesOf(
    read,
    bills.map((b) => b.id),
  );
  const frozen = await frozenBy(
    read,
    "bill",
    bills.map((b) => b.id),
  );
  const all = bills.map((bill) => {
    const one = reduced(bill, how, (id) => subjects.of(id));
    return { bill, ...one, ...(frozen.has(bill.id) && { changes: [], refusal: FROZEN }) };
  });
  const rows = all.map(({ bill, lines, before, changes, refusal }) => {
    const change = changes.reduce((sum, c) => sum + c.amount, 0);
    return {
      ...names.get(bill.id)!,
      billNo: bill.billNo,
      subjects: [...new Set(lines.map((l) => subjects.of(l.feeSubjectId).name))].join("、"),
      before,
      change,
      after: before + change,
      outstandingAfter: bill.outstanding + change,
      refusal,
    };
  });
  const done = rows.filter((row) => !row.refusal);
  const sum = (of: (row: (typeof rows)[number]) => number) => done.reduce((total, row) => total + of(row), 0);
  const basis = all
    .filter((one) => !one.refusal)
    .map(({ bill, changes }) => [bill.id, bill.version, changes.map((c) => [c.lineId, c.amount])]);
  const preview = {
    rows,
    count: done.length,
    before: sum((row) => row.before),
    change: sum((row) => row.change),
    after: sum((row) => row.after),
    hash: createHash("sha256").update(JSON.stringify(basis)).digest("hex"),
  };
  return { preview, changes: all.flatMap((one) => one.changes) };
}

/** What people know bills by. */
export async function namesOf(read: Read, ids: readonly number[]): Promise<Map<number, Named>> {
  const { rows } = await sql<Named>`
    select b.id, v.name "villageName", r.full_name "roomName", p.name "partyName"
    from bill b join village v on v.id = b.village_id join party p on p.id = b.party_id
    left join room r on r.id = b.room_id where b.id = any(${[...ids]}::bigint[])`.execute(read.tx);
  return new Map(rows.map((row) => [row.id, row]));
}
