import { billNote } from "../bill/keep.service.ts";
import { sql } from "kysely";
import type { z } from "zod";
import type { Day } from "../../../platform/kernel/day.ts";
import { AMOUNT_MAX, type Fen, TOO_LARGE, isAmount, yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, invalid, notFound } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { keepContractMoney } from "../balance/balance.service.ts";
import { type Bill, changeOf, isPayable, netOf, taxOf, whyNotAdjust } from "../bill/bill.rules.ts";
import { aroundOf, lockBills } from "../bill/bills.queries.ts";
import { issueEntries } from "../bill/posting.rules.ts";
import { post } from "../journal/journal.service.ts";
import { freezable, freezeLateFees, lateFeesOf } from "../latefee/latefee.service.ts";
import { type Subjects, subjectsFor } from "../subject/subject.service.ts";
import type { LineChange, adjustPreview } from "./acts.contract.ts";
import { adjustLines } from "./adjust.service.ts";
import { basisHash } from "../../../platform/server/secrets/basis-hash.ts";

/** Puts planned bills (locked by the caller) on the ledger as of a day; the ones issued already are left alone. */
export async function issueBills(
  act: Act,
  bills: readonly Bill[],
  subjects: Subjects,
  dayOf: (bill: Bill) => Day = () => act.today,
): Promise<Bill[]> {
  const planned = bills.filter((bill) => !bill.issuedAt && !bill.voidedAt);
  if (!planned.length) return [];
  const kindOf = (id: number) => subjects.of(id).kind;
  await post(
    act,
    planned.flatMap((bill) => issueEntries(bill, bill.lines, kindOf, dayOf(bill))),
  );
  const rows = planned.map((bill) => ({ id: bill.id, day: dayOf(bill) }));
  await sql`
    update bill b set issued_at = ${act.now.toISOString()}, issue_date = r.day, version = b.version + 1
    from json_to_recordset(${JSON.stringify(rows)}::json) r(id bigint, day date) where b.id = r.id`.execute(
    act.tx,
  );
  for (const bill of planned) {
    bill.issuedAt = act.now.toISOString();
    bill.issueDate = dayOf(bill);
    bill.version += 1;
  }
  return planned;
}

/**
 * Puts bills whose issue day has come on the ledger, at most `limit`, each dated its own issue day. Answers how many;
 * call it until that is fewer than the limit. A cost that waits is issued by its approval; one beyond the largest amount, made before there was a bound, waits to be
 * voided.
 */
export async function issueDue(act: Act, limit = 1000): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select id from bill where issued_at is null and voided_at is null and issue_date <= ${act.today}
      and direction = 'receivable'
      and amount <= ${AMOUNT_MAX}
    order by issue_date, id limit ${limit} for update skip locked`.execute(act.tx);
  const bills = await lockBills(
    act,
    rows.map((r) => r.id),
  );
  if (!bills.length) return 0;
  const subjects = await subjectsFor(
    act,
    bills.map((b) => b.villageId),
  );
  await issueBills(act, bills, subjects, (bill) => bill.issueDate);
  await keepContractMoney(
    act,
    bills.map((b) => b.contractId),
  );
  return rows.length;
}

export type AdjustPreview = z.input<typeof adjustPreview>;

/** What other stores bear of a cost stays as it was spread, so the cost is not changed under it. */
async function refuseSpread(read: Read, { id, direction }: Bill): Promise<void> {
  if (direction !== "payable") return;
  const { rows } = await sql`select from cost_spread where bill_id = ${id} and undone_at is null`.execute(
    read.tx,
  );
  if (rows.length) throw new Refusal("notAllowed", "该成本已分摊到门店，请先撤销分摊再调整");
}

/** Before and after of changes to a bill, with the hash that confirms it. `lineId` null is the late fee grown so far. */
export async function previewChanges(
  read: Read,
  bill: Bill,
  changes: readonly LineChange[],
): Promise<AdjustPreview & { changes: { lineId: number | null; amount: Fen }[] }> {
  const why = whyNotAdjust(bill);
  if (why) throw new Refusal("notAllowed", why);
  await refuseSpread(read, bill);
  const around = await aroundOf(read, [bill.villageId]);
  const { subjects } = around;
  const fee = (await lateFeesOf(read, [bill], read.today, around)).get(bill.id);
  const grown = fee ? Math.max(0, freezable(bill, fee, around.settings(bill.villageId).lateFeeMin)) : 0;
  if (new Set(changes.map((c) => c.lineId)).size < changes.length)
    throw invalid({ field: "changes", msg: "同一费用只能调整一次" });
  const rows = changes.map((change, i) => {
    const line = bill.lines.find((l) => l.id === change.lineId && isPayable(l));
    if (change.lineId !== null && !line) throw notFound();
    if (change.mode === "plus" && (!line || line.kind === "lateFee"))
      throw invalid({ field: `changes.${i}.mode`, msg: "滞纳金只能减免，不能增加" });
    if (!line && !grown) {
      const msg = fee && fee.expected > 0 ? "滞纳金未到起计金额，不会入账，无需减免" : "没有未入账的滞纳金";
      throw invalid({ field: `changes.${i}.lineId`, msg });
    }
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
    hash: basisHash(basis),
    changes: rows.map((r) => ({ lineId: r.lineId, amount: r.change })),
  };
}

/** So much more or less of a line; null is the late fee that has grown and stands on no line yet. */
export type Fixed = { lineId: number | null; amount: Fen };

/** Fixed amounts in the words of a change, so that they are judged by the same rules. */
export const asChanges = (fixed: readonly Fixed[]): LineChange[] =>
  fixed.map(({ lineId, amount }) => ({
    lineId,
    mode: amount < 0 ? "minus" : "plus",
    value: Math.abs(amount),
  }));

/** Lays changes on a locked bill and says so on its timeline. Late fee that has grown is written down first. */
export async function applyChanges(
  act: Act,
  bill: Bill,
  fixed: readonly Fixed[],
  reason: string,
): Promise<void> {
  const { rows } = await previewChanges(act, bill, asChanges(fixed));
  let late: number | undefined;
  if (fixed.some((c) => c.lineId === null)) {
    const around = await aroundOf(act, [bill.villageId]);
    await issueBills(act, [bill], around.subjects);
    late = (await freezeLateFees(act, [bill], act.today, around)).get(bill.id)!.id;
  }
  await adjustLines(
    act,
    fixed.map((c) => ({ lineId: c.lineId ?? late!, amount: c.amount, reason })),
  );
  await act.note(
    billNote(
      bill,
      "调整",
      `${rows.map((r) => `${r.subject} ${yuan(r.before)} → ${yuan(r.after)}`).join("，")}：${reason}`,
    ),
  );
}
