import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { allSeen, readBills } from "../bill/bills.queries.ts";
import { payByLink, readPayLink, sendPayLinks, showBillCode } from "./checkout.contract.ts";
import { ordersFor } from "./checkout.service.ts";
import { previewRemind, remindBills } from "./remind.contract.ts";
import { previewReminders, remind } from "./remind.service.ts";
import { pageOf, payLinked, sendLinks } from "./link.service.ts";

export default [
  serve(showBillCode, async (act, { body: { billIds, ...how } }) => {
    allSeen(act.who, await readBills(act, billIds), billIds);
    return ordersFor(act, { billIds, ...how, way: "scan" });
  }),

  serveRead(previewRemind, (read, { body }) => previewReminders(read, body)),
  serve(remindBills, (act, { body }) => remind(act, body)),
  serve(sendPayLinks, (act, { body }) => sendLinks(act, body.billIds)),

  serveRead(readPayLink, (read, { params, query }) => pageOf(read, params.token, query.all === "1")),

  serve(payByLink, (act, { params, body }) => payLinked(act, params.token, body)),
];
