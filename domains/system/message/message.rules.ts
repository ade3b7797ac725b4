import type { Words } from "../../../platform/kernel/field.ts";

/** What a message is about; the numbers are part of the calls. */
export const MESSAGE_TYPES = {
  1: ["审批", "gold"],
  2: ["收款与账单", "green"],
  3: ["合同", "blue"],
  4: ["客源与预订", "purple"],
  5: ["报修与投诉", "orange"],
  6: ["设备告警", "red"],
  7: ["系统与公告", "grey"],
  8: ["任务与下载", "grey"],
} as const satisfies Words;
export type MessageType = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** So many readers get their receipts with the event itself; for more a job writes them. */
export const AT_ONCE = 50;
