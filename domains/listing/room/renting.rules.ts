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
