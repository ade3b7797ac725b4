/** A test by its file and its title, as both stand there. */
export type Proof = { file: string; title: string };
/** One sentence of the specification in our words, and the tests that assert it. */
export type Statement = readonly [text: string, ...proofs: Proof[]];
/** A section of the specification by its number there. */
export type Section = { number: string; title: string; statements: readonly Statement[] };

/** The tests of a file: `const frame = testsOf("e2e/house/frame.test.ts")`, then `frame("title")`. */
export const testsOf =
  (file: string) =>
  (title: string): Proof => ({ file, title });
