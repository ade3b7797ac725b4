import type { Words } from "../../../platform/kernel/field.ts";

export const OUTBOX_WORDS = {
  queued: ["待发送", "gold"],
  sending: ["发送中", "cyan"],
  sent: ["已发送", "green"],
  failed: ["发送失败", "red"],
} as const satisfies Words;

/** 5 minutes, where nobody says otherwise, and 5 tries; one a minute and 10 a day for a number, 30 an hour from an address. */
export const CODE_MINUTES = 5;
export const EVERY_MS = 60_000;
export const A_DAY = 10;
export const AN_HOUR = 30;

/** Both numbers mean a new phone; a code of either serves the other. */
export const sameKind = (type: number): readonly number[] => (type === 3 || type === 4 ? [3, 4] : [type]);

export const TEXTS = { code: "验证码" } as const;
/** What stands in the outbox for a message; the code itself only where nobody else could deliver it. */
export const textOf = (template: string, params: Readonly<Record<string, string>>, keeps: boolean): string =>
  template === "code"
    ? `验证码 ${keeps ? params.code : "••••••"}，${params.minutes ?? CODE_MINUTES} 分钟内有效`
    : params.link
      ? `${params.name ?? ""}链接 ${keeps ? params.link : "••••••"}`
      : "";

/** So long the button counts before another code can be asked for (specification section 4). */
export const SECONDS = 60;
