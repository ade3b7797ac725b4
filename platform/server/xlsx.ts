import type { ExportColumn } from "../kernel/export.ts";
import type { Kind } from "../kernel/field.ts";
import { cell, STYLE, textCell, xml } from "./cell.ts";
import { zip, type ZipEntry } from "./zip.ts";

export type Row = Record<string, unknown>;
export type Sheet = {
  title: string;
  columns: readonly ExportColumn[];
  /** First line: the filter in words, the moment, the person. */
  note: string;
  /** Printed in the header of every page. */
  watermark: string;
  timeZone: string;
  rows: AsyncIterable<readonly Row[]>;
  /** Asked once all rows are through. */
  sums?: () => Row | undefined;
};

/** A sheet holds 1,048,576 rows with its heads; further rows stand on a further sheet. */
const ROWS_OF_SHEET = 1_000_000;
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const WIDTHS: Partial<Record<Kind, number>> = {
  money: 15,
  day: 12,
  instant: 20,
  status: 11,
  number: 11,
  phone: 15,
};

const formats = [
  "<xf/>",
  '<xf fontId="1" fillId="2" applyFont="1" applyFill="1"/>',
  '<xf fontId="2" applyFont="1"/>',
  '<xf numFmtId="49" applyNumberFormat="1"/>',
  '<xf numFmtId="49" applyNumberFormat="1" quotePrefix="1"/>',
  '<xf numFmtId="4" applyNumberFormat="1"/>',
  '<xf numFmtId="0"/>',
  '<xf numFmtId="10" applyNumberFormat="1"/>',
  '<xf numFmtId="164" applyNumberFormat="1"/>',
  '<xf numFmtId="165" applyNumberFormat="1"/>',
  '<xf numFmtId="49" fontId="1" applyNumberFormat="1" applyFont="1"/>',
  '<xf numFmtId="4" fontId="1" applyNumberFormat="1" applyFont="1"/>',
  '<xf numFmtId="0" fontId="1" applyFont="1"/>',
  '<xf numFmtId="10" fontId="1" applyNumberFormat="1" applyFont="1"/>',
];
const styles = `${HEAD}<styleSheet ${MAIN}><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="3"><font><sz val="11"/><name val="等线"/></font><font><b/><sz val="11"/><name val="等线"/></font><font><sz val="10"/><color rgb="FF808080"/><name val="等线"/></font></fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFF2F4F7"/></patternFill></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${formats.length}">${formats.join("")}</cellXfs></styleSheet>`;

const letter = (n: number): string =>
  (n > 26 ? letter(Math.floor((n - 1) / 26)) : "") + String.fromCharCode(65 + ((n - 1) % 26));
const headOf = ({ meta }: ExportColumn) => (meta.unit ? `${meta.title}（${meta.unit}）` : meta.title);

/** The rows as a workbook, made while they come: what is in memory does not grow with their number. */
export function workbook(sheet: Sheet): AsyncGenerator<Buffer, void, undefined> {
  return zip(parts(sheet));
}

async function* parts(sheet: Sheet): AsyncGenerator<ZipEntry> {
  const source = { rows: sheet.rows[Symbol.asyncIterator](), rest: [] as readonly Row[], done: false };
  const names: string[] = [];
  do {
    names.push(names.length ? `${sheet.title}${names.length + 1}` : sheet.title);
    yield { name: `xl/worksheets/sheet${names.length}.xml`, content: sheetXml(sheet, source) };
  } while (!source.done);
  const numbered = names.map((name, i) => ({
    name: xml(name.replace(/[[\]:*?/\\']/g, "").slice(0, 31)),
    n: i + 1,
  }));
  const part = (name: string, text: string) => ({ name, content: [HEAD + text] });
  yield { name: "xl/styles.xml", content: [styles] };
  yield part(
    "xl/workbook.xml",
    `<workbook ${MAIN} xmlns:r="${RELATED}"><sheets>${numbered.map(({ name, n }) => `<sheet name="${name}" sheetId="${n}" r:id="rId${n}"/>`).join("")}</sheets></workbook>`,
  );
  const relations = (all: [id: string, type: string, target: string][]) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.map(([id, type, target]) => `<Relationship Id="${id}" Type="${RELATED}/${type}" Target="${target}"/>`).join("")}</Relationships>`;
  yield part(
    "xl/_rels/workbook.xml.rels",
    relations([
      ...numbered.map(
        ({ n }) => [`rId${n}`, "worksheet", `worksheets/sheet${n}.xml`] as [string, string, string],
      ),
      ["rIdStyles", "styles", "styles.xml"],
    ]),
  );
  yield part("_rels/.rels", relations([["rId1", "officeDocument", "xl/workbook.xml"]]));
  const type = "application/vnd.openxmlformats-officedocument.spreadsheetml";
  yield part(
    "[Content_Types].xml",
    `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/>${numbered.map(({ n }) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${type}.worksheet+xml"/>`).join("")}</Types>`,
  );
}

type Source = { rows: AsyncIterator<readonly Row[]>; rest: readonly Row[]; done: boolean };

async function* sheetXml(sheet: Sheet, source: Source): AsyncGenerator<string> {
  const { columns, timeZone } = sheet;
  const letters = columns.map((_, i) => letter(i + 1));
  const line = (n: number, cells: (column: ExportColumn, at: string, i: number) => string) =>
    `<row r="${n}">${columns.map((c, i) => cells(c, letters[i]! + n, i)).join("")}</row>`;
  yield `${HEAD}<worksheet ${MAIN}><sheetViews><sheetView workbookViewId="0"><pane ySplit="2" topLeftCell="A3" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns.map(({ meta }, i) => `<col min="${i + 1}" max="${i + 1}" width="${WIDTHS[meta.kind] ?? 22}" customWidth="1"/>`).join("")}</cols><sheetData><row r="1">${textCell("A1", sheet.note, STYLE.note)}</row>`;
  yield line(2, (column, at) => textCell(at, headOf(column), STYLE.head));

  let next = 3;
  while (next < 3 + ROWS_OF_SHEET && (await more(source))) {
    const fits = source.rest.slice(0, 3 + ROWS_OF_SHEET - next);
    source.rest = source.rest.slice(fits.length);
    yield fits.map((row, i) => line(next + i, (c, at) => cell(at, c.meta, row[c.key], timeZone))).join("");
    next += fits.length;
  }
  const sums = (await more(source)) ? undefined : sheet.sums?.();
  if (sums) {
    const label = columns.findIndex((c) => sums[c.key] === undefined);
    yield line(next, (c, at, i) =>
      i === label ? textCell(at, "合计", STYLE.sums.text) : cell(at, c.meta, sums[c.key], timeZone, true),
    );
  }
  const last = letters.at(-1) ?? "A";
  yield `</sheetData><autoFilter ref="A2:${last}${next - 1}"/>${columns.length > 1 ? `<mergeCells count="1"><mergeCell ref="A1:${last}1"/></mergeCells>` : ""}<pageMargins left="0.4" right="0.4" top="0.8" bottom="0.6" header="0.3" footer="0.3"/><pageSetup orientation="landscape"/><headerFooter><oddHeader>${xml(`&C&14&K999999${sheet.watermark.replaceAll("&", "&&")}`)}</oddHeader><oddFooter>${xml("&C&P / &N")}</oddFooter></headerFooter></worksheet>`;
}

/** True while rows are left; they lie in `rest`. */
async function more(source: Source): Promise<boolean> {
  while (!source.rest.length && !source.done) {
    const next = await source.rows.next();
    if (next.done) source.done = true;
    else source.rest = next.value;
  }
  return source.rest.length > 0;
}
