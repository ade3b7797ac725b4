import { STYLE, STYLES, valueCell, xml } from "./cell.ts";
import { commentsXml, notesDrawing, type CellNote } from "./cell-notes.ts";
import { columnLetters } from "./sheet-rows.ts";
import { zip, type ZipEntry } from "./zip.ts";

/** A drop-down; `from` is a list in quotes or a range of cells. */
export type Choices = {
  range: string;
  from: string;
  /** The message of a cell that holds something else; without it everything is accepted. */
  refusal?: { title: string; text: string } | undefined;
};
/** What belongs below the rows, where their number is known. */
type Below = { filter?: string; merged?: string; header?: string };
export type BookSheet = {
  name: string;
  /** Rows and columns that stay in sight. */
  frozen?: { rows: number; columns?: number };
  /** `style` is what people type into the empty cells gets. */
  columns?: readonly { width: number; style?: number }[];
  /** `rowXml` of every row. */
  rows: Iterable<string> | AsyncIterable<string>;
  choices?: readonly Choices[];
  notes?: readonly CellNote[];
  below?: () => Below;
};

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

export const rowXml = (n: number, cells: readonly string[]): string =>
  `<row r="${n}">${cells.join("")}</row>`;
/** A row of texts and numbers from column A on. */
export const valuesXml = (
  n: number,
  values: readonly (string | number | undefined)[],
  style?: (i: number) => number | undefined,
): string =>
  rowXml(
    n,
    values.map((value, i) => valueCell(columnLetters(i + 1) + n, value, style?.(i))),
  );
/** Rows of texts and numbers from the top; `bold` says which. */
export const plainRows = (
  rows: readonly (readonly (string | number)[])[],
  bold: (row: readonly (string | number)[], i: number) => boolean = () => false,
): string[] =>
  rows.map((row, i) => valuesXml(i + 1, row, () => (bold(row, i) ? STYLE.sums.text : undefined)));

/** Sheets as a workbook, made while their rows come: what is in memory does not grow with their number. */
export function workbookOf(
  sheets: Iterable<BookSheet> | AsyncIterable<BookSheet>,
): AsyncGenerator<Buffer, void, undefined> {
  return zip(parts(sheets));
}

export const wholeWorkbook = async (sheets: Iterable<BookSheet>): Promise<Uint8Array> =>
  new Uint8Array(Buffer.concat(await Array.fromAsync(workbookOf(sheets))));

