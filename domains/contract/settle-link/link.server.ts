import { maskName, maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { bytesOfFile } from "../../system/file/file.service.ts";
import { isLocked, MINUTE_MS } from "../esign/esign.rules.ts";
import { lockOf } from "../esign/flow.queries.ts";
import { secondsToNext } from "../esign/party.service.ts";
import {
  agreeToSheet,
  objectToSheet,
  openSheet,
  sendConfirm,
  sendSheetCode,
  settlementLinks,
  sheetDocument,
  sheetFile,
  sheetPage,
} from "./link.contract.ts";
import { byDevice, byLink, linksOf } from "./link.queries.ts";
import { CONSENT } from "./link.rules.ts";
import { agree, object, payeeTextOf, openLink, present, sendSheetCode as sendCode } from "./link.service.ts";

/** The page shows what one person may see: nobody keeps it on the way. */
const PRIVATE = { "cache-control": "no-store", "referrer-policy": "no-referrer" };

export default [
  serve(sendConfirm, (act, { params, body }) => present(act, params.id, body)),
  serveRead(settlementLinks, (read, { params }) => linksOf(read, params.id)),

  serveRead(sheetPage, async (read, { params: { token } }) => {
    const link = await byLink(read, token);
    const locked = link.lockedFor !== "code" && isLocked(lockOf(link), read.now.getTime());
    return {
      enterprise: link.enterprise,
      tenant: maskName(link.name),
      last4Of: link.last4Of,
      lockedMinutes: locked ? Math.ceil((lockOf(link)! - read.now.getTime()) / MINUTE_MS) : 0,
    };
  }),
  serve(openSheet, (act, { params: { token }, body: { last4 } }) => openLink(act, token, last4)),
  serveRead(sheetDocument, async (read, { params: { token }, query: { device } }) => {
    const link = await byDevice(read, token, device);
    return {
      hash: link.documentHash,
      net: link.net,
      blocks: link.paper as never,
      phone: maskPhone(link.phone),
      needImageCode: link.codesSent > 0,
      secondsToNextCode: secondsToNext(link, read.now),
      consent: { text: CONSENT.text, terms: [...CONSENT.terms] },
      payee: link.net > 0 ? await payeeTextOf(read, link) : null,
    };
  }),
  serveRead(sheetFile, async (read, { params: { token }, query: { device } }) => {
    const { fileId } = await byDevice(read, token, device);
    const body = await bytesOfFile(read, fileId);
    return { name: "退房结算单.pdf", type: "application/pdf", body, inline: true, headers: PRIVATE };
  }),
  serve(sendSheetCode, (act, { params: { token }, body }) => sendCode(act, token, body)),
  serve(agreeToSheet, (act, { params: { token }, body }) => agree(act, token, body)),
  serve(objectToSheet, (act, { params: { token }, body }) => object(act, token, body)),
];
