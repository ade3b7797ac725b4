import { reach } from "../../../platform/console/screens/screen-link.ts";
import { send } from "../../../platform/console/calls/request.ts";
import type { Found } from "../../../platform/console/screens/screen.ts";
import { findRecords } from "./search.contract.ts";
import { KINDS } from "./search.rules.ts";

export const search = async (keyword: string, signal: AbortSignal): Promise<Found[]> => {
  const found = await send(findRecords, { query: { keyword } }, { signal });
  return found.flatMap(({ kind, id, title, note }) => {
    const of = KINDS[kind];
    const to = reach(of.path, { ...("query" in of && of.query), id });
    return to ? [{ key: `${kind} ${id}`, group: of.title, title, note, to }] : [];
  });
};
