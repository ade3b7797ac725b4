import { sql } from "kysely";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, forbidden } from "../../../platform/kernel/refusal.ts";
import { asSeen } from "../../../platform/server/database/versioned.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { seen } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { type Waiting, refuseFrozen } from "../../approval/examine/propose.service.ts";
import { attachFiles } from "../../system/file/file.service.ts";
import { isLateFee, proposeAdjust, proposeVoid, proposeWriteOff } from "./approval.service.ts";
import { applyChanges, issueBills, previewChanges } from "./change.service.ts";
import { recoverBill, setDispute, whyNotWriteOffNow, writeOffBill } from "./writeoff.service.ts";
import { type Bill, SETTLING, whyNotIssue, whyNotVoid } from "../bill/bill.rules.ts";
import { allSeen, aroundOf, lockBills, readBills } from "../bill/bills.queries.ts";
import { keepAround, billNote } from "../bill/keep.service.ts";
import { voidBills } from "../bill/void.service.ts";
import {
  type LineChange,
  adjustBill,
  disputeBill,
  issueBatch,
  issueBill,
  previewAdjust,
  undoWriteOff,
  voidBatch,
  voidBill,
  writeOff,
} from "./acts.contract.ts";
import { theRow } from "../../../platform/server/database/row.ts";

/** A locked bill in scope, of the version the person saw, that does not wait for approval. */
async function locked(act: Act, id: number, version?: number): Promise<Bill> {
  const [bill] = await lockBills(act, [id]);
  const found = seen(act.who, bill);
  await refuseFrozen(act, "bill", [id]);
  if (version !== undefined) asSeen(found, version);
  return found;
}

/** Bills of a batch, locked, in scope, none of which waits for approval. */
async function lockedAll(act: Act, ids: readonly number[]): Promise<Bill[]> {
  const bills = allSeen(act.who, await lockBills(act, ids), ids);
  await refuseFrozen(act, "bill", ids);
  return bills;
}

const answer = async (act: Act, id: number, waiting: readonly Waiting[] = []) => ({
  ...(await theRow(act, "bill", ["id", "version"], { id })),
  examineId: waiting[0]?.examineId ?? null,
});

/** Nobody voids a bill by hand whose contract is being settled. */
async function refuseSettling(act: Act, bills: readonly Bill[]): Promise<void> {
  const of = bills.flatMap((bill) => bill.contractId ?? []);
  const { rows } = await sql<{ contractId: number }>`
    select contract_id "contractId" from contract_settling where contract_id = any(${of}::bigint[])`.execute(
    act.tx,
  );
  const settled = new Set(rows.map(({ contractId }) => contractId));
  const one = bills.find(({ contractId }) => contractId !== null && settled.has(contractId));
  if (one) throw new Refusal("notAllowed", bills.length > 1 ? `${one.billNo}：${SETTLING}` : SETTLING);
}

/** A late fee is waived with a code of its own, and by itself: it has a process of its own. */
function mayChange(act: Act, bill: Bill, changes: readonly LineChange[]): void {
  const late = changes.filter((change) => isLateFee(bill, change)).length;
  if (late > 0 && !act.who.permits.has("#2604")) throw forbidden();
  if (late < changes.length && !act.who.permits.has("#2601")) throw forbidden();
  if (late > 0 && late < changes.length) throw new Refusal("notAllowed", "滞纳金请与其他费用分开减免");
}

async function issue(act: Act, bills: readonly Bill[]): Promise<void> {
  const villages = bills.map((b) => b.villageId);
  await issueBills(act, bills, (await aroundOf(act, villages)).subjects);
  await keepAround(act, bills);
  await act.note(
    bills.map((bill) => billNote(bill, "出账", `立即出账 ${yuan(bill.amount + bill.adjusted)}`)),
  );
}

export default [
  serveRead(previewAdjust, async (read, { params, body }) => {
    const [bill] = await readBills(read, [params.id]);
    return previewChanges(read, seen(read.who, bill), body.changes);
  }),

  serve(adjustBill, async (act, { params, body }) => {
    const bill = await locked(act, params.id);
    mayChange(act, bill, body.changes);
    const { changes, ...preview } = await previewChanges(act, bill, body.changes);
    if (preview.hash !== body.previewHash)
      throw new Refusal("previewChanged", "账单试算已变化，请核对后重新确认", 409, { data: preview });
    const { now, waiting } = await proposeAdjust(act, [{ bill, changes }], body.reason, body.fileIds);
    if (now.length) await applyChanges(act, bill, changes, body.reason);
    await attachFiles(act, body.fileIds, {
      targetKind: "bill",
      targetId: bill.id,
      villageId: bill.villageId,
      needs: "26.get",
    });
    return answer(act, bill.id, waiting);
  }),

  serve(voidBill, async (act, { params, body }) => {
    const bill = await locked(act, params.id, body.version);
    const why = whyNotVoid(bill);
    if (why) throw new Refusal("notAllowed", why);
    await refuseSettling(act, [bill]);
    const { now, waiting } = await proposeVoid(act, [bill], body.reason);
    await voidBills(act, now, body.reason);
    return answer(act, bill.id, waiting);
  }),

  serve(voidBatch, async (act, { body }) => {
    const bills = await lockedAll(act, body.ids);
    for (const bill of bills) {
      const why = whyNotVoid(bill);
      if (why) throw new Refusal("notAllowed", `${bill.billNo}：${why}`);
    }
    await refuseSettling(act, bills);
    const { now, waiting } = await proposeVoid(act, bills, body.reason);
    await voidBills(act, now, body.reason);
    return { count: now.length, waiting: waiting.length };
  }),

  serve(writeOff, async (act, { params, body }) => {
    const bill = await locked(act, params.id, body.version);
    // what cannot be done is refused, not proposed
    const why = await whyNotWriteOffNow(act, bill);
    if (why) throw new Refusal("notAllowed", why);
    const { now, waiting } = await proposeWriteOff(act, bill, body.reason);
    if (now.length) await writeOffBill(act, bill.id, body.reason);
    return answer(act, bill.id, waiting);
  }),

  serve(undoWriteOff, async (act, { params, body }) => {
    const bill = await locked(act, params.id, body.version);
    await recoverBill(act, bill, body.reason);
    return answer(act, bill.id);
  }),

  serve(disputeBill, async (act, { params, body }) => {
    const bill = await locked(act, params.id, body.version);
    await setDispute(act, bill, body);
    return answer(act, bill.id);
  }),

  serve(issueBill, async (act, { params, body }) => {
    const bill = await locked(act, params.id, body.version);
    const why = whyNotIssue(bill);
    if (why) throw new Refusal("notAllowed", why);
    await issue(act, [bill]);
    return answer(act, bill.id);
  }),

  serve(issueBatch, async (act, { body }) => {
    const bills = await lockedAll(act, body.ids);
    for (const bill of bills) {
      const why = whyNotIssue(bill);
      if (why) throw new Refusal("notAllowed", `${bill.billNo}：${why}`);
    }
    await issue(act, bills);
    return { count: bills.length };
  }),
];
