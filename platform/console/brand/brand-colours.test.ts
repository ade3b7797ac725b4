import { expect, test } from "vitest";
import { contrast } from "../../kernel/texts/colour.ts";
import { linkOf, mixed } from "./brand-colours.ts";

const BRANDS = [
  "#5587FF",
  "#1677C8",
  "#A8232B",
  "#0E7C66",
  "#E7AA4D",
  "#3B5BDB",
  "#6741D9",
  "#0B7285",
  "#237032",
  "#C2410C",
  "#495057",
  "#9C36B5",
];

test("links of every brand can be read in both themes", () => {
  for (const colour of BRANDS) {
    expect(contrast(linkOf(colour, false), "#FFFFFF")).toBeGreaterThanOrEqual(4.5);
    expect(contrast(linkOf(colour, true), "#151920")).toBeGreaterThanOrEqual(4.5);
  }
});

test("a mixture lies between", () => {
  expect(mixed("#000000", "#ffffff", 0.5)).toBe("#808080");
  expect(mixed("#123456", "#ffffff", 1)).toBe("#123456");
});
