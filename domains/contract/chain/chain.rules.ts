import type { Words } from "../../../platform/kernel/field.ts";
import type { ActKind } from "../act/act.rules.ts";

/** What can be done to a running contract, as people call it. */
export const ACT_WORDS = {
  settle: ["退房", "grey"],
  renew: ["续租", "grey"],
  changeRoom: ["换房", "grey"],
  changeTenant: ["转租", "grey"],
  amend: ["变更条款", "grey"],
  addRooms: ["加房", "grey"],
  returnRooms: ["退部分房", "grey"],
  exchangeRooms: ["调换房间", "grey"],
} as const satisfies Words & Record<ActKind, unknown>;

/** The page on which each is worked on; what has none stands with its contract. */
export const ACT_PAGES: Partial<Record<ActKind, string>> = {
  settle: "/contract/SettleRoomApplicationPage",
  renew: "/contract/RenewalApplicationPage",
  changeRoom: "/contract/ChangeRoomManage",
  changeTenant: "/contract/ChangeRoomManage",
};
