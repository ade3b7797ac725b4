import { Refusal } from "../../../platform/kernel/refusal.ts";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { addPrepaid } from "../balance/balance.service.ts";
import { entriesOf, mirrorOf, post } from "../journal/journal.service.ts";
import { takeBack } from "./allocate.service.ts";
import { FLOW_MOVES, REFUND_FLOW } from "./flow.rules.ts";
import { lockFlow, type Flow } from "./locked.queries.ts";

/**
 * A flow that was none: what it paid is taken back (E09), then the money itself (E10), both dated today. The channel's
 * fee stays a cost until the statement says otherwise.
 */
export async function reverseFlow(act: Act, flowId: number, reason: string): Promise<Flow> {
  await takeBack(act, flowId);
  const flow = await lockFlow(act, flowId);
  FLOW_MOVES.next("reverse", flow);
  if (flow.flowKind === "refund") throw new Refusal("notAllowed", REFUND_FLOW);
  const [moved] = await entriesOf(act, { sourceType: "flow", sourceIds: [flowId], events: ["E06", "E26"] });
  if (!moved) throw new Error(`flow ${flowId} is confirmed without an entry`);
  await post(act, [
    mirrorOf(moved, {
      event: "E10",
      sourceType: "flow",
      sourceId: flowId,
      businessDate: act.today,
      memo: reason,
    }),
  ]);
  if (flow.direction === "in") await addPrepaid(act, flow.villageId, flow.partyId!, -flow.amount);
  const now = act.now.toISOString();
  await act.tx
    .updateTable("flow")
    .set({
      state: "reversed",
      reversedAt: now,
      reversedOn: act.today,
      reversedBy: act.who.operatorId || null,
      reverseReason: reason,
      updatedAt: now,
      version: NEXT_VERSION,
    })
    .where("id", "=", flowId)
    .execute();
  return flow;
}
