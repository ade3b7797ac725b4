import { type RawBuilder, sql } from "kysely";
import { hoursText } from "../../../platform/kernel/duration.ts";
import type { Permit } from "../../../platform/kernel/call.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { tell } from "../../system/message/message.service.ts";
import type { Values } from "./condition.rules.ts";
import type { Around, ExamineState, Run, Step } from "./engine.rules.ts";
import { type Dropped, type PreviewTable, type Snapshot, registered } from "./registry.service.ts";

export type Examine = {
  id: number;
  examineNo: string;
  enterpriseId: number;
  moduleType: string;
  targetKind: string;
  targetId: number;
  targetNo: string;
  title: string;
  villageId: number;
  amount: Fen | null;
  keyFacts: [string, string][];
  askedFields: Values;
  reason: string;
  payload: unknown;
  /** Of these permits one let the submitter propose it. */
  needs: Permit[];
  preview: PreviewTable[];
  previewHash: string;
  processSnapshot: Snapshot;
  state: ExamineState;
  currentOrder: number;
  round: number;
  submitterId: number;
  submittedAt: string;
  nodeSince: string;
  decidedAt: string | null;
  version: number;
};

const COLUMNS = sql`id, examine_no "examineNo", enterprise_id "enterpriseId", module_type "moduleType", target_kind "targetKind",
  target_id "targetId", target_no "targetNo", title, village_id "villageId", amount, key_facts "keyFacts", asked_fields "askedFields", reason, payload, needs,
  preview, preview_hash "previewHash", process_snapshot "processSnapshot", state, current_order "currentOrder", round,
  submitter_id "submitterId", submitted_at "submittedAt", node_since "nodeSince", decided_at "decidedAt", version`;

export async function readExamine(
  read: Pick<Read, "tx">,
  id: number,
  { lock = false }: { lock?: boolean } = {},
): Promise<Examine | undefined> {
  const { rows } = await sql<Examine>`
    select ${COLUMNS} from examine where id = ${id} ${lock ? sql`for update` : sql``}`.execute(read.tx);
  return rows[0];
}

export async function runOf(read: Pick<Read, "tx">, examine: Examine): Promise<Run> {
  const { rows } = await sql<Step>`
    select id, round, order_num "order", operator_id "operatorId", state, merged
    from examine_step where examine_id = ${examine.id} order by id`.execute(read.tx);
  const { state, round, currentOrder: order, processSnapshot } = examine;
  return { state, round, order, nodes: processSnapshot.nodes, steps: rows };
}

/** Whether `operator o` can sign in and see a village; the fallback approver stands in for stores beyond their own. */
export const canDecide = (villageId: RawBuilder<unknown>, fallbackId: RawBuilder<unknown>) => sql<boolean>`(
  o.state = 'active' and (o.super_type <> '' or o.all_villages or o.id = ${fallbackId}
    or o.village_ids @> array[${villageId}]::bigint[]))`;

/** Who of those concerned can decide at this moment. */
export async function aroundOf(
  read: Pick<Read, "tx">,
  { villageId, submitterId }: Pick<Examine, "villageId" | "submitterId">,
  { fallbackId, nodes }: Snapshot,
  also: readonly number[] = [],
): Promise<Around> {
  const named = [...nodes.flatMap((n) => n.people), fallbackId, ...also];
  const active = await read.tx
    .selectFrom("operator as o")
    .select("id")
    .where("id", "=", anyOf([...new Set(named)]))
    .where(canDecide(sql`${villageId}`, sql`${fallbackId}`))
    .execute();
  return { active: new Set(active.map((o) => o.id)), submitterId, fallbackId };
}

