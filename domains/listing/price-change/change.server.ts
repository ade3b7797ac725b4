import { tellsLowest } from "./change.rules.ts";
import { stamp, asSeen } from "../../../platform/server/database/versioned.ts";
import { sql } from "kysely";
import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { frozenBy } from "../../approval/examine/propose.service.ts";
import { decide } from "../../approval/examine/decide.service.ts";
import { CHANGED, takeBack } from "./apply.service.ts";
import { proposeChange } from "./approval.service.ts";
import * as calls from "./change.contract.ts";
import { countChange, previewChange, type ChangePlan } from "./change.contract.ts";
import { changeOf, changes, changeSeen, standing } from "./change.queries.ts";
import { CHANGE_MOVES } from "./words.rules.ts";
import { computeFor, countRooms } from "./compute.queries.ts";
import { recompute } from "./product-look.queries.ts";
import { addDraft, editDraft, noteChange, previewOf } from "./save.service.ts";
import { lineCounts, lines, planOf, storedHistogram } from "./stored.queries.ts";

async function answer(act: Act, id: number) {
  const { status: state, examineNo } = await standing(act, id);
  return { id, state, examineNo };
}

/** One after the other in an enterprise: of two changes of one room, the second sees the first. */
const inTurn = (act: Act, enterpriseId: number) =>
  sql`select pg_advisory_xact_lock(hashtext('priceChange'), ${enterpriseId}::int)`.execute(act.tx);

async function submit(act: Act, id: number, version: number) {
  const before = await changeSeen(act, id, { lock: true });
  CHANGE_MOVES.next("submit", await standing(act, id));
  asSeen(before, version);
  await inTurn(act, before.enterpriseId);
  if (before.effectiveDay < act.today)
    throw new Refusal("notAllowed", `生效日 ${before.effectiveDay} 已过，请编辑后重新预览`);
  const now = await recompute(act, before);
  if (now.hash !== before.previewHash) throw new Refusal("previewChanged", CHANGED);
  const change = await act.tx
    .updateTable("priceChange")
    .set({
      state: "submitted",
      submittedBy: act.who.operatorId,
      submittedAt: act.now.toISOString(),
      ...stamp(act),
      failed: "",
      version: version + 1,
    })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const waiting = await proposeChange(act, change);
  if (!waiting) await noteChange(act, change, "提交", "无需审批，直接执行");
  return answer(act, id);
}

async function cancel(act: Act, id: number, version: number) {
  const change = await changeSeen(act, id, { lock: true });
  const now = await standing(act, id);
  CHANGE_MOVES.next("cancel", now);
  asSeen(change, version);
  if (now.status === "scheduled") await takeBack(act, change);
  await act.tx
    .updateTable("priceChange")
    .set({
      state: "cancelled",
      ...stamp(act),
      version: version + 1,
    })
    .where("id", "=", id)
    .execute();
  await noteChange(act, change, "取消", `取消调价单 ${change.number}`);
  return answer(act, id);
}

export default [
  exportList(calls.exportChanges),
  exportList(calls.exportLines),

  serveList(changes),

  serveRead(calls.getChange, async (read, { params }) => {
    const stored = await changeSeen(read, params.id);
    const [change, frozen, counts, histogram, plan] = await Promise.all([
      changeOf(read, params.id),
      frozenBy(read, "priceChange", [params.id]),
      lineCounts(read, params.id),
      storedHistogram(read, params.id),
      planOf(read, stored),
    ]);
    const { rooms, oldAverage, newAverage, effect } = change;
    const totals = { rooms, skipped: counts.skipped, oldAverage, newAverage, effect };
    // the prices that somebody typed tell the lowest ones too
    const seesLowest = read.who.permits.has("#601");
    const edits = seesLowest ? plan.edits : plan.edits.map(({ lowest: _, ...e }) => e);
    const value = seesLowest || !tellsLowest(plan) ? plan.value : null;
    const waiting = frozen.get(params.id) ?? null;
    return { ...change, waiting, counts, histogram, totals, plan: { ...plan, edits, value } };
  }),

  serveRead(calls.changeLines, async (read, { params, query }) => {
    await changeSeen(read, params.id);
    return lines.answer(read, { ...params, ...query });
  }),

  serveRead(countChange, async (read, { body }) => ({ rooms: await countRooms(read, body) })),

  serveRead(previewChange, async (read, { body }) => {
    const { part, pageNo, pageSize, ...plan } = body;
    const computed = await computeFor(read, plan as ChangePlan);
    return previewOf(read, computed, { part, pageNo, pageSize });
  }),

  serve(calls.addChange, (act, { body }) => addDraft(act, body)),
  serve(calls.editChange, (act, { params, body }) => editDraft(act, params.id, body)),
  serve(calls.submitChange, (act, { params, body }) => submit(act, params.id, body.version)),
  serve(calls.cancelChange, (act, { params, body }) => cancel(act, params.id, body.version)),

  serve(calls.withdrawChange, async (act, { params, body }) => {
    const change = await changeSeen(act, params.id);
    const now = await standing(act, params.id);
    CHANGE_MOVES.next("withdraw", now);
    asSeen(change, body.version);
    if (!now.examineId) throw notFound();
    await decide(act, now.examineId, { decision: "withdraw", comment: "", version: now.examineVersion! });
    return answer(act, params.id);
  }),
];
