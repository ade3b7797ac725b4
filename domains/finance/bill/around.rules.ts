/** Where a customer's own page is, by kind. */
export const PARTY_PAGE: Partial<Record<string, string>> = {
  renter: "/configuration/RenterManage",
  company: "/configuration/CompanyManagement",
  merchant: "/configuration/MerchantManage",
};
export const COUNTER = "/accountManage/addBillFlow";
export const BILLS = "/accountManage/BillListManage";
export const FLOWS = "/accountManage/AccountFlowPatch";

/** A room's name without the store it begins with, where the store stands beside it already: 滨江店·3栋·1203 → 3栋·1203. */
export const roomIn = (villageName: string, roomName: string | null): string =>
  !roomName
    ? "—"
    : roomName.startsWith(`${villageName}·`)
      ? roomName.slice(villageName.length + 1)
      : roomName;
