import { reach } from "../../../platform/console/screens/screen-link.ts";
import { PARTY_PAGE } from "../bill/bill.rules.ts";

/** The page of a party; suppliers and passers-by have none. */
export const partyPath = (kind: string | null, id: number | null): string | undefined => {
  const page = PARTY_PAGE[kind ?? ""];
  return page && id !== null ? reach(page, { id }) : undefined;
};
