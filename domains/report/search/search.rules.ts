import type { Need } from "../../../platform/kernel/call.ts";

type Kind = { title: string; need: Need; path: string; query?: Record<string, string> };

/** What the search over everything finds, in its order: who may read a kind of record, and the screen that opens one. */
export const KINDS = {
  room: { title: "房间", need: "6.get", path: "/configuration/ApartmentManage", query: { view: "room" } },
  renter: { title: "租客", need: "16.get", path: "/configuration/RenterManage" },
  company: { title: "企业", need: "113.get", path: "/configuration/CompanyManagement" },
  merchant: { title: "商户", need: "106.get", path: "/configuration/MerchantManage" },
  renterContract: { title: "合同", need: "9.get", path: "/contract/RenterContractPage" },
  companyContract: { title: "合同", need: "11.get", path: "/contract/CompanyContractPage" },
  merchantContract: { title: "合同", need: "107.get", path: "/contract/merchantContractTable" },
  bill: { title: "账单", need: "26.get", path: "/accountManage/BillListManage" },
} as const satisfies Record<string, Kind>;
export type FoundKind = keyof typeof KINDS;
export const FOUND_KINDS = Object.keys(KINDS) as [FoundKind, ...FoundKind[]];

/** Fewer characters say nothing. */
export const LEAST = 2;
/** Of each kind. */
export const MOST = 6;
