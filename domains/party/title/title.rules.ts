import type { Words } from "../../../platform/kernel/field.ts";

export const TITLE_KINDS = {
  company: ["单位", "grey"],
  person: ["个人", "grey"],
} as const satisfies Words;
