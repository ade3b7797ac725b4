import fc from "fast-check";

/** How many times as many random cases as usual are tried: `npm run laws`. */
const TIMES = Number(process.env["LAWS"] ?? 1);

/** How many cases of a law are tried: so many in `npm test`, as many times more in `npm run laws`. */
export const cases = (usual: number): { numRuns: number } => ({ numRuns: usual * TIMES });

// laws that say nothing of their own
fc.configureGlobal(cases(100));
