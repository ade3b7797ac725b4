import { serveList } from "../../../platform/server/lists/list.ts";
import { inScope, seen } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { dayInZone } from "../../../platform/kernel/day.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import { linesFor } from "../corporate/line.service.ts";
import { settingsOf } from "../setting/setting.service.ts";
import * as calls from "./submission.contract.ts";
import {
  destinationsOf,
  heldIn,
  itemsOpen,
  pending,
  readSubmission,
  sourcesOf,
  submissionCounts,
  submissionDetailOf,
  submissions,
} from "./submission.queries.ts";
import { match, receive, settleShort, unreceive } from "./arrival.service.ts";
import { cancel, submit } from "./submission.service.ts";

export default [
  serveList(submissions),
  exportList(calls.exportSubmissions),
  serveRead(calls.countSubmissions, (read, { query }) => submissionCounts(read, query)),
  serveList(pending),
  exportList(calls.exportPending),

  serveRead(calls.submissionAccounts, async (read, { query }) => {
    const villageId = inScope(read.who, query.villageId);
    const from = await sourcesOf(read, villageId);
    const to = await destinationsOf(read, villageId);
    return {
      from: from.map(({ id, name, kind, usual }) => ({
        id,
        name,
        kind: kind === "cash" ? ("cash" as const) : ("pos" as const),
        usual,
      })),
      to: to.filter((a) => a.enabled).map(({ id, name, claimed }) => ({ id, name, claimed })),
    };
  }),

  serveRead(calls.takingItems, async (read, { query: { andBefore, ...query } }) => {
    inScope(read.who, query.villageId);
    const account = (await sourcesOf(read, query.villageId)).find((a) => a.id === query.fromAccountId);
    if (!account) throw invalid({ field: "fromAccountId", msg: "该账户不能用于此门店缴款" });
    return {
      ...(await itemsOpen(read, { ...query, andBefore: andBefore === "true" })),
      inBox: account.kind === "cash" ? await heldIn(read, account.id) : null,
    };
  }),

  serveRead(calls.getSubmission, (read, { params }) => submissionDetailOf(read, params.id)),
  serve(calls.addSubmission, (act, { body }) => submit(act, body)),
  serve(calls.cancelSubmission, (act, { params, body }) => cancel(act, params.id, body)),

  serveRead(calls.linesOfSubmission, async (read, { params }) => {
    const s = seen(read.who, await readSubmission(read, params.id));
    const settings = await settingsOf(read, [s.villageId]);
    const day = dayInZone(new Date(s.createdAt), read.settings.TIME_ZONE);
    const around = settings(s.villageId).matchWindowDays;
    return linesFor(read, { amount: s.submitted, day, around, accountId: s.toAccountId });
  }),
  serve(calls.matchSubmission, (act, { params, body }) => match(act, params.id, body)),
  serve(calls.receiveSubmission, (act, { params, body }) => receive(act, params.id, body)),
  serve(calls.unreceiveSubmission, (act, { params, body }) => unreceive(act, params.id, body)),
  serve(calls.settleShort, (act, { params, body }) => settleShort(act, params.id, body)),
];
