import { expect, test } from "vitest";
import { found, leavesOf, tickedOf, tickOf, treeOf, type Pickable } from "./chosen.rules.ts";

const nodes: Pickable[] = [
  { key: "50", parentKey: null, level: "1", name: "运营管理" },
  { key: "54", parentKey: "50", level: "2", name: "报修管理" },
  { key: "54.query", parentKey: "54", level: "3", name: "查询" },
  { key: "54.add", parentKey: "54", level: "3", name: "新增" },
  { key: "#5401", parentKey: "54", level: "3", name: "维修费用确认" },
  { key: "90001", parentKey: "50", level: "2", name: "合作商城" },
];
const tree = treeOf(nodes);

test("what can be ticked are actions, codes and links", () => {
  expect(leavesOf(tree[0]!)).toEqual(["54.query", "54.add", "#5401", "90001"]);
  expect(tickedOf(tree, ["50", "54", "54.add", "90001", "gone"])).toEqual(["54.add", "90001"]);
});

test("a page is ticked when all below it is, and half when some is", () => {
  const page = leavesOf(tree[0]!.below[0]!);
  expect(tickOf(page, new Set())).toBe("none");
  expect(tickOf(page, new Set(["54.add"]))).toBe("some");
  expect(tickOf(page, new Set(page))).toBe("all");
});

test("a search keeps the way to what it finds, by name or by code", () => {
  expect(found(tree, "费用").flatMap(leavesOf)).toEqual(["#5401"]);
  expect(found(tree, "报修").flatMap(leavesOf)).toEqual(["54.query", "54.add", "#5401"]);
  expect(found(tree, "9000").flatMap(leavesOf)).toEqual(["90001"]);
  expect(found(tree, "没有")).toEqual([]);
});
