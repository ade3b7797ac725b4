import { reach } from "../../../platform/console/reach.ts";
import { PARTY_PAGE } from "../bill/around.rules.ts";

/** The page of a party; suppliers and passers-by have none. */
export const partyPath = (kind: string | null, id: number | null): string | undefined => {
  const page = PARTY_PAGE[kind ?? ""];
  return page && id !== null ? reach(page, { id }) : undefined;
};
