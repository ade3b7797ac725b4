import { timeInZone } from "../../../platform/kernel/day.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { savepoint } from "../../../platform/server/database/once.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { appended, type Picture, placesIn } from "../../../platform/server/pdf/pdf-append.ts";
import { signedPdf } from "../../../platform/server/pdf/pdf-signature.ts";
import { FREE_TEXT } from "../../../platform/server/outside/sms.ts";
import { sendOut } from "../../access/sms/sms.service.ts";
import { bytesOfFile, keepFile } from "../../system/file/file.service.ts";
import { tell } from "../../system/message/message.service.ts";
import type { Paper } from "../../system/paper/block.rules.ts";
import { printed } from "../../system/paper/print.service.ts";
import type { ActKind } from "../act/act.rules.ts";
import { endSignings } from "../act/signing.service.ts";
import { recordById } from "../contract/record.queries.ts";
import { keyOf, noteSealUse, type SealToSet, type SigningKey } from "../seal/seal.service.ts";
import { archiveSigned } from "../archive/archive.service.ts";
import { type Agreed, comeIntoForce, goneOffers, stillAgreed } from "../signing/sign.service.ts";
import { backToDraft } from "../signing/submit.service.ts";
import { permitOf } from "../terms/kind.rules.ts";
import { driverOf } from "./driver.service.ts";
import { flowMoves, inPlaces, paperName, partySigned, signedName, type FlowState } from "./esign.rules.ts";
import { proofPaper } from "./evidence.rules.ts";
import { asSigner, type Flow, type Signer, signersOf } from "./flow.queries.ts";
import { lockSwapped } from "../succession/succession.service.ts";
import {
  type ActDocument,
  annexOf,
  contractsOf,
  documentOf,
  numberOf,
  sealOn,
  type Subject,
} from "./subject.service.ts";

/** Points of the seal and of a handwriting on the page. */
const SEAL_SIZE = 110;
const HAND = { width: 140, height: 56 };

type Closing = {
  flow: Flow;
  subject: Subject;
  seal: SealToSet;
  /** Who sets the seal; null where it sets itself. */
  operator: { id: number; name: string } | null;
  reason?: string;
};

/**
 * The last act of a signing: the seal is set, the file closed, and in the same transaction the contract comes into force with its
 * bills, two that swap their rooms together, or the act is carried out.
 */
export async function finish(act: Act, closing: Closing): Promise<FlowState> {
  const { flow, subject } = closing;
  const { contract } = subject;
  const signers = await signersOf(act, flow.id);
  flowMoves.next("complete", { status: flow.state, partySigned: partySigned(signers) });
  await sealOn(act, subject, closing.seal.id);
  const key = await keyOf(act, closing.seal.id);
  const bytes = await closedFile(act, closing, signers, key);
  return orFallBack(act, closing, async () => {
    const { documentId, fileId } = await takeEffect(act, closing, bytes);
    await noteSealUse(act, {
      sealId: closing.seal.id,
      certificateId: key.certificateId,
      documentId,
      fileId,
      title: `${flow.paper.title} ${numberOf(subject)}`,
      contractId: contract.id,
      villageId: contract.villageId,
      ...(closing.reason && { reason: closing.reason }),
    });
  });
}

/** Where it cannot take effect any more the signing has failed: it is worked on again, and both are told. */
export async function orFallBack(
  act: Act,
  of: Pick<Closing, "flow" | "subject">,
  work: () => Promise<void>,
): Promise<FlowState> {
  try {
    await savepoint(act, work);
    return "done";
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await fallBack(act, of, error.message);
    return "failed";
  }
}

