import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../server/process/settings.ts";
import { SECTIONS, statementsAsMarkdown } from "./statements/table.ts";

const rows = SECTIONS.flatMap(({ number, statements }) =>
  statements.map(([text, ...proofs]) => ({ at: `${number}: ${text}`, text, proofs })),
);
const sources = new Map<string, string>();
const sourceOf = (file: string): string => {
  if (!sources.has(file)) sources.set(file, fs.readFileSync(path.join(ROOT, file), "utf8"));
  return sources.get(file)!;
};

/** `test(`, `describe(` and their tables, with what was given to them, up to the title. */
const HEAD = /(?<![\w.])(test|describe)(\.(each|for)(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)))?\(\s*$/;
/** How often a source has a test or a group of tests of this title. */
const titled = (source: string, title: string): number =>
  ['"', "'", "`"].flatMap((quote) => {
    const pieces = source.split(quote + title + quote);
    return pieces
      .slice(0, -1)
      .filter((_, i) => HEAD.test(pieces.slice(0, i + 1).join(quote + title + quote)));
  }).length;

test("every section of the specification has its statements", () => {
  expect(SECTIONS.map((s) => s.number)).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
  for (const { number, statements } of SECTIONS) expect(statements.length, number).toBeGreaterThan(0);
});

test("every statement is a sentence that stands once in its section, with its proof", () => {
  expect(rows.filter(({ text }) => text.trim().length < 4 || /\n|\|/.test(text)).map((r) => r.at)).toEqual(
    [],
  );
  expect(rows.filter(({ proofs }) => !proofs.length).map((r) => r.at)).toEqual([]);
  const all = rows.map((r) => r.at);
  expect(all.filter((at, i) => all.indexOf(at) !== i)).toEqual([]);
});

test("every proof is a test that runs", () => {
  const wrong = rows.flatMap(({ at, proofs }) =>
    proofs.flatMap(({ file, title }) => {
      if (!/\.test\.tsx?$/.test(file) || !fs.existsSync(path.join(ROOT, file)))
        return [`${at}: no test ${file}`];
      const found = titled(sourceOf(file), title);
      return found === 1 ? [] : [`${at}: ${file} has ${found} tests “${title}”`];
    }),
  );
  expect(wrong).toEqual([]);
  const files = new Set(rows.flatMap(({ proofs }) => proofs.map((p) => p.file)));
  const idle = /\b(test|describe|it)(\.\w+)*\.(skip|only|todo|fails|skipIf|runIf)\b/;
  expect([...files].filter((file) => idle.test(sourceOf(file)))).toEqual([]);
});

test("a title that is only spoken of is no test", () => {
  expect(titled('test("a", () => {});', "a")).toBe(1);
  expect(titled('test.each([\n  ["b", /c(d)/],\n])(\n  "a",', "a")).toBe(1);
  const idle = ["skip", "only", "todo", "skipIf(true)"].map((how) => `test.${how}("a", f)`);
  for (const none of [...idle, 'expect("a")', '// "a"', 'test("ab")'])
    expect(titled(none, "a"), none).toBe(0);
});

test("docs/statements.gen.md is current", () => {
  const page = fs.readFileSync(path.join(ROOT, "docs/statements.gen.md"), "utf8");
  expect(page, "run `npm run docs`").toBe(statementsAsMarkdown());
});
