/** What, the bar, the median, the worst round, whether the bar is met. */
export type Row = readonly [what: string, bar: string, median: string, worst: string, met: string];

/** Takes a result under a name, and the lines that it makes. */
export type Keep = (name: string, result: unknown, ...rows: Row[]) => void;

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

Made by \`npm run bench\` on ${machine}; ${rounds} rounds, ours and theirs in turn within one run, or of one part within a
run of its own. Numbers of one machine are worth only beside each other; the ratios are the promise.

| What | Bar | Median | Worst round | Met |
|---|---|---|---|---|
${rows.map((r) => `| ${r.join(" | ")} |`).join("\n")}
`;

/** The rounds of the whole run that a written table tells of. */
export const roundsOf = (page: string): number | undefined =>
  Number(/; (\d+) rounds/.exec(page)?.[1]) || undefined;

/** The lines of a written table, without those that are measured anew. */
export const rowsOf = (page: string, anew: readonly Row[]): Row[] =>
  page
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| What"))
    .map((line) => line.slice(2, -2).split(" | ") as unknown as Row)
    // how many lists there are is part of a line, and the lines below it name those that were too slow
    .filter(([what]) => !anew.some(([now]) => sameAs(now, what)));

const LISTS = /^(First page of each|… )/;
const sameAs = (a: string, b: string) => a === b || (LISTS.test(a) && LISTS.test(b));
