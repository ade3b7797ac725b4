import type { Permit } from "../../../platform/kernel/call.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { isMobile } from "../../../platform/kernel/texts/contact.ts";
import { type Act, entryOn, type LogEntry, type Read } from "../../../platform/server/pipeline/act.ts";
import type { Paper } from "../../system/paper/block.rules.ts";
import { type ActRecord, actById } from "../act/act.queries.ts";
import type { ActKind } from "../act/act.rules.ts";
import { partyFacts } from "../contract/facts.queries.ts";
import { type ContractRecord, contractNote, recordById } from "../contract/record.queries.ts";
import { holdSeal, sealFor, type SealToSet } from "../seal/seal.service.ts";
import { actBehind } from "../succession/succession.queries.ts";
import { isMinor } from "../terms/check.rules.ts";
import type { ContractKind } from "../terms/kind.rules.ts";
import type { SignerRole } from "../config/sign.rules.ts";
import type { Last4Of, SignedKind } from "./esign.rules.ts";
import type { Flow, Presented } from "./flow.queries.ts";

/**
 * What a signing is about: a contract that was handed in, with the `other` where two swap their rooms, or an act on a running one
 * whose supplement is signed.
 */
export type Subject = { contract: ContractRecord; act: ActRecord | null; other: ContractRecord | null };
export const contractsOf = ({ contract, other }: Subject): ContractRecord[] =>
  other ? [contract, other] : [contract];

/** The document of an act as it stands now; the same hash means that it comes to the same. */
export type Drawn = Omit<Presented, "blocks"> & {
  paper: Paper;
  previewHash: string;
  /** What the hash is about, for who has seen another. */
  preview: object;
  obstacles: readonly { code: string; msg: string }[];
};

/** How the document of a kind of act is signed, as a table of its parts. */
export type ActDocument = {
  docKind: Exclude<SignedKind, `${string}Contract`>;
  /** The act's kind in logs. */
  target: string;
  /** Who sends it, and who looks at it. */
  send: (kind: ContractKind) => Permit;
  get: (kind: ContractKind) => Permit;
  draw: (read: Read, actId: number) => Promise<Drawn>;
  /** The tenant until then signs first, the party of the new contract after it. */
  bothTenants?: boolean;
} & (
  | {
      /** What was signed is carried out; refuses where it does not come to the same any more. */
      signed: (act: Act, actId: number, how: { note: string; previewHash: string }) => Promise<unknown>;
      /** It is worked on again. */
      back: (act: Act, actId: number, why: string) => Promise<unknown>;
    }
  | {
      /** The act's contract is signed with it and carries it out; this keeps what was agreed to beside the act. */
      keep: (act: Act, actId: number) => Promise<void>;
    }
);

const no = (sentence: string) => new Refusal("notAllowed", sentence, 409);

const documents = new Map<ActKind, ActDocument>();
/** Registers how the document of a kind of act is signed. */
export const presents = (kind: ActKind, document: ActDocument): void => void documents.set(kind, document);
export const documentOf = (kind: ActKind): ActDocument | undefined => documents.get(kind);

/** The act whose supplement is signed together with the contract that it leads to. */
export async function annexOf(read: Pick<Read, "tx">, { id, terms }: ContractRecord) {
  const document = terms.takeOver && documentOf(terms.takeOver.kind as ActKind);
  const behind = document && (await actBehind(read, id));
  return behind && { ...document, actId: behind.id };
}

/** Contracts and act of a signing; with `lock` all are held, in this order, of two contracts the older first. */
export async function subjectOf(
  read: Pick<Read, "tx">,
  { contractId, actId, otherId }: Pick<Flow, "contractId" | "actId" | "otherId">,
  lock = false,
): Promise<Subject> {
  const found = new Map<number, ContractRecord>();
  for (const id of [contractId, otherId ?? contractId].toSorted((a, b) => a - b))
    if (!found.has(id)) found.set(id, (await recordById(read, id, lock))!);
  return {
    contract: found.get(contractId)!,
    act: actId === null ? null : (await actById(read, actId, lock))!,
    other: otherId === null ? null : found.get(otherId)!,
  };
}

/** The contract that a signer is the party of, as far as the signing presents it. */
export const signedBy = ({ contract, other }: Subject, { role }: { role: SignerRole }): ContractRecord =>
  role === "otherParty" ? other! : contract;

