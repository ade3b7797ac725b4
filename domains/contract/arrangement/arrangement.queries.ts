import { Refusal } from "../../../platform/kernel/refusal.ts";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { partiesOf, type SignerRole, usualOrder } from "../config/sign.rules.ts";
import { signSettingsOf } from "../config/sign.service.ts";
import { type ContractRecord, recordById } from "../contract/record.queries.ts";
import { signerOf } from "../esign/subject.service.ts";
import { sealsFor } from "../seal/seal.service.ts";
import { swapOf } from "../succession/succession.queries.ts";

/** What the form offers for the signing of a draft: the signers, and what may be chosen of each thing. */
export async function arrangementOf(read: Read, contract: ContractRecord) {
  const { villageId, kind: contractKind } = contract;
  const { provider, signOrder, linkHours } = await signSettingsOf(read, contract);
  const { seals, why: noSeal } = await sealsFor(read, { villageId, contractKind });
  const signers = await signersOf(read, contract);
  return {
    provider,
    linkHours,
    order: usualOrder(
      signers.map(({ role }) => role),
      signOrder,
    ),
    signers,
    seals: seals.map(({ id, name, lessorName }) => ({ id, name, lessorName })),
    noSeal,
  };
}

/** Who signs beside the enterprise. */
async function signersOf(read: Read, contract: ContractRecord) {
  const roles = contract.partyId === null ? [] : partiesOf(contract.terms);
  const otherId = await swapOf(read, contract.id);
  const found: { role: SignerRole; name: string; phone: string; why: string }[] = [];
  for (const role of roles) {
    const of = role === "previousParty" ? (await recordById(read, contract.previousId!))! : contract;
    found.push({ role, ...(await shownSigner(read, of)) });
  }
  const other = otherId === null ? undefined : await recordById(read, otherId);
  // who swaps two rooms of his own signs once
  if (other && other.partyId !== contract.partyId)
    found.push({ role: "otherParty", ...(await shownSigner(read, other)) });
  return found;
}

/** The signer of a party as a link would find it, else why there can be no link. */
async function shownSigner(read: Read, contract: ContractRecord) {
  try {
    const { name, phone } = await signerOf(read, contract);
    return { name, phone: maskPhone(phone), why: "" };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { name: contract.partyName, phone: "", why: error.message };
  }
}
