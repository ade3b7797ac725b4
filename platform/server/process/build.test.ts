import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import zlib from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { buildConsole } from "./build.ts";

const root = fs.mkdtempSync(path.join(os.tmpdir(), "build-"));
afterAll(() => fs.rmSync(root, { recursive: true }));
const write = (name: string, body: string) => {
  fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  fs.writeFileSync(path.join(root, name), body);
};
const text = "智慧公寓".repeat(500);
write("index.html", '<script type="module" src="/console.tsx"></script>');
write(
  "console.tsx",
  `import { word } from "./domains/place/room/room.rules.ts"; document.title = word + "${text}";`,
);
write("domains/place/room/room.rules.ts", "export const word = '甲'");
write("domains/place/room/room.server.ts", "export const secret = '乙'");

const built = () => {
  const assets = path.join(root, "dist/console/assets");
  const name = fs.readdirSync(assets).find((file) => file.endsWith(".js"))!;
  return { name, script: fs.readFileSync(path.join(assets, name), "utf8"), assets };
};

test("builds once, and again only when something that people see has changed", async () => {
  expect(await buildConsole(root)).toBe("built");
  const first = built();
  expect(first.script).toContain("甲");
  expect(await buildConsole(root)).toBe("current");
  write("domains/place/room/room.server.ts", "export const secret = '丙'");
  expect(await buildConsole(root)).toBe("current");
  write("domains/place/room/room.rules.ts", "export const word = '丁'");
  expect(await buildConsole(root)).toBe("built");
  expect(built().script).toContain("丁");
  expect(built().name).not.toBe(first.name);
  expect(fs.readdirSync(path.join(root, "dist")).toSorted()).toEqual(["console", "console.stamp"]);
});

test("compresses what is served", () => {
  const { assets, name, script } = built();
  const packed = fs.readFileSync(path.join(assets, `${name}.br`));
  expect(packed.length).toBeLessThan(Buffer.byteLength(script) / 10);
  expect(zlib.brotliDecompressSync(packed).toString()).toBe(script);
  expect(zlib.gunzipSync(fs.readFileSync(path.join(assets, `${name}.gz`))).toString()).toBe(script);
});

test("a build that fails leaves the one before it in place", async () => {
  write("domains/place/room/room.rules.ts", "export const word = ");
  await expect(buildConsole(root)).rejects.toThrow("room.rules.ts");
  expect(built().script).toContain("丁");
});