/** The contract that says who a signer is: of 转租 the tenant until then is the party of the one before. */
export const partyOf = async (
  read: Pick<Read, "tx">,
  subject: Subject,
  signer: { role: SignerRole },
): Promise<ContractRecord> =>
  signer.role === "previousParty"
    ? (await recordById(read, subject.contract.previousId!))!
    : signedBy(subject, signer);

/**
 * Who signs for the party, and by which last four characters they are known; for a tenant under age it is the guardian, who knows
 * those of the tenant. Refuses where it cannot be said.
 */
export async function signerOf(read: Pick<Read, "tx" | "today">, contract: ContractRecord) {
  const party = (await partyFacts(read, [contract.partyId!])).get(contract.partyId!);
  if (!party) throw no("没有找到承租方，不能发起电子签署");
  const ward = contract.kind === "renter" && isMinor(party.birthday, read.today);
  if (ward && !party.guardianName) throw no("承租方未满18周岁，需监护人签署，请先登记监护人及其手机号");
  const { name, phone } = ward
    ? { name: party.guardianName, phone: party.guardianPhone }
    : { name: party.contactName || party.name, phone: party.phone };
  if (!isMobile(phone))
    throw no(`${ward ? `监护人${name}` : party.name}没有登记有效的手机号，请先修改后再发起电子签署`);
  const number = contract.kind === "renter" ? party.certMasked : (party.creditCode ?? party.certMasked);
  const last4 = number?.slice(-4).toUpperCase();
  if (!last4 || !/^[0-9A-Z]{4}$/.test(last4))
    throw no(
      contract.kind === "renter"
        ? `${party.name}未登记证件号，请先登记证件后再发起电子签署`
        : `${party.name}未登记统一社会信用代码，请先登记后再发起电子签署`,
    );
  const firm = contract.kind !== "renter" && party.creditCode;
  const last4Of: Last4Of = ward ? "ward" : firm ? "creditCode" : "certificate";
  return { name, phone, last4, last4Of };
}

/** The seal that is named, else that of the store, held; it must be one for every contract that it is set on, of the lessor that each names. */
export async function sealOn(act: Act, subject: Subject, sealId?: number): Promise<SealToSet> {
  const [first, ...more] = contractsOf(subject).map(({ villageId, kind, lessor }) => ({
    villageId,
    contractKind: kind,
    lessorId: lessor?.id,
  }));
  const seal = sealId === undefined ? await sealFor(act, first!) : await holdSeal(act, sealId, first!);
  for (const to of more) await holdSeal(act, seal.id, to);
  return seal;
}

/** The same, if one may be set now. */
export async function sealNow(act: Act, subject: Subject, sealId?: number): Promise<SealToSet | undefined> {
  try {
    return await sealOn(act, subject, sealId);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Nobody signs what no seal may close: neither the one that was chosen nor another of the store. */
export async function refuseUnsealable(act: Act, subject: Subject, sealId?: number | null): Promise<void> {
  if (!(await sealNow(act, subject, sealId ?? undefined))) await sealOn(act, subject);
}

/** The number that people know it by. */
export const numberOf = ({ contract, act }: Subject): string => act?.actNo ?? contract.contractNo;

/** It still waits for its signatures. */
export const isOpen = (subject: Subject): boolean =>
  subject.act
    ? subject.act.status === "signing"
    : contractsOf(subject).every(({ state }) => state === "signing");

/** On the timelines of the contracts, and on the act's own. */
export function noted(subject: Subject, action: string, text: string): LogEntry[] {
  const { contract, act } = subject;
  if (!act) return contractsOf(subject).map((c) => contractNote(c, action, text));
  const { id, villageId, actNo } = act;
  const { target } = documentOf(act.kind)!;
  return [
    contractNote(contract, action, `${actNo} ${text}`),
    entryOn(target, { id, villageId }, actNo, action, text),
  ];
}

/** What can be done where the party has not signed. */
export const againText = ({ act, other }: Subject): string => {
  if (act) return "可以重新发起签署，或编辑、取消变更。";
  return other ? "可以在换房管理中重新发起签署或取消换房。" : "可以重新发送或撤回合同。";
};
