import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { ROOT } from "../server/process/settings.ts";
import { wrongName } from "./names.ts";
import { filesOf, screenOf, type Noun } from "./new.ts";

const noun: Noun = { domain: "service", name: "lost-property", title: "失物", code: 54 };

test("names every file as the house wants it, in the singular and the plural", () => {
  const files = filesOf(noun).map(([file]) => file);
  expect(files[0]).toMatch(/^db\/migrations\/\d{4}-lost-property\.sql$/);
  expect(files.slice(1)).toEqual([
    "domains/service/lost-property/lost-property.contract.ts",
    "domains/service/lost-property/lost-property.server.ts",
    "domains/service/lost-property/lost-properties.page.tsx",
    "domains/service/lost-property/lost-property.server.test.ts",
  ]);
  expect(files.map(wrongName).filter(Boolean)).toEqual([]);
  const lines = filesOf(noun).map(([, body]) => body.split("\n").length - 1);
  expect(lines.reduce((sum, n) => sum + n, 0)).toBeLessThanOrEqual(180);
  expect(screenOf(noun)).toContain('...page("/service/RepairServiceManage", "报修管理", [54])');
});

test("refuses what has no place in the house", () => {
  expect(() => filesOf({ ...noun, domain: "garage" })).toThrow("There is no domain garage");
  expect(() => filesOf({ ...noun, name: "LostProperty" })).toThrow("small letters with hyphens");
  expect(() => screenOf({ ...noun, code: 50 })).toThrow("There is no page 50");
});

test("what it writes compiles, and its own tests pass", () => {
  const copy = fs.mkdtempSync(path.join(os.tmpdir(), "noun-"));
  afterAll(() => fs.rmSync(copy, { recursive: true }));
  const parts = ["platform", "domains", "db", "brands", "package.json", "tsconfig.json", "vitest.config.ts"];
  for (const part of parts) fs.cpSync(path.join(ROOT, part), path.join(copy, part), { recursive: true });
  fs.symlinkSync(path.join(ROOT, "node_modules"), path.join(copy, "node_modules"));
  const run = (file: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(copy, file), ...args], {
      cwd: copy,
      encoding: "utf8",
      env: { ...process.env, FORCE_COLOR: "0" },
    });
    expect(status, stdout + stderr).toBe(0);
    return stdout;
  };
  expect(run("platform/checks/new.ts", "service/lost-property", "失物", "54")).toContain(
    "lost-properties.page.tsx",
  );
  run("platform/checks/row-types.ts");
  // only what the new files need is compiled: the rest is checked elsewhere
  const only = {
    extends: "./tsconfig.json",
    include: ["domains/service/lost-property", "platform/console/*.d.ts"],
  };
  fs.writeFileSync(path.join(copy, "only.json"), JSON.stringify(only));
  run("node_modules/typescript/bin/tsc", "-p", "only.json");
  expect(run("node_modules/vitest/vitest.mjs", "run", "domains/service/lost-property")).toContain("2 passed");
}, 240_000);
