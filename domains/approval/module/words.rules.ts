import type { Words } from "../../../platform/kernel/field.ts";

/** How the people of a node are found. */
export const BY = {
  operators: ["按人员", "grey"],
  role: ["按角色", "grey"],
  manager: ["门店店长", "grey"],
} as const satisfies Words;
export type By = keyof typeof BY;

export const ENABLED = { on: ["启用", "green"], off: ["停用", "grey"] } as const satisfies Words;
