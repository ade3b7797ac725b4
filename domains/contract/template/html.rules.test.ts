import { expect, test } from "vitest";
import { defaultText } from "./default-text.rules.ts";
import { DOC_KINDS, type DocKind } from "./doc-kind.rules.ts";
import { cleaned, HTML_MAX, plainWrong } from "./html.rules.ts";

const html = (typed: string) => {
  const { wrong, html: clean } = cleaned(typed);
  expect(wrong).toBeUndefined();
  // what was cleaned once stays as it is
  expect(cleaned(clean).html).toBe(clean);
  return clean;
};
const wrong = (typed: string) => cleaned(typed).wrong;
const field = (name: string) => `<span data-field="${name}"></span>`;

test("what a contract is written with stays: headings, paragraphs, lists, tables, bold, alignment, page breaks", () => {
  const kept =
    '<h1>合同</h1><h2 data-anchor="6">违约</h2><p align="center">居<b>中</b><br>二</p><ul><li>甲</li></ul><ol><li>乙</li></ol>' +
    '<table><tr><th>丙</th><td align="right">丁</td></tr></table><hr>';
  expect(html(kept)).toBe(kept);
  expect(cleaned(kept).removed).toEqual([]);
});

test("fields, tables and conditions stay by their names; what they show while edited does not", () => {
  const typed =
    '<p>甲<span class="chip" data-field="客户名称">客户<b>名</b>称</span>乙</p><div data-if="有免租"><p>免</p></div><div data-table="账单表"><p>账单</p></div><p>后</p>';
  expect(html(typed)).toBe(
    `<p>甲${field("客户名称")}乙</p><div data-if="有免租"><p>免</p></div><div data-table="账单表"></div><p>后</p>`,
  );
  expect(html('<p><span data-field="租金条款" data-anchor="3"></span></p>')).toBe(
    '<p><span data-field="租金条款" data-anchor="3"></span></p>',
  );
  expect(html('<p data-anchor="6 1">x</p>')).toBe("<p>x</p>");
  expect(html('<p data-anchor="1234567890">x</p>')).toContain("data-anchor");
  expect(html('<p data-anchor="12345678901">x</p>')).toBe("<p>x</p>");
  expect(wrong('<p><span data-field="a b">x</span></p>')).toBe("模板字段“a b”的名称不正确");
});

test("a script, an outside picture, a style with an address and a frame are taken out, and named", () => {
  const typed =
    '<p onclick="x()" style="background:url(http://evil.test/a.png)">甲<img src="http://evil.test/b.png" onerror="x()"></p>' +
    '<script src="http://evil.test/c.js">alert("<p>1</p>")</script><style>@import url(http://evil.test/d.css);</style>' +
    '<iframe src="http://evil.test"></iframe><svg><p>no</p></svg><a href="javascript:x()">乙</a><link rel="stylesheet" href="//evil.test"><object data="x">丙</object>';
  const { html: clean, removed } = cleaned(typed);
  expect(clean).toBe("<p>甲</p><p>乙</p>");
  expect(removed.toSorted()).toEqual(["a", "iframe", "img", "link", "object", "script", "style", "svg"]);
});

test("nothing typed becomes a tag on the way through", () => {
  expect(html("<p>&lt;script&gt;1 &amp; 2&lt;/script&gt; &#60;b&#x3e;&nbsp;&quot;</p>")).toBe(
    "<p>&lt;script&gt;1 &amp; 2&lt;/script&gt; &lt;b&gt; &quot;</p>",
  );
  expect(html("<p>1<2 与 3>2 &unknown; &#xd800;&#x110000;</p>")).toBe(
    "<p>1&lt;2 与 3&gt;2 &amp;unknown; </p>",
  );
  expect(html("<scr<script>ipt>alert(1)</script><p>后</p>")).not.toContain("<scr");
  expect(html("<p>甲<!-- <p>乙 --><!doctype html><?php 丙 ?>丁")).toBe("<p>甲丁</p>");
  expect(html('<p title="<b>">甲')).toBe("<p>甲</p>");
  expect(html("<p>甲<b")).toBe("<p>甲</p>");
  expect(html("<p>甲\u0000\u0007乙\u202e</p>")).toBe("<p>甲乙</p>");
});

