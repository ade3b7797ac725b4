import { maskName } from "../../../platform/kernel/texts/mask.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import * as calls from "./self.contract.ts";
import { linkOf, waitingCounts } from "./self.queries.ts";
import {
  askLeave,
  askToMove,
  askToStay,
  enterpriseName,
  openMine,
  sendLink,
  takeBack,
} from "./self.service.ts";

export default [
  serve(calls.sendSelfLink, (act, { body }) => sendLink(act, body.contractId)),
  serveRead(calls.countWaiting, (read) => waitingCounts(read)),

  serveRead(calls.selfPage, async (read, { params }) => {
    const { link, contract } = await linkOf(read, params.token);
    const { name, last4Of } = link;
    return { enterprise: await enterpriseName(read, contract), name: maskName(name), last4Of };
  }),
  serve(calls.selfOpen, (act, { params, body }) => openMine(act, params.token, body.last4)),
  serve(calls.selfLeave, (act, { params, body }) => askLeave(act, params.token, body)),
  serve(calls.selfRenew, (act, { params, body }) => askToStay(act, params.token, body)),
  serve(calls.selfMove, (act, { params, body }) => askToMove(act, params.token, body)),
  serve(calls.selfTakeBack, (act, { params, body }) => takeBack(act, params.token, body.last4)),
];
