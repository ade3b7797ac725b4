import { pathTo } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";

/** A rule where it is kept, for those who keep rules; for others what it has done. */
export const ruleLink = (id: number): string =>
  (may("251.query") && reach("/system/ConfigManagement", { tab: "reminders", id })) ||
  pathTo("/configuration/MessageManagement", { tab: "auto" });
