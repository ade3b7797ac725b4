import { monitorEventLoopDelay } from "node:perf_hooks";
import { expect, test } from "vitest";
import { aBook, packed } from "./book.sample.ts";
import { isWorkbook, NoSheet, openSheet } from "./foreign-sheet.ts";

/** Files as attackers and broken programs make them: each refused or read, and nobody else waits for it. */
const RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PARTS = {
  "[Content_Types].xml": "<Types/>",
  "xl/workbook.xml": `<workbook xmlns:r="${RELATED}"><sheets><sheet name="房源" sheetId="1" r:id="r1"/></sheets></workbook>`,
  "xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r1" Type="${RELATED}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${RELATED}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
};
const sheet = (data: string) => `<worksheet><sheetData>${data}</sheetData></worksheet>`;
const withSheet = (data: string, more: Record<string, string | Buffer> = {}) =>
  packed({ ...PARTS, "xl/worksheets/sheet1.xml": sheet(data), ...more });
const text = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
const rowsOf = async (bytes: Buffer) =>
  (await openSheet(bytes, "房源")).rows.map(({ number, cells }) => [
    number,
    [...cells].map(([column, cell]) => [column, cell.kind, cell.text]),
  ]);

const DAMAGED = "文件已损坏或不是标准的xlsx文件，请用Excel或WPS打开后另存为xlsx再上传";
const NO_WORKBOOK = "请上传xlsx文件";
const cut = async (change: (bytes: Buffer) => Buffer) =>
  change(await withSheet(`<row r="1">${text("A1", "甲".repeat(500))}</row>`));

test.each<[what: string, file: () => Promise<Buffer>, why: string | RegExp]>([
  [
    "a row of a billion",
    () => withSheet(`<row r="1000000000">${text("A1", "x")}</row>`),
    /^工作表的行号超出范围/,
  ],
  ["row nought", () => withSheet(`<row r="0">${text("A1", "x")}</row>`), /^工作表的行号超出范围/],
  ["a row of no number", () => withSheet(`<row r="1e3x">${text("A1", "x")}</row>`), /^工作表的行号超出范围/],
  [
    "rows that go backwards",
    () => withSheet(`<row r="5">${text("A5", "x")}</row><row r="5">${text("A5", "y")}</row>`),
    /^工作表的行号超出范围（第 5 行之后）/,
  ],
  ["column ZZZ", () => withSheet(`<row r="1">${text("ZZZ1", "x")}</row>`), /^第 1 行的列号超出范围/],
  [
    "a column of a thousand letters",
    () => withSheet(`<row r="1">${text(`${"A".repeat(1000)}1`, "x")}</row>`),
    /^第 1 行的列号超出范围/,
  ],
  [
    "more rows than a sheet that is imported has",
    () => withSheet("<row><c><v>1</v></c></row>".repeat(100_001)),
    /^工作表的内容过多/,
  ],
  [
    "one text referred to by too many cells",
    () =>
      withSheet(`<row>${'<c t="s"><v>0</v></c>'.repeat(1_000)}</row>`, {
        "xl/sharedStrings.xml": `<sst><si><t>${"租".repeat(32_000)}</t></si></sst>`,
      }),
    /^工作表的内容过多/,
  ],
  [
    "six million shared strings",
    () => withSheet("", { "xl/sharedStrings.xml": `<sst>${"<si/>".repeat(6_000_000)}` }),
    /^文件中的文字过多/,
  ],
  [
    "a zip bomb",
    () => withSheet("", { "xl/worksheets/sheet1.xml": Buffer.alloc(300_000_000, " ") }),
    /^文件解压后过大/,
  ],
  [
    "a billion laughs",
    () =>
      withSheet("", {
        "xl/worksheets/sheet1.xml": `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>${sheet(`<row r="1">${text("A1", "&b;")}</row>`)}`,
      }),
    DAMAGED,
  ],
  ["a tag without an end", () => withSheet(`<row ${"x".repeat(2_000_000)}`), DAMAGED],
  ["a zip cut short", () => cut((bytes) => bytes.subarray(0, bytes.length - 40)), NO_WORKBOOK],
  [
    "a directory that points nowhere",
    () => cut((bytes) => Buffer.concat([bytes.subarray(0, 60), bytes.subarray(200)])),
    NO_WORKBOOK,
  ],
  [
    "a wrong checksum",
    () =>
      cut((bytes) => {
        for (let at = bytes.indexOf("PK\u0001\u0002"); at >= 0; at = bytes.indexOf("PK\u0001\u0002", at + 4))
          bytes.writeUInt32LE(1, at + 16);
        return bytes;
      }),
    DAMAGED,
  ],
  [
    "bytes that do not inflate",
    () => cut((bytes) => bytes.fill(0xff, 100, 130)),
    /^文件已损坏|^请上传xlsx文件/,
  ],
  ["no book", () => packed({ "[Content_Types].xml": "<Types/>" }), NO_WORKBOOK],
  ["no sheet where the book says", () => packed(PARTS), NO_WORKBOOK],
  ["a picture named xlsx", () => Promise.resolve(Buffer.from("89504e470d0a1a0a", "hex")), NO_WORKBOOK],
  [
    "an old xls",
    () => Promise.resolve(Buffer.from("d0cf11e0a1b11ae1".padEnd(1024, "0"), "hex")),
    NO_WORKBOOK,
  ],
  ["nothing", () => Promise.resolve(Buffer.alloc(0)), NO_WORKBOOK],
])("%s is refused with a sentence", async (_what, file, why) => {
  const bytes = await file();
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const refused = await openSheet(bytes, "房源").catch((error: unknown) => error);
  delay.disable();
  expect(refused).toBeInstanceOf(NoSheet);
  const { message, status } = refused as NoSheet;
  expect(status).toBe(400);
  if (typeof why === "string") expect(message).toBe(why);
  else expect(message).toMatch(why);
  expect(delay.max / 1e6, "milliseconds in which nobody else was served").toBeLessThan(1_000);
});

