import { eachNamed, forbidden, invalid, notFound } from "../../../platform/kernel/refusal.ts";
import { asSeen } from "../../../platform/server/database/versioned.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serveImport } from "../../system/import/serve.service.ts";
import { refundImport } from "./import.contract.ts";
import { REFUNDS } from "./import.service.ts";
import { refuseFrozen } from "../../approval/examine/propose.service.ts";
import { applyRefund, dropRefund } from "./refund.service.ts";
import { noteRefund } from "./move.service.ts";
import { refundCounts, refundDetailOf, refunds, villagesRefunds, lockRefund } from "./refund.queries.ts";
import { holdingOf, sourcesOf } from "./held.queries.ts";
import { confirmPaid, payByChannel, failed, payoutFileOf, reroute, retry, returned } from "./pay.service.ts";
import { planOf } from "./plan.service.ts";
import {
  countRefunds,
  exportRefunds,
  exportRefundsByVillage,
  getRefund,
  applyForRefund,
  cancelRefund,
  confirmRefund,
  failRefund,
  payRefund,
  payRefunds,
  payoutFile,
  refundRoutes,
  refundSources,
  rerouteRefund,
  retryRefund,
  returnRefund,
  revealAccount,
} from "./refund.contract.ts";

export default [
  ...serveImport(refundImport, REFUNDS),
  serveList(refunds),
  serveRead(countRefunds, (read, { query }) => refundCounts(read, query)),
  exportList(exportRefunds),
  serveList(villagesRefunds),
  exportList(exportRefundsByVillage),
  serveRead(getRefund, (read, { params }) => refundDetailOf(read, params.id)),
  serveRead(refundSources, (read, { query }) => sourcesOf(read, query.partyId)),

  serveRead(refundRoutes, async (read, { query }) => {
    inScope(read.who, query.villageId);
    return planOf(read, await holdingOf(read, query), query.amount, query.parts);
  }),

  serve(applyForRefund, async (act, { body }) => {
    inScope(act.who, body.villageId);
    const of = await holdingOf(act, body);
    if (of.partyId !== body.partyId) throw invalid({ field: "sourceId", msg: "该款项不属于所选客户" });
    return applyRefund(act, body);
  }),

  serve(cancelRefund, async (act, { params, body }) => {
    const r = await lockRefund(act, params.id);
    await refuseFrozen(act, "refund", [r.id]);
    // an application is its applicant's to take back; what is owed already is for whoever pays
    if (!act.who.permits.has(r.status === "toPay" ? "244.edit" : "108.delete")) throw forbidden();
    asSeen(r, body.version);
    await dropRefund(act, r, "cancelled", body.reason);
    return null;
  }),

  serve(payRefund, async (act, { params, body }) => {
    await payByChannel(act, params.id, body.version);
    return null;
  }),

  serve(payRefunds, async (act, { body }) => {
    for (const { id, version } of body.items.toSorted((a, b) => a.id - b.id)) {
      const { refundNo } = await lockRefund(act, id);
      await eachNamed(refundNo, () => payByChannel(act, id, version));
    }
    return { paid: body.items.length };
  }),

  serve(retryRefund, async (act, { params, body }) => {
    await retry(act, params.id, body.version);
    return null;
  }),

  serve(rerouteRefund, async (act, { params, body }) => ({ waiting: await reroute(act, params.id, body) })),

  serve(confirmRefund, async (act, { params, body }) => {
    const r = await lockRefund(act, params.id);
    if (r.route === "bank" && !body.fileIds.length)
      throw invalid({ field: "fileIds", msg: "请上传付款凭证" });
    return confirmPaid(act, params.id, { ...body, paidAt: body.paidAt ?? act.now.toISOString() });
  }),

  serve(returnRefund, async (act, { params, body }) => {
    await returned(act, params.id, body);
    return null;
  }),

  serve(failRefund, async (act, { params, body }) => {
    await failed(act, params.id, body);
    return null;
  }),

  serve(payoutFile, (act, { body }) => payoutFileOf(act, body.items)),

  serve(revealAccount, async (act, { params }) => {
    const r = await lockRefund(act, params.id);
    if (!r.payeeAccount) throw notFound();
    await noteRefund(act, r, "查看收款账号", "查看了完整的收款账号");
    return { account: act.cipher.open(r.payeeAccount) };
  }),
];
