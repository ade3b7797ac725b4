/** Ours and theirs measured in turn, so that whatever else the machine does falls on both. */
export type Ratio = {
  unit: string;
  ours: number[];
  theirs: number[];
  /** ours ÷ theirs of each round, sorted; `worst` is the lowest. */
  median: number;
  worst: number;
};

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
export const percentile = (values: readonly number[], p: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.ceil((values.length * p) / 100) - 1)]!;

export async function inTurn(
  rounds: number,
  unit: string,
  ours: () => Promise<number>,
  theirs: () => Promise<number>,
): Promise<Ratio> {
  const a: number[] = [];
  const b: number[] = [];
  for (let i = 0; i < rounds; i++) {
    // who goes first changes with each round
    if (i % 2) b.push(await theirs());
    a.push(await ours());
    if (i % 2 === 0) b.push(await theirs());
  }
  const ratios = a.map((value, i) => value / b[i]!);
  return { unit, ours: a, theirs: b, median: median(ratios), worst: Math.min(...ratios) };
}
