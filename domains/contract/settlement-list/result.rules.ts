import { type Fen, yuan } from "../../../platform/kernel/fen.ts";

/** 应退 4,312.76 */
export const resultText = (net: Fen): string =>
  net > 0 ? `应退 ${yuan(net)}` : net < 0 ? `应收 ${yuan(-net)}` : "两清";

/** What a settlement comes to, as the last bar of its waterfall. */
export const resultBar = (net: Fen) => ({
  title: net < 0 ? "应收" : "应退",
  amount: Math.abs(net),
  at: net,
});
