import fc from "fast-check";

/** How many times as many random cases as usual are tried: `npm run laws`. */
const TIMES = process.env["LAWS"];

/** The same cases in every `npm test`, so that its result is that of the tree; other ones in each `npm run laws`. */
const SEED = TIMES === undefined ? { seed: 20260301 } : {};

/** How many cases of a law are tried: so many in `npm test`, as many times more in `npm run laws`. */
export const cases = (usual: number): { numRuns: number; seed?: number } => ({
  numRuns: usual * Number(TIMES ?? 1),
  ...SEED,
});

// laws that say nothing of their own
fc.configureGlobal(cases(100));
