import { serveList } from "../../../platform/server/lists/list.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { allows } from "../../../platform/kernel/call.ts";
import { forbidden } from "../../../platform/kernel/refusal.ts";
import { needsOf } from "../terms/kind.rules.ts";
import * as calls from "./activity.contract.ts";
import {
  activityDetail,
  activityList,
  activitySeen,
  chartOf,
  optionsOf,
  useList,
} from "./activity.queries.ts";
import { effectOf } from "./activity.rules.ts";
import * as acts from "./activity.service.ts";
import { usableFor } from "./use.service.ts";

export default [
  serveList(activityList),
  exportList(calls.exportActivities),

  serveRead(calls.activityChart, (read, { query }) => chartOf(read, query)),
  serveRead(calls.activityOptions, (read, { query }) => optionsOf(read, query)),

  serveRead(
    calls.usableActivities,
    async (read, { query: { roomIds = [], partyId, contractId, ...deal } }) => {
      if (!allows(read.who.permits, needsOf(calls.usableActivities.needs, deal.kind))) throw forbidden();
      inScope(read.who, deal.villageId);
      return usableFor(read, { ...deal, roomIds, partyId: partyId ?? null, contractId: contractId ?? null });
    },
  ),

  serveRead(calls.effectOfActivity, async (_read, { body: { offers, ...sample } }) =>
    effectOf(offers, sample),
  ),

  serveRead(calls.getActivity, (read, { params }) => activityDetail(read, params.id)),

  serveRead(calls.activityUses, async (read, { params, query }) => {
    await activitySeen(read, params.id);
    return useList.answer(read, { ...params, ...query });
  }),

  serve(calls.addActivity, (act, { body }) => acts.addActivity(act, body)),
  serve(calls.editActivity, (act, { params, body }) => acts.editActivity(act, params.id, body)),
  serve(calls.enableActivity, (act, { params, body }) => acts.enableActivity(act, params.id, body.version)),
  serve(calls.disableActivity, (act, { params, body }) => acts.disableActivity(act, params.id, body.version)),
  serve(calls.adjustActivity, (act, { params, body }) => acts.adjustActivity(act, params.id, body)),
  serve(calls.deleteActivity, async (act, { params, query }) => {
    await acts.deleteActivity(act, params.id, query.version);
    return null;
  }),
];
