import path from "node:path";
import { test } from "vitest";
import { expectNone, filesOf, isCode, isGenerated, textOf } from "./tree.ts";

/** Lines of a file. */
const LONGEST = 400;
/** Files of a folder. */
const MOST = 30;

const files = filesOf().filter((file) => (isCode(file) || file.endsWith(".css")) && !isGenerated(file));

test(`no file is longer than ${LONGEST} lines`, () => {
  const sizes = files.map((file) => ({ file, lines: textOf(file).trimEnd().split("\n").length }));
  const long = sizes
    .filter(({ lines }) => lines > LONGEST)
    .map(({ file, lines }) => `${file}: ${lines} lines`);
  expectNone(long, `These files are longer than ${LONGEST} lines; split them by what they are about`);
});

test(`no folder holds more than ${MOST} files`, () => {
  const folders = Map.groupBy(
    filesOf().filter((file) => /^(domains|platform|e2e|demo)\//.test(file)),
    (file) => path.dirname(file),
  );
  const full = [...folders]
    .filter(([, held]) => held.length > MOST)
    .map(([name, held]) => `${name}: ${held.length}`);
  expectNone(full, `These folders hold more than ${MOST} files; they are two subjects`);
});
