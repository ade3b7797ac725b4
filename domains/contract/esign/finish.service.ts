import { sql } from "kysely";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { appended, type Picture, placesIn } from "../../../platform/server/pdf/pdf-append.ts";
import { signedPdf } from "../../../platform/server/pdf/pdf-signature.ts";
import { FREE_TEXT } from "../../../platform/server/outside/sms.ts";
import { sendOut } from "../../access/sms/sms.service.ts";
import { bytesOfFile, keepFile } from "../../system/file/file.service.ts";
import { tell } from "../../system/message/message.service.ts";
import { printed } from "../../system/paper/print.service.ts";
import { type ContractRecord, recordById } from "../contract/record.queries.ts";
import { holdSeal, keyOf, noteSealUse, type SealToSet, type SigningKey } from "../seal/seal.service.ts";
import { archiveSigned } from "../archive/archive.service.ts";
import { comeIntoForce, goneOffers, stillAgreed } from "../signing/sign.service.ts";
import { backToDraft, endSignings } from "../signing/submit.service.ts";
import { permitOf } from "../terms/kind.rules.ts";
import { driverOf } from "./driver.service.ts";
import { flowMoves, partySigned, type FlowState } from "./esign.rules.ts";
import { proofPaper } from "./evidence.rules.ts";
import { type Flow, type Signer, signersOf } from "./flow.queries.ts";

/** Points of the seal and of a handwriting on the page. */
const SEAL_SIZE = 110;
const HAND = { width: 140, height: 56 };

type Closing = {
  flow: Flow;
  contract: ContractRecord;
  seal: SealToSet;
  /** Who sets the seal; null where it sets itself. */
  operator: { id: number; name: string } | null;
  reason?: string;
};

/**
 * The last act of a signing: the seal is set, the file closed, and in the same transaction the contract comes into force with its
 * bills.
 */
export async function finish(act: Act, closing: Closing): Promise<FlowState> {
  const { flow, contract } = closing;
  const signers = await signersOf(act, flow.id);
  flowMoves.next("complete", { status: flow.state, partySigned: partySigned(signers) });
  await holdSeal(act, closing.seal.id, { villageId: contract.villageId, contractKind: contract.kind });
  const key = await keyOf(act, closing.seal.id);
  const bytes = await closedFile(act, closing, signers, key);
  return orFallBack(act, flow, async () => {
    const { documentId, fileId } = await takeEffect(act, closing, bytes);
    await noteSealUse(act, {
      sealId: closing.seal.id,
      certificateId: key.certificateId,
      documentId,
      fileId,
      title: `${flow.paper.title} ${contract.contractNo}`,
      contractId: contract.id,
      villageId: contract.villageId,
      ...(closing.reason && { reason: closing.reason }),
    });
  });
}

/** Where the contract cannot come into force any more the signing has failed: it is a draft again, and both are told. */
export async function orFallBack(act: Act, flow: Flow, work: () => Promise<void>): Promise<FlowState> {
  await sql`savepoint finishing`.execute(act.tx);
  try {
    await work();
    return "done";
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await sql`rollback to savepoint finishing`.execute(act.tx);
    await fallBack(act, flow, error.message);
    return "failed";
  }
}

