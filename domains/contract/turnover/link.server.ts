import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { trial } from "./confirm.service.ts";
import * as calls from "./link.contract.ts";
import {
  declareMonth,
  keepPaper,
  dropPaper,
  openMonths,
  pageOf,
  sendLink,
  undeclared,
} from "./link.service.ts";

export default [
  serve(calls.sendSalesLink, (act, { body }) => sendLink(act, body)),
  serveRead(calls.undeclaredSales, (read, { query }) => undeclared(read, query.villageIds)),
  serveRead(calls.trialSales, (read, { body }) => trial(read, body)),

  serveRead(calls.salesPage, (read, { params }) => pageOf(read, params.token)),
  serve(calls.salesOpen, (act, { params, body }) => openMonths(act, params.token, body.last4)),
  serve(calls.bringPaper, (act, { params, body, files }) => keepPaper(act, params.token, body, files)),
  serve(calls.dropPaper, (act, { params, body }) => dropPaper(act, params.token, body, body.id)),
  serve(calls.salesDeclare, (act, { params, body }) => declareMonth(act, params.token, body)),
];
