import { describe, expect, test } from "vitest";
import { blockErrors, plainBlocks, plainText, type Block } from "./block.rules.ts";

describe("a text", () => {
  test.each([
    ["<script>alert(1)</script>欢迎入住", "欢迎入住"],
    ["<p>第一段</p><p>第二段</p>", "第一段\n第二段"],
    ['<a href="https://a.example">物业</a>电话', "物业电话"],
    ["<scr<script></script>ipt>alert(1)</script>好", "alert(1)好"],
    ['<img src=x onerror="alert(1)">图', "图"],
    ["**加粗** 的字", "加粗 的字"],
  ])("%s keeps its words", (typed, kept) => expect(plainText(typed)).toBe(kept));

  test("is plain in every block", () => {
    const bad = "<b onclick=x>好</b>";
    const blocks: Block[] = [
      { kind: "heading", text: bad, level: 1 },
      { kind: "image", fileId: 1, alt: bad },
      { kind: "gallery", images: [{ fileId: 1, alt: bad }] },
      { kind: "button", label: bad, to: { kind: "phone", phone: "13800001234" } },
      { kind: "contact", name: bad, phone: "", hours: bad, address: bad },
    ];
    expect(JSON.stringify(plainBlocks(blocks))).not.toMatch(/[<>]|onclick/);
  });
});

const button = (to: Extract<Block, { kind: "button" }>["to"], label = "去看看"): Block => ({
  kind: "button",
  label,
  to,
});

test.each<[string, Block, string]>([
  ["an empty text", { kind: "text", text: " " }, "第1个区块没有内容"],
  [
    "a script as an address",
    button({ kind: "url", url: "javascript:alert(1)" }),
    "第1个区块的链接须为 https 地址",
  ],
  [
    "an address without a lock",
    button({ kind: "url", url: "http://a.example" }),
    "第1个区块的链接须为 https 地址",
  ],
  [
    "a name in an address",
    button({ kind: "url", url: "https://a@b.example" }),
    "第1个区块的链接须为 https 地址",
  ],
  ["no phone number", button({ kind: "phone", phone: "110" }), "第1个区块的电话格式不正确"],
  ["a button without words", button({ kind: "url", url: "https://a.example" }, " "), "第1个区块没有按钮文字"],
  ["an empty gallery", { kind: "gallery", images: [] }, "第1个区块没有图片"],
  [
    "a contact without a name",
    { kind: "contact", name: "", phone: "", hours: "", address: "" },
    "第1个区块没有联系人",
  ],
])("%s is not published", (_what, block, sentence) =>
  expect(blockErrors("page", [block])).toEqual([{ field: "blocks.0", msg: sentence }]),
);

test("a page has content, and at most 50 blocks; an agreement only words", () => {
  expect(blockErrors("page", [])[0]?.msg).toBe("请先添加内容");
  expect(
    blockErrors(
      "page",
      Array.from({ length: 51 }, () => ({ kind: "divider" as const })),
    )[0]?.msg,
  ).toBe("最多50个区块");
  const picture: Block = { kind: "image", fileId: 1, alt: "" };
  expect(blockErrors("page", [picture])).toEqual([]);
  expect(blockErrors("agreement", [{ kind: "divider" }, picture])[0]?.msg).toMatch(/^第2个区块不能用于协议/);
});
