import { rowXml, workbookOf } from "./book.ts";
import { cell, STYLE, valueCell, xml } from "./cell.ts";
import { columnLetters, columnNumber } from "./sheet-rows.ts";
import { unfolding, zipped } from "./unzip.ts";
import { readWorkbook } from "./workbook-reader.ts";
import { unescaped } from "./xml-scanner.ts";
import { zip } from "./zip.ts";

/** What people type into a cell. */
export type Typed = string | number | boolean | Date | { formula: string; result: number } | null | undefined;

function typedCell(at: string, value: Typed): string {
  if (value instanceof Date) return cell(at, { title: "", kind: "day" }, value.toISOString(), "UTC");
  if (typeof value === "boolean") return `<c r="${at}" t="b"><v>${Number(value)}</v></c>`;
  if (typeof value === "object" && value)
    return `<c r="${at}"><f>${xml(value.formula)}</f><v>${value.result}</v></c>`;
  return valueCell(at, value ?? undefined, typeof value === "number" ? STYLE.plain : undefined);
}

/** A workbook of one sheet as people save it. */
export async function aBook(
  name: string,
  rows: readonly (readonly Typed[])[],
  merged?: string,
): Promise<Buffer> {
  const lines = rows.map((row, n) =>
    rowXml(
      n + 1,
      row.map((value, i) => typedCell(`${columnLetters(i + 1)}${n + 1}`, value)),
    ),
  );
  return Buffer.concat(
    await Array.fromAsync(workbookOf([{ name, rows: lines, ...(merged && { below: () => ({ merged }) }) }])),
  );
}

/** A zip of these parts. */
export const packed = async (parts: Record<string, string | Buffer>): Promise<Buffer> =>
  Buffer.concat(
    await Array.fromAsync(zip(Object.entries(parts).map(([name, part]) => ({ name, content: [part] })))),
  );

export type Value = string | number | undefined;
/** What whoever opens a sheet sees: values, and how the file says they look. */
export type Opened = {
  name: string;
  /** Rows with something in them, from the top; a cell without a value is undefined. */
  rows: { number: number; values: Value[] }[];
  value: (at: string) => Value;
  /** The values of a row from column A on. */
  values: (row: number) => Value[];
  /** Such as numFmtId and fillId of a cell. */
  format: (at: string) => string;
  note: (at: string) => string | undefined;
  xml: string;
};

/** Opens a workbook that the product made. */
export async function openBook(bytes: Uint8Array): Promise<Opened[]> {
  const parts = new Map<string, string>();
  for (const entry of zipped(Buffer.from(bytes)) ?? [])
    parts.set(entry.name, Buffer.concat(await Array.fromAsync(unfolding(entry))).toString());
  const formats = /<cellXfs.*?<\/cellXfs>/s.exec(parts.get("xl/styles.xml") ?? "")?.[0].match(/<xf[^>]*>/g);
  const sheets = (await readWorkbook(Buffer.from(bytes)))!;
  return Promise.all(
    sheets.map(async (sheet, i) => {
      const part = parts.get(`xl/worksheets/sheet${i + 1}.xml`)!;
      const notes = parts.get(`xl/comments${i + 1}.xml`) ?? "";
      const rows = (await Array.fromAsync(sheet.rows())).map(({ number, cells }) => ({
        number,
        values: Array.from({ length: Math.max(...cells.keys()) }, (_, c) => {
          const found = cells.get(c + 1);
          return found?.kind === "number" ? Number(found.text) : found?.text;
        }),
      }));
      const values = (n: number) => rows.find((row) => row.number === n)?.values ?? [];
      return {
        name: sheet.name,
        rows,
        values,
        value: (at: string) => {
          const [, letters = "", digits = ""] = /^([A-Z]+)(\d+)$/.exec(at) ?? [];
          return values(Number(digits))[columnNumber(letters) - 1];
        },
        format: (at: string) => formats![Number(new RegExp(`<c r="${at}" s="(\\d+)"`).exec(part)?.[1] ?? 0)]!,
        note: (at: string) => {
          const note = new RegExp(`ref="${at}" .*?<t(?: [^>]*)?>(.*?)</t>`, "s").exec(notes)?.[1];
          return note === undefined ? undefined : unescaped(note);
        },
        xml: part,
      };
    }),
  );
}

/** A template with these lines typed in under its heads: from the left, or each value under the head that names it. */
export async function filledIn(
  template: Uint8Array,
  name: string,
  lines: readonly (readonly Typed[] | Readonly<Record<string, Typed>>)[],
  { merged, head = (title) => title }: { merged?: string; head?: (title: string) => string } = {},
): Promise<Buffer> {
  const sheet = (await openBook(template)).find((s) => s.name === name)!;
  const heads = sheet.values(1).map((head) => String(head));
  const typed = lines.map((line) =>
    Array.isArray(line)
      ? (line as readonly Typed[])
      : heads.map((title) => (line as Record<string, Typed>)[title.replace("*", "")]),
  );
  return aBook(name, [heads.map(head), ...typed], merged);
}
