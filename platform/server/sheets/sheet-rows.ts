import { damaged, unfolding, Unreadable, type Budget, type Zipped } from "./unzip.ts";
import { xmlScanner } from "./xml-scanner.ts";

export type Cell = {
  /** What a person reads: 89.5, 2026-11-20, 是. Never more than the cell's own text. */
  text: string;
  kind: "text" | "number" | "day" | "flag" | "formula" | "error";
};
export type SheetRow = { number: number; cells: Map<number, Cell> };
/** A → 1, AA → 27. */
export const columnNumber = (letters: string): number =>
  [...letters].reduce((n, c) => n * 26 + c.charCodeAt(0) - 64, 0);
export const columnLetters = (n: number): string =>
  n > 0 ? columnLetters(Math.floor((n - 1) / 26)) + String.fromCharCode(65 + ((n - 1) % 26)) : "";

/** What the cells of a sheet refer to. */
export type Book = { strings: string[]; days: boolean[]; from1904: boolean; merged: string[] };

/** A spreadsheet's own bounds; what lies outside was written by no such program. */
const LAST_ROW = 1_048_576;
const LAST_COLUMN = 16_384;
const LONGEST_TEXT = 32_767;
/** Far above the 10,000 rows that an import takes; the cells kept and their letters are what it costs in memory. */
const MOST_ROWS = 100_000;
const MOST_CELLS = 600_000;
const MOST_LETTERS = 20_000_000;
const MOST_MERGED = 10_000;

/** The rows of one sheet as its part of the zip unfolds. */
export async function* rowsOf(entry: Zipped, budget: Budget, book: Book): AsyncGenerator<SheetRow> {
  let ready: SheetRow[] = [];
  const kept = { rows: 0, cells: 0, letters: 0 };
  let row: SheetRow | undefined;
  let column = 0;
  let lastRow = 0;
  let cell: { type: string; format: number; formula: boolean; value: string } | undefined;
  let inValue = false;
  let phonetic = false;
  const scanner = xmlScanner({
    open: (name, attributes) => {
      if (name === "row") {
        const number = Number(attributes().r ?? lastRow + 1);
        if (!Number.isInteger(number) || number <= lastRow || number > LAST_ROW)
          throw new Unreadable(
            `工作表的行号超出范围（第 ${lastRow} 行之后），请用Excel或WPS另存为xlsx再上传`,
          );
        lastRow = number;
        row = { number, cells: new Map() };
        column = 0;
      } else if (name === "c" && row) {
        const { r, t = "n", s = "0" } = attributes();
        // programs may leave the address out: then it is the next column
        column = r ? columnNumber(/^[A-Z]{1,3}(?=\d)/.exec(r)?.[0] ?? "") : column + 1;
        if (column < 1 || column > LAST_COLUMN)
          throw new Unreadable(`第 ${lastRow} 行的列号超出范围，请用Excel或WPS另存为xlsx再上传`);
        cell = { type: t, format: Number(s), formula: false, value: "" };
      } else if (name === "f" && cell) cell.formula = true;
      else if (name === "rPh") phonetic = true;
      else if ((name === "v" || name === "t") && cell) inValue = true;
      else if (name === "mergeCell" && book.merged.push(attributes().ref ?? "") > MOST_MERGED)
        throw damaged();
    },
    text: (text) => {
      if (inValue && cell && !phonetic && cell.value.length < LONGEST_TEXT)
        cell.value = (cell.value + text).slice(0, LONGEST_TEXT);
    },
    close: (name) => {
      if (name === "v" || name === "t") inValue = false;
      else if (name === "rPh") phonetic = false;
      else if (name === "c" && cell && row) {
        const made = cellOf(cell, book);
        if (made) {
          row.cells.set(column, made);
          kept.cells++;
          kept.letters += made.text.length;
        }
        cell = undefined;
      } else if (name === "row" && row) {
        if (row.cells.size) {
          ready.push(row);
          kept.rows++;
        }
        row = undefined;
      }
      if (kept.rows > MOST_ROWS || kept.cells > MOST_CELLS || kept.letters > MOST_LETTERS)
        throw new Unreadable("工作表的内容过多，请分批导入，并删除不需要的行和列");
    },
  });
  for await (const chunk of unfolding(entry, budget)) {
    scanner.write(chunk);
    const rows = ready;
    ready = [];
    yield* rows;
  }
  scanner.end();
  yield* ready;
}

function cellOf(
  cell: { type: string; format: number; formula: boolean; value: string },
  book: Book,
): Cell | undefined {
  const { type, value } = cell;
  if (cell.formula) return { kind: "formula", text: value };
  const text = type === "s" ? (book.strings[Number(value)] ?? "").slice(0, LONGEST_TEXT) : value;
  if (text.trim() === "") return undefined;
  if (type === "s" || type === "str" || type === "inlineStr") return { kind: "text", text };
  if (type === "b") return { kind: "flag", text: value === "1" ? "是" : "否" };
  if (type === "e") return { kind: "error", text };
  if (type === "d") return { kind: "day", text: value.slice(0, 10) };
  const number = Number(value);
  if (!Number.isFinite(number)) return { kind: "text", text };
  if (book.days[cell.format]) return { kind: "day", text: dayOfSerial(number, book.from1904) };
  // spreadsheets keep binary fractions: 0.1 + 0.2 reads 0.3 on their screen
  return { kind: "number", text: String(Number(number.toPrecision(15))) };
}

/** Day 1 is 1900-01-01, and day 60 the 29 February 1900 that never was. */
function dayOfSerial(serial: number, from1904: boolean): string {
  const whole = Math.floor(serial) + (from1904 ? 1462 : 0);
  const days = whole - (whole > 59 ? 25_569 : 25_568);
  const at = new Date(days * 86_400_000);
  return Number.isNaN(at.getTime()) ? String(serial) : at.toISOString().slice(0, 10);
}
