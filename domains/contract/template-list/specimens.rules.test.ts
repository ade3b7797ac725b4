import { expect, test } from "vitest";
import { printed } from "../../system/paper/print.service.ts";
import { textOfPdf } from "../paper/paper.sample.ts";
import { blocksOf, paperIn } from "../template/blocks.rules.ts";
import { defaultText } from "../template/default-text.rules.ts";
import { DOC_KINDS, type DocKind } from "../template/doc-kind.rules.ts";
import { cleaned } from "../template/html.rules.ts";
import { paletteOf, SEAM } from "../template/palette.rules.ts";
import { SAMPLES, type Sample } from "../template/template.rules.ts";
import { specimenOf } from "./specimens.rules.ts";

const KINDS = Object.keys(DOC_KINDS) as DocKind[];
const EVERY = KINDS.flatMap((kind) =>
  (Object.keys(SAMPLES) as Sample[]).map((sample) => [kind, sample] as const),
);

test.each(EVERY)("every name that %s offers has its value, also for a %s", (kind, sample) => {
  const { texts, clauses, tables, signs, conditions } = paletteOf(kind);
  const { values } = specimenOf(kind, sample);
  for (const name of Object.values(texts).flat()) expect(values.texts[name], name).toMatch(/./);
  for (const name of clauses) expect(values.clauses[name]?.length, name).toBeGreaterThan(0);
  for (const name of tables)
    for (const row of values.tables[name]!.rows)
      expect(row, name).toHaveLength(values.tables[name]!.columns.length);
  for (const name of Object.keys(conditions)) expect(values.holds, name).toHaveProperty(name);
  for (const name of signs) if (name !== SEAM) expect(values.sides, name).toHaveProperty(name);
  // no table is wider than the paper between its margins
  for (const name of tables)
    expect(
      values.tables[name]!.columns.reduce((sum, c) => sum + c.width, 0),
      name,
    ).toBeLessThanOrEqual(496);
});

/** A sentence of each kind with its sums in words, as a reader's search finds it. */
const SAID: Partial<Record<DocKind, string[]>> = {
  renterContract: ["房屋租赁合同", "叁仟伍佰元整"],
  renewal: ["房屋租赁续租合同", "本合同为合同 HT（样例原合同） 的续租"],
  supplement: [
    "租赁合同补充协议",
    "自 2026-08-06 起，月租金由 3,500.00 元调整为 3,600.00 元。",
    "捌拾叁元捌角柒分",
  ],
  changeRoom: ["换房补充协议", "乙方应于签约当日支付甲方人民币 909.67 元（大写：玖佰零玖元陆角柒分）。"],
  changeTenant: ["转租补充协议", "丙方：（样例新客户）", "由丙方承接乙方的租赁"],
  settlementSheet: ["退房结算单", "经双方核对，甲方应退还乙方人民币 3,350.00 元（大写：叁仟叁佰伍拾元整）。"],
  handoverSheet: ["房屋交接单", "1024.50", "书桌", "轻微损坏"],
  receipt: ["收款收据", "今收到人民币 3,500.00 元（大写：叁仟伍佰元整）。", "其中 500.00 元转入预存款。"],
  dunningLetter: [
    "催缴函",
    "已逾期 65 天",
    "应付款人民币 7,070.00 元（大写：柒仟零柒拾元整）",
    "付款账户：（样例账户）",
  ],
  lendSlip: ["档案借条", "A-03-2", "借阅人：（样例借阅人）"],
};

test.each(KINDS)(
  "%s prints its specimen in the built-in words, and its text can be searched",
  async (kind) => {
    const wording = { pieces: cleaned(defaultText(kind)).pieces, head: "{企业名称}", foot: "{门店}" };
    for (const sample of Object.keys(SAMPLES) as Sample[]) {
      const overflows: string[] = [];
      const pdf = await printed(paperIn(wording, specimenOf(kind, sample)), kind, undefined, overflows);
      expect(overflows).toEqual([]);
      const text = textOfPdf(pdf).replaceAll("\n", "");
      expect(text).toContain("（样例企业）");
      expect(text).not.toMatch(/\{[^}]*\}|undefined/);
      if (sample === "renter") for (const said of SAID[kind] ?? []) expect(text).toContain(said);
    }
  },
);

test.each(KINDS)("whatever name a text of %s makes up stands for nothing", (kind) => {
  const { values } = specimenOf(kind, "renter");
  const html =
    '<p>甲<span data-field="constructor"></span></p><div data-if="toString"><p>乙</p></div><div data-table="valueOf"></div>';
  expect(blocksOf(cleaned(html).pieces, values)).toEqual([
    { kind: "rich", runs: [{ text: "甲{constructor}", strong: false }] },
  ]);
});
