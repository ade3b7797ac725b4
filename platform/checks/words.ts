/** What must not stand in the source, and why. Patterns are written so that this file does not match itself. */
const FORBIDDEN: readonly (readonly [pattern: RegExp, why: string, where?: RegExp])[] = [
  [/\b(?:T[O]DO|FIX[M]E|X[X]X)\b/, "unfinished work"],
  [/敬请[期]待|功能开发[中]|lorem[ ]ipsum|\bcoming[ ]soon\b/i, "a placeholder"],
  [/@ts-(?:[i]gnore|[n]ocheck)|\bas[ ]any\b/, "a silenced type error"],
  [/\b(?:test|it|describe)\.(?:[o]nly|[s]kip|[t]odo)\b/, "a test that does not run"],
  [/(?<![\w./-])\/(?:home|work|root|Users)\/[\w.-]|\b[A-Z]:\\Users\\/, "a path of one machine"],
  [
    /\b[\w.-]*(?:npm[j]s|npm[m]irror|yarn[p]kg|verdac[c]io|artifac[t]ory)\.[a-z]+\b|\bregistry\.[\w-]+\.(?:org|com|cn|net|io|dev)\b/i,
    "the host of a registry",
  ],
  // One word per thing, as the glossaries have it.
  [/挂[牌]价/, "the price a room is offered at is 标价"],
  [/生[效]中/, "a contract in force is 在租, or 已签署 where its days do not matter"],
  [/应[付]日/, "what customers owe falls due on its 应收日", /^domains\/contract\/.*\.tsx?$/],
  [
    /账[期](?!与额度)/,
    "what a bill is for is its 计费期; 账期 is the credit of a company",
    /^domains\/contract\/.*\.tsx?$/,
  ],
  [
    /收[款]人/,
    "who took the money is 经办人; 收款人 is who is paid",
    /^domains\/report\/collection\/.*\.tsx?$/,
  ],
  [/在[手](?![机动])/, "money held for somebody is 在管"],
  [/[掉]公海/, "a lead 转入公海"],
  [/[白深]字/, "said of colours it is 白色, 深色"],
  // How figures are written: a space before a unit of time, a hyphen in a range.
  [/近\d+|\d-\d+(?:[天]|个[月])/, "近 30 天, 31-60 天"],
  [/\d–\d+ ?(?:[天%]|个[月])/, "a range is written with a hyphen"],
  [/\} ?小[时]/, "durations are said by durationText and hoursText"],
];

/** "path:line word: why" for every forbidden word of a text. */
export const forbiddenWords = (path: string, text: string): string[] =>
  text.split("\n").flatMap((line, i) =>
    FORBIDDEN.flatMap(([pattern, why, where]) => {
      if (where && !where.test(path)) return [];
      const word = pattern.exec(line)?.[0];
      return word ? [`${path}:${i + 1} ${word}: ${why}`] : [];
    }),
  );
