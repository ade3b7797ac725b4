/** Where a customer's own page is, by kind. */
export const PARTY_PAGE: Partial<Record<string, string>> = {
  renter: "/configuration/RenterManage",
  company: "/configuration/CompanyManagement",
  merchant: "/configuration/MerchantManage",
};
/** Where contracts are listed and opened, by the kind of their party. */
export const CONTRACT_PAGE = {
  renter: "/contract/RenterContractPage",
  company: "/contract/CompanyContractPage",
  merchant: "/contract/merchantContractTable",
} as const;
export const contractPage = (partyKind: string): string | undefined =>
  (CONTRACT_PAGE as Partial<Record<string, string>>)[partyKind];
export const COUNTER = "/accountManage/addBillFlow";
export const BILLS = "/accountManage/BillListManage";
export const FLOWS = "/accountManage/AccountFlowPatch";

/** A window narrower than this shows the list's less needed columns only to who asks for them. */
export const NARROW = 1400;
