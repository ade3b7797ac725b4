import { timeInZone } from "../../kernel/day.ts";
import type { FieldMeta, Kind, Words } from "../../kernel/field.ts";
import { kept } from "../../kernel/fields/secrecy.ts";

/** Numbers of the formats in the workbook's style sheet; `sums` are the same in bold. */
export const STYLE = {
  plain: 0,
  head: 1,
  note: 2,
  text: 3,
  /** Text that a spreadsheet could take for a formula: marked as text once more, for those who edit it or save it as CSV. */
  guarded: 4,
  money: 5,
  number: 6,
  percent: 7,
  day: 8,
  instant: 9,
  sums: { text: 10, money: 11, number: 12, percent: 13 },
  /** Heads of columns that must be filled in; cells that are wrong. */
  mustHead: 14,
  wrong: 15,
  wrongNumber: 16,
} as const;

/** One for each number of `STYLE`, in its order. */
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
  '<xf numFmtId="49" fontId="1" fillId="3" applyNumberFormat="1" applyFont="1" applyFill="1"/>',
  '<xf numFmtId="49" fillId="4" applyNumberFormat="1" applyFill="1"/>',
  '<xf fillId="4" applyFill="1"/>',
];
const fills = ["FFF2F4F7", "FFDCE6FF", "FFFFD6D6"].map(
  (colour) => `<fill><patternFill patternType="solid"><fgColor rgb="${colour}"/></patternFill></fill>`,
);
export const STYLES = `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="3"><font><sz val="11"/><name val="等线"/></font><font><b/><sz val="11"/><name val="等线"/></font><font><sz val="10"/><color rgb="FF808080"/><name val="等线"/></font></fonts><fills count="5"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>${fills.join("")}</fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${formats.length}">${formats.join("")}</cellXfs></styleSheet>`;

/** A day or instant as a spreadsheet counts: days since 1899-12-30. */
const serial = (ms: number) => ms / 86_400_000 + 25_569;

const offsets = new Map<string, number>();
/** Minutes that clocks of the zone are ahead of UTC; asked once for each quarter of an hour. */
function ahead(ms: number, zone: string): number {
  const quarter = Math.floor(ms / 900_000);
  const known = offsets.get(`${zone} ${quarter}`);
  if (known !== undefined) return known;
  const written = timeInZone(new Date(quarter * 900_000), zone);
  const offset = (Date.parse(`${written.replace(" ", "T")}Z`) - quarter * 900_000) / 60_000;
  if (offsets.size > 20_000) offsets.clear();
  offsets.set(`${zone} ${quarter}`, offset);
  return offset;
}

const MARKUP: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
/** Text as XML can carry it: marks escaped, what no reader accepts left out, at most what one cell holds. */
export const xml = (text: string): string =>
  text
    .slice(0, 32_767)
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex -- exactly the characters that XML forbids
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .replace(/_(?=x[0-9a-f]{4}_)/gi, "_x005F_")
    .replace(/[&<>"]/g, (mark) => MARKUP[mark]!);

/** 12345 fen → "123.45", without passing through a fraction. */
export function yuan(fen: number): string {
  const cents = Math.abs(fen);
  const text = `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
  return fen < 0 ? `-${text}` : text;
}

/** `at` is the place in the sheet: B7. */
export const textCell = (at: string, text: string, style?: number): string =>
  `<c r="${at}" s="${style ?? (/^[=+\-@\t\r]/.test(text) ? STYLE.guarded : STYLE.text)}" t="inlineStr"><is><t xml:space="preserve">${xml(text)}</t></is></c>`;
const numberCell = (at: string, text: string | number, style: number) =>
  `<c r="${at}" s="${style}"><v>${text}</v></c>`;
/** A number as a number, a text as a text; an empty one only where it has a style. */
export const valueCell = (at: string, value: string | number | undefined, style?: number): string => {
  if (typeof value === "number") return numberCell(at, value, style ?? STYLE.number);
  if (value) return textCell(at, value, style);
  return style === undefined ? "" : `<c r="${at}" s="${style}"/>`;
};

const inWords = (words: Words | undefined, value: unknown) => words?.[String(value)]?.[0] ?? String(value);

/** The words that a value has for people. */
export function said(meta: FieldMeta, value: unknown): string {
  if (Array.isArray(value)) return value.map((each) => inWords(meta.words, each)).join("、");
  if (meta.kind === "flag") return value ? "是" : "否";
  if (meta.kind === "money" && typeof value === "number") return yuan(value);
  return inWords(meta.words, value);
}

const NUMERIC: Partial<Record<Kind, "money" | "number" | "percent">> = {
  money: "money",
  number: "number",
  percent: "percent",
  progress: "percent",
};

/** One cell of a kind: amounts in yuan and counts as numbers, days as days, states in words; nothing for no value. */
export function cell(at: string, meta: FieldMeta, value: unknown, zone: string, bold = false): string {
  if (value === null || value === undefined || value === "") return "";
  const numeric = NUMERIC[meta.kind];
  if (numeric && typeof value === "number" && Number.isFinite(value)) {
    const shown = numeric === "money" ? yuan(value) : value;
    return numberCell(at, shown, bold ? STYLE.sums[numeric] : STYLE[numeric]);
  }
  if (meta.kind === "day" || meta.kind === "instant") {
    const ms = Date.parse(String(value));
    // a spreadsheet knows no day before 1900 and mistakes those of its first two months
    if (ms > -2_203_891_200_000)
      return meta.kind === "day"
        ? numberCell(at, serial(ms), STYLE.day)
        : numberCell(at, serial(ms + ahead(ms, zone) * 60_000), STYLE.instant);
  }
  // a reply masks such a number as it leaves, and a workbook is made of rows that no reply has passed
  const shown = said(meta, meta.secrecy ? kept(meta.secrecy, value) : value);
  return textCell(at, shown, bold ? STYLE.sums.text : undefined);
}
