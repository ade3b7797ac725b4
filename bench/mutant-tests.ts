/**
 * What tests of rules get in place of vitest and fast-check while rules are changed: the same assertions, but tests are
 * only taken down, to be run thousands of times in one process. Random cases are few and the same in each round, so that
 * a round can be repeated; a failing one is not made smaller.
 */
import fc from "fast-check";
export { expect } from "vitest";

type Body = (...given: unknown[]) => unknown;
/** Tests of the file just loaded, in its order. */
export const taken: (() => unknown)[] = [];
const RUNS = 30;

const add = (_name: string, ...rest: unknown[]): number => taken.push(rest.at(-1) as () => unknown);
const each =
  (rows: readonly unknown[]) =>
  (_name: string, ...rest: unknown[]) => {
    const body = rest.at(-1) as Body;
    for (const row of rows) taken.push(() => body(...(Array.isArray(row) ? row : [row])));
  };
export const test = Object.assign(add, { each });
export const describe = (_name: string, body: () => void): void => body();

export default {
  ...fc,
  assert: <T>(property: fc.IRawProperty<T>, how?: fc.Parameters<T>) =>
    fc.assert(property, {
      ...how,
      numRuns: Math.min(how?.numRuns ?? RUNS, RUNS),
      seed: 2026,
      endOnFailure: true,
    }),
};
