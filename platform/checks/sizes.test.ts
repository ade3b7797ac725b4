import { expect, test } from "vitest";
import { expectNone, filesOf, isCode, isGenerated, textOf } from "./tree.ts";

const LONGEST = 250;
const MEDIAN = 80;

const sizes = filesOf()
  .filter((path) => isCode(path) && !isGenerated(path))
  .map((path) => ({ path, lines: textOf(path).trimEnd().split("\n").length }))
  .toSorted((a, b) => b.lines - a.lines);

test(`no file is longer than ${LONGEST} lines`, () => {
  const long = sizes
    .filter(({ lines }) => lines > LONGEST)
    .map(({ path, lines }) => `${path}: ${lines} lines`);
  expectNone(long, `These files are longer than ${LONGEST} lines; split them by what they are about`);
});

test(`half of the files have at most ${MEDIAN} lines`, ({ annotate }) => {
  const median = sizes[Math.floor(sizes.length / 2)]?.lines ?? 0;
  const longest = sizes.slice(0, 10).map(({ path, lines }) => `${path}: ${lines}`);
  void annotate(`${sizes.length} files, median ${median} lines`);
  expect(
    median,
    `The median is ${median} lines; the longest are\n  ${longest.join("\n  ")}\n`,
  ).toBeLessThanOrEqual(MEDIAN);
});
