import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { textOfPdf } from "../../domains/contract/paper/paper.sample.ts";
import { house } from "../../screens.ts";
import { buildManual } from "../server/manual/manual.ts";
import { chaptersOf } from "../server/manual/manual-text.ts";
import { expectNone, filesOf, ROOT, textOf } from "./tree.ts";

const FOLDER = "docs/manual";
const root = fs.mkdtempSync(path.join(os.tmpdir(), "manual-"));
afterAll(() => fs.rmSync(root, { recursive: true }));
fs.cpSync(path.join(ROOT, FOLDER), path.join(root, FOLDER), { recursive: true });
fs.copyFileSync(path.join(ROOT, "package.json"), path.join(root, "package.json"));

const chapters = chaptersOf(path.join(ROOT, FOLDER));
const text = filesOf(ROOT, `${FOLDER}/`)
  .filter((file) => file.endsWith(".md"))
  .map((file) => textOf(file))
  .join("\n");
const named = new Set([...text.matchAll(/`(\/[A-Za-z][\w/-]+)`/g)].map((m) => m[1]!));

/** Titles of the outline in their order, as a reader's side bar shows them. */
function outlineOf(pdf: Buffer): string[] {
  const raw = pdf.toString("latin1");
  return [...raw.matchAll(/\/Parent \d+ 0 R\s*\/Title \((\xfe\xff(?:\\[\s\S]|[^\\)])*)\)/g)].map((m) => {
    const bytes = Buffer.from(
      m[1]!.replace(
        /\\([\s\S])/g,
        (_, c: string) => ({ n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" })[c] ?? c,
      ),
      "latin1",
    );
    return bytes.subarray(2).swap16().toString("utf16le");
  });
}

test("the manual is a PDF with its chapters as outline, Chinese text that can be searched, and links from its contents", async () => {
  const pdf = fs.readFileSync((await buildManual(root))!);
  expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
  expect(pdf.length).toBeLessThan(4_000_000);
  const outline = outlineOf(pdf);
  chapters.forEach(({ title }, i) => expect(outline).toContain(`${i + 1}　${title}`));
  expect(outline.length).toBeGreaterThan(chapters.length * 3);
  const found = textOfPdf(pdf).replace(/\s/g, "");
  for (const words of [
    "智慧公寓使用手册",
    "v7.0.1",
    "目录",
    "15分钟内连续输错五次",
    "收款的分配明细",
    "接收设置",
  ])
    expect(found, words).toContain(words);
  const raw = pdf.toString("latin1");
  for (const { screens } of chapters.flatMap((c) => c.blocks.filter((b) => b.kind === "heading")))
    for (const screen of screens) expect(raw, screen).toContain(`(${screen}) [`);
  expect(raw).toContain("/URI (/sams/accountManage/accountCheck)");
  expect(raw.match(/\/S \/GoTo/g)?.length).toBeGreaterThanOrEqual(outline.length);
});

test("it is made anew only when its chapters change, and the same chapters give the same file", async () => {
  const file = (await buildManual(root))!;
  const [bytes, { mtimeMs }] = [fs.readFileSync(file), fs.statSync(file)];
  await buildManual(root);
  expect(fs.statSync(file).mtimeMs).toBe(mtimeMs);
  fs.rmSync(`${file}.stamp`);
  await buildManual(root);
  expect(fs.statSync(file).mtimeMs).toBeGreaterThan(mtimeMs);
  expect(fs.readFileSync(file).equals(bytes)).toBe(true);
});

test("the help of a page opens the manual at the section about it, and every page of the menu has one", () => {
  const sections = chapters.flatMap(({ blocks }) => blocks.filter((block) => block.kind === "heading"));
  const about = (screen: string) =>
    sections
      .find(({ screens }) => screens.includes(screen))
      ?.text.split("　")
      .at(-1);
  expectNone(
    house.screens
      .filter(({ kind, menu, path: at }) => kind === "page" && menu && !about(at))
      .map(({ title, path: at }) => `${title} ${at}`),
    "No section of the manual is about these pages",
  );
  // a page that is named in passing before its own section leads to its own
  expect([
    about("/accountManage/accountCheck"),
    about("/accountManage/BudgetManage/VillageBudgetTable"),
    about("/system/PlatformConf"),
    about("/system/ConfigManagement"),
  ]).toEqual(["对账管理", "预算管理", "平台配置", "配置中心"]);
});

test("every page that the manual names is there, and every page of the menu has its place in it", () => {
  const paths = new Set(house.screens.map(({ path: at }) => at));
  expectNone(
    [...named].filter((at) => !paths.has(at)),
    "The manual names pages that are not there",
  );
  expectNone(
    house.screens
      .filter(({ kind, menu, path: at }) => kind === "page" && menu && !named.has(at))
      .map(({ title, path: at }) => `${title} ${at}`),
    "These pages have no place in docs/manual; describe them in the chapter that they belong to",
  );
});

test("the manual calls each page by its title", () => {
  expectNone(
    house.screens
      .filter(({ kind, menu, path: at }) => kind === "page" && menu && named.has(at))
      .filter(({ title }) => !text.includes(title))
      .map(({ title, path: at }) => `${title} ${at}`),
    "The manual calls these pages otherwise than the menu",
  );
});

test("its pictures are all used and small", () => {
  const files = filesOf(ROOT, `${FOLDER}/pictures/`);
  expectNone(
    files.filter((file) => !text.includes(`(pictures/${path.basename(file)})`)),
    "No chapter shows these pictures",
  );
  const bytes = files.reduce((sum, file) => sum + fs.statSync(path.join(ROOT, file)).size, 0);
  expect(bytes).toBeLessThan(3_000_000);
});
