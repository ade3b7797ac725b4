import type { Fen } from "../../kernel/fen.ts";

export type Fallen = { title: string; amount: Fen };
export type Bar = Fallen & {
  /** Percent of the width that the whole course takes. */
  left: number;
  width: number;
  look: "up" | "down" | "end";
};

/** Lines as bars of which each begins where the one before ended, the first at `base`, and at the end, from there, what they come to. */
export function fallOf(lines: readonly Fallen[], end: Fallen & { at: Fen }, base: Fen = 0): Bar[] {
  const stands = [base];
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
    { title: end.title, amount: end.amount, ...bar(base, end.at), look: "end" as const },
  ];
}
