import type { Words } from "../../../platform/kernel/field.ts";

export const ACCOUNT_VERIFY = {
  unverified: ["未核验", "grey"],
  verified: ["已核验", "green"],
  failed: ["未通过", "red"],
} as const satisfies Words;
