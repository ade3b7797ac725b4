import { createHash } from "node:crypto";
import { yuan } from "../../../platform/kernel/fen.ts";
import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { propose, type Waiting } from "../../approval/examine/propose.service.ts";
import { approves, type Outlook, type Wanted } from "../../approval/examine/registry.service.ts";
import { applyChanges, asChanges, type Fixed } from "./apply.service.ts";
import { aroundOf, lockBills, readBills } from "./bills.queries.ts";
import { netOf, whyNotVoid, type Bill } from "./bill.rules.ts";
import { previewChanges } from "./change.service.ts";
import { namesOf } from "./reduce.service.ts";
import { voidBills } from "./void.service.ts";

const BILLS = {
  group: "财务",
  kind: "bill",
  page: "/accountManage/BillListManage",
  permit: "26.query",
} as const;
const AMOUNT = { key: "amount", title: "金额", kind: "money" } as const;

const hashOf = (basis: unknown) => createHash("sha256").update(JSON.stringify(basis)).digest("hex");

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
        columns: [
          { title: "费用", kind: "text" },
          { title: "计费期", kind: "text" },
          { title: "应收金额", kind: "money" },
        ],
        rows: lines.map((line) => [subjects.of(line.feeSubjectId).name, periodOf(line), netOf(line)]),
      },
    ],
    hash: hashOf([id, lines.map((line) => [line.id, netOf(line)])]),
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
  return {
    title: `减免调整账单 ${bill.billNo}`,
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
        columns: [
          { title: "费用", kind: "text" },
          { title: "调整前", kind: "money" },
          { title: "调整", kind: "money" },
          { title: "调整后", kind: "money" },
        ],
        rows: preview.rows.map((r) => [r.subject, r.before, r.change, r.after]),
      },
    ],
    // a late fee goes on growing while it waits; what is taken off stays the same
    hash: hashOf([id, preview.rows.map((r) => [r.lineId, r.lineId === null ? null : r.before, r.change])]),
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

approves({
  ...BILLS,
  type: "billAdjust",
  title: "减免调整账单",
  fields: [AMOUNT, { key: "percent", title: "调整比例", kind: "percent" }],
  outlook: adjustOutlook,
  effect: async (act, { id, payload, reason }) => {
    const [bill] = await lockBills(act, [id]);
    if (!bill) throw notFound();
    await applyChanges(act, bill, (payload as Adjusting).changes, reason);
  },
});

type Proposed = { now: number[]; waiting: Waiting[] };

/** Which of these locked bills may be voided at once; the others wait for approval now. */
export const proposeVoid = (act: Act, bills: readonly Bill[], reason: string): Promise<Proposed> =>
  propose(
    act,
    "billVoid",
    bills.map((bill) => ({ recordId: bill.id, villageId: bill.villageId, payload: {}, reason })),
  );

/** The same of corrections. */
export const proposeAdjust = (
  act: Act,
  adjustments: readonly { bill: Bill; changes: Fixed[] }[],
  reason: string,
  fileIds: readonly number[] = [],
): Promise<Proposed> =>
  propose(
    act,
    "billAdjust",
    adjustments.map(({ bill, changes }) => ({
      recordId: bill.id,
      villageId: bill.villageId,
      payload: { changes } satisfies Adjusting,
      reason,
      fileIds,
    })),
  );
