import { yuan } from "../../../platform/kernel/fen.ts";

/** A limit in words; none is no zero. */
export const limitText = (fen: number | null): string => (fen === null ? "不限" : `${yuan(fen)} 元`);

/** What is left of a limit, negative when it is exceeded; null without a limit. */
export const creditLeft = (used: number, limit: number | null): number | null =>
  limit === null ? null : limit - used;
