/** Where a customer's own page is, by kind. */
export const PARTY_PAGE: Partial<Record<string, string>> = {
  renter: "/configuration/RenterManage",
  company: "/configuration/CompanyManagement",
  merchant: "/configuration/MerchantManage",
};
export const COUNTER = "/accountManage/addBillFlow";
export const BILLS = "/accountManage/BillListManage";
export const FLOWS = "/accountManage/AccountFlowPatch";
