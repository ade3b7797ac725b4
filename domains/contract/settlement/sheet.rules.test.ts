import { expect, test } from "vitest";
import { specimen } from "../paper/specimen.rules.ts";
import { paperIn } from "../template/blocks.rules.ts";
import { defaultText } from "../template/default-text.rules.ts";
import { cleaned } from "../template/html.rules.ts";
import { type SheetFacts, settlementContent } from "./sheet.rules.ts";

const facts = specimen("renter");
const words = { pieces: cleaned(defaultText("settlementSheet")).pieces, head: "", foot: "" };
const sheet = (more: Partial<SheetFacts> = {}) =>
  paperIn(
    words,
    settlementContent({
      lease: { ...facts, roomNames: ["1203"], rent: 350_000, deposit: 350_000 },
      actNo: "TF20260805-000001",
      leaveDate: "2026-08-05",
      endReason: "提前退租",
      lines: [
        { kind: "depositIn", amount: 350_000, title: "押金", clause: "", formula: "在管押金" },
        { kind: "cleaning", amount: -15_000, title: "保洁", clause: "房屋交还", formula: "" },
      ],
      net: 335_000,
      open: true,
      dated: "2026-08-05",
      ...more,
    }),
  );
const texts = (paper: ReturnType<typeof sheet>) => JSON.stringify(paper.blocks);

test("the sheet names every line with its clause, and the sum in figures and in words", () => {
  const paper = sheet();
  expect(texts(paper)).toContain('["保洁","-150.00","房屋交还",""]');
  expect(texts(paper)).toContain('["甲方应退还","3,350.00","",""]');
  expect(texts(paper)).toContain("甲方应退还乙方人民币 3,350.00 元（大写：叁仟叁佰伍拾元整）");
  expect(paper.mark).toBe("待确认");
});

test("who still owes reads so, and who owes nothing reads that", () => {
  expect(texts(sheet({ net: -1 }))).toContain("乙方应补付甲方人民币 0.01 元（大写：壹分）");
  expect(texts(sheet({ net: -1 }))).toContain('["乙方应补付","0.01","",""]');
  expect(texts(sheet({ net: 0 }))).toContain("双方互不相欠");
  expect(sheet({ open: false }).mark).toBe("");
});
