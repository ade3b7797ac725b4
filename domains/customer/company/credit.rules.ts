import { yuan, type Fen } from "../../../platform/kernel/fen.ts";

/** A limit in words; none is no zero. */
export const limitText = (fen: number | null): string => (fen === null ? "不限" : `${yuan(fen)} 元`);

/** What is left of a limit, negative when it is exceeded; null without a limit. */
export const creditLeft = (used: number, limit: number | null): number | null =>
  limit === null ? null : limit - used;

/** How far something more would exceed a limit, in words; nothing while it fits. */
export function overCreditText({ limit, used }: { limit: Fen; used: Fen }, more: Fen): string | undefined {
  const over = used + more - limit;
  return over > 0 ? `超出授信额度 ${yuan(over)} 元` : undefined;
}
