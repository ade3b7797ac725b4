import type { Words } from "../../../platform/kernel/field.ts";

/** Records that lie in a village, for which it can be said whether somebody reaches them. */
export const RECORD_WORDS = {
  village: ["门店", "grey"],
  building: ["楼栋", "grey"],
  apartment: ["房源", "grey"],
  room: ["房间", "grey"],
  contract: ["合同", "grey"],
  bill: ["账单", "grey"],
  flow: ["流水", "grey"],
} as const satisfies Words;
export type RecordKind = keyof typeof RECORD_WORDS;
