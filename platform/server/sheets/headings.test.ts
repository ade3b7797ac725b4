import { expect, test } from "vitest";
import type { Sheet } from "./foreign-sheet.ts";
import { guessMapping, headingsBelow, type Head } from "./headings.ts";
import type { Cell } from "./sheet-rows.ts";
import { readMapped } from "./sheet-reading.ts";

const COLUMNS: (Head & { must?: true })[] = [
  { key: "room", title: "房间", must: true, aliases: ["房号", "房间号"] },
  { key: "name", title: "租客", must: true, aliases: ["姓名"] },
  { key: "rent", title: "月租金(元)", must: true, aliases: ["租金", "合同租金"] },
  { key: "paidTo", title: "已付至" },
];
const shape = { columns: COLUMNS, must: (c: { must?: true }) => c.must === true, most: 100 };
type Typed = string | number | undefined;

/** A sheet as it is opened: empty cells are not there. */
const aSheet = (rows: Typed[][], merged: string[] = []): Sheet => ({
  name: "台账",
  merged,
  rows: rows.flatMap((row, i) => {
    const cells = new Map<number, Cell>();
    for (const [n, value] of row.entries())
      if (value !== undefined)
        cells.set(n + 1, { kind: typeof value === "number" ? "number" : "text", text: String(value) });
    return cells.size ? [{ number: i + 1, cells }] : [];
  }),
});
const guess = (rows: Typed[][], merged?: string[]) => {
  const sheet = aSheet(rows, merged);
  const mapping = guessMapping(sheet, shape);
  return { mapping, heads: headingsBelow(sheet, mapping), reading: readMapped(sheet, shape) };
};

test("the sheet's own headings in any order need no mapping", () => {
  const { reading } = guess([
    ["租客*", "月租金", "房间"],
    ["张雅婷", 3000, "1203"],
  ]);
  expect(reading).toMatchObject({ errors: [], strange: false });
  expect(reading.mapping).toBeUndefined();
  expect(reading.rows).toEqual([
    { number: 2, typed: { name: "张雅婷", rent: "3000", room: "1203" }, wrong: [] },
  ]);
});

test("other headings are guessed by what people call them, extra ones are left over, and nothing is read yet", () => {
  const { mapping, heads, reading } = guess([
    ["序号", "姓名", "房号", "租金（元/月）", undefined],
    [1, "张雅婷", "1203", 3000, "已搬"],
    [2, "林晓彤", "1204", 2600],
    [3, "温言", "1205", 2500],
    [4, "温语", "1206", 2400],
  ]);
  expect(mapping).toEqual({
    row: 1,
    titles: { A: "序号", B: "姓名", C: "房号", D: "租金（元/月）" },
    from: { name: "B", room: "C", rent: "D" },
    fixed: {},
    confirmed: false,
  });
  expect(heads.map(({ at, title, samples }) => [at, title, ...samples])).toEqual([
    ["A", "序号", "1", "2", "3"],
    ["B", "姓名", "张雅婷", "林晓彤", "温言"],
    ["C", "房号", "1203", "1204", "1205"],
    ["D", "租金（元/月）", "3000", "2600", "2500"],
    ["E", "", "已搬"],
  ]);
  expect(reading.rows).toEqual([]);
  expect(reading.errors[0]).toMatchObject({ row: 1, column: "A", msg: "无法识别的列：序号" });
});

test("a title and its date may stand above, merged: the sheet's own headings below them are read at once", () => {
  const { reading } = guess(
    [
      ["滨江店在租合同台账"],
      ["制表日期", "2026-11-20"],
      ["房间", "租客", "月租金(元)", "已付至"],
      ["1203", "张雅婷", 3000, "2026-11-30"],
    ],
    ["A1:D1"],
  );
  expect(reading.errors).toEqual([]);
  expect(reading.mapping).toMatchObject({ row: 3, confirmed: true });
  expect(reading.rows.map(({ number, typed }) => [number, typed.room])).toEqual([[4, "1203"]]);
});