/** The closed file is kept, and the contract comes into force by it. Refuses where it cannot any more. */
export async function takeEffect(
  act: Act,
  { flow, contract, operator }: Pick<Closing, "flow" | "contract" | "operator">,
  bytes: Buffer,
): Promise<{ documentId: number; fileId: number }> {
  const agreed = await stillAgreed(act, contract, flow.previewHash);
  const gone = await goneOffers(act, agreed);
  if (gone) throw new Refusal("quotaUsed", gone, 409);
  const file = await keepFile(
    act,
    { name: `${flow.paper.title}_${contract.contractNo}.pdf`, type: "application/pdf", bytes },
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
      kind: "signed",
      fileId: file.id,
      fileHash: file.sha256,
      createdAt: act.now,
      createdBy: operator?.id ?? flow.createdBy,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
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
      signedDocumentId: document.id,
      endedAt: act.now.toISOString(),
      updatedAt: act.now.toISOString(),
    })
    .where("id", "=", flow.id)
    .execute();
  await act.tx
    .updateTable("contract")
    .set({ signedFileHash: file.sha256 })
    .where("id", "=", contract.id)
    .execute();
  await comeIntoForce(act, agreed, { signMode: "electronic", signedOn: act.today });
  const docKind = `${contract.kind}Contract` as const;
  await archiveSigned(act, [
    { contractId: contract.id, documentId: document.id, docKind, medium: "electronic" },
  ]);
  await tellKeeper(act, contract, flow, `${contract.contractNo} 电子签署已完成`, "合同已生效，账单已生成。");
  return { documentId: document.id, fileId: file.id };
}

/** Seal and signatures at their places, the page that proves them behind, the whole closed by a digital signature. */
async function closedFile(
  act: Act,
  { flow, contract, seal, operator }: Closing,
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
    contractNo: contract.contractNo,
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
        name: s.name,
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
  const places = await placesIn(presented);
  const pictures: Picture[] = [];
  const [ours, theirs] = [places.get("signature-0"), places.get("signature-1")];
  // a seal lies over the name and the date, as on paper
  if (ours)
    pictures.push({
      png: await bytesOfFile(act, seal.imageFileId),
      place: { ...ours, x: ours.x + 60, y: ours.y - 30 },
      width: SEAL_SIZE,
      height: SEAL_SIZE,
    });
  const hand = signers.find((s) => s.handwritingFileId !== null);
  if (theirs && hand)
    pictures.push({
      png: await bytesOfFile(act, hand.handwritingFileId!),
      place: { ...theirs, x: theirs.x + 20, y: theirs.y + 4 },
      ...HAND,
    });
  const laid = await appended(presented, {
    pages: await printed(proof, "电子签署证明"),
    pictures,
    signature: { name: seal.lessorName, reason: `${flow.paper.title} ${contract.contractNo}`, at: act.now },
  });
  try {
    return await signedPdf(
      laid,
      { keyPem: key.privateKey, certificatePem: key.pem },
      { at: act.now, timestampUrl: flow.timestampUrl },
    );
  } catch (error) {
    if (!flow.timestampUrl) throw error;
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

/** The contract cannot come into force as it was signed: its rooms are let go, and who signed and who let it are told why. */
async function fallBack(act: Act, flow: Flow, why: string): Promise<void> {
  await driverOf(flow.provider).revoke(act, flow);
  await endSignings(act, flow.contractId, "failed", why);
  const contract = (await recordById(act, flow.contractId))!;
  await backToDraft(act, contract, "签署未完成", `电子签署 ${flow.flowNo} 未能生效，退回草稿：${why}`);
  await tellKeeper(act, contract, flow, `${contract.contractNo} 电子签署未能生效`, `合同已退回草稿：${why}`);
  const party = (await signersOf(act, flow.id)).filter((s) => s.role !== "enterprise");
  await sendOut(
    act,
    party.map((s) => ({
      channel: "sms" as const,
      recipient: s.phone,
      body: `【${flow.enterprise}】您签署的租赁合同未能生效，请联系管家重新办理。`,
      template: FREE_TEXT,
      source: "notice" as const,
      sourceId: flow.id,
      villageId: flow.villageId,
      enterpriseId: flow.enterpriseId,
    })),
  );
}

/** Tells whoever signs for the lessor and whoever started the signing. */
export async function tellKeeper(
  act: Act,
  contract: Pick<ContractRecord, "id" | "villageId" | "signerId">,
  flow: Pick<Flow, "createdBy">,
  title: string,
  content: string,
): Promise<void> {
  await tell(act, {
    to: [contract.signerId, flow.createdBy].filter((id) => id !== null),
    type: 3,
    title,
    content,
    bizType: "contract",
    bizId: contract.id,
    villageId: contract.villageId,
  });
}
