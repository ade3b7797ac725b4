import { expect, test } from "vitest";
import { barsOf } from "./pdf-code.ts";

test("dark squares side by side are one bar", () => {
  expect(barsOf([true, true, false, true])).toEqual([
    { from: 0, length: 2 },
    { from: 3, length: 1 },
  ]);
  expect(barsOf([false])).toEqual([]);
});