test("what a browser or an office program writes becomes plain paragraphs", () => {
  expect(html("散文字<div>一</div><div><div>二</div></div>")).toBe("<p>散文字</p><p>一</p><p></p><p>二</p>");
  expect(html('<h4>三</h4><font color="red"><strong>四</strong></font>')).toBe("<h3>三</h3><p><b>四</b></p>");
  expect(html("<ul><li>甲<ul><li>乙</ul><li>丙</ul>丁")).toBe(
    "<ul><li>甲</li><li>乙</li><li>丙</li></ul><p>丁</p>",
  );
  expect(html("<table><thead><tr><td>1<td><p>2</p><p>3</p></td></tr></thead>x</table>y")).toBe(
    "<table><tr><td>1</td><td>2<br>3</td></tr></table><p>y</p>",
  );
  expect(html("<td>甲</td><li>乙</li><tr>")).toBe("<p>甲</p><p>乙</p>");
  expect(html('<p style="text-align: right">甲</p><p style="text-align:justify">乙</p>')).toBe(
    '<p align="right">甲</p><p>乙</p>',
  );
});

test("a table inside a table, and blocks inside cells, are refused", () => {
  expect(wrong("<table><tr><td><table>")).toBe("表格里不能再放表格");
  const no = "数据表、条件块和分页不能放在表格或列表里";
  expect(wrong('<table><tr><td><div data-table="账单表">')).toBe(no);
  expect(wrong('<ul><li><div data-if="有免租">')).toBe(no);
  expect(wrong("<table><tr><td><hr>")).toBe(no);
});

test("an endless, deep or huge text is refused with its bound", () => {
  expect(wrong("<b>".repeat(37) + "x")).toBeUndefined();
  const deep = "模板嵌套过深，最多 40 层";
  expect(wrong("<p>" + "<span>".repeat(39) + "x")).toBeUndefined();
  expect(wrong("<p>" + "<span>".repeat(40) + "x")).toBe(deep);
  expect(wrong('<div data-if="有免租">'.repeat(41))).toBe(deep);

  const rows = "表格最多 200 行、10 列";
  expect(wrong(`<table>${"<tr><td>1</td></tr>".repeat(200)}</table>`)).toBeUndefined();
  expect(wrong(`<table>${"<tr><td>1</td></tr>".repeat(201)}</table>`)).toBe(rows);
  expect(wrong(`<table><tr>${"<td>1</td>".repeat(10)}</table>`)).toBeUndefined();
  expect(wrong(`<table><tr>${"<td>1</td>".repeat(11)}</table>`)).toBe(rows);

  expect(wrong("<br>".repeat(6000))).toBeUndefined();
  expect(wrong("<br>".repeat(6001))).toBe("模板内容过多，最多 6000 个元素");
  expect(wrong("字".repeat(60_000))).toBeUndefined();
  expect(wrong("字".repeat(60_001))).toBe("模板文字过多，最多 60000 个字");
  const filler = `<p title="${"x".repeat(HTML_MAX - 20)}">甲</p>`;
  expect(wrong(filler.padEnd(HTML_MAX, " "))).toBeUndefined();
  expect(wrong(filler.padEnd(HTML_MAX + 1, " "))).toBe("模板内容过大，最多 100KB");
});

test("plain text that is pasted has the same limits, a paragraph a line, and may say anything", () => {
  expect(plainWrong("<b>不是标签</b> & <table>".repeat(20))).toBeUndefined();
  expect(plainWrong("字".repeat(60_000))).toBeUndefined();
  expect(plainWrong("字".repeat(60_001))).toBe("模板文字过多，最多 60000 个字");
  expect(plainWrong("甲\n".repeat(5999))).toBeUndefined();
  expect(plainWrong("甲\n".repeat(6000))).toBe("模板内容过多，最多 6000 个元素");
  const start = performance.now();
  expect(plainWrong("条款\n".repeat(3_000_000))).toBe("模板内容过大，最多 100KB");
  expect(performance.now() - start).toBeLessThan(500);
});

test("the same field or table again and again is refused: each is as long as the contract makes it", () => {
  expect(wrong(field("房间").repeat(20))).toBeUndefined();
  expect(wrong(field("房间").repeat(21))).toBe("“房间”在模板中最多出现 20 次");
  expect(wrong('<div data-table="账单表"></div>'.repeat(3))).toBeUndefined();
  expect(wrong('<div data-table="账单表"></div>'.repeat(4))).toBe("“账单表”在模板中最多出现 3 次");
  expect(wrong('<div data-if="有免租"><p>x</p></div>'.repeat(30))).toBeUndefined();
});

test("whatever is read takes time in proportion to its length", () => {
  for (const part of ["<", "<!--", "</b>", "<b", "<p a=", "&#x", "<script>", '<p a="', "<table>", "</"]) {
    const start = performance.now();
    cleaned(part.repeat(Math.floor(HTML_MAX / part.length)));
    expect(performance.now() - start, part).toBeLessThan(500);
  }
});

test("the built-in texts of every kind are clean", () => {
  for (const kind of Object.keys(DOC_KINDS) as DocKind[]) {
    const { html: clean, removed } = cleaned(defaultText(kind));
    expect(clean).toBe(defaultText(kind));
    expect(removed).toEqual([]);
  }
});
