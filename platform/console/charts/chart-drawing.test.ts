import { expect, test } from "vitest";
import { highest, shades } from "./chart-drawing.ts";

const rates = (target?: number) => [{ name: "出租率", values: [], ...(target !== undefined && { target }) }];

test("an axis ends where its values do, unless a target lies above them", () => {
  expect(highest({ series: rates() }, { min: 0.5, max: 0.7 })).toBeNull();
  expect(highest({ series: rates(0.6) }, { min: 0.5, max: 0.7 })).toBeNull();
  expect(highest({ series: rates(0.8) }, { min: 0.4, max: 0.7 })).toBeCloseTo(0.9);
});

test("nothing is drawn above what no value can pass", () => {
  expect(highest({ series: rates(0.95), most: 1 }, { min: 0.82, max: 0.99 })).toBe(1);
  expect(highest({ series: rates(0.95), most: 1 }, { min: 0.93, max: 0.94 })).toBeCloseTo(0.955);
  expect(highest({ series: rates(), most: 1 }, { min: 0.5, max: 0.6 })).toBeNull();
});

test("parts that are no states get shades of grey, each its own", () => {
  expect(shades("#000000", "#ffffff", 3)).toEqual(["#000000", "#808080", "#ffffff"]);
  expect(shades("#102030", "#102030", 1)).toEqual(["#102030"]);
  expect(new Set(shades("#4e5665", "#e3e6ec", 8)).size).toBe(8);
});
