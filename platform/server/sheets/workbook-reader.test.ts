import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { packed } from "./book.sample.ts";
import { columnLetters, columnNumber } from "./sheet-rows.ts";
import { readWorkbook } from "./workbook-reader.ts";
import { xmlScanner } from "./xml-scanner.ts";

const rowsOf = async (bytes: Buffer, index = 0) => {
  const sheet = (await readWorkbook(bytes))![index]!;
  const rows = await Array.fromAsync(sheet.rows());
  return {
    name: sheet.name,
    merged: sheet.merged,
    rows: rows.map((r) => [
      r.number,
      Object.fromEntries([...r.cells].map(([c, v]) => [columnLetters(c), `${v.kind}:${v.text}`])),
    ]),
  };
};
const rels = (
  sheet = "worksheets/sheet1.xml",
) => `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="rId3" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="${sheet}"/>
<Relationship Id="rId4" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/>
<Relationship Id="rId5" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>`;

test("parts as Excel writes them: shared texts, numbers, days, flags, formulas, merged cells", async () => {
  const bytes = await packed({
    "[Content_Types].xml": "<Types/>",
    "xl/workbook.xml": `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="房源" sheetId="1" r:id="rId3"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": rels(),
    "xl/styles.xml": `<styleSheet><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    "xl/sharedStrings.xml": `<sst><si><t>门店</t></si><si><t>标价</t></si><si><t>日期</t></si><si><t>滨江店 &amp; &lt;3栋&gt;</t></si><si><r><t>富</t></r><r><rPr><b/></rPr><t>文本</t></r></si><si><t>并</t></si></sst>`,
    "xl/worksheets/sheet1.xml": `<worksheet><dimension ref="A1:E8"/><sheetData><row r="1" spans="1:5"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c></row><row r="2"><c r="A2" t="s"><v>3</v></c><c r="B2"><v>0.30000000000000004</v></c><c r="C2" s="1"><v>46346</v></c><c r="D2" t="b"><v>1</v></c></row><row r="5"><c r="A5" t="s"><v>4</v></c><c r="E5"><f>1+1</f><v>2</v></c></row><row r="7"><c r="A7" t="s"><v>5</v></c><c r="B7" s="1"/></row></sheetData><mergeCells count="1"><mergeCell ref="A7:B8"/></mergeCells></worksheet>`,
  });
  expect(await rowsOf(bytes)).toEqual({
    name: "房源",
    merged: ["A7:B8"],
    rows: [
      [1, { A: "text:门店", B: "text:标价", C: "text:日期" }],
      [2, { A: "text:滨江店 & <3栋>", B: "number:0.3", C: "day:2026-11-20", D: "flag:是" }],
      [5, { A: "text:富文本", E: "formula:2" }],
      [7, { A: "text:并" }],
    ],
  });
});

test("parts in the order of LibreOffice: sheets before the book and its strings, spaces kept, formats by pattern", async () => {
  const bytes = await packed({
    "xl/worksheets/sheet1.xml": `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1" customFormat="false" ht="12.8" hidden="false"><c r="A1" s="0" t="s"><v>1</v></c><c r="C1" s="1" t="n"><v>46346</v></c></row><row r="2"><c r="A2" s="2"/><c r="B2" t="str"><f aca="false">A1&amp;&quot;x&quot;</f><v>ax</v></c></row></sheetData><mergeCells count="1"><mergeCell ref="A2:B3"/></mergeCells></worksheet>`,
    "xl/sharedStrings.xml": `<sst count="2" uniqueCount="2"><si><t xml:space="preserve">无</t></si><si><t xml:space="preserve"> 滨江&#24215; </t><rPh sb="0" eb="1"><t>ピン</t></rPh></si></sst>`,
    "xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="General"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/></numFmts><cellStyleXfs><xf numFmtId="165"/></cellStyleXfs><cellXfs><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="0"/></cellXfs></styleSheet>`,
    "xl/_rels/workbook.xml.rels": rels(),
    "xl/workbook.xml": `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><workbookPr date1904="false"/><sheets><sheet name="房源" sheetId="1" state="visible" r:id="rId3"/></sheets></workbook>`,
    "[Content_Types].xml": "<Types/>",
  });
  expect(await rowsOf(bytes)).toEqual({
    name: "房源",
    merged: ["A2:B3"],
    rows: [
      [1, { A: "text: 滨江店 ", C: "day:2026-11-20" }],
      [2, { B: "formula:ax" }],
    ],
  });
});

test("names with a prefix, absolute targets, inline texts, no addresses, days since 1904", async () => {
  const bytes = await packed({
    "[Content_Types].xml": "<Types/>",
    "xl/workbook.xml": `<x:workbook xmlns:x="m" xmlns:rel="r"><x:workbookPr date1904="1"/><x:sheets><x:sheet name="甲" rel:id="rId3"/></x:sheets></x:workbook>`,
    "xl/_rels/workbook.xml.rels": rels("/xl/worksheets/sheet1.xml"),
    "xl/styles.xml": `<x:styleSheet><x:cellXfs><x:xf numFmtId="0"/><x:xf numFmtId="14"/></x:cellXfs></x:styleSheet>`,
    "xl/worksheets/sheet1.xml": `<x:worksheet><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:r><x:t>一</x:t></x:r><x:r><x:t><![CDATA[<二>]]></x:t></x:r></x:is></x:c><x:c s='1'><x:v>44884</x:v></x:c></x:row><!-- > --><x:row><x:c t="e"><x:v>#N/A</x:v></x:c></x:row></x:sheetData></x:worksheet>`,
  });
  expect(await rowsOf(bytes)).toEqual({
    name: "甲",
    merged: [],
    rows: [
      [1, { A: "text:一<二>", B: "day:2026-11-20" }],
      [2, { A: "error:#N/A" }],
    ],
  });
});

test("what is cut anywhere reads the same", () => {
  const xml = Buffer.from(
    `<a><b x="1>2" y='&lt;"'>前&amp;后<![CDATA[<&amp;>]]></b><!-- <c> --><d/>&#x4e2d;</a>`,
  );
  const read = (size: number) => {
    let told = "";
    const scanner = xmlScanner({
      open: (name, attributes) => (told += `<${name}${JSON.stringify(attributes())}>`),
      text: (text) => (told += text),
      close: (name) => (told += `</${name}>`),
    });
    for (let i = 0; i < xml.length; i += size) scanner.write(xml.subarray(i, i + size));
    scanner.end();
    return told;
  };
  const whole = `<a{}><b{"x":"1>2","y":"<\\""}>前&后<&amp;></b><d{}></d>中</a>`;
  for (let size = 1; size <= xml.length; size++) expect(read(size), `${size}`).toBe(whole);
});

test("what is no workbook is none, and columns count like letters", async () => {
  expect(await readWorkbook(Buffer.from("no zip at all"))).toBeUndefined();
  expect(await readWorkbook(deflateRawSync("x"))).toBeUndefined();
  expect(await readWorkbook(await packed({ "word/document.xml": "<x/>" }))).toBeUndefined();
  for (const [n, letters] of [
    [1, "A"],
    [26, "Z"],
    [27, "AA"],
    [703, "AAA"],
  ] as const)
    expect([columnLetters(n), columnNumber(letters)]).toEqual([letters, n]);
});
