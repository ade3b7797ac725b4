import { pathTo } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import { ruleEffect } from "./effect.contract.ts";

/** Rules to choose from, for those who read what was sent. */
export const RULES: Source = {
  call: ruleEffect,
  option: (r: { id: number; name: string; villageNames: string }) => ({
    value: r.id,
    label: r.name,
    note: r.villageNames,
  }),
};

/** A rule where it is kept, for those who keep rules; for others what it has done. */
export const ruleLink = (id: number): string =>
  (may("251.query") && reach("/system/ConfigManagement", { tab: "reminders", id })) ||
  pathTo("/configuration/MessageManagement", { tab: "auto" });
