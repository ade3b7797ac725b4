import { expect, test } from "vitest";
import type { Call } from "../../kernel/call.ts";
import { call } from "../../kernel/call.ts";
import { columnsOf } from "../../kernel/export.ts";
import { day, flag, instant, link, money, number, percent, status, tags, text } from "../../kernel/field.ts";
import { pageReply } from "../../kernel/paging.ts";
import { z } from "zod";
import { openBook } from "./book.sample.ts";
import { workbook, type Row } from "./xlsx.ts";

const WORDS = { unpaid: ["未付", "gold"], paid: ["已付", "green"] } as const;
const list = call({
  method: "GET",
  path: "/x",
  summary: "-",
  needs: "login",
  reply: pageReply(
    z.object({
      id: z.number(),
      number: link("编号"),
      amount: money("应收金额"),
      area: number("面积", { unit: "㎡" }),
      share: percent("占比"),
      due: day("应收日").nullable(),
      at: instant("时间"),
      status: status("状态", WORDS),
      labels: tags("标签", WORDS),
      late: flag("逾期"),
      note: text("备注").nullish(),
    }),
  ),
});
const row = (more: Row = {}): Row => ({
  id: 1,
  number: "ZD20261120-000001",
  amount: 123_456_789,
  area: 35.5,
  share: 0.9517,
  due: "2026-11-20",
  at: "2026-11-20T01:05:07.500Z",
  status: "unpaid",
  labels: ["paid", "unpaid"],
  late: true,
  note: "",
  ...more,
});

async function made(rows: Row[][], sums?: Row, columns = columnsOf(list as Call)) {
  const sheet = {
    title: "账单",
    columns,
    note: "筛选：未付",
    watermark: "周敏 & 1234",
    timeZone: "Asia/Shanghai",
  };
  const batches = (async function* () {
    yield* rows;
  })();
  const bytes = Buffer.concat(
    await Array.fromAsync(workbook({ ...sheet, rows: batches, ...(sums && { sums: () => sums }) })),
  );
  return (await openBook(bytes))[0]!;
}

test("columns are what the reply names, headed as on the screen", async () => {
  const sheet = await made([[row()]]);
  expect(sheet.name).toBe("账单");
  expect(sheet.values(1)[0]).toBe("筛选：未付");
  expect(sheet.values(2)).toEqual("编号,应收金额,面积（㎡）,占比,应收日,时间,状态,标签,逾期,备注".split(","));
  expect(sheet.xml).toContain("周敏 &amp;&amp; 1234");
});

test("amounts are numbers in yuan, days days, states words, and nothing is empty", async () => {
  const sheet = await made([[row()], [row({ amount: -5, due: null })]]);
  const [number, amount, area, share, due, at, state, labels, late, note] = sheet.values(3);
  expect([number, amount, area, share]).toEqual(["ZD20261120-000001", 1_234_567.89, 35.5, 0.9517]);
  expect([due, at]).toEqual(["2026-11-20", "2026-11-20"]);
  // the clock on the wall in Shanghai, in days since 1899-12-30
  const serial = Number(/<c r="F3"[^>]*><v>([^<]*)/.exec(sheet.xml)![1]);
  expect(Math.abs((serial - 25_569) * 86_400_000 - Date.parse("2026-11-20T09:05:07.500Z"))).toBeLessThan(2);
  expect([state, labels, late, note]).toEqual(["未付", "已付、未付", "是", undefined]);
  expect(sheet.values(4)[1]).toBe(-0.05);
  expect(sheet.values(4)[4]).toBeUndefined();
  // #,##0.00
  expect(sheet.format("B3")).toContain('numFmtId="4"');
});

test.each(["=1+1", "+86138", "-5", "@SUM(A1)", "\t=1", '=HYPERLINK("http://x","y")', "=cmd|'/c calc'!A1"])(
  "%j is text and stays text",
  async (note) => {
    const sheet = await made([[row({ note })]]);
    expect(sheet.xml).not.toMatch(/<f[ >]/);
    expect(sheet.xml).toMatch(/<c r="J3" s="4" t="inlineStr">/);
    expect(sheet.value("J3")).toBe(note);
    // @, and marked as text once more
    expect(sheet.format("J3")).toMatch(/numFmtId="49".*quotePrefix="1"/);
  },
);

test("whatever people typed survives: markup, quotes, line ends, rare characters, length", async () => {
  const note = `<b>"甲" & 'A'</b>\n 𠮷`;
  const sheet = await made([
    [row({ note: `${note}\u0000\u001f\uffff` }), row({ note: "租".repeat(40_000) })],
  ]);
  expect(sheet.values(3)[9]).toBe(note);
  expect(String(sheet.values(4)[9])).toHaveLength(32_767);
});

test("sums stand below, under their columns; the first free column says so", async () => {
  const sheet = await made([[row(), row()]], { amount: 246_913_578, area: 71 });
  expect(sheet.values(5).slice(0, 3)).toEqual(["合计", 2_469_135.78, 71]);
});

test("no rows are a workbook too", async () => {
  const sheet = await made([]);
  expect(sheet.values(2)[0]).toBe("编号");
  expect(sheet.rows).toHaveLength(2);
});

test("several sheets in one file, each with its own sums, none called like another", async () => {
  const sheetOf = (title: string, amount: number) => ({
    title,
    columns: columnsOf(list as Call).slice(0, 2),
    note: title,
    watermark: "",
    timeZone: "Asia/Shanghai",
    rows: (async function* () {
      yield [row({ amount })];
    })(),
    sums: () => ({ amount }),
  });
  const bytes = Buffer.concat(
    await Array.fromAsync(
      workbook(
        (async function* () {
          yield sheetOf("门店", 100);
          yield sheetOf("一号店", 200);
          yield sheetOf("门店", 300);
        })(),
      ),
    ),
  );
  const book = await openBook(bytes);
  expect(book.map((sheet) => [sheet.name, sheet.values(3)[1], sheet.values(4)[1]])).toEqual([
    ["门店", 1, 1],
    ["一号店", 2, 2],
    ["门店2", 3, 3],
  ]);
});
