import { greys } from "../../../platform/kernel/words.ts";
import type { Words } from "../../../platform/kernel/field.ts";

export const PAPER_KINDS = greys({ licence: "营业执照", permit: "许可证", other: "其他" });

/** How many papers of a kind a record holds at most: a licence has three pages. */
export const MOST_PAPERS = { licence: 3, permit: 10, other: 10 } as const;
/** Days before a paper ends on which its manager is told. */
export const REMIND_DAYS = 30;

/** How a paper stands on a day. */
export function paperState(endDay: string | null, today: string, soon: string): "valid" | "ending" | "ended" {
  if (!endDay || endDay > soon) return "valid";
  return endDay < today ? "ended" : "ending";
}
export const PAPER_STATES = {
  valid: ["有效", "green"],
  ending: ["即将到期", "orange"],
  ended: ["已到期", "red"],
} as const satisfies Words;
