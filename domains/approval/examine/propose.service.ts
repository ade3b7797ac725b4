import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import { allows } from "../../../platform/kernel/call.ts";
import { Refusal, forbidden, notFound } from "../../../platform/kernel/refusal.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, inScope } from "../../../platform/server/pipeline/scope.ts";
import {
  type Examine,
  aroundOf,
  noteMove,
  readExamine,
  runOf,
  dropped,
  saveRun,
  takeEffect,
  tellAsked,
  tellEnded,
} from "./run.service.ts";
import { EXAMINE_STATE, type ExamineState, FROZEN, type Run, end, start } from "./engine.rules.ts";
import { examineEnded, type frozenShape } from "./examine.contract.ts";
import { type Outlook, type Wanted, type Way, governing, registered, wayOf } from "./registry.service.ts";

/** Why a record is frozen: shown on top of it. */
export type Frozen = z.output<typeof frozenShape> & { recordId: number; submitterId: number };

/** Who may see an examine: its people, its submitter, and who reads the configuration, in their villages. */
export const mayOpen = (read: Pick<Read, "who">): RawBuilder<boolean> => sql<boolean>`(
  e.submitter_id = ${read.who.operatorId}
  or exists (select from examine_step s where s.examine_id = e.id and s.operator_id = ${read.who.operatorId})
  or (${read.who.permits.has("49.query")} and e.village_id = ${anyOf(read.who.villages)}))`;

/** "2/3 区域经理" of `examine e`. */
export const NODE_TEXT = sql<string>`e.current_order || '/' || greatest(1, jsonb_array_length(e.process_snapshot -> 'nodes'))
  || coalesce(' ' || (e.process_snapshot -> 'nodes' -> (e.current_order - 1) ->> 'name'), '')`;

/** The approvals that records of a kind wait for, by record. */
export async function frozenBy(
  read: Pick<Read, "tx" | "who">,
  kind: string,
  recordIds: readonly number[],
): Promise<Map<number, Frozen>> {
  const { rows } = await sql<Frozen>`
    select e.target_id "recordId", e.id "examineId", e.examine_no "examineNo", e.title, ${NODE_TEXT} node,
      e.node_since since, e.submitter_id "submitterId", e.version, ${mayOpen(read)} opens,
      e.submitter_id = ${read.who.operatorId} mine,
      (select coalesce(string_agg(o.real_name, '、' order by s.id), '') from examine_step s
        join operator o on o.id = s.operator_id where s.examine_id = e.id and s.state = 'waiting') "waitingFor"
    from examine e where e.target_kind = ${kind} and e.state = 'approving' and e.target_id = ${anyOf(recordIds)}`.execute(
    read.tx,
  );
  return new Map(rows.map((row) => [row.recordId, row]));
}

/** Refuses to change records that wait for approval (409 frozen). */
export async function refuseFrozen(
  read: Pick<Read, "tx" | "who">,
  kind: string,
  recordIds: readonly number[],
): Promise<void> {
  const frozen = await frozenBy(read, kind, recordIds);
  const [one] = frozen.values();
  if (one)
    throw new Refusal("frozen", recordIds.length > 1 ? `${one.title} ${FROZEN}` : FROZEN, 409, {
      data: { examineId: one.opens ? one.examineId : null, examineNo: one.examineNo },
    });
}

constraintSays("examine_open", { code: "frozen", msg: FROZEN });

