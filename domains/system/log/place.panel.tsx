import { reach } from "../../../platform/console/screens/screen-link.ts";
import { placeOf } from "./place.rules.ts";

export const GONE = "记录不存在或无权查看";

/** The address of a record, when it has a page that the operator may open. */
export function addressOf(kind: string | null, id: number | null): string | undefined {
  const place = placeOf(kind, id);
  return place && reach(...place);
}
