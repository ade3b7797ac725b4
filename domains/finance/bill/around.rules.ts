/** Where a customer's own page is, by kind. */
export const PARTY_PAGE: Partial<Record<string, string>> = {
  renter: "/configuration/RenterManage",
  company: "/configuration/CompanyManagement",
  merchant: "/configuration/MerchantManage",
};
export const COUNTER = "/accountManage/addBillFlow";
export const BILLS = "/accountManage/BillListManage";
export const FLOWS = "/accountManage/AccountFlowPatch";

/** A window narrower than this shows the list's less needed columns only to who asks for them. */
export const NARROW = 1400;
