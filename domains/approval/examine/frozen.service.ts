import { sql, type RawBuilder } from "kysely";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { FROZEN } from "./engine.rules.ts";

/** Why a record is frozen: shown on top of it. */
export type Frozen = {
  recordId: number;
  examineId: number;
  examineNo: string;
  title: string;
  /** "1/2 店长". */
  node: string;
  waitingFor: string;
  since: string;
  submitterId: number;
  version: number;
  /** Whether the reader may open it. */
  opens: boolean;
};

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
