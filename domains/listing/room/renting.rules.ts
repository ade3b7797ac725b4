/** Who rents: the page of each kind of contract with its code. */
const PAGES = {
  renter: { code: 9, path: "/contract/RenterContractPage" },
  company: { code: 11, path: "/contract/CompanyContractPage" },
  merchant: { code: 107, path: "/contract/merchantContractTable" },
} as const;
export const RENTING = ["renter", "company", "merchant"] as const;
export type Renting = (typeof RENTING)[number];

export const contractCode = (kind: Renting) => PAGES[kind].code;
export const contractPage = (kind: Renting): string => PAGES[kind].path;

export type Signing = { kind: Renting; label: string; need: `${number}.add` };
/** What may be signed for a room, the usual first: a shop is let to a merchant, all else to a tenant or a company. */
export const signings = (roomKind: string): readonly [Signing, ...Signing[]] =>
  roomKind === "shop"
    ? [{ kind: "merchant", label: "新签合同", need: "107.add" }]
    : [
        { kind: "renter", label: "新签合同", need: "9.add" },
        { kind: "company", label: "新签企业合同", need: "11.add" },
      ];
