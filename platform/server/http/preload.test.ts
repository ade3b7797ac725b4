import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { filesFor, linksTo, readAhead, writeAhead } from "./preload.ts";

const root = mkdtempSync(path.join(os.tmpdir(), "ahead-"));
const built = path.join(root, "dist");
mkdirSync(path.join(built, ".vite"), { recursive: true });
afterAll(() => rmSync(root, { recursive: true }));

const chunk = (file: string, imports: string[] = [], css: string[] = []) => ({ file, imports, css });
writeFileSync(
  path.join(built, ".vite/manifest.json"),
  JSON.stringify({
    "index.html": { ...chunk("assets/index.js", ["_react.js"]), isEntry: true },
    "_react.js": chunk("assets/react.js"),
    "_kit.js": chunk("assets/kit.js", ["_react.js"], ["assets/kit.css"]),
    "platform/console/shell/shell.tsx": chunk("assets/shell.js", ["_kit.js", "_react.js"]),
    "domains/access/login.page.tsx": chunk("assets/login.js", ["_react.js"]),
    "domains/finance/bills.page.tsx": chunk("assets/bills.js", ["_kit.js"]),
  }),
);
writeFileSync(
  path.join(root, "screens.ts"),
  `export const house = { screens: [
    { path: "/user/login", kind: "public", load: () => import("./domains/access/login.page.tsx") },
    { path: "/bills", kind: "page", load: () => import("./domains/finance/bills.page.tsx") },
  ] };`,
);

test("a page names what it needs, once, and nothing that every page has", async () => {
  await writeAhead(root, built);
  const ahead = readAhead(built);
  const inside = ["assets/kit.js", "assets/kit.css", "assets/shell.js"];
  expect(filesFor(ahead, "/bills", true)).toEqual([...inside, "assets/bills.js"]);
  expect(filesFor(ahead, "/nowhere", true)).toEqual(inside);
  // whoever is not signed in will stand at the login
  expect(filesFor(ahead, "/bills", false)).toEqual(["assets/login.js"]);
  expect(filesFor(ahead, "/user/login", true)).toEqual(["assets/login.js"]);
  expect(linksTo(["assets/kit.js", "assets/kit.css"])).toBe(
    '<link rel="modulepreload" crossorigin href="/sams/assets/kit.js">' +
      '<link rel="preload" as="style" crossorigin href="/sams/assets/kit.css">',
  );
});

test("a build without a table names nothing", () => {
  expect(filesFor(readAhead(root), "/bills", true)).toEqual([]);
});
