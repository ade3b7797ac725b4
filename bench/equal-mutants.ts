/**
 * Changes of rules that nobody can notice, each examined: `becomes` is the changed line, and `why` says why the rules answer
 * the same with it. `npm run mutate` prints them beside what no test notices without a reason.
 */
export type Equal = { file: string; becomes: string; why: string };

export const EQUAL: readonly Equal[] = [];
