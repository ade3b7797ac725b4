import { sql } from "kysely";
import type { z } from "zod";
import { daysBetween } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, notFound } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { FROZEN } from "../../approval/examine/engine.rules.ts";
import { type Waiting, frozenBy, propose } from "../../approval/examine/propose.service.ts";
import {
  type Outlook,
  type Wanted,
  approves,
  money,
  words,
} from "../../approval/examine/registry.service.ts";
import { type Fixed, applyChanges, asChanges, previewChanges } from "./change.service.ts";
import type { Reduce, reducePreview } from "./acts.contract.ts";
import { type Bill, type Reduced, netOf, reduced, whyNotVoid } from "../bill/bill.rules.ts";
import { aroundOf, lockBills, readBills } from "../bill/bills.queries.ts";
import { whyNotWriteOffNow, writeOffBill } from "./writeoff.service.ts";
import { voidBills } from "../bill/void.service.ts";
import { subjectsFor } from "../subject/subject.service.ts";
import { basisHash } from "../../../platform/server/secrets/basis-hash.ts";

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
    hash: basisHash(basis),
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

const BILLS = {
  group: "财务",
  kind: "bill",
  page: "/accountManage/BillListManage",
  permit: "26.query",
} as const;
const AMOUNT = { key: "amount", title: "金额", kind: "money" } as const;

async function billOf(read: Read, id: number): Promise<Bill> {
  const [bill] = await readBills(read, [id]);
  if (!bill) throw notFound();
  return bill;
}

/** What people know a bill by. */
async function factsOf(read: Read, bill: Bill): Promise<[string, string][]> {
  const named = (await namesOf(read, [bill.id])).get(bill.id)!;
  return [
    ["客户", named.partyName],
    ["房间", named.roomName ?? named.villageName],
    ["应收日", bill.dueDate],
  ];
}

const periodOf = (line: { periodStart: string | null; periodEnd: string | null }) =>
  line.periodStart ? `${line.periodStart} ~ ${line.periodEnd}` : "—";

async function voidOutlook(read: Read, { id }: Wanted): Promise<Outlook> {
  const bill = await billOf(read, id);
  const why = whyNotVoid(bill);
  if (why) throw new Refusal("notAllowed", why);
  const { subjects } = await aroundOf(read, [bill.villageId]);
  const lines = bill.lines.filter((l) => l.kind === "normal" || l.kind === "lateFee");
  const amount = bill.amount + bill.adjusted;
  return {
    title: `作废账单 ${bill.billNo}`,
    number: bill.billNo,
    villageId: bill.villageId,
    amount,
    values: { amount },
    facts: [...(await factsOf(read, bill)), ["账单名称", bill.title]],
    preview: [
      {
        title: "作废的费用",
        columns: [words("费用"), words("计费期"), money("应收金额")],
        rows: lines.map((line) => [subjects.of(line.feeSubjectId).name, periodOf(line), netOf(line)]),
      },
    ],
    hash: basisHash([id, lines.map((line) => [line.id, netOf(line)])]),
  };
}

/** Late fees that somebody is let off: they stand on lines of their own, or on none yet. */
export const isLateFee = (bill: Bill, { lineId }: { lineId: number | null }): boolean =>
  lineId === null || bill.lines.some((line) => line.id === lineId && line.kind === "lateFee");
const isWaiver = (bill: Bill, changes: readonly { lineId: number | null }[]): boolean =>
  changes.length > 0 && changes.every((change) => isLateFee(bill, change));

async function writeOffOutlook(read: Read, { id }: Wanted): Promise<Outlook> {
  const bill = await billOf(read, id);
  const days = daysBetween(bill.dueDate, read.today);
  const why = await whyNotWriteOffNow(read, bill);
  if (why) throw new Refusal("notAllowed", why);
  const { subjects } = await aroundOf(read, [bill.villageId]);
  const lines = bill.lines.filter((l) => l.outstanding > 0);
  return {
    title: `核销账单 ${bill.billNo}`,
    number: bill.billNo,
    villageId: bill.villageId,
    amount: bill.outstanding,
    values: { amount: bill.outstanding, daysOverdue: days },
    facts: [...(await factsOf(read, bill)), ["账单名称", bill.title], ["逾期", `${days} 天`]],
    preview: [
      {
        title: "核销的费用",
        columns: [words("费用"), words("计费期"), money("未收金额")],
        rows: lines.map((line) => [subjects.of(line.feeSubjectId).name, periodOf(line), line.outstanding]),
      },
    ],
    hash: basisHash([id, lines.map((line) => [line.id, line.outstanding])]),
  };
}

