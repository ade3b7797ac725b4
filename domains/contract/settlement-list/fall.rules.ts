import { type Fen, yuan } from "../../../platform/kernel/fen.ts";

/** 应退 4,312.76 */
export const resultText = (net: number): string =>
  net > 0 ? `应退 ${yuan(net)}` : net < 0 ? `应收 ${yuan(-net)}` : "两清";

export type Fallen = { title: string; amount: Fen };
export type Bar = Fallen & {
  /** Percent of the width that the whole course takes. */
  left: number;
  width: number;
  look: "up" | "down" | "end";
};

/** Lines as bars of which each begins where the one before ended, and at the end their sum from nothing. */
export function fallOf(lines: readonly Fallen[], net: Fen): Bar[] {
  const stands = [0];
  for (const { amount } of lines) stands.push(stands.at(-1)! + amount);
  const [least, most] = [Math.min(...stands), Math.max(...stands)];
  const at = (fen: Fen) => (most === least ? 0 : ((fen - least) * 100) / (most - least));
  const bar = (from: Fen, to: Fen) => ({
    left: at(Math.min(from, to)),
    width: Math.abs(at(to) - at(from)),
  });
  return [
    ...lines.map((line, i) => ({
      ...line,
      ...bar(stands[i]!, stands[i + 1]!),
      look: line.amount < 0 ? ("down" as const) : ("up" as const),
    })),
    { title: net < 0 ? "应收" : "应退", amount: Math.abs(net), ...bar(0, net), look: "end" as const },
  ];
}
