import { reach } from "../../../platform/console/reach.ts";
import { placeOf } from "../log/place.rules.ts";

export const GONE = "记录不存在或无权查看";

/** The address of the record that a message is about, when the operator may open its page. */
export function addressOf({ bizType, bizId }: { bizType: string; bizId: number | null }): string | undefined {
  const place = placeOf(bizType, bizId);
  return place && reach(...place);
}
