import { reach } from "../../../platform/console/reach.ts";

const CONTRACTS = {
  renter: "/contract/RenterContractPage",
  company: "/contract/CompanyContractPage",
  merchant: "/contract/MerchantContractPage",
};

/** The contract that a commission came of, for whoever may open it. */
export const contractTo = (c: { contractKind: keyof typeof CONTRACTS; contractId: number }) =>
  reach(CONTRACTS[c.contractKind], { id: c.contractId });
