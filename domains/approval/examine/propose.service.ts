import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { noteMove, takeEffect, tellAsked, tellEnded } from "./after.service.ts";
import { EXAMINE_STATE, type ExamineState, FROZEN, type Run, end, start } from "./engine.rules.ts";
import { refuseFrozen } from "./frozen.service.ts";
import { registered, type Outlook, type Wanted } from "./registry.service.ts";
import { aroundOf, readExamine, runOf, saveRun, type Examine } from "./run.service.ts";
import { governing, wayOf, type Way } from "./way.service.ts";
import { examineEnded } from "./examine.contract.ts";

constraintSays("examine_open", { code: "frozen", msg: FROZEN });

export type Proposal = {
  recordId: number;
  villageId: number;
  payload: object;
  reason: string;
  /** Papers handed in with it; the caller attaches them to its record. */
  fileIds?: readonly number[];
};
export type Waiting = { recordId: number; examineId: number; examineNo: string };

/**
 * What of these acts may be done at once, and what waits for approval now. The caller has locked the records and does
 * the former in the same transaction; the effect of the latter runs with the last approval.
 */
export async function propose(
  act: Act,
  type: string,
  proposals: readonly Proposal[],
): Promise<{ now: number[]; waiting: Waiting[] }> {
  await refuseFrozen(
    act,
    registered(type).kind,
    proposals.map((p) => p.recordId),
  );
  const all = proposals.map((p) => p.recordId);
  // what a job does was decided by whoever set it up
  if (!act.who.operatorId) return { now: all, waiting: [] };
  const modules = await governing(
    act,
    type,
    proposals.map((p) => p.villageId),
  );
  const now: number[] = [];
  const waiting: Waiting[] = [];
  for (const { recordId, villageId, payload, reason, fileIds = [] } of proposals) {
    const module = modules.get(villageId);
    const wanted = { id: recordId, payload, reason };
    const outlook = module && (await registered(type).outlook(act, wanted));
    const way = module && (await wayOf(act, type, module, villageId, outlook!.values));
    if (!way?.snapshot.nodes.length) now.push(recordId);
    else waiting.push({ recordId, ...(await submit(act, type, wanted, outlook!, way, fileIds)) });
  }
  return { now, waiting };
}

async function submit(
  act: Act,
  type: string,
  wanted: Wanted,
  outlook: Outlook,
  way: Way,
  fileIds: readonly number[],
): Promise<{ examineId: number; examineNo: string }> {
  const submitterId = act.who.operatorId;
  const run = start(way.snapshot.nodes, await aroundOf(act, way.snapshot, submitterId));
  const [examineNo] = await act.numbers("SP");
  const { id } = await act.tx
    .insertInto("examine")
    .values((eb) => ({
      enterpriseId: eb.selectFrom("village").select("enterpriseId").where("id", "=", outlook.villageId),
      examineNo: examineNo!,
      moduleType: type,
      targetKind: registered(type).kind,
      targetId: wanted.id,
      villageId: outlook.villageId,
      reason: wanted.reason,
      payload: JSON.stringify(wanted.payload),
      fileIds: [...fileIds],
      ...seenBy(outlook),
      ...taking(way),
      state: "approving",
      currentOrder: 1,
      round: 0,
      submitterId,
      submittedAt: act.now.toISOString(),
      nodeSince: act.now.toISOString(),
    }))
    .returning("id")
    .executeTakeFirstOrThrow();
  const examine = (await readExamine(act, id))!;
  await begin(act, examine, run, "提交审批");
  return { examineId: id, examineNo: examineNo! };
}

/** What the submitter saw, as it is kept. */
const seenBy = (outlook: Outlook) => ({
  title: outlook.title,
  targetNo: outlook.number,
  amount: outlook.amount,
  keyFacts: JSON.stringify(outlook.facts),
  askedFields: JSON.stringify(outlook.values),
  preview: JSON.stringify(outlook.preview),
  previewHash: outlook.hash,
});
const taking = (way: Way) => ({ moduleId: way.moduleId, processSnapshot: JSON.stringify(way.snapshot) });

async function begin(act: Act, examine: Examine, run: Run, action: string): Promise<void> {
  const before = { ...run, round: examine.round, steps: run.steps.filter((s) => s.id !== undefined) };
  const people = await saveRun(act, examine, before, run, { by: 0, text: "" });
  await noteMove(act, examine, action, `${examine.title}（${examine.examineNo}）：${examine.reason}`);
  if (run.state === "approved") await finish(act, examine, run.state, "");
  else await tellAsked(act, examine, people);
}

/** Submits again what was rejected or withdrawn, by the way that is configured now. */
export async function submitAgain(act: Act, examine: Examine): Promise<void> {
  if (examine.submitterId !== act.who.operatorId) throw notFound();
  if (examine.state !== "rejected" && examine.state !== "withdrawn")
    throw new Refusal("notAllowed", `当前状态为“${EXAMINE_STATE[examine.state][0]}”，不能重新提交`);
  await refuseFrozen(act, examine.targetKind, [examine.targetId]);
  const { moduleType: type, targetId: id, payload, reason } = examine;
  const outlook = await registered(type).outlook(act, { id, payload, reason });
  const module = (await governing(act, type, [examine.villageId])).get(examine.villageId);
  const way = module && (await wayOf(act, type, module, examine.villageId, outlook.values));
  const again = { ...seenBy(outlook), ...(way && taking(way)), submittedAt: act.now.toISOString() };
  const { steps } = await runOf(act, examine);
  const nodes = way?.snapshot.nodes ?? [];
  const around = way && (await aroundOf(act, way.snapshot, examine.submitterId));
  const run: Run = around
    ? start(nodes, around, { round: examine.round, steps })
    : { state: "approved", order: 1, round: examine.round + 1, nodes: [], steps };
  await act.tx.updateTable("examine").set(again).where("id", "=", examine.id).execute();
  await begin(
    act,
    (await readExamine(act, examine.id))!,
    { ...run, order: Math.max(1, run.order) },
    "重新提交审批",
  );
}

/** The end of an examine: what was approved is done, its submitter is told, and so is whoever listens. */
export async function finish(act: Act, examine: Examine, state: ExamineState, why: string): Promise<void> {
  if (state === "approved") await takeEffect(act, examine);
  await tellEnded(act, examine, state, why);
  await act.emit(examineEnded, {
    examineId: examine.id,
    type: examine.moduleType,
    kind: examine.targetKind,
    recordId: examine.targetId,
    state,
  });
}

/** Ends what waits on records that are gone themselves. */
export async function dropExamines(
  act: Act,
  kind: string,
  recordIds: readonly number[],
  why: string,
): Promise<void> {
  const open = await act.tx
    .selectFrom("examine")
    .select("id")
    .where("targetKind", "=", kind)
    .where("targetId", "=", anyOf(recordIds))
    .where("state", "=", "approving")
    .orderBy("id")
    .execute();
  for (const { id } of open) {
    const examine = (await readExamine(act, id, { lock: true }))!;
    if (examine.state !== "approving") continue;
    const run = await runOf(act, examine);
    await saveRun(act, examine, run, end(run, "void"), { by: 0, text: "" });
    await noteMove(act, examine, "审批作废", `${examine.title}（${examine.examineNo}）：${why}`);
    await finish(act, examine, "void", why);
  }
}
