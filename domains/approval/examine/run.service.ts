import { sql } from "kysely";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import type { Values } from "../module/condition.rules.ts";
import type { Around, ExamineState, Run, Step } from "./engine.rules.ts";
import type { PreviewTable } from "./registry.service.ts";
import type { Snapshot } from "./way.service.ts";

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
  target_id "targetId", target_no "targetNo", title, village_id "villageId", amount, key_facts "keyFacts", asked_fields "askedFields", reason, payload,
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

/** The examine as the engine sees it. */
export async function runOf(read: Pick<Read, "tx">, examine: Examine): Promise<Run> {
  const { rows } = await sql<Step>`
    select id, round, order_num "order", operator_id "operatorId", state, merged
    from examine_step where examine_id = ${examine.id} order by id`.execute(read.tx);
  const { state, round, currentOrder: order, processSnapshot } = examine;
  return { state, round, order, nodes: processSnapshot.nodes, steps: rows };
}

/** Who of those concerned can decide at this moment. */
export async function aroundOf(
  read: Pick<Read, "tx">,
  { fallbackId, nodes }: Snapshot,
  submitterId: number,
  also: readonly number[] = [],
): Promise<Around> {
  const named = [...nodes.flatMap((n) => n.people), fallbackId, ...also];
  const active = await read.tx
    .selectFrom("operator")
    .select("id")
    .where("id", "=", anyOf([...new Set(named)]))
    .where("state", "=", "active")
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
