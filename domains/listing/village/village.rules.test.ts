import { expect, test } from "vitest";
import { PICTURE_TYPES } from "./village.rules.ts";

test("pictures of a village are of four kinds, numbered from 0", () => {
  expect(Object.entries(PICTURE_TYPES)).toEqual([
    ["0", "公共区域"],
    ["1", "室内"],
    ["2", "户型图"],
    ["3", "周边环境"],
  ]);
});
