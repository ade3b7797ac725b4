import { Refusal, notFound } from "../../../platform/kernel/refusal.ts";
import { maskName, maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { bytesOfFile } from "../../system/file/file.service.ts";
import { admit } from "../contract/contract.queries.ts";
import {
  actSignings,
  cancelActSigning,
  cancelSigning,
  contractSignings,
  openSigning,
  refuseSigning,
  resendActSigning,
  resendSigning,
  sendSignCode,
  setSeal,
  signByParty,
  signDocument,
  signDocumentFile,
  signedFile,
  signPage,
  payDue,
  signResult,
  startActSigning,
  startSigning,
} from "./esign.contract.ts";
import { CONSENT, isLocked, MINUTE_MS, nounOf, saidOf } from "./esign.rules.ts";
import { lockOf } from "./flow.queries.ts";
import { actAdmitted, cancelContract, cancelOf, resend, resendOf, start, startOf } from "./flow.service.ts";
import { byDevice, byLink, byResult, fetchedOnce } from "./link.service.ts";
import { agree, openLink, refuse, secondsToNext, sendSigningCode } from "./party.service.ts";
import { FETCHED, fetchedTrial, fileOf, payPageOf, resultOf, signingsOf, waiting } from "./result.queries.ts";
import { numberOf } from "./subject.service.ts";
import { stamp } from "./stamp.service.ts";

/** Signing pages show what one person may see: nobody keeps it on the way. */
const PRIVATE = { "cache-control": "no-store", "referrer-policy": "no-referrer" };

export default [
  serve(startSigning, async (act, { params: { id } }) => {
    await admit(act, id, startSigning);
    return start(act, id);
  }),

  serve(resendSigning, async (act, { params: { id } }) => {
    await admit(act, id, resendSigning);
    return resend(act, id);
  }),

  serve(cancelSigning, async (act, { params: { id }, body: { reason } }) => {
    await admit(act, id, cancelSigning);
    return cancelContract(act, id, reason);
  }),

  serve(startActSigning, (act, { params: { id }, body }) => startOf(act, id, body)),
  serve(resendActSigning, (act, { params: { id } }) => resendOf(act, id)),
  serve(cancelActSigning, (act, { params: { id }, body: { reason } }) => cancelOf(act, id, reason)),

  serveRead(contractSignings, async (read, { params: { id } }) => {
    await admit(read, id, contractSignings);
    return signingsOf(read, { contractId: id });
  }),

  serveRead(actSignings, async (read, { params: { id } }) => {
    const { nextId } = await actAdmitted(read, id, "get");
    return signingsOf(read, nextId === null ? { actId: id } : { contractId: nextId });
  }),

  serveList(waiting),

  serve(setSeal, (act, { params: { id }, body: { sealId } }) => stamp(act, id, sealId)),

  serveRead(signPage, async (read, { params: { token } }) => {
    const { flow, signer } = await byLink(read, token);
    const locked = signer.lockedFor !== "code" && isLocked(lockOf(signer), read.now.getTime());
    return {
      state: signer.state === "signed" ? ("signed" as const) : ("open" as const),
      enterprise: flow.enterprise,
      title: flow.paper.title,
      noun: nounOf(flow.docKind),
      signer: maskName(signer.name),
      last4Of: signer.last4Of || ("certificate" as const),
      lockedMinutes: locked ? Math.ceil((lockOf(signer)! - read.now.getTime()) / MINUTE_MS) : 0,
      deadline: flow.deadline,
    };
  }),

  serve(openSigning, (act, { params: { token }, body: { last4 } }) => openLink(act, token, last4)),

  serveRead(signDocument, async (read, { params: { token }, query: { device } }) => {
    const { flow, signer } = await byDevice(read, token, device);
    return {
      hash: flow.documentHash,
      pages: flow.pages,
      blocks: flow.paper.blocks as never,
      facts: flow.paper.facts,
      phone: maskPhone(signer.phone),
      readSeconds: flow.readSeconds,
      handwriting: flow.handwriting,
      needImageCode: signer.codesSent > 0,
      secondsToNextCode: secondsToNext(signer, read.now),
      consent: {
        text: saidOf(flow.docKind, CONSENT.text),
        terms: CONSENT.terms.map((term) => saidOf(flow.docKind, term)),
      },
    };
  }),

  serveRead(signDocumentFile, async (read, { params: { token }, query: { device } }) => {
    const { flow, subject } = await byDevice(read, token, device);
    const { fileId } = await read.tx
      .selectFrom("contractDocument")
      .select("fileId")
      .where("id", "=", flow.documentId)
      .executeTakeFirstOrThrow();
    const name = `${flow.paper.title}_${numberOf(subject)}_待签.pdf`;
    return {
      name,
      type: "application/pdf",
      body: await bytesOfFile(read, fileId),
      inline: true,
      headers: PRIVATE,
    };
  }),

  serve(sendSignCode, (act, { params: { token }, body }) => sendSigningCode(act, token, body)),
  serve(signByParty, (act, { params: { token }, body }) => agree(act, token, body)),
  serve(refuseSigning, (act, { params: { token }, body }) => refuse(act, token, body)),

  serveRead(signResult, (read, { query: { key } }) => resultOf(read, key)),
  serve(payDue, (act, { body: { key } }) => payPageOf(act, key)),

  serve(signedFile, async (act, { query: { key } }) => {
    const found = await byResult(act, key);
    const file = found ? await fileOf(act, found.flow) : await fetchedTrial(act, key);
    if (!file) throw notFound();
    if (found && !(await fetchedOnce(act, key))) throw new Refusal("gone", FETCHED, 410);
    return {
      name: file.name,
      type: file.type,
      body: await act.files.get(file.storageKey),
      headers: PRIVATE,
    };
  }),
];
