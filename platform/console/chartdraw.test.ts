import { expect, test } from "vitest";
import { highest } from "./chartdraw.ts";

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
