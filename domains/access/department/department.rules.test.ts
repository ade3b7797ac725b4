import { describe, expect, test } from "vitest";
import { inReadingOrder, whyNotBelow, withBelow } from "./department.rules.ts";

const tree = [
  { id: 1, parentId: null },
  { id: 2, parentId: null },
  { id: 3, parentId: 1 },
  { id: 4, parentId: 3 },
];

test("a tree reads from the top, each department before those below it", () => {
  expect(inReadingOrder(tree).map((d) => [d.id, d.depth])).toEqual([
    [1, 0],
    [3, 1],
    [4, 2],
    [2, 0],
  ]);
  expect(withBelow(tree, 1)).toEqual([1, 3, 4]);
});

describe("a department goes", () => {
  test("neither below itself nor below one of its own", () => {
    expect(whyNotBelow(tree, 1, 1)).toBe("不能选择自身或下级部门");
    expect(whyNotBelow(tree, 1, 4)).toBe("不能选择自身或下级部门");
    expect(whyNotBelow(tree, 3, 2)).toBeUndefined();
    expect(whyNotBelow(tree, 3, null)).toBeUndefined();
  });

  test("no deeper than eight levels, counted with what comes along", () => {
    const deep = Array.from({ length: 8 }, (_, i) => ({ id: i + 1, parentId: i || null }));
    expect(whyNotBelow(deep, 0, 8)).toBe("部门最多8级");
    expect(whyNotBelow(deep, 0, 7)).toBeUndefined();
    const two = [...deep.slice(0, 7), { id: 20, parentId: null }, { id: 21, parentId: 20 }];
    expect(whyNotBelow(two, 20, 7)).toBe("部门最多8级");
    expect(whyNotBelow(two, 20, 6)).toBeUndefined();
  });
});