export type Proposal = {
  recordId: number;
  /** What waits, where it is another record than those of its type. */
  kind?: string;
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
  const own = registered(type).kind;
  for (const [kind, of] of Map.groupBy(proposals, (p) => p.kind ?? own))
    await refuseFrozen(
      act,
      kind,
      of.map((p) => p.recordId),
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
  for (const { recordId, kind = own, villageId, payload, reason, fileIds = [] } of proposals) {
    const module = modules.get(villageId);
    const wanted = { id: recordId, payload, reason };
    const outlook = module && (await registered(type).outlook(act, wanted));
    const way = module && (await wayOf(act, type, module, villageId, outlook!.values));
    if (!way?.snapshot.nodes.length) now.push(recordId);
    else waiting.push({ recordId, ...(await submit(act, { type, kind }, wanted, outlook!, way, fileIds)) });
  }
  return { now, waiting };
}

async function submit(
  act: Act,
  { type, kind }: { type: string; kind: string },
  wanted: Wanted,
  outlook: Outlook,
  way: Way,
  fileIds: readonly number[],
): Promise<{ examineId: number; examineNo: string }> {
  const submitterId = act.who.operatorId;
  const run = start(
    way.snapshot.nodes,
    await aroundOf(act, { villageId: outlook.villageId, submitterId }, way.snapshot),
  );
  const [examineNo] = await act.numbers("SP");
  const { id } = await act.tx
    .insertInto("examine")
    .values((eb) => ({
      enterpriseId: eb.selectFrom("village").select("enterpriseId").where("id", "=", outlook.villageId),
      examineNo: examineNo!,
      moduleType: type,
      targetKind: kind,
      targetId: wanted.id,
      villageId: outlook.villageId,
      reason: wanted.reason,
      payload: JSON.stringify(wanted.payload),
      needs: [act.need ?? []].flat().filter((need) => need !== "login" && need !== "public"),
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
  opensPage: outlook.opens?.page ?? null,
  opensId: outlook.opens?.id ?? null,
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

/** Whether somebody still has the right to the act itself. */
export const mayPropose = ({ who }: Pick<Read, "who">, { needs, moduleType }: Examine): boolean =>
  allows(who.permits, needs.length ? needs : registered(moduleType).permit);

/** Submits again what was rejected or withdrawn, by the way that is configured now. */
export async function submitAgain(act: Act, examine: Examine): Promise<void> {
  if (examine.submitterId !== act.who.operatorId) throw notFound();
  if (examine.state !== "rejected" && examine.state !== "withdrawn")
    throw new Refusal("notAllowed", `当前状态为“${EXAMINE_STATE[examine.state][0]}”，不能重新提交`);
  inScope(act.who, examine.villageId);
  if (!mayPropose(act, examine)) throw forbidden();
  await refuseFrozen(act, examine.targetKind, [examine.targetId]);
  const { moduleType: type, targetId: id, payload, reason } = examine;
  const outlook = await registered(type).outlook(act, { id, payload, reason });
  const module = (await governing(act, type, [examine.villageId])).get(examine.villageId);
  const way = module && (await wayOf(act, type, module, examine.villageId, outlook.values));
  const again = { ...seenBy(outlook), ...(way && taking(way)), submittedAt: act.now.toISOString() };
  const { steps } = await runOf(act, examine);
  const nodes = way?.snapshot.nodes ?? [];
  const around = way && (await aroundOf(act, examine, way.snapshot));
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
  else if (state !== "approving") await dropped(act, examine, state, why);
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
  for (const id of await openExamines(act, kind, recordIds)) {
    const examine = (await readExamine(act, id, { lock: true }))!;
    if (examine.state === "approving") await endNow(act, examine, "void", "审批作废", why);
  }
}

/**
 * Takes back what waits on a record: its submitter may, and whoever its owner lets (`anybody`). The examine is locked before
 * the record, as a decision does it: of the two one comes first, and the other hears of it.
 */
export async function withdrawExamine(
  act: Act,
  kind: string,
  recordId: number,
  { why, anybody }: { why: string; anybody: boolean },
): Promise<void> {
  const [id] = await openExamines(act, kind, [recordId]);
  const examine = id === undefined ? undefined : await readExamine(act, id, { lock: true });
  if (examine?.state !== "approving") throw new Refusal("notAllowed", "该审批刚刚已处理，请刷新后查看", 409);
  if (!anybody && examine.submitterId !== act.who.operatorId)
    throw new Refusal("notAllowed", "只有提交人可以撤回", 403);
  await endNow(act, examine, "withdrawn", "撤回审批", why);
}

async function openExamines(act: Act, kind: string, recordIds: readonly number[]): Promise<number[]> {
  const open = await act.tx
    .selectFrom("examine")
    .select("id")
    .where("targetKind", "=", kind)
    .where("targetId", "=", anyOf(recordIds))
    .where("state", "=", "approving")
    .orderBy("id")
    .execute();
  return open.map((e) => e.id);
}

async function endNow(
  act: Act,
  examine: Examine,
  state: "withdrawn" | "void",
  action: string,
  why: string,
): Promise<void> {
  const run = await runOf(act, examine);
  await saveRun(act, examine, run, end(run, state), { by: 0, text: "" });
  await noteMove(act, examine, action, `${examine.title}（${examine.examineNo}）：${why}`);
  await finish(act, examine, state, why);
}
