import { expect, test } from "vitest";
import { defaultText } from "./default-text.rules.ts";
import { DOC_KINDS, type DocKind, isSigned } from "./doc-kind.rules.ts";
import { cleaned } from "./html.rules.ts";
import {
  anchorOf,
  anchorsIn,
  changesIn,
  differences,
  linesOf,
  namesUsed,
  publishErrors,
} from "./template.rules.ts";

const KINDS = Object.keys(DOC_KINDS) as DocKind[];
const pieces = (html: string) => cleaned(html).pieces;
const field = (name: string) => `<span data-field="${name}"></span>`;
const SIGNED = `<p>${field("客户签字")}</p>`;
const errors = (html: string, head = "", foot = "") =>
  publishErrors("renterContract", pieces(html), head, foot);

test("the built-in texts can be published", () => {
  for (const kind of KINDS)
    expect(publishErrors(kind, pieces(defaultText(kind)), "{合同编号}", "{企业名称}"), kind).toEqual([]);
});

test("an unknown field is named wherever it stands", () => {
  expect(errors(SIGNED + field("月租"))).toEqual(["模板字段 月租 不存在"]);
  expect(errors(`${SIGNED}<div data-table="流水表"></div>`)).toEqual(["模板字段 流水表 不存在"]);
  expect(errors(`${SIGNED}<div data-if="有车位"><p>x</p></div>`)).toEqual(["模板字段 有车位 不存在"]);
  expect(errors(SIGNED, "{编号}", "{租金条款}")).toEqual([
    "模板字段 编号 不存在",
    "模板字段 租金条款 不存在",
  ]);
  // a table is no field, a field no condition
  expect(errors(SIGNED + field("账单表"))).toEqual(["模板字段 账单表 不存在"]);
  expect(errors(`${SIGNED}<div data-table="月租金"></div>`)).toEqual(["模板字段 月租金 不存在"]);
});

test("the customer signs somewhere, whatever the contract says", () => {
  expect(errors("<p>甲</p>")).toEqual(["缺少客户签字位置"]);
  expect(errors(`<div data-if="有免租">${SIGNED}</div>`)).toEqual(["缺少客户签字位置"]);
  expect(errors(SIGNED)).toEqual([]);
  expect(errors("")).toEqual(["模板没有内容"]);
});

test("only what is presented for electronic signing asks for a place to sign; each kind knows its own fields", () => {
  const said = (kind: DocKind, html: string) => publishErrors(kind, pieces(html), "", "");
  expect(said("renewal", "<p>甲</p>")).toEqual(["缺少客户签字位置"]);
  expect(said("renewal", `${SIGNED}${field("原合同编号")}`)).toEqual([]);
  expect(errors(`${SIGNED}${field("原合同编号")}`)).toEqual(["模板字段 原合同编号 不存在"]);
  for (const kind of KINDS.filter((k) => !isSigned(k))) expect(said(kind, "<p>甲</p>"), kind).toEqual([]);
  expect(said("changeTenant", "<p>甲</p>")).toEqual(["缺少客户签字位置", "缺少新客户签字位置"]);
  expect(said("changeTenant", SIGNED)).toEqual(["缺少新客户签字位置"]);
  expect(said("supplement", `${SIGNED}${field("变更条款")}${field("结算金额")}`)).toEqual([
    "模板字段 结算金额 不存在",
  ]);
  expect(said("lendSlip", `${field("客户签字")}<div data-if="有押金"><p>x</p></div>`)).toEqual([
    "模板字段 客户签字 不存在",
    "模板字段 有押金 不存在",
  ]);
  // what every object has is no name of a palette
  const inherited = `${field("constructor")}<div data-if="toString"><p>x</p></div><div data-table="valueOf"></div>`;
  for (const kind of KINDS)
    expect(said(kind, SIGNED + inherited), kind).toEqual(
      expect.arrayContaining(["constructor", "toString", "valueOf"].map((name) => `模板字段 ${name} 不存在`)),
    );
});

test("what is longer than a line does not stand in a table, and a number names one clause", () => {
  expect(
    errors(`${SIGNED}<table><tr><td>${field("违约条款")}${field("企业印章")}</td></tr></table>`),
  ).toEqual(["违约条款 不能放在表格里", "企业印章 不能放在表格里"]);
  expect(errors(`${SIGNED}<p data-anchor="6.1">甲</p><p data-anchor="6.1">乙</p>`)).toEqual([
    "条款编号 6.1 重复",
  ]);
  expect(
    anchorsIn(
      pieces('<p data-anchor="6.1">甲</p><p><span data-field="违约条款" data-anchor="7"></span></p>'),
    ),
  ).toEqual(["6.1", "7"]);
});

test("a field is cited by its own number, else by that of what it stands in", () => {
  const cited = (html: string) => anchorOf(pieces(html), "违约条款");
  expect(cited('<p data-anchor="6"><span data-field="违约条款" data-anchor="7"></span></p>')).toBe("7");
  expect(cited(`<p data-anchor="5">甲</p><p data-anchor="6"><b>${field("违约条款")}</b></p>`)).toBe("6");
  expect(cited(`<p data-anchor="6">甲</p><p>${field("违约条款")}</p>`)).toBe("");
  expect(cited('<p data-anchor="6">甲</p>')).toBe("");
});

test("names are gathered once, with those of head and foot", () => {
  const text = pieces(`${SIGNED}<div data-if="有免租"><p>${field("租期")}${field("租期")}</p></div>`);
  expect(namesUsed(text, "{合同编号}", "{租期}")).toEqual(["客户签字", "有免租", "租期", "合同编号"]);
});

test("a text reads as lines", () => {
  const html = `<h1>合同</h1><p data-anchor="6.1">付<b>款</b>${field("月租金")}<br>止</p><ol><li>甲</li><li>乙</li></ol><ul><li>丙</li></ul>
    <table><tr><td>1</td><td>2</td></tr></table><div data-if="有免租"><p>免</p></div><div data-table="账单表"></div><hr><p></p>`;
  expect(linesOf(pieces(html))).toEqual([
    "合同",
    "6.1 付款{月租金} 止",
    "1. 甲",
    "2. 乙",
    "• 丙",
    "1 | 2",
    "如有免租：免",
    "{账单表}",
    "（分页）",
  ]);
});

test("differences: kept lines stay in their order, a changed one is taken out and put in", () => {
  const told = (a: string, b: string) =>
    differences([...a], [...b])
      .map(({ kind, text }) => ({ same: " ", added: "+", removed: "-" })[kind] + text)
      .join("");
  expect(told("abc", "abc")).toBe(" a b c");
  expect(told("abc", "axc")).toBe(" a-b+x c");
  expect(told("abc", "abxc")).toBe(" a b+x c");
  expect(told("abc", "ac")).toBe(" a-b c");
  expect(told("abcd", "bxda")).toBe("-a b-c+x d+a");
  expect(told("", "ab")).toBe("+a+b");
  expect(told("ab", "")).toBe("-a-b");
  expect(told("aa", "a")).toBe(" a-a");
});

test("of a long text the changed lines are shown with two around them, the others counted", () => {
  const shown = (a: string, b: string) =>
    changesIn(differences([...a], [...b]))
      .map((l) => (l.kind === "skipped" ? `(${l.lines})` : l.text))
      .join("");
  expect(shown("abcdefgh", "abcdXfgh")).toBe("(2)cdeXfg(1)");
  expect(shown("abcdefgh", "Xbcdefgh")).toBe("aXbc(5)");
  expect(shown("abcdefgh", "abcdefgX")).toBe("(5)fghX");
  expect(shown("abc", "abc")).toBe("(3)");
});