type Adjusting = { changes: Fixed[] };

async function adjustOutlook(read: Read, { id, payload }: Wanted): Promise<Outlook> {
  const bill = await billOf(read, id);
  const { changes } = payload as Adjusting;
  const preview = await previewChanges(read, bill, asChanges(changes));
  const before = preview.rows.reduce((sum, r) => sum + r.before, 0);
  const change = preview.rows.reduce((sum, r) => sum + r.change, 0);
  const amount = preview.rows.reduce((sum, r) => sum + Math.abs(r.change), 0);
  const waived = isWaiver(bill, changes);
  return {
    title: `${waived ? "滞纳金减免" : "减免调整账单"} ${bill.billNo}`,
    number: bill.billNo,
    villageId: bill.villageId,
    amount,
    values: { amount, percent: before ? Math.round((amount * 10_000) / before) / 100 : 0 },
    facts: [
      ...(await factsOf(read, bill)),
      ["调整", `${yuan(change)} 元`],
      ["调整后未收", `${yuan(preview.outstandingAfter)} 元`],
    ],
    preview: [
      {
        title: "减免调整",
        columns: [words("费用"), money("调整前"), money("调整"), money("调整后")],
        rows: preview.rows.map((r) => [r.subject, r.before, r.change, r.after]),
      },
    ],
    // a late fee goes on growing while it waits; what is taken off stays the same
    hash: basisHash([id, preview.rows.map((r) => [r.lineId, r.lineId === null ? null : r.before, r.change])]),
  };
}

approves({
  ...BILLS,
  type: "billVoid",
  title: "作废账单",
  fields: [AMOUNT],
  outlook: voidOutlook,
  effect: (act, { id, reason }) => voidBills(act, [id], reason),
});

const ADJUSTING = {
  ...BILLS,
  fields: [AMOUNT, { key: "percent", title: "调整比例", kind: "percent" }],
  outlook: adjustOutlook,
  effect: async (act: Act, { id, payload, reason }: Wanted) => {
    const [bill] = await lockBills(act, [id]);
    if (!bill) throw notFound();
    await applyChanges(act, bill, (payload as Adjusting).changes, reason);
  },
} as const;
approves({ ...ADJUSTING, type: "billAdjust", title: "减免调整账单" });
approves({ ...ADJUSTING, type: "lateFeeWaiver", title: "滞纳金减免" });

approves({
  ...BILLS,
  type: "writeOff",
  title: "核销账单",
  fields: [AMOUNT, { key: "daysOverdue", title: "逾期天数", kind: "number", unit: "天" }],
  outlook: writeOffOutlook,
  effect: async (act, { id, reason }) => void (await writeOffBill(act, id, reason)),
});

type Proposed = { now: number[]; waiting: Waiting[] };

/** Which of these locked bills may be voided at once; the others wait for approval now. */
export const proposeVoid = (act: Act, bills: readonly Bill[], reason: string): Promise<Proposed> =>
  propose(
    act,
    "billVoid",
    bills.map((bill) => ({ recordId: bill.id, villageId: bill.villageId, payload: {}, reason })),
  );

/** The same of a write-off. */
export const proposeWriteOff = (act: Act, bill: Bill, reason: string): Promise<Proposed> =>
  propose(act, "writeOff", [{ recordId: bill.id, villageId: bill.villageId, payload: {}, reason }]);

/** The same of corrections; those of late fees alone have a process of their own. */
export async function proposeAdjust(
  act: Act,
  adjustments: readonly { bill: Bill; changes: Fixed[] }[],
  reason: string,
  fileIds: readonly number[] = [],
): Promise<Proposed> {
  const done: Proposed = { now: [], waiting: [] };
  for (const type of ["billAdjust", "lateFeeWaiver"]) {
    const of = adjustments.filter(
      ({ bill, changes }) => isWaiver(bill, changes) === (type === "lateFeeWaiver"),
    );
    const proposals = of.map(({ bill, changes }) => ({
      recordId: bill.id,
      villageId: bill.villageId,
      payload: { changes } satisfies Adjusting,
      reason,
      fileIds,
    }));
    const { now, waiting } = await propose(act, type, proposals);
    done.now.push(...now);
    done.waiting.push(...waiting);
  }
  return done;
}
