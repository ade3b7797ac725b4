import type { Words } from "../../../platform/kernel/field.ts";

export const BLACK_LEVELS = {
  warn: ["提示", "orange"],
  forbid: ["禁止签约", "red"],
} as const satisfies Words;
export const BLACK = { none: ["无", "grey"], ...BLACK_LEVELS } as const satisfies Words;
