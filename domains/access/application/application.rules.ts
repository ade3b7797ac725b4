import type { Words } from "../../../platform/kernel/field.ts";

export const APPLICATION_WORDS = {
  waiting: ["待审核", "gold"],
  enabled: ["已开通", "green"],
  refused: ["已拒绝", "red"],
} as const satisfies Words;
export type ApplicationState = keyof typeof APPLICATION_WORDS;

/** What was agreed to, in words. */
export const agreedText = (user: number | null, privacy: number | null): string =>
  [user && `用户协议第${user}版`, privacy && `隐私政策第${privacy}版`].filter(Boolean).join("、");

/** Why an application cannot be decided any more, or nothing. */
export const whyDecided = (state: ApplicationState, action: string): string | undefined =>
  state === "waiting" ? undefined : `当前状态为“${APPLICATION_WORDS[state][0]}”，不能${action}`;
