import { timeInZone } from "../../../platform/kernel/day.ts";
import { theRow } from "../../../platform/server/database/row.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { bytesOfFile, keepFile } from "../../system/file/file.service.ts";
import type { Paper } from "../../system/paper/block.rules.ts";
import { CONSENT } from "../esign/esign.rules.ts";
import { proofPaper } from "../esign/evidence.rules.ts";
import { closedPdf } from "../esign/finish.service.ts";
import type { ShownBlock } from "../esign/flow.queries.ts";
import { presentedSigned } from "../esign/presented.service.ts";
import { specimen } from "../paper/specimen.rules.ts";
import { leaseContent } from "../paper/values.rules.ts";
import { holdSeal, keyOf, mayStamp, noteSealUse } from "../seal/seal.service.ts";
import { documentPaper } from "../template/document.service.ts";

export const TITLE = "房屋租赁合同（试签样张）";
const MARK = "试签样张 无合同效力";
export type Trial = {
  id: number;
  enterpriseId: number;
  villageId: number;
  sealId: number;
  device: Buffer | null;
  deviceUntil: string | null;
  state: "sent" | "viewed" | "signed" | "refused";
  name: string;
  phone: string;
  openTries: number;
  smsTries: number;
  lockedUntil: string | null;
  codesSent: number;
  codeSentAt: string | null;
  codeOutboxId: number | null;
  paper: ShownBlock[];
  fileId: number;
  documentHash: string;
  pages: number;
  expiresAt: string;
  openedAt: string | null;
  createdAt: string;
  createdBy: number;
};

export const numberOf = ({ id }: Pick<Trial, "id">) => `SQ${String(id).padStart(8, "0")}`;
export const toSign = ({ villageId }: Pick<Trial, "villageId">) => ({
  villageId,
  contractKind: "renter" as const,
});
export const carrier = ({ id, villageId }: Pick<Trial, "id" | "villageId">) => ({
  targetKind: "signTrial",
  targetId: id,
  villageId,
  needs: "95.get" as const,
});

/** The sample in the words in force in a store, let by the lessor of its seal to whoever signs it. */
export async function sample(
  read: Read,
  villageId: number,
  lessorName: string,
  name: string,
): Promise<Paper> {
  const facts = specimen("renter");
  const content = leaseContent({
    ...facts,
    contractNo: "试签样张",
    lessor: { ...facts.lessor, name: lessorName },
    lessee: { ...facts.lessee, name },
  });
  const of = { docKind: "renterContract", contractKind: "renter", villageId } as const;
  return { ...presentedSigned(await documentPaper(read, of, { ...content, mark: MARK })), mark: MARK };
}

/** What was agreed to, with the seal at its place and its proof behind, closed and kept. */
export async function close(act: Act, trial: Trial, hand: Buffer | null, timestampUrl: string) {
  const { sealId, createdBy, enterpriseId } = trial;
  const seal = await holdSeal(act, sealId, toSign(trial));
  const starter = await theRow(act, "operator", ["realName"], { id: createdBy });
  if (!seal.autoSeal) mayStamp({ who: { ...act.who, operatorId: createdBy } }, seal);
  const key = await keyOf(act, sealId);
  const at = (moment: string | Date | null) =>
    moment ? timeInZone(moment, act.settings.TIME_ZONE).slice(0, 19) : "—";
  const number = numberOf(trial);
  const proof = proofPaper({
    number,
    of: "renterContract",
    flowNo: number,
    title: TITLE,
    documentHash: trial.documentHash,
    pages: trial.pages,
    startedAt: at(trial.createdAt),
    startedBy: starter.realName,
    signers: [
      {
        role: "party",
        name: trial.name,
        phone: trial.phone,
        openedAt: at(trial.openedAt),
        signedAt: at(act.now),
        ip: act.ip,
        device: act.userAgent.slice(0, 160),
        smsNo: String(trial.codeOutboxId ?? ""),
        consent: CONSENT.version,
        handwritten: hand !== null,
      },
    ],
    seal: {
      name: seal.name,
      lessor: seal.lessorName,
      operator: seal.autoSeal ? "自动盖章" : starter.realName,
      at: at(act.now),
    },
    certificate: { subject: key.subject, fingerprint: key.fingerprint },
  });
  const bytes = await closedPdf(act, {
    presented: await bytesOfFile(act, trial.fileId),
    proof: { ...proof, mark: MARK },
    seal,
    hands: [hand],
    reason: `${TITLE} ${number}`,
    key,
    timestampUrl,
  });
  // whoever signs is nobody's operator: the file belongs to the enterprise
  const owner = { ...act, who: { ...act.who, enterpriseId } };
  const name = `${TITLE}_${number}.pdf`;
  const file = await keepFile(owner, { name, type: "application/pdf", bytes }, carrier(trial));
  // set by itself, or for whoever started it
  const who = { ...owner.who, operatorId: seal.autoSeal ? 0 : createdBy };
  await noteSealUse(
    { ...owner, who },
    {
      sealId,
      certificateId: key.certificateId,
      documentId: trial.id,
      fileId: file.id,
      title: `${TITLE} ${number}`,
      villageId: trial.villageId,
      reason: "试签",
    },
  );
  return file;
}
