import { expect, test } from "vitest";
import { blocksOf, cleaned, plainOf } from "./announcement.rules.ts";

test("of a pasted page words, bold, lists and links stay, and nothing that runs or loads", () => {
  const page = `<h1>通知</h1><p onclick="x()">请<strong>携带</strong>证件<br>准时到场</p>
    <ul><li>一楼</li><li>二楼</li></ul><a href="https://example.com/a?b=1" onmouseover="x()">详情</a>
    <a href="javascript:x()">点我</a><img src=x onerror=x()><svg><script>x()</script></svg><iframe src="//x">`;
  const kept = cleaned(page);
  expect(kept).not.toMatch(/<|onclick|javascript|onerror|iframe/);
  expect(kept).toContain("请**携带**证件\n准时到场");
  expect(kept).toContain("- 一楼");
  expect(kept).toContain("[详情](https://example.com/a?b=1)");
  expect(kept).toContain("点我");
});

test("tags within tags leave none, and a plain comparison stays as it was typed", () => {
  expect(cleaned("<scr<script>x</script>ipt>y</script>")).not.toContain("<");
  expect(cleaned("温度 < 5 且 > 0")).toBe("温度 < 5 且 > 0");
});

test("blocks: paragraphs, lists, bold and links to the web alone", () => {
  expect(blocksOf("你好 **大家**\n- 一\n- [二](https://a.cn)\n[三](javascript:x)")).toEqual([
    { kind: "text", inlines: [{ text: "你好 " }, { text: "大家", bold: true }] },
    { kind: "list", items: [[{ text: "一" }], [{ text: "二", href: "https://a.cn" }]] },
    { kind: "text", inlines: [{ text: "[三](javascript:x)" }] },
  ]);
  expect(plainOf("**大家**看[这里](https://a.cn)")).toBe("大家看这里");
});
