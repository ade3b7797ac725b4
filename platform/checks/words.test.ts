import { expect, test } from "vitest";
import { expectNone, filesOf, textOf } from "./tree.ts";
import { forbiddenWords } from "./words.ts";

const BINARY = /\.(png|jpe?g|gif|ico|pdf|xlsx|docx|zip|gz|woff2?|ttf|otf|p12|der)$/i;

test("no forbidden word stands in the source", () => {
  const offenders = filesOf()
    .filter((path) => !BINARY.test(path))
    .flatMap((path) => {
      const text = textOf(path);
      // Checksums of packages are letters by chance.
      return forbiddenWords(path, path === "package-lock.json" ? text.replace(/"integrity": .*/g, "") : text);
    });
  expectNone(offenders, "These words do not belong in the source");
});

test("forbidden words are found where they stand", () => {
  const text = [
    "const a = 1; // TO" + "DO later",
    'const path = "/ho' + 'me/somebody/app";',
    "test.on" + 'ly("a", () => {});',
    "registry=https://registry.npm" + "js.org/",
  ].join("\n");
  expect(forbiddenWords("a.ts", text).map((line) => line.split(": ").at(-1))).toEqual([
    "unfinished work",
    "a path of one machine",
    "a test that does not run",
    "the host of a registry",
  ]);
});

test("ordinary words are left alone", () => {
  for (const text of [
    'path: "/portal/home"',
    'path: "/workbench/WorkbenchPage"',
    "https://api.brand01.example/home/page",
    "new Registry().metrics()",
    "await client.register.contentType",
    "omit-lockfile-registry-resolved=true",
    "todoCount",
    "待办",
  ])
    expect(forbiddenWords("a.ts", text), text).toEqual([]);
});
