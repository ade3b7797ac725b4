/** What, the bar, the median, the worst round, whether the bar is met. */
export type Row = readonly [what: string, bar: string, median: string, worst: string, met: string];

const shown = (n: number) =>
  n >= 100 ? Math.round(n).toLocaleString("en") : String(Math.round(n * 1000) / 1000);

export const row = (what: string, bar: string, median: number, worst: number, met: boolean): Row => [
  what,
  bar,
  shown(median),
  shown(worst),
  met ? "yes" : "no",
];

export const table = (machine: string, rounds: number, rows: readonly Row[]): string => `# Measures

Made by \`npm run bench\` on ${machine}; ${rounds} rounds, ours and theirs in turn within one run. Numbers of one machine
are worth only beside each other; the ratios are the promise.

| What | Bar | Median | Worst round | Met |
|---|---|---|---|---|
${rows.map((r) => `| ${r.join(" | ")} |`).join("\n")}
`;