test("headings of two rows: one that reaches down counts, the one above several does not; merged values are refused", () => {
  const { mapping } = guess(
    [
      ["房号", "姓名", "费用", undefined, "备注"],
      [undefined, undefined, "租金", "押金", undefined],
      ["1203", "张雅婷", 3000, 3000],
      ["1204", "林晓彤", 2600, 2600],
    ],
    ["A1:A2", "B1:B2", "C1:D1", "E1:E2", "C3:C4"],
  );
  expect(mapping).toMatchObject({
    row: 2,
    titles: { A: "房号", B: "姓名", C: "租金", D: "押金", E: "备注" },
  });
  expect(mapping.from).toEqual({ room: "A", name: "B", rent: "C" });
  const sheet = aSheet(
    [["房号", "姓名", "租金"], [undefined], ["1203", "张雅婷", 3000], ["1204", "林晓彤"]],
    ["A1:A2", "C3:C4"],
  );
  const { errors, rows } = readMapped(sheet, shape, {
    row: 2,
    titles: { A: "房号", B: "姓名", C: "租金" },
    from: { room: "A", name: "B", rent: "C" },
    fixed: { paidTo: "2026-11-30" },
    confirmed: true,
  });
  expect(errors.map(({ row, column, header, msg }) => [row, column, header, msg])).toEqual([
    [3, "C", "月租金(元)", "不支持合并单元格（C3:C4）"],
  ]);
  // what is the same in every row needs no column
  expect(rows.map(({ number, typed }) => [number, typed.paidTo])).toEqual([
    [3, "2026-11-30"],
    [4, "2026-11-30"],
  ]);
});

test("of two columns for one field its own title wins, then the first; the other is left over", () => {
  const own = guess([
    ["租金", "月租金", "房间号", "房号", "租客"],
    [1, 2, 3, 4, 5],
  ]);
  expect(own.mapping.from).toEqual({ rent: "B", room: "C", name: "E" });
  const twice = guess([
    ["房间", "房间", "租客", "月租金"],
    ["1203", "1204", "张雅婷", 3000],
  ]);
  expect(twice.mapping).toMatchObject({ from: { room: "A", name: "C", rent: "D" }, confirmed: false });
});

test("where nothing is understood, the first row with most texts holds the headings; below the tenth none is looked for", () => {
  const { mapping } = guess([["台账"], ["A", "B", "C"], ["x", 2, 3]]);
  expect(mapping).toMatchObject({ row: 2, from: {}, confirmed: false });
  const low = [...Array.from({ length: 10 }, (_, i) => [`第 ${i} 行`]), ["房间", "租客", "月租金(元)"]];
  expect(guess(low).mapping).toMatchObject({ row: 1, from: {} });
});

test("what stands in many imports is known by the names that people use, unless a column says its own", () => {
  const columns: Head[] = [
    { key: "name", title: "姓名" },
    { key: "phone", title: "手机" },
    { key: "remark", title: "备注", aliases: ["附言"] },
  ];
  const sheet = aSheet([
    ["客户姓名", "联系电话", "说明"],
    ["张雅婷", "13799990012", "看过"],
  ]);
  const { from, confirmed } = guessMapping(sheet, { columns, must: ({ key }) => key !== "remark" });
  expect([from, confirmed]).toEqual([{ name: "A", phone: "B" }, false]);
});

test("a sheet of hundreds of columns is refused by its headings, and not asked about", () => {
  const { reading } = guess([Array.from({ length: 201 }, (_, n) => `列${n}`)]);
  expect(reading.mapping).toBeUndefined();
  expect(reading.errors.map(({ msg }) => msg)).toContain("无法识别的列：列0");
  expect(guess([Array.from({ length: 200 }, (_, n) => `列${n}`)]).reading.mapping).toBeDefined();
});