/** The closed file is kept, and what was signed takes effect by it. Refuses where it cannot any more. */
export async function takeEffect(
  act: Act,
  { flow, subject, operator }: Pick<Closing, "flow" | "subject" | "operator">,
  bytes: Buffer,
): Promise<{ documentId: number; fileId: number }> {
  const { act: of } = subject;
  const effect = of ? undefined : await agreedContracts(act, flow, subject);
  const kept: { contractId: number; documentId: number; fileId: number; sha256: string }[] = [];
  for (const { id: contractId, villageId, kind, contractNo } of contractsOf(subject)) {
    const file = await keepFile(
      act,
      { name: `${flow.paper.title}_${of?.actNo ?? contractNo}.pdf`, type: "application/pdf", bytes },
      { targetKind: "contract", targetId: contractId, villageId, needs: permitOf(kind, "get") },
    );
    const { id: documentId } = await act.tx
      .insertInto("contractDocument")
      .values({
        contractId,
        kind: "signed",
        fileId: file.id,
        fileHash: file.sha256,
        createdAt: act.now,
        createdBy: operator?.id ?? flow.createdBy,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    kept.push({ contractId, documentId, fileId: file.id, sha256: file.sha256 });
  }
  const [{ documentId, fileId, sha256 }] = kept as [(typeof kept)[number]];
  await act.tx
    .updateTable("signSigner")
    .set({ state: "signed", signedAt: act.now.toISOString(), operatorId: operator?.id ?? null })
    .where("flowId", "=", flow.id)
    .where("role", "=", "enterprise")
    .where("state", "<>", "signed")
    .execute();
  await act.tx
    .updateTable("signFlow")
    .set({
      state: "done",
      signedDocumentId: documentId,
      endedAt: act.now.toISOString(),
      updatedAt: act.now.toISOString(),
    })
    .where("id", "=", flow.id)
    .execute();
  if (effect) await effect(sha256);
  else
    await byItself(of!.kind).signed(act, of!.id, {
      note: `电子签署 ${flow.flowNo}`,
      previewHash: flow.previewHash,
    });
  await archiveSigned(
    act,
    kept.map((k) => ({
      contractId: k.contractId,
      documentId: k.documentId,
      docKind: flow.docKind,
      medium: "electronic" as const,
    })),
  );
  const done = of ? "变更已生效，账单已调整。" : "合同已生效，账单已生成。";
  await tellKeeper(act, subject, flow, `${numberOf(subject)} 电子签署已完成`, done);
  return { documentId, fileId };
}

/** The contracts as they were signed, with the change that they come of where they come of one; answers how they come into force. */
async function agreedContracts(act: Act, flow: Flow, subject: Subject) {
  const contracts = contractsOf(subject);
  const annex = await annexOf(act, subject.contract);
  if (annex) await lockSwapped(act, contracts);
  if (annex && (await annex.draw(act, annex.actId)).previewHash !== flow.previewHash)
    throw new Refusal("previewChanged", "账单试算已变化，请核对后重新确认", 409);
  const agreed: Agreed[] = [];
  for (const contract of contracts) {
    const one = await stillAgreed(act, contract, annex ? contract.previewHash! : flow.previewHash);
    const gone = await goneOffers(act, one);
    if (gone) throw new Refusal("quotaUsed", gone, 409);
    agreed.push(one);
  }
  return async (signedFileHash: string) => {
    const ids = contracts.map((c) => c.id);
    await act.tx.updateTable("contract").set({ signedFileHash }).where("id", "in", ids).execute();
    if (annex && "keep" in annex) await annex.keep(act, annex.actId);
    for (const one of agreed) await comeIntoForce(act, one, { signMode: "electronic", signedOn: act.today });
  };
}

/** How an act is carried out whose supplement is signed by itself. */
function byItself(kind: ActKind): Extract<ActDocument, { signed: unknown }> {
  const document = documentOf(kind);
  if (!document || !("signed" in document))
    throw new Error(`The supplement of ${kind} is not signed by itself.`);
  return document;
}

/** Seal and signatures at their places, the page that proves them behind, the whole closed by a digital signature. */
async function closedFile(
  act: Act,
  { flow, subject, seal, operator }: Closing,
  signers: readonly Signer[],
  key: SigningKey,
): Promise<Buffer> {
  const at = (moment: string | undefined) =>
    moment ? timeInZone(moment, act.settings.TIME_ZONE).slice(0, 19) : "—";
  const { fileId } = await act.tx
    .selectFrom("contractDocument")
    .select("fileId")
    .where("id", "=", flow.documentId)
    .executeTakeFirstOrThrow();
  const presented = await bytesOfFile(act, fileId);
  const proof = proofPaper({
    number: numberOf(subject),
    of: flow.docKind,
    flowNo: flow.flowNo,
    title: flow.paper.title,
    documentHash: flow.documentHash,
    pages: flow.pages,
    startedAt: at(flow.createdAt),
    startedBy: await nameOf(act, flow.createdBy),
    signers: signers
      .filter((s) => s.role !== "enterprise")
      .map((s) => ({
        role: s.role,
        name: signedName(s.name, s.last4Of),
        phone: s.phone,
        openedAt: at(s.evidence.openedAt),
        signedAt: at(s.evidence.signedAt),
        ip: s.evidence.ip ?? "—",
        device: s.evidence.device ?? "—",
        smsNo: s.evidence.smsNo ?? "—",
        consent: s.evidence.consent ?? "—",
        handwritten: s.handwritingFileId !== null,
      })),
    seal: {
      name: seal.name,
      lessor: seal.lessorName,
      operator: operator?.name ?? "自动盖章",
      at: at(act.now.toISOString()),
    },
    certificate: { subject: key.subject, fingerprint: key.fingerprint },
  });
  const hands: (Buffer | null)[] = [];
  for (const { handwritingFileId } of inPlaces(signers))
    hands.push(handwritingFileId === null ? null : await bytesOfFile(act, handwritingFileId));
  const reason = `${flow.paper.title} ${numberOf(subject)}`;
  return closedPdf(act, { presented, proof, seal, hands, reason, key, timestampUrl: flow.timestampUrl });
}

/** What was presented, with the seal and the signatures that were drawn at their places and its proof behind, closed by a key. */
export async function closedPdf(
  act: Act,
  of: {
    presented: Buffer;
    proof: Paper;
    seal: Pick<SealToSet, "imageFileId" | "lessorName">;
    /** Of the parties, by their places on the paper; null where somebody drew none. */
    hands: readonly (Buffer | null)[];
    reason: string;
    key: SigningKey;
    timestampUrl: string;
  },
): Promise<Buffer> {
  const { presented, proof, seal, hands, reason, key, timestampUrl } = of;
  const places = await placesIn(presented);
  const pictures: Picture[] = [];
  const ours = places.get("signature-0");
  // a seal lies over the name and the date, as on paper
  if (ours)
    pictures.push({
      png: await bytesOfFile(act, seal.imageFileId),
      place: { ...ours, x: ours.x + 60, y: ours.y - 30 },
      width: SEAL_SIZE,
      height: SEAL_SIZE,
    });
  for (const [i, png] of hands.entries()) {
    const place = places.get(`signature-${i + 1}`);
    if (place && png) pictures.push({ png, place: { ...place, x: place.x + 20, y: place.y + 4 }, ...HAND });
  }
  const laid = await appended(presented, {
    pages: await printed(proof, "电子签署证明"),
    pictures,
    signature: { name: seal.lessorName, reason, at: act.now },
  });
  try {
    return await signedPdf(
      laid,
      { keyPem: key.privateKey, certificatePem: key.pem },
      { at: act.now, timestampUrl },
    );
  } catch (error) {
    if (!timestampUrl) throw error;
    throw new Refusal("timestamp", "时间戳服务没有响应，文件未封存，请稍后再试", 502);
  }
}

async function nameOf(read: Pick<Read, "tx">, operatorId: number | null): Promise<string> {
  if (operatorId === null) return "";
  const row = await read.tx
    .selectFrom("operator")
    .select("realName")
    .where("id", "=", operatorId)
    .executeTakeFirst();
  return row?.realName ?? "";
}

/** It cannot take effect as it was signed: it is worked on again, and who signed and who let it are told why. */
export async function fallBack(
  act: Act,
  { flow, subject }: Pick<Closing, "flow" | "subject">,
  why: string,
): Promise<void> {
  await driverOf(flow.provider).revoke(act, flow);
  await endSignings(act, flow, "failed", why);
  const name = paperName(flow.docKind);
  const number = numberOf(subject);
  if (subject.act) {
    await backToWork(act, subject, `电子签署 ${flow.flowNo} 未能生效：${why}`);
    await tellKeeper(act, subject, flow, `${number} 电子签署未能生效`, `${name}已退回处理中：${why}`);
  } else {
    for (const { id } of contractsOf(subject)) {
      const contract = (await recordById(act, id))!;
      await backToDraft(act, contract, "签署未完成", `电子签署 ${flow.flowNo} 未能生效，退回草稿：${why}`);
    }
    await tellKeeper(act, subject, flow, `${number} 电子签署未能生效`, `合同已退回草稿：${why}`);
  }
  await tellParties(act, flow, `您签署的${name}未能生效，请联系管家重新办理。`);
}

/** The act of a supplement that was not signed, or not as it has to be, is worked on again. */
export const backToWork = (act: Act, { act: of }: Subject, why: string) =>
  byItself(of!.kind).back(act, of!.id, why);

/** Tells everybody beside the enterprise who was asked to sign and has not refused. */
export async function tellParties(act: Act, flow: Flow, said: string): Promise<void> {
  const parties = (await signersOf(act, flow.id)).filter(
    (s) => s.role !== "enterprise" && s.state !== "waiting" && s.state !== "refused",
  );
  await sendOut(
    act,
    parties.map((s) => ({
      channel: "sms" as const,
      recipient: s.phone,
      body: `【${flow.enterprise}】${said}`,
      template: FREE_TEXT,
      source: "notice" as const,
      sourceId: flow.id,
      villageId: flow.villageId,
      enterpriseId: flow.enterpriseId,
    })),
  );
}

export const CLOSED = "签署期限已过";
/** The time in which an act's supplement may be closed is over: the act is worked on again, and everybody hears of it. */
export async function closeUnsigned(act: Act, subject: Subject, flow: Flow): Promise<void> {
  await backToWork(asSigner(act, flow), subject, CLOSED);
  await tellKeeper(
    act,
    subject,
    flow,
    `${numberOf(subject)} 超过签署期限`,
    "补充协议没有在期限内签署完成，已退回处理中。",
  );
  await tellParties(act, flow, `您的${paperName(flow.docKind)}未在期限内签署完成，请联系管家。`);
}

/** Tells whoever signs for the lessor, or handles the act, whoever started the signing, and those who set its seal where it waits for it. */
export async function tellKeeper(
  act: Act,
  subject: Subject,
  flow: Pick<Flow, "createdBy"> & { sealers?: readonly number[] | undefined },
  title: string,
  content: string,
): Promise<void> {
  const { contract, act: of } = subject;
  const signers = of ? [of.handlerId] : contractsOf(subject).map((c) => c.signerId);
  const keepers = [...signers, flow.createdBy].filter((id) => id !== null);
  const sealers = (flow.sealers ?? []).filter((id) => !keepers.includes(id));
  const told = { type: 3 as const, title, content, bizId: contract.id, villageId: contract.villageId };
  await tell(act, { ...told, to: keepers, bizType: "contract" });
  // whoever only sets seals may not open contracts
  if (sealers.length) await tell(act, { ...told, to: sealers, bizType: "waitingSeal" });
}
