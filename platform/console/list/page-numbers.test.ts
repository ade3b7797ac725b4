import { expect, test } from "vitest";
import { lastPage, pageNumbers, pageWithin } from "./page-numbers.ts";

test("first, last and the neighbours; a gap is 0, and never hides a single page", () => {
  expect(pageNumbers(1, 3)).toEqual([1, 2, 3]);
  expect(pageNumbers(1, 20)).toEqual([1, 2, 3, 4, 0, 20]);
  expect(pageNumbers(10, 20)).toEqual([1, 0, 9, 10, 11, 0, 20]);
  expect(pageNumbers(20, 20)).toEqual([1, 0, 17, 18, 19, 20]);
  expect(pageNumbers(4, 7)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(pageNumbers(1, 1)).toEqual([1]);
});

test("where rows have gone, the last page there is stands for the one that was chosen", () => {
  expect([0, 1, 20, 21, 40].map((total) => lastPage(total, 20))).toEqual([1, 1, 1, 2, 2]);
  const third = { pageNo: 3, pageSize: 20 };
  expect([41, 40, 20, 0].map((total) => pageWithin(total, third))).toEqual([3, 2, 1, 1]);
  expect(pageWithin(200, { pageNo: 2, pageSize: 100 })).toBe(2);
});
