import { yuan, type Fen } from "../../../platform/kernel/fen.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { freezeLateFees } from "../latefee/latefee.service.ts";
import type { LineChange } from "./acts.contract.ts";
import { adjustLines } from "./adjust.service.ts";
import { aroundOf } from "./bills.queries.ts";
import type { Bill } from "./bill.rules.ts";
import { previewChanges } from "./change.service.ts";
import { issueBills } from "./issue.service.ts";

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
  await act.note({
    kind: "bill",
    recordId: bill.id,
    number: bill.billNo,
    villageId: bill.villageId,
    action: "调整",
    summary: `${rows.map((r) => `${r.subject} ${yuan(r.before)} → ${yuan(r.after)}`).join("，")}：${reason}`,
  });
}
