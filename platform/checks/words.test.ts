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

test("a thing has one word, and a figure one way to be written", () => {
  const found = (path: string, text: string) => forbiddenWords(path, text).length;
  const due = "应" + "付日";
  expect(found("domains/contract/contract/bills.panel.tsx", due)).toBe(1);
  // what we owe ourselves
  expect(found("domains/finance/flow/flow.contract.ts", due)).toBe(0);
  for (const text of ["挂" + "牌价", "近" + "12个月", "1-30" + "天", "31" + "–60 天", "`${n}" + " 小时`"])
    expect(found("a.tsx", text), text).toBe(1);
  for (const text of ["标价", "近 12 个月", "31-60 天", "手机在手动模式"])
    expect(found("a.tsx", text), text).toBe(0);
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
