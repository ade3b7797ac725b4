import { existsSync } from "node:fs";
import path from "node:path";
import { test } from "vitest";
import { expectNone, filesOf, ROOT, textOf } from "./tree.ts";

test("every file that a page of the documentation links to exists", () => {
  const pages = filesOf().filter((file) => file.endsWith(".md"));
  const lost = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)]
      .map(([, to]) => to!)
      .filter((to) => !/^[a-z]+:/.test(to))
      .filter((to) => !existsSync(path.join(ROOT, path.dirname(page), to)))
      .map((to) => `${page} → ${to}`),
  );
  expectNone(lost, "These links lead nowhere");
});
