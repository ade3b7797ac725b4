import { reach } from "../../../platform/console/reach.ts";
import type { PartyKind } from "../bill/bills.contract.ts";

const PAGES: Partial<Record<PartyKind, string>> = {
  renter: "/configuration/RenterManage",
  company: "/configuration/CompanyManagement",
  merchant: "/configuration/MerchantManage",
};

/** Where a party has its page; suppliers and passers-by have none. */
export const partyPath = (kind: string | null, id: number | null): string | undefined => {
  const page = PAGES[kind as PartyKind];
  return page && id !== null ? reach(page, { id }) : undefined;
};
