import { reach } from "../../../platform/console/screens/screen-link.ts";
import { CONTRACT_PAGE } from "../../finance/bill/pages.rules.ts";

/** The contract that a commission came of, for whoever may open it. */
export const contractTo = (c: { contractKind: keyof typeof CONTRACT_PAGE; contractId: number }) =>
  reach(CONTRACT_PAGE[c.contractKind], { id: c.contractId });
