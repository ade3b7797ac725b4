import { yuan } from "../../../platform/kernel/fen.ts";
import { eachNamed, Refusal } from "../../../platform/kernel/refusal.ts";
import { asSeen } from "../../../platform/server/database/versioned.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { inScope, seen } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { refuseFrozen } from "../../approval/examine/propose.service.ts";
import { allocateFlow, takeBack } from "./allocate.service.ts";
import { confirmFlow, previewConfirm, rejectFlow } from "./pending.service.ts";
import { patchFlow, proposeReversal } from "./approval.service.ts";
import { flowDetailOf, flows, flowsWaiting } from "./flow.queries.ts";
import "./collect.service.ts";
import * as calls from "./flow.contract.ts";
import { countFlows, exportFlows, getFlow } from "./flow.contract.ts";
import { BOUND } from "./flow.rules.ts";
import { type Flow, noteMoney, readFlow } from "./flow.service.ts";
import { theRow } from "../../../platform/server/database/row.ts";

/** The flow in scope; an account of a batch must be one. */
async function inSight(read: Read, id: number): Promise<Flow> {
  return seen(read.who, await readFlow(read, id));
}
const told = ({ direction, amount }: Flow) => `确认${direction === "in" ? "到账" : "付款"} ${yuan(amount)}`;
const answer = async (act: Act, id: number) => theRow(act, "flow", ["id", "state"], { id });

export default [
  serveList(flows),
  exportList(exportFlows),

  serveRead(countFlows, (read, { query }) => flowsWaiting(read, query.villageIds)),

  serveRead(getFlow, (read, { params }) => flowDetailOf(read, params.id)),
  serve(calls.addFlow, async (act, { body }) => {
    inScope(act.who, body.villageId);
    return patchFlow(act, body);
  }),

  serveRead(calls.previewConfirm, async (read, { params }) => {
    await inSight(read, params.id);
    return previewConfirm(read, params.id);
  }),

  serve(calls.confirmFlow, async (act, { params, body }) => {
    await inSight(act, params.id);
    const flow = await confirmFlow(act, params.id, body.previewHash);
    await noteMoney(act, flow, "确认", told(flow));
    return answer(act, params.id);
  }),

  serve(calls.confirmBatch, async (act, { body }) => {
    const ids = [...new Set(body.ids)].sort((a, b) => a - b);
    const flows = [];
    for (const id of ids) flows.push(await inSight(act, id));
    if (new Set(flows.map((f) => f.merchantAccountId)).size > 1)
      throw new Refusal("notAllowed", "只能批量确认同一账户的流水");
    for (const flow of flows) {
      await eachNamed(flow.flowNo, () => confirmFlow(act, flow.id));
      await noteMoney(act, flow, "确认", told(flow));
    }
    return { count: flows.length };
  }),

  serve(calls.rejectFlow, async (act, { params, body }) => {
    await inSight(act, params.id);
    const flow = await rejectFlow(act, params.id, body.reason);
    await noteMoney(act, flow, "驳回", `驳回 ${yuan(flow.amount)}`, body.reason);
    return answer(act, params.id);
  }),

  serve(calls.allocateFlow, async (act, { params, body }) => {
    await inSight(act, params.id);
    await refuseFrozen(act, "flow", [params.id]);
    const flow = await allocateFlow(act, params.id, body.wants);
    const total = body.wants.reduce((sum, w) => sum + w.amount, 0);
    await noteMoney(act, flow, "分配", `分配 ${yuan(total)}`);
    return answer(act, params.id);
  }),

  serve(calls.undoAllocation, async (act, { params }) => {
    await inSight(act, params.id);
    await refuseFrozen(act, "flow", [params.id]);
    const { flow, amount } = await takeBack(act, params.id, params.allocationId);
    await noteMoney(act, flow, "撤销分配", `撤销分配 ${yuan(amount)}`);
    return answer(act, params.id);
  }),

  serve(calls.reverseFlow, async (act, { params, body }) => {
    const seenFlow = await inSight(act, params.id);
    asSeen(seenFlow, body.version);
    const bound = BOUND[seenFlow.flowKind];
    if (bound) throw new Refusal("notAllowed", bound);
    const waiting = await proposeReversal(act, seenFlow, body.reason);
    return { ...(await answer(act, params.id)), waiting };
  }),
];
