import { plainWords } from "../../../platform/kernel/field.ts";
import type { Provider } from "../provider/provider.rules.ts";

/** Who signs first. */
export const SIGN_ORDERS = {
  partyFirst: ["客户先签，企业后盖章", "grey"],
  enterpriseFirst: ["企业先盖章，客户后签", "grey"],
} as const;
export type SignOrder = keyof typeof SIGN_ORDERS;

export const SECRET_STATES = plainWords({ missing: "未设置", set: "已设置" });

/** What holds where nobody has set anything. */
export const SIGN_DEFAULTS = {
  provider: "embedded" as Provider,
  signOrder: "partyFirst" as SignOrder,
  linkHours: 72,
  smsMinutes: 5,
  smsTries: 5,
  handwriting: true,
  readSeconds: 10,
  offlineAllowed: true,
  offlineNeedsApproval: false,
  timestampUrl: "",
};
export type SignSettings = typeof SIGN_DEFAULTS;
export const SIGN_KEYS = Object.keys(SIGN_DEFAULTS) as (keyof SignSettings)[];
