import { expect, test } from "vitest";
import { ACTIONS } from "../../../platform/kernel/call.ts";
import { ACTION_WORDS } from "./function.rules.ts";

test("there are nine actions, each with its label", () => {
  expect(ACTIONS.map((action) => [action, ACTION_WORDS[action]])).toEqual([
    ["add", "新增"],
    ["delete", "删除"],
    ["edit", "编辑"],
    ["query", "查询"],
    ["get", "详情"],
    ["enable", "启用"],
    ["disable", "停用"],
    ["import", "导入"],
    ["export", "导出"],
  ]);
});
