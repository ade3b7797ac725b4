import { expect, test } from "vitest";
import type { Block } from "../../system/paper/block.rules.ts";
import { defaultText } from "../template/default-text.rules.ts";
import { cleaned } from "../template/html.rules.ts";
import { paperIn } from "../template/blocks.rules.ts";
import { docKindOf } from "../template/doc-kind.rules.ts";
import type { Sample } from "../template/template.rules.ts";
import { leasePaper, type PaperFacts } from "./paper.rules.ts";
import { specimen } from "./specimen.rules.ts";
import { leaseContent, missingIn, valuesOf } from "./values.rules.ts";

const field = (name: string, anchor = "") =>
  `<span data-field="${name}"${anchor && ` data-anchor="${anchor}"`}></span>`;
const paper = (html: string, facts = specimen("renter"), head = "", foot = "") =>
  paperIn({ pieces: cleaned(html).pieces, head, foot }, leaseContent(facts));
const blocks = (html: string, facts?: PaperFacts) => paper(html, facts).blocks;
const said = (block: Block): string =>
  block.kind === "rich"
    ? block.runs.map((run) => run.text).join("")
    : "text" in block
      ? block.text
      : block.kind;

test("amounts stand in figures and in capitals", () => {
  const html = `<p>月租金 ${field("月租金")} 元（大写：${field("月租金大写")}），押金 ${field("押金大写")}</p>`;
  expect(blocks(html).map(said)).toEqual(["月租金 3,500.00 元（大写：叁仟伍佰元整），押金 叁仟伍佰元整"]);
  const { texts } = valuesOf(specimen("renter"));
  expect(texts).toMatchObject({
    开业日: "无",
    开票抬头: "无",
    每月费用合计: "150.00",
    每月费用合计大写: "壹佰伍拾元整",
    签约应收: "14,450.00",
    付款方式: "押一付三",
    租期: "24 个月",
  });
  expect(valuesOf(specimen("company")).texts["月租金"]).toBe("84,000.00");
});

test("a block under a condition is printed only then", () => {
  const html =
    '<div data-if="有免租"><p>免租</p><div data-if="有递增"><p>且递增</p></div></div><div data-if="无费用"><p>无</p></div>';
  expect(blocks(html, specimen("company")).map(said)).toEqual(["免租", "且递增", "无"]);
  expect(blocks(html, specimen("renter")).map(said)).toEqual([]);
  const { texts } = valuesOf(specimen("merchant"));
  expect([texts["开业日"], texts["开票抬头"]]).toEqual(["2026-02-01", "（样例抬头）"]);
  expect(valuesOf(specimen("merchant")).holds).toMatchObject({
    按营业额: true,
    有开业日: true,
    多个房间: false,
    有费用: true,
  });
  expect(valuesOf(specimen("company")).holds).toMatchObject({
    多个房间: true,
    有押金: true,
    无押金: false,
    有开业日: false,
    有补充约定: true,
    有监护人: false,
  });
  const free = specimen("renter");
  const none = { ...free, plan: { ...free.plan, totals: { ...free.plan.totals, deposit: 0 } } };
  expect(valuesOf(none).holds).toMatchObject({ 有押金: false, 无押金: true });
});

test("clauses are numbered after their anchor, one paragraph each", () => {
  const { clauses } = valuesOf(specimen("renter"));
  const numbered = clauses["违约条款"].map((text, i) => `6.${i + 1} ${text}`);
  expect(blocks(`<p>${field("违约条款", "6")}</p>`).map(said)).toEqual(numbered);
  expect(blocks(`<p data-anchor="6">${field("违约条款")}</p>`).map(said)).toEqual(numbered);
  expect(blocks(`<p>${field("押金条款")}</p>`).map(said)).toEqual(clauses["押金条款"]);
  expect(blocks('<p data-anchor="7.1">其他</p>').map(said)).toEqual(["7.1 其他"]);
  expect(blocks('<h2 data-anchor="七">违约</h2>')).toEqual([{ kind: "heading", text: "违约" }]);
});

test("places to sign stand side by side, the seam on every page", () => {
  const html = `<p>${field("企业印章")}${field("客户签字")}${field("骑缝章")}</p>`;
  expect(blocks(html)).toEqual([
    {
      kind: "signatures",
      sides: [
        { role: "甲方（盖章）", name: "（样例企业）" },
        { role: "乙方（签字）", name: "（样例租客）" },
      ],
      date: "",
    },
  ]);
  expect(paper(html).seam).toBe(true);
  expect(paper("<p>甲</p>").seam).toBe(false);
});

test("head, foot and marks: fields filled in, the hash of the preview always there", () => {
  const drawn = paper("<p>甲</p>", specimen("renter"), "{企业名称} {没有}", "第 {房间数} 间");
  expect(drawn).toMatchObject({
    head: "（样例企业） {没有}",
    foot: ["HT（样例）　试算校验 0000000000000000", "第 1 间"],
    mark: "草稿",
  });
  const signed = { ...specimen("renter"), signedOn: "2026-01-01", state: "effective" as const };
  expect(paper("<p>甲</p>", signed).mark).toBe("");
});

test("words keep weight, alignment and lists; cells are one text", () => {
  expect(
    blocks(
      '<p align="right">一<b>二</b>三</p><ul><li>甲</li></ul><ol><li>乙</li><li>丙</li></ol><table><tr><th>头</th><td align="center">1<br>2</td></tr></table><hr><h1>题</h1><p></p>',
    ),
  ).toEqual([
    {
      kind: "rich",
      runs: [
        { text: "一", strong: false },
        { text: "二", strong: true },
        { text: "三", strong: false },
      ],
      align: "right",
    },
    { kind: "rich", runs: [{ text: "甲", strong: false }], indent: 18, mark: "•" },
    { kind: "rich", runs: [{ text: "乙", strong: false }], indent: 18, mark: "1." },
    { kind: "rich", runs: [{ text: "丙", strong: false }], indent: 18, mark: "2." },
    {
      kind: "grid",
      rows: [
        [
          { text: "头", strong: true },
          { text: "1\n2", strong: false, align: "center" },
        ],
      ],
    },
    { kind: "break" },
    { kind: "title", text: "题" },
    { kind: "rich", runs: [] },
  ]);
});

test("tables that have no rows are left out", () => {
  const html =
    '<div data-table="费用表"></div><div data-table="入住人表"></div><div data-table="房间表"></div>';
  expect(blocks(html, specimen("company")).map((b) => b.kind)).toEqual(["table", "table"]);
  const rooms = blocks('<div data-table="房间表"></div>', specimen("company"))[0]!;
  expect(rooms).toMatchObject({ sums: ["", "合计", "", "84,000.00"] });
  expect(rooms.kind === "table" && rooms.rows).toHaveLength(30);
});

test("the built-in text says what the built-in paper says, clause by clause", () => {
  for (const sample of ["renter", "company", "merchant"] as Sample[]) {
    const facts = specimen(sample);
    const mine = blocks(defaultText(docKindOf(facts.kind)), facts)
      .map(said)
      .join("\n");
    for (const block of leasePaper(facts).blocks)
      if (block.kind === "text" && !/^7\./.test(block.text)) expect(mine).toContain(block.text);
  }
});

test("fields that are left to be written by hand are named", () => {
  const facts = specimen("renter");
  const bare = { ...facts, lessee: { ...facts.lessee, phone: "" } };
  expect(missingIn(bare, ["客户电话", "月租金", "账单表"])).toEqual(["客户电话"]);
  expect(missingIn(facts, ["客户电话"])).toEqual([]);
});