/** A name that a workbook takes: short, without signs, and of no other sheet. */
function sheetName(wanted: string, taken: readonly string[]): string {
  const name = wanted.replace(/[[\]:*?/\\']/g, "").slice(0, 31) || `Sheet${taken.length + 1}`;
  const used = new Set(taken.map((other) => other.toLowerCase()));
  let [free, n] = [name, 1];
  while (used.has(xml(free).toLowerCase())) free = `${name.slice(0, 31 - String(++n).length)}${n}`;
  return free;
}

type Relation = [id: string, type: string, target: string];
const relations = (all: readonly Relation[]) =>
  `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.map(([id, type, target]) => `<Relationship Id="${id}" Type="${RELATED}/${type}" Target="${target}"/>`).join("")}</Relationships>`;
const part = (name: string, text: string): ZipEntry => ({ name, content: [text] });

async function* parts(sheets: Iterable<BookSheet> | AsyncIterable<BookSheet>): AsyncGenerator<ZipEntry> {
  const names: string[] = [];
  const noted: number[] = [];
  for await (const sheet of sheets) {
    const n = names.push(xml(sheetName(sheet.name, names)));
    yield { name: `xl/worksheets/sheet${n}.xml`, content: sheetXml(sheet) };
    if (!sheet.notes?.length) continue;
    noted.push(n);
    yield part(`xl/comments${n}.xml`, HEAD + commentsXml(sheet.notes));
    yield part(`xl/drawings/vmlDrawing${n}.vml`, notesDrawing(sheet.notes));
    yield part(
      `xl/worksheets/_rels/sheet${n}.xml.rels`,
      relations([
        ["rIdNotes", "comments", `../comments${n}.xml`],
        ["rIdDrawing", "vmlDrawing", `../drawings/vmlDrawing${n}.vml`],
      ]),
    );
  }
  yield part("xl/styles.xml", HEAD + STYLES);
  yield part(
    "xl/workbook.xml",
    `${HEAD}<workbook ${MAIN} xmlns:r="${RELATED}"><sheets>${names.map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join("")}</sheets></workbook>`,
  );
  yield part(
    "xl/_rels/workbook.xml.rels",
    relations([
      ...names.map((_, i): Relation => [`rId${i + 1}`, "worksheet", `worksheets/sheet${i + 1}.xml`]),
      ["rIdStyles", "styles", "styles.xml"],
    ]),
  );
  yield part("_rels/.rels", relations([["rId1", "officeDocument", "xl/workbook.xml"]]));
  yield part("[Content_Types].xml", contentTypes(names.length, noted));
}

function contentTypes(sheets: number, noted: readonly number[]): string {
  const type = "application/vnd.openxmlformats-officedocument.spreadsheetml";
  const of = (name: string, kind: string) =>
    `<Override PartName="/xl/${name}" ContentType="${type}.${kind}+xml"/>`;
  return `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>${of("workbook.xml", "sheet.main")}${of("styles.xml", "styles")}${Array.from({ length: sheets }, (_, i) => of(`worksheets/sheet${i + 1}.xml`, "worksheet")).join("")}${noted.map((n) => of(`comments${n}.xml`, "comments")).join("")}</Types>`;
}

function pane({ rows, columns = 0 }: { rows: number; columns?: number }): string {
  const split = (columns ? ` xSplit="${columns}"` : "") + (rows ? ` ySplit="${rows}"` : "");
  const corner = columns ? (rows ? "bottomRight" : "topRight") : "bottomLeft";
  return `<sheetViews><sheetView workbookViewId="0"><pane${split} topLeftCell="${columnLetters(columns + 1)}${rows + 1}" activePane="${corner}" state="frozen"/></sheetView></sheetViews>`;
}

const choicesXml = (choices: readonly Choices[]) =>
  `<dataValidations count="${choices.length}">${choices.map(({ range, from, refusal }) => `<dataValidation type="list" allowBlank="1"${refusal ? ` showErrorMessage="1" errorTitle="${xml(refusal.title.slice(0, 32))}" error="${xml(refusal.text.slice(0, 255))}"` : ""} sqref="${range}"><formula1>${xml(from)}</formula1></dataValidation>`).join("")}</dataValidations>`;

async function* sheetXml(sheet: BookSheet): AsyncGenerator<string> {
  const columns = sheet.columns ?? [];
  yield `${HEAD}<worksheet ${MAIN} xmlns:r="${RELATED}">${sheet.frozen ? pane(sheet.frozen) : ""}`;
  if (columns.length)
    yield `<cols>${columns.map(({ width, style }, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}"${style ? ` style="${style}"` : ""} customWidth="1"/>`).join("")}</cols>`;
  yield "<sheetData>";
  yield* sheet.rows;
  const { filter, merged, header } = sheet.below?.() ?? {};
  yield "</sheetData>";
  if (filter) yield `<autoFilter ref="${filter}"/>`;
  if (merged) yield `<mergeCells count="1"><mergeCell ref="${merged}"/></mergeCells>`;
  if (sheet.choices?.length) yield choicesXml(sheet.choices);
  if (header !== undefined)
    yield `<pageMargins left="0.4" right="0.4" top="0.8" bottom="0.6" header="0.3" footer="0.3"/><pageSetup orientation="landscape"/><headerFooter><oddHeader>${xml(header)}</oddHeader><oddFooter>${xml("&C&P / &N")}</oddFooter></headerFooter>`;
  if (sheet.notes?.length) yield '<legacyDrawing r:id="rIdDrawing"/>';
  yield "</worksheet>";
}
