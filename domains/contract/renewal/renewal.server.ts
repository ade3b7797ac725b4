import { maskName } from "../../../platform/kernel/texts/mask.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { choose, makeOffer, offerOf, openOffer, refuseOffer, takeOfferBack } from "./offer.service.ts";
import * as calls from "./renewal.contract.ts";
import { renewalCounts, renewalDetail, renewals } from "./renewal.queries.ts";
import { decline, followContract, handIn, invite } from "./renewal.service.ts";
import { weighRenewals } from "./weigh.service.ts";

export default [
  serveList(renewals),
  exportList(calls.exportRenewals),
  serveRead(calls.countRenewals, (read, { query }) => renewalCounts(read, query)),
  serveRead(calls.getRenewal, (read, { params }) => renewalDetail(read, params.id)),
  serve(calls.followRenewal, (act, { params, body }) => followContract(act, params.id, body)),
  serve(calls.declineRenewal, (act, { params, body }) => decline(act, params.id, body.reason)),
  serveRead(calls.weighRenewals, (read, { body }) => weighRenewals(read, body.rows)),
  serve(calls.handInRenewal, (act, { body: { previewHash, ...ask } }) => handIn(act, ask, previewHash)),
  serve(calls.inviteRenewals, (act, { body }) => invite(act, body.ids)),
  serve(calls.sendOffer, (act, { body }) => makeOffer(act, body.contractId, body.choices)),
  serve(calls.withdrawOffer, (act, { params, body }) => takeOfferBack(act, params.id, body.reason)),

  serveRead(calls.readOffer, async (read, { params }) => {
    const { offer, enterprise } = await offerOf(read, params.token);
    const answered = offer.state === "chosen" || offer.state === "declined";
    return { enterprise, name: maskName(offer.name), last4Of: offer.last4Of, answered };
  }),
  serve(calls.openOffer, (act, { params, body }) => openOffer(act, params.token, body.last4)),
  serve(calls.chooseOffer, (act, { params, body }) => choose(act, params.token, body.last4, body.choice)),
  serve(calls.declineOffer, (act, { params, body }) =>
    refuseOffer(act, params.token, body.last4, body.reason),
  ),
];
