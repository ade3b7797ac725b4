/** What must not stand in the source, and why. Patterns are written so that this file does not match itself. */
const FORBIDDEN: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/\b(?:T[O]DO|FIX[M]E|X[X]X)\b/, "unfinished work"],
  [/敬请[期]待|功能开发[中]|lorem[ ]ipsum|\bcoming[ ]soon\b/i, "a placeholder"],
  [/@ts-(?:[i]gnore|[n]ocheck)|\bas[ ]any\b/, "a silenced type error"],
  [/\b(?:test|it|describe)\.(?:[o]nly|[s]kip|[t]odo)\b/, "a test that does not run"],
  [/(?<![\w./-])\/(?:home|work|root|Users)\/[\w.-]|\b[A-Z]:\\Users\\/, "a path of one machine"],
  [
    /\b[\w.-]*(?:npm[j]s|npm[m]irror|yarn[p]kg|verdac[c]io|artifac[t]ory)\.[a-z]+\b|\bregistry\.[\w-]+\.(?:org|com|cn|net|io|dev)\b/i,
    "the host of a registry",
  ],
];

/** "path:line word: why" for every forbidden word of a text. */
export const forbiddenWords = (path: string, text: string): string[] =>
  text.split("\n").flatMap((line, i) =>
    FORBIDDEN.flatMap(([pattern, why]) => {
      const word = pattern.exec(line)?.[0];
      return word ? [`${path}:${i + 1} ${word}: ${why}`] : [];
    }),
  );
