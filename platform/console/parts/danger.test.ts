import { expect, test } from "vitest";
import { dangerous } from "./danger.ts";

test("leaving and undoing are never the blue button, saving and paying are", () => {
  for (const verb of [
    "离开",
    "冲销",
    "作废",
    "确认作废",
    "删除",
    "停用",
    "撤销分配",
    "驳回",
    "没收 500.00",
    "核销",
    "确认搬离",
  ])
    expect(dangerous(verb), verb).toBe(true);
  for (const verb of ["保存", "确定", "收款", "确认收款", "启用", "提交", "通过", "取消"])
    expect(dangerous(verb), verb).toBe(false);
});