const twoSheets = () =>
  packed({
    ...PARTS,
    // whoever keeps a book of their own calls its sheets as they like
    "xl/workbook.xml": `<workbook xmlns:r="${RELATED}"><sheets><sheet name="甲" r:id="r1"/><sheet name="乙" r:id="r1"/></sheets></workbook>`,
    "xl/worksheets/sheet1.xml": sheet(`<row r="1">${text("A1", "x")}</row>`),
  });

test.each<[what: string, file: () => Promise<Buffer>, rows: unknown[]]>([
  ["the first sheet where none has the name", () => twoSheets(), [[1, [[1, "text", "x"]]]]],
  [
    "the last cell of a sheet",
    () => withSheet(`<row r="1048576">${text("XFD1048576", "x")}</row>`),
    [[1_048_576, [[16_384, "text", "x"]]]],
  ],
  [
    "characters that no database keeps",
    () =>
      withSheet(
        `<row r="1">${text("A1", "a&#0;b")}${text("B1", "a&#xD800;b")}${text("C1", "a\0b")}${text("D1", "&#xD83D;&#xDE00;")}</row>`,
      ),
    [
      [
        1,
        [
          [1, "text", "a\ufffdb"],
          [2, "text", "a\ufffdb"],
          [3, "text", "a\ufffdb"],
          [4, "text", "😀"],
        ],
      ],
    ],
  ],
  [
    "a mark before the XML",
    () =>
      withSheet("", { "xl/worksheets/sheet1.xml": `\ufeff${sheet(`<row r="1">${text("A1", "x")}</row>`)}` }),
    [[1, [[1, "text", "x"]]]],
  ],
  [
    "a zip in the zip",
    () =>
      withSheet(`<row r="1">${text("A1", "x")}</row>`, { "xl/media/a.zip": Buffer.from("504b0304", "hex") }),
    [[1, [[1, "text", "x"]]]],
  ],
  [
    "relations in a circle",
    () =>
      withSheet(`<row r="1">${text("A1", "x")}</row>`, {
        "xl/worksheets/_rels/sheet1.xml.rels": `<Relationships><Relationship Id="r1" Type="${RELATED}/worksheet" Target="sheet1.xml"/></Relationships>`,
        "xl/_rels/sharedStrings.xml.rels": `<Relationships><Relationship Id="r1" Type="${RELATED}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
      }),
    [[1, [[1, "text", "x"]]]],
  ],
  [
    "formulas",
    () => withSheet('<row r="1"><c r="A1"><f>WEBSERVICE("http://x")</f><v>2</v></c></row>'),
    [[1, [[1, "formula", "2"]]]],
  ],
  [
    "a text longer than a cell",
    () => withSheet(`<row r="1">${text("A1", "x".repeat(40_000))}</row>`),
    [[1, [[1, "text", "x".repeat(32_767)]]]],
  ],
  ["a string that is not there", () => withSheet('<row r="1"><c r="A1" t="s"><v>-7</v></c></row>'), []],
])("%s is read", async (_what, file, rows) => {
  expect(await rowsOf(await file())).toEqual(rows);
});

test("ten thousand rows come over without holding up the server", async () => {
  const line = Array.from({ length: 30 }, (_, i) => `值${i}`);
  const bytes = await aBook(
    "房源",
    Array.from({ length: 10_001 }, () => line),
  );
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const { rows } = await openSheet(bytes, "房源");
  delay.disable();
  expect([rows.length, rows[10_000]!.number, rows[10_000]!.cells.get(30)!.text]).toEqual([
    10_001,
    10_001,
    "值29",
  ]);
  expect(delay.max / 1e6).toBeLessThan(1_000);
});

test("what takes too long ends, and many at once wait for one another", async () => {
  const slow = await withSheet("<row/>".repeat(5_000_000));
  await expect(openSheet(slow, "房源", 5)).rejects.toThrow("文件过于复杂，无法读取");
  const good = await aBook("房源", [["x"]]);
  const all = await Promise.all(Array.from({ length: 5 }, () => openSheet(good, "房源")));
  expect(all.map((s) => s.rows.length)).toEqual([1, 1, 1, 1, 1]);
});

test("an upload is a workbook only when it is whole", async () => {
  expect(await isWorkbook(await aBook("房源", [["x"]]))).toBe(true);
  expect(await isWorkbook(await cut((bytes) => bytes.subarray(0, 200)))).toBe(false);
  expect(await isWorkbook(await withSheet("", { "xl/vbaProject.bin": "x" }))).toBe(false);
});