/** Writes what a move of the engine changed: decided steps, and the people who are asked now, whom it answers. */
export async function saveRun(
  act: Act,
  examine: Examine,
  before: Run,
  after: Run,
  comment: { by: number; text: string },
): Promise<number[]> {
  const now = act.now.toISOString();
  const then = new Map(before.steps.map((s) => [s.id, s.state]));
  for (const step of after.steps)
    if (step.id !== undefined && then.get(step.id) !== step.state)
      await act.tx
        .updateTable("examineStep")
        .set({
          state: step.state,
          decidedAt: now,
          transferredToId: step.transferredToId ?? null,
          ...(step.operatorId === comment.by && { comment: comment.text }),
        })
        .where("id", "=", step.id)
        .execute();
  const fresh = after.steps.filter((s) => s.id === undefined);
  const hours = (step: Step) => examine.processSnapshot.nodes[step.order - 1]?.remindHours ?? 0;
  if (fresh.length)
    await act.tx
      .insertInto("examineStep")
      .values(
        fresh.map((step) => ({
          examineId: examine.id,
          round: step.round,
          orderNum: step.order,
          operatorId: step.operatorId,
          state: step.state,
          merged: step.merged ?? false,
          comment: step.merged ? "与上一节点为同一审批人，自动通过" : "",
          askedAt: now,
          decidedAt: step.state === "waiting" ? null : now,
          remindAt:
            step.state === "waiting" && hours(step)
              ? new Date(act.now.getTime() + hours(step) * 3_600_000).toISOString()
              : null,
        })),
      )
      .execute();
  const moved = after.order !== before.order || after.round !== before.round || after.state !== before.state;
  if (moved)
    await act.tx
      .updateTable("examine")
      .set({
        state: after.state,
        currentOrder: after.order,
        round: after.round,
        nodeSince: now,
        decidedAt: after.state === "approving" ? null : now,
        version: NEXT_VERSION,
      })
      .where("id", "=", examine.id)
      .execute();
  return fresh.filter((s) => s.state === "waiting").map((s) => s.operatorId);
}

const factsOf = (examine: Examine): (readonly [string, string])[] => [
  ["审批单号", examine.examineNo],
  ...(examine.amount === null ? [] : [["金额", `${yuan(examine.amount)} 元`] as const]),
  ...examine.keyFacts,
];
const about = (examine: Examine) => ({
  type: 1 as const,
  bizType: "approval",
  bizId: examine.id,
  villageId: examine.villageId,
  facts: factsOf(examine),
});

export const tellAsked = (act: Act, examine: Examine, to: readonly number[]) =>
  tell(act, { ...about(examine), to, title: `待审批：${examine.title}`, content: examine.reason });

export const tellReminder = (
  act: Act,
  examine: Examine,
  to: readonly number[],
  hours: number,
  once: string,
) =>
  tell(act, {
    ...about(examine),
    to,
    once,
    title: `审批催办：${examine.title}`,
    content: `该审批已等待您处理 ${hoursText(hours)}`,
  });

const ENDED: Partial<Record<ExamineState, string>> = {
  approved: "审批已通过",
  rejected: "审批被驳回",
  withdrawn: "审批被撤回",
  void: "审批已作废",
};

/** The submitter at the end; who withdrew it himself needs not be told. */
export async function tellEnded(act: Act, examine: Examine, state: ExamineState, why: string): Promise<void> {
  const said = ENDED[state];
  const own = state === "withdrawn" && examine.submitterId === act.who.operatorId;
  if (said && !own)
    await tell(act, {
      ...about(examine),
      to: [examine.submitterId],
      title: `${said}：${examine.title}`,
      content: why,
    });
}

/** Every move stands on the timeline of the record and on that of the examine. */
export async function noteMove(act: Act, examine: Examine, action: string, summary: string): Promise<void> {
  const said = { villageId: examine.villageId, action, summary };
  await act.note([
    {
      ...said,
      kind: examine.targetKind,
      recordId: examine.targetId,
      number: examine.targetNo,
      examineId: examine.id,
    },
    { ...said, kind: "approval", recordId: examine.id, number: examine.examineNo },
  ]);
}

/** Does what was approved, exactly as it was seen; refused when something has changed since. */
export async function takeEffect(act: Act, examine: Examine): Promise<void> {
  const owner = registered(examine.moduleType);
  const wanted = wantedOf(examine);
  const now = await owner.outlook(act, wanted);
  if (now.hash !== examine.previewHash)
    throw new Refusal("previewChanged", "提交审批后内容已变化，不能通过，请驳回后由提交人重新提交");
  await owner.effect(named(act, examine), wanted);
}

/** Tells the record's owner that it was not approved. */
export async function dropped(act: Act, examine: Examine, state: Dropped, why: string): Promise<void> {
  const owner = registered(examine.moduleType);
  await owner.dropped?.(named(act, examine), wantedOf(examine), { state, why });
}

const wantedOf = ({ targetId: id, payload, reason }: Examine) => ({ id, payload, reason });
/** Whatever the act writes down names the approval that it came of. */
const named = (act: Act, { id: examineId }: Examine): Act => ({
  ...act,
  note: (entries) => act.note([entries].flat().map((entry) => ({ examineId, ...entry }))),
});
