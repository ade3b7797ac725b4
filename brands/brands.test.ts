import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { CONSTANTS } from "../platform/checks/specification/texts.ts";
import { assetRefusal, readBrand } from "../platform/kernel/texts/brand.ts";
import type { BrandFile } from "../platform/kernel/texts/brand.ts";
import { contrast, inkOn } from "../platform/kernel/texts/colour.ts";
import { brand as standard } from "./default.ts";

const files = import.meta.glob<BrandFile>(["./*.ts", "!./*.test.ts"], { eager: true, import: "brand" });
const brands = new Map(Object.entries(files).map(([path, file]) => [path.slice(2, -3), readBrand(file)]));
const assets = new URL("assets/", import.meta.url);

test("there are eleven customers' brands and a default", () => {
  expect(brands.size).toBe(Number(CONSTANTS.brands[0]));
  expect(readBrand(standard)).toEqual(standard);
});

test.for([...brands])("%s is whole", ([name, brand]) => {
  expect(brand.key).toBe(name);
  expect(contrast(brand.themeColor, inkOn(brand.themeColor))).toBeGreaterThanOrEqual(4.5);
  for (const use of ["logo", "favicon", "background", "miniCode"] as const)
    if (brand[use])
      expect(
        assetRefusal(use, brand[use], readFileSync(new URL(brand[use], assets))),
        brand[use],
      ).toBeUndefined();
});

test("every asset belongs to a brand", () => {
  const used = new Set([...brands.values()].flatMap((b) => [b.logo, b.favicon, b.background, b.miniCode]));
  expect(readdirSync(assets).filter((file) => !used.has(file))).toEqual([]);
});

test("each customer differs as agreed", () => {
  const of = (name: string) => brands.get(name)!;
  expect(standard).toMatchObject({ themeColor: CONSTANTS["color.primary"][0], mode: "dark", apiBase: "" });
  expect(of("brand04")).toMatchObject({
    themeColor: CONSTANTS["color.primary.lightBrand"][0],
    mode: "light",
  });
  expect(of("brand01").footerText).toMatch(/^1999-2022 .* all rights reserved$/);
  expect(of("brand02").footerText).toMatch(/ all rights reserved$/);
  expect(of("brand03").footerText).toMatch(/有限公司$/);
  expect([...brands.values()].filter((b) => b.hideHelp).map((b) => b.key)).toEqual(["brand05"]);
  expect([...brands.values()].filter((b) => b.passwordHashTimes === 2).map((b) => b.key)).toEqual([
    "brand06",
  ]);
  expect([...brands.values()].filter((b) => !b.showChangePhone).map((b) => b.key)).toEqual(["brand07"]);
  expect([...brands.values()].filter((b) => b.helpUrl).map((b) => b.key)).toEqual(["brand08"]);
  expect([...brands.values()].filter((b) => b.allowRegister).map((b) => b.key)).toEqual(["brand09"]);
  expect(of("brand10").headerTitle).toMatch(/^\p{Script=Han}+$/u);
  expect(of("brand11").slogan).not.toBe(standard.slogan);
  const bases = [...brands.values()].map((b) => b.apiBase);
  expect(new Set(bases).size).toBe(brands.size);
});
