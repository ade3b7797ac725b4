import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { forbidden, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import { asSeen } from "../../../platform/server/database/versioned.ts";
import { theRow } from "../../../platform/server/database/row.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { seen as inScope } from "../../../platform/server/pipeline/scope.ts";
import { pagesIn } from "../../../platform/server/pdf/pdf-append.ts";
import { keepFile } from "../../system/file/file.service.ts";
import { actById } from "../act/act.queries.ts";
import { CHANGE_MOVES } from "../act/act.rules.ts";
import { changedPreview } from "../act/act.service.ts";
import { endSignings } from "../act/signing.service.ts";
import { configOf } from "../config/config.service.ts";
import { signSettingsOf } from "../config/sign.service.ts";
import { type ContractRecord, contractRecord, nextOf, recordById } from "../contract/record.queries.ts";
import { stillAgreed } from "../signing/sign.service.ts";
import { alone } from "../signing/submit.service.ts";
import { PROVIDERS } from "../provider/provider.rules.ts";
import { permitOf } from "../terms/kind.rules.ts";
import { swapOf } from "../succession/succession.queries.ts";
import { driverOf, type SentLink } from "./driver.service.ts";
import { tellKeeper } from "./finish.service.ts";
import { usualOrder, wrongOrder } from "../config/sign.rules.ts";
import { deadlineOf, flowMoves, nextSigner, partySigned } from "./esign.rules.ts";
import { type Flow, flowById, liveFlow, signersOf } from "./flow.queries.ts";
import { annexedToSign, contractToSign, supplementToSign, type ToSign } from "./presented.service.ts";
import {
  type ActDocument,
  annexOf,
  contractsOf,
  documentOf,
  type Drawn,
  noted,
  numberOf,
  refuseUnsealable,
  sealNow,
  signerOf,
  type Subject,
  subjectOf,
} from "./subject.service.ts";

const DAY_MS = 86_400_000;
/** Until when it is to be signed: contracts say it, of an act the signing itself. */
export const signBy = (subject: Subject, { closesAt }: Pick<Flow, "closesAt">): Date => {
  const days = closesAt ? [closesAt] : contractsOf(subject).map((c) => c.signDeadline!);
  return new Date(Math.min(...days.map((day) => new Date(day).getTime())));
};
/** Until when a link is good. */
const linkUntil = (act: Act, hours: number, until: Date): string =>
  new Date(deadlineOf(act.now.getTime(), hours, until.getTime())).toISOString();

export type Started = {
  id: number;
  flowNo: string;
  state: Flow["state"];
  deadline: string;
  links: SentLink[];
};

const no = (sentence: string) => new Refusal("notAllowed", sentence, 409);

/**
 * Presents a contract that was handed in for signing: the file as it stands, its hash, a link for who signs first. Refused where the
 * bills are not those any more that were agreed to on handing in, or were `seen` by who starts it.
 */
export async function start(act: Act, id: number, seen?: string): Promise<Started> {
  const subject = await toBeSigned(act, id);
  if (await liveFlow(act, alone(id))) throw no("该合同正在电子签署中，请重新发送链接或先撤销签署");
  return beginContract(act, subject, seen);
}

/** A contract, with the one that it swaps rooms with: held, of two the older first. */
async function contractHeld(act: Act, id: number): Promise<Subject> {
  const otherId = await swapOf(act, id);
  const found = new Map<number, ContractRecord>();
  for (const one of [id, otherId ?? id].toSorted((a, b) => a - b))
    if (!found.has(one)) found.set(one, await contractRecord(act, one, true));
  return { contract: found.get(id)!, act: null, other: otherId === null ? null : found.get(otherId)! };
}

/** The same, handed in. */
async function toBeSigned(act: Act, id: number): Promise<Subject> {
  const subject = await contractHeld(act, id);
  const both = subject.other !== null;
  for (const contract of contractsOf(subject)) await nextOf(act, "sign", contract, { both });
  return subject;
}

/** The contract, with the supplement of the change that it comes of where it comes of one; two that swap their rooms together. */
async function beginContract(act: Act, subject: Subject, seen?: string): Promise<Started> {
  const { contract, other } = subject;
  for (const one of contractsOf(subject)) await stillAgreed(act, one, one.previewHash!);
  const party = { ...(await signerOf(act, contract)), role: "party" as const };
  const annex = await annexOf(act, contract);
  if (!annex)
    return begin(act, subject, [party], {
      ...(await contractToSign(act, contract)),
      docKind: `${contract.kind}Contract`,
      closesAt: null,
    });
  const drawn = await drawnAs(act, annex, annex.actId, seen);
  const before = annex.bothTenants && (await contractRecord(act, contract.previousId!));
  const parties: Party[] = [
    ...(before ? [{ ...(await signerOf(act, before)), role: "previousParty" as const }] : []),
    party,
    // who swaps two rooms of his own signs once
    ...(other && other.partyId !== contract.partyId
      ? [{ ...(await signerOf(act, other)), role: "otherParty" as const }]
      : []),
  ];
  return begin(act, subject, parties, {
    ...(await annexedToSign(act, contractsOf(subject), drawn)),
    docKind: annex.docKind,
    closesAt: null,
  });
}

/** Presents the supplement of an act that was handed in, as it was shown. */
export async function startAct(act: Act, subject: Subject, seen: string): Promise<Started> {
  const { contract, act: of } = subject;
  CHANGE_MOVES.next("present", { status: of!.status, agreed: of!.agreed !== null, frozen: of!.frozen });
  const at = { contractId: contract.id, actId: of!.id };
  const live = await liveFlow(act, at, true);
  if (live && new Date(live.deadline) > act.now)
    throw no("补充协议正在电子签署中，请重新发送链接或先撤销签署");
  if (live) await endSignings(act, at, "expired", "签署链接已过期");
  const drawn = await drawnAs(act, documentOf(of!.kind)!, of!.id, seen);
  const closesAt = await closingOf(act, subject);
  return begin(act, subject, [{ ...(await signerOf(act, contract)), role: "party" }], {
    ...(await supplementToSign(of!.actNo, drawn)),
    docKind: "supplement",
    closesAt,
  });
}

/** Until when an act may be signed: as long as it holds rooms, else as long as a contract. */
async function closingOf(act: Act, { contract, act: of }: Subject): Promise<string> {
  const { holdUntil } = await theRow(act, "contractAct", ["holdUntil"], { id: of!.id });
  if (holdUntil !== null) {
    if (new Date(holdUntil) <= act.now) throw no("签署期限已过，请编辑后重新提交");
    return new Date(holdUntil).toISOString();
  }
  const { holdDays } = await configOf(act, contract);
  return new Date(act.now.getTime() + holdDays * DAY_MS).toISOString();
}

/** The document as it comes to now; refused where it is not what was shown, or cannot be carried out. */
async function drawnAs(
  act: Act,
  { draw }: Pick<ActDocument, "draw">,
  actId: number,
  seen: string | undefined,
): Promise<Drawn> {
  const drawn = await draw(act, actId);
  if (seen !== undefined && drawn.previewHash !== seen) throw changedPreview(drawn.preview);
  const [obstacle] = drawn.obstacles;
  if (obstacle) throw new Refusal(obstacle.code, obstacle.msg, 409);
  return drawn;
}

type Party = Awaited<ReturnType<typeof signerOf>> & { role: "party" | "previousParty" | "otherParty" };

async function begin(
  act: Act,
  subject: Subject,
  parties: readonly Party[],
  { pdf, presented, previewHash, docKind, closesAt }: ToSign & Pick<Flow, "docKind" | "closesAt">,
): Promise<Started> {
  const { contract } = subject;
  const {
    source: _,
    offlineAllowed: _o,
    offlineNeedsApproval: _n,
    ...set
  } = await signSettingsOf(act, contract);
  // what was chosen on handing in is about the contract, not about a supplement to it
  const chosen = subject.act ? undefined : contract;
  const roles = parties.map(({ role }) => role);
  const usual = usualOrder(roles, set.signOrder);
  const order = chosen?.signOrder && !wrongOrder(chosen.signOrder, usual) ? chosen.signOrder : usual;
  const enterpriseFirst = order[0] === "enterprise";
  const settings = {
    ...set,
    signOrder: enterpriseFirst ? "enterpriseFirst" : "partyFirst",
    linkHours: chosen?.linkHours ?? set.linkHours,
  };
  const file = await keepFile(
    act,
    { name: `${presented.title}_${numberOf(subject)}_待签.pdf`, type: "application/pdf", bytes: pdf },
    {
      targetKind: "contract",
      targetId: contract.id,
      villageId: contract.villageId,
      needs: permitOf(contract.kind, "get"),
    },
  );
  const document = await act.tx
    .insertInto("contractDocument")
    .values({
      contractId: contract.id,
      kind: "draft",
      fileId: file.id,
      fileHash: file.sha256,
      createdAt: act.now,
      createdBy: act.who.operatorId,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const [flowNo] = await act.numbers("QS");
  const { later } = driverOf(settings.provider);
  if (!later) await refuseUnsealable(act, subject, chosen?.sealId);
  // an outside provider keeps to the order by itself
  const first = enterpriseFirst && !later;
  const row = await act.tx
    .insertInto("signFlow")
    .values({
      ...settings,
      flowNo: flowNo!,
      contractId: contract.id,
      actId: subject.act?.id ?? null,
      otherContractId: subject.other?.id ?? null,
      docKind,
      closesAt,
      // an outside provider sets the seal of its application
      sealId: later ? null : (chosen?.sealId ?? null),
      enterpriseId: contract.enterpriseId,
      villageId: contract.villageId,
      state: first ? "created" : "sending",
      deadline: linkUntil(act, settings.linkHours, signBy(subject, { closesAt })),
      documentId: document.id,
      documentHash: file.sha256,
      pages: await pagesIn(pdf),
      paper: JSON.stringify(presented),
      previewHash,
      createdAt: act.now.toISOString(),
      createdBy: act.who.operatorId,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const enterprise = {
    role: "enterprise" as const,
    name: contract.lessor?.name ?? (await flowById(act, row.id))!.enterprise,
  };
  const signers = [...parties, enterprise].toSorted((a, b) => order.indexOf(a.role) - order.indexOf(b.role));
  await act.tx
    .insertInto("signSigner")
    .values(signers.map((signer, i) => ({ flowId: row.id, seq: i + 1, ...signer })))
    .execute();
  await setMode(act, subject, "electronic");
  const flow = (await flowById(act, row.id))!;
  const shown = `${flow.flowNo}，待签文件 SHA-256 ${file.sha256.slice(0, 16)}`;
  if (first) {
    await act.note(noted(subject, "发起签署", `发起电子签署 ${shown}，待出租方盖章后发送链接`));
    const seal = await sealNow(act, subject, flow.sealId ?? undefined);
    const of = { createdBy: null, sealers: seal?.operatorIds };
    await tellKeeper(
      act,
      subject,
      of,
      `${numberOf(subject)} 待盖章`,
      "盖章后自动发送链接，请在合同配置的待盖章中盖章。",
    );
    return { ...flow, links: [] };
  }
  const links = await send(act, flow);
  const sent = later
    ? `已提交${PROVIDERS.esign[0]}，受理后发送链接`
    : `链接已发送至 ${maskPhone(nextSigner(await signersOf(act, flow.id))!.phone)}`;
  await act.note(noted(subject, "发起签署", `发起电子签署 ${shown}，${sent}`));
  return { ...flow, state: later ? "sending" : "signing", links: shownLinks(links) };
}

/** How contracts are signed; an act's supplement says nothing about its contract. */
const setMode = async (act: Act, subject: Subject, signMode: "electronic" | "offline"): Promise<void> => {
  if (subject.act) return;
  const ids = contractsOf(subject).map((c) => c.id);
  await act.tx
    .updateTable("contract")
    .set({ signMode, updatedAt: act.now, updatedBy: act.who.operatorId })
    .where("id", "in", ids)
    .execute();
};

const shownLinks = (links: readonly SentLink[]): SentLink[] =>
  links.map((link) => ({ ...link, phone: maskPhone(link.phone) }));

/** Sends the next link; from now on who gets it may sign, or from when an outside provider has taken the document. */
export async function send(act: Act, flow: Flow): Promise<SentLink[]> {
  const signers = await signersOf(act, flow.id);
  flowMoves.next(flow.state === "signing" ? "resend" : "send", {
    status: flow.state,
    partySigned: partySigned(signers),
  });
  const driver = driverOf(flow.provider);
  const links = await driver.send(act, flow, signers);
  const next = nextSigner(signers);
  if (driver.later || !next) return links;
  await act.tx
    .updateTable("signFlow")
    .set({ state: "signing", updatedAt: act.now.toISOString() })
    .where("id", "=", flow.id)
    .execute();
  await act.tx.updateTable("signSigner").set({ state: "sent" }).where("id", "=", next.id).execute();
  return links;
}

/** A fresh link for what is being signed; what was refused or has run out begins anew with the contract as it stands. */
export async function resend(act: Act, id: number): Promise<Started> {
  const subject = await toBeSigned(act, id);
  const flow = await liveFlow(act, alone(id), true);
  if (!flow) return beginContract(act, subject);
  if (new Date(flow.deadline) <= act.now) {
    await driverOf(flow.provider).revoke(act, flow);
    await endSignings(act, flow, "expired", "签署链接已过期");
    return beginContract(act, subject);
  }
  return sendAgain(act, subject, flow);
}

/** A fresh link to an act's supplement that is being signed; one that has ended is shown and begun anew. */
export async function resendAct(act: Act, subject: Subject): Promise<Started> {
  const flow = await liveFlow(act, { contractId: subject.contract.id, actId: subject.act!.id }, true);
  if (!flow || new Date(flow.deadline) <= act.now)
    throw no("补充协议不在电子签署中，请核对试算后发起电子签署");
  return sendAgain(act, subject, flow);
}

/** The next link, good for its hours from now. */
export async function sendAnew(act: Act, subject: Subject, flow: Flow) {
  const deadline = linkUntil(act, flow.linkHours, signBy(subject, flow));
  await act.tx.updateTable("signFlow").set({ deadline }).where("id", "=", flow.id).execute();
  return { deadline, links: await send(act, { ...flow, deadline }) };
}

async function sendAgain(act: Act, subject: Subject, flow: Flow): Promise<Started> {
  if (flow.state === "created") throw no("出租方尚未盖章，盖章后自动发送链接");
  const { deadline, links: fresh } = await sendAnew(act, subject, flow);
  const links = shownLinks(fresh);
  const { later } = driverOf(flow.provider);
  const sent = later ? "" : "，原链接失效";
  await act.note(noted(subject, "重新发送", `重新发送签署链接 ${flow.flowNo}${sent}`));
  return { ...flow, deadline, state: later ? flow.state : "signing", links };
}

/** Takes a signing back; what it presented stays handed in and may be signed another way. */
async function cancel(
  act: Act,
  subject: Subject,
  reason: string,
): Promise<{ id: number; state: Flow["state"] }> {
  const at = { contractId: subject.contract.id, actId: subject.act?.id ?? null };
  const flow = await liveFlow(act, at, true);
  if (!flow) throw no(`该${subject.act ? "补充协议" : "合同"}没有进行中的电子签署`);
  const signers = await signersOf(act, flow.id);
  const state = flowMoves.next("cancel", { status: flow.state, partySigned: partySigned(signers) });
  await driverOf(flow.provider).revoke(act, flow);
  await endSignings(act, flow, "cancelled", reason);
  await setMode(act, subject, "offline");
  await act.note(noted(subject, "撤销签署", `撤销电子签署 ${flow.flowNo}：${reason}`));
  return { id: flow.id, state };
}

export const cancelContract = async (act: Act, id: number, reason: string) =>
  cancel(act, await contractHeld(act, id), reason);

/** An act whose document the caller may send or look at, with the contract that it leads to and is signed with. */
export async function actAdmitted(read: Read, id: number, what: "send" | "get") {
  const record = inScope(read.who, await actById(read, id));
  const document = documentOf(record.kind);
  if (!document) throw notFound();
  const { kind } = (await recordById(read, record.contractId))!;
  if (!read.who.permits.has(document[what](kind))) throw forbidden();
  const { resultContractId: nextId } = await theRow(read, "contractAct", ["resultContractId"], { id });
  return { contractId: record.contractId, nextId };
}

/** The document of an act is presented as its preview was shown. */
export async function startOf(
  act: Act,
  id: number,
  { version, previewHash }: { version: number; previewHash: string },
): Promise<Started> {
  const { contractId, nextId } = await actAdmitted(act, id, "send");
  await contractHeld(act, nextId ?? contractId);
  const subject = await subjectOf(act, { contractId, actId: id, otherId: null });
  asSeen(subject.act!, version);
  return nextId === null ? startAct(act, subject, previewHash) : start(act, nextId, previewHash);
}

export async function resendOf(act: Act, id: number): Promise<Started> {
  const { contractId, nextId } = await actAdmitted(act, id, "send");
  if (nextId !== null) return resend(act, nextId);
  return resendAct(act, await subjectOf(act, { contractId, actId: id, otherId: null }, true));
}

export async function cancelOf(act: Act, id: number, reason: string) {
  const { contractId, nextId } = await actAdmitted(act, id, "send");
  if (nextId !== null) return cancelContract(act, nextId, reason);
  return cancel(act, await subjectOf(act, { contractId, actId: id, otherId: null }, true), reason);
}
