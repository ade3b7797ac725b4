import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { proposeChange, waitsFor } from "./approval.service.ts";
import { computeGiven } from "./given.queries.ts";
import type { Looked } from "./looked.queries.ts";
import { followText, productText, roomText, type Given } from "./given.rules.ts";
import { refusePending } from "./pending.service.ts";
import { noteChange, writeLines } from "./save.service.ts";
import { CHANGE_KINDS } from "./words.rules.ts";

/** Before anything is done: what would come of it, and the nodes it would wait at. */
export async function lookAt(read: Read, given: Given) {
  const computed = await computeGiven(read, given);
  return { ...computed, waits: await waitsFor(read, computed, computed.villageIds) };
}

export type Proposed = { id: number; number: string; examineNo: string | null; lines: number };

/**
 * Where prices that somebody typed need approval, or are too many to wait for, they stand on a change of their own.
 * Answers nothing where the caller may write them at once.
 */
export async function proposeGiven(act: Act, given: Given, reason: string): Promise<Proposed | undefined> {
  const looked = await lookAt(act, given);
  const byJob = given.kind === "product" && looked.lines.length > act.settings.PRICE_JOB_ROOMS;
  if (!looked.waits.length && !byJob) return undefined;
  if (looked.waits.length && reason.length < 2)
    throw invalid({ field: "reason", msg: "需要审批，请输入2到200字的调价原因" });
  if (given.kind !== "product") await refusePending(act, given.roomId, given.effectiveDay, true);
  const change = await keep(act, given, looked, reason || CHANGE_KINDS[given.kind][0]);
  const waiting = await proposeChange(act, change);
  return {
    id: change.id,
    number: change.number,
    examineNo: waiting?.examineNo ?? null,
    lines: looked.lines.length,
  };
}

/** As a change that has been handed in. */
async function keep(act: Act, given: Given, looked: Looked, reason: string) {
  const { lines, totals, hash, villageIds, name } = looked;
  const { enterpriseId } = await act.tx
    .selectFrom("village")
    .select("enterpriseId")
    .where("id", "=", villageIds[0]!)
    .executeTakeFirstOrThrow();
  const [number] = await act.numbers("TJ");
  const ofProduct = given.kind === "product";
  const first = lines[0];
  const by = act.who.operatorId;
  const lowest = lines.some((line) => line.newLowest !== line.oldLowest);
  const at = act.now.toISOString();
  const change = await act.tx
    .insertInto("priceChange")
    .values({
      number: number!,
      kind: given.kind,
      roomId: ofProduct ? null : given.roomId,
      productId: ofProduct ? given.productId : null,
      given: JSON.stringify(given),
      ruleText: textOf(given, looked),
      enterpriseId,
      villageIds,
      scope: JSON.stringify(
        ofProduct ? { villageIds, productId: given.productId } : { villageIds, roomIds: [given.roomId] },
      ),
      scopeText: ofProduct ? `产品 ${name} 的 ${lines.length} 间跟随房间` : name,
      mode: "set",
      value: given.kind === "follow" ? (first?.newList ?? 1) : given.listPrice,
      applyTo: lowest ? "both" : "list",
      round: "fen",
      asProduct: ofProduct,
      effectiveDay: given.effectiveDay,
      reason,
      previewHash: hash,
      rooms: totals.rooms,
      oldSum: totals.oldSum,
      newSum: totals.newSum,
      effect: totals.effect,
      state: "submitted",
      submittedBy: by,
      submittedAt: at,
      createdAt: at,
      createdBy: by,
      updatedBy: by,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await writeLines(act, change.id, lines);
  await noteChange(act, change, "新增", `${name}：${change.ruleText}，${given.effectiveDay} 起生效`);
  return change;
}

function textOf(given: Given, { lines, unit, productName }: Looked): string {
  if (given.kind === "room") return roomText(given);
  return given.kind === "product" ? productText(given, unit) : followText(productName, lines[0]!);
}
