import { expect, test } from "vitest";
import { filled, strangePlaceholder, tileOf, widthOf } from "./watermark.rules.ts";

const by = {
  realName: "张三",
  phoneTail: "1234",
  account: "zhangsan",
  date: "2026-11-20",
  brand: "智慧公寓",
};

test("variables are filled, other text stays", () => {
  expect(filled("{realName} {phoneTail} 内部资料", by)).toBe("张三 1234 内部资料");
  expect(strangePlaceholder("{realName} {toString}")).toBe("{toString}");
  expect(strangePlaceholder("无变量 {date}")).toBeUndefined();
});

test("a tile is wide enough for its text, turned as told, and nothing in the text is markup", () => {
  const tile = tileOf({ text: "张三<b>&", opacity: 12, angle: -22, gap: 120 });
  expect(tile).toContain("rotate(-22 ");
  expect(tile).toContain('fill-opacity="0.12"');
  expect(tile).toContain("张三&#60;b&#62;&#38;");
  expect(widthOf("张三")).toBe(28);
});
