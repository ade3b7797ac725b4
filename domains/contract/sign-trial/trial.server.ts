import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import * as calls from "./trial.contract.ts";
import {
  agree,
  documentOf,
  fileOf,
  openLink,
  pageOf,
  refuse,
  sendTrialCode,
  start,
} from "./trial.service.ts";

export default [
  serve(calls.startTrial, (act, { body }) => start(act, body)),
  serveRead(calls.trialPage, (read, { params }) => pageOf(read, params.token)),
  serve(calls.openTrial, (act, { params, body }) => openLink(act, params.token, body.last4)),
  serveRead(calls.trialDocument, (read, { params, query }) => documentOf(read, params.token, query.device)),
  serveRead(calls.trialDocumentFile, (read, { params, query }) => fileOf(read, params.token, query.device)),
  serve(calls.sendTrialCode, (act, { params, body }) => sendTrialCode(act, params.token, body)),
  serve(calls.signTrial, (act, { params, body }) => agree(act, params.token, body)),
  serve(calls.refuseTrial, (act, { params, body }) => refuse(act, params.token, body)),
];
