import type { Action, Need, Permit } from "../../../platform/kernel/call.ts";
import { plainWords } from "../../../platform/kernel/field.ts";

/** Who rents: each kind of contract has its page with its code, and its words. */
export const KINDS = {
  renter: { code: 9, title: "租客合同", party: "租客", path: "/contract/RenterContractPage" },
  company: { code: 11, title: "企业合同", party: "企业", path: "/contract/CompanyContractPage" },
  merchant: { code: 107, title: "商户合同", party: "商户", path: "/contract/merchantContractTable" },
} as const;
export type ContractKind = keyof typeof KINDS;
/** The contract by its name, and by who rents. */
export const KIND_WORDS = plainWords({
  renter: KINDS.renter.title,
  company: KINDS.company.title,
  merchant: KINDS.merchant.title,
});
export const PARTY_WORDS = plainWords({
  renter: KINDS.renter.party,
  company: KINDS.company.party,
  merchant: KINDS.merchant.party,
});
export const CONTRACT_KINDS = Object.keys(KINDS) as [ContractKind, ...ContractKind[]];

/** Most rooms of one contract. */
export const MOST_ROOMS = 2000;
export const TOO_MANY_ROOMS = `一份合同最多${MOST_ROOMS}间房`;

/** Acts with a code of their own: the page's code and two digits, which mean the same on all three pages. */
const FINE = {
  sign: "01",
  void: "02",
  amend: "03",
  belowLowest: "04",
  moveInUnpaid: "05",
  blackListed: "06",
  backdate: "07",
} as const;
export type ContractAct = Action | keyof typeof FINE;

export function permitOf(kind: ContractKind, act: ContractAct): Permit {
  const { code } = KINDS[kind];
  return act in FINE ? `#${Number(`${code}${FINE[act as keyof typeof FINE]}`)}` : `${code}.${act as Action}`;
}

/** Any of these acts on contracts of any kind: what a call asks for before it is known which contract is meant. */
export const ofAnyKind = (...acts: readonly ContractAct[]): Permit[] =>
  CONTRACT_KINDS.flatMap((kind) => acts.map((act) => permitOf(kind, act)));

/** Of what a call asks for, the permits that count for a contract of one kind. */
export function needsOf(needs: Need, kind: ContractKind): Permit[] {
  const { code } = KINDS[kind];
  const fine = new RegExp(`^#${code}\\d\\d$`);
  return ([needs].flat() as Permit[]).filter((p) => p.startsWith(`${code}.`) || fine.test(p));
}
