import { columnLetters, columnNumber, type SheetRow } from "../../../platform/server/sheet-rows.ts";
import { readWorkbook, type Sheet } from "../../../platform/server/workbook-reader.ts";
import { COLUMNS, plainHead, ROWS_MAX, SHEET, type Column } from "./columns.rules.ts";
import type { CellError } from "./import.rules.ts";
import type { Typed, Wrong } from "./row.rules.ts";

export type TypedRow = { number: number; typed: Typed; wrong: Wrong[] };
export type Reading = {
  errors: CellError[];
  rows: TypedRow[];
  /** Where a wrong value of a row stands, in the words of the file. */
  errorAt: (row: TypedRow, wrong: Wrong) => CellError;
};

/** Thrown where there is nothing to read at all. */
export class NoSheet extends Error {}

/** Opens the file; what cannot be read as a workbook has no rows to complain about. */
export async function openSheet(bytes: Buffer): Promise<Sheet> {
  const sheets = await readWorkbook(bytes).catch(() => undefined);
  if (!sheets?.length) throw new NoSheet("请上传xlsx文件");
  const sheet = sheets.find((s) => s.name === SHEET) ?? (sheets.length === 1 ? sheets[0] : undefined);
  if (!sheet) throw new NoSheet(`缺少工作表：${SHEET}`);
  return sheet;
}

type Report = (row: number, column: string, header: string, value: string, msg: string) => void;

/** Reads the sheet as a stream: heads first, then the texts of each row, and what can be said of the cells themselves. */
export async function readRows(sheet: Sheet): Promise<Reading> {
  const heads = new Map<number, Column>();
  const errors: CellError[] = [];
  const rows: TypedRow[] = [];
  const report: Report = (row, column, header, value, msg) =>
    errors.push({ row, column, header, value: value.slice(0, 100), msg });
  let headed = false;
  for await (const row of sheet.rows()) {
    if (!headed) {
      headed = true;
      readHeads(row, heads, report);
      if (errors.length) break;
      continue;
    }
    const typed = typedOf(row, heads);
    if (!typed) continue;
    if (rows.length >= ROWS_MAX) {
      report(row.number, "", "", "", `一次最多导入 ${ROWS_MAX} 行，请分批导入`);
      break;
    }
    rows.push(typed);
  }
  if (!rows.length && !errors.length) report(headed ? 2 : 1, "", "", "", "文件中没有数据");
  for (const range of sheet.merged) {
    const [, letters = "", number = "1"] = /^([A-Z]+)(\d+)/.exec(range) ?? [];
    const title = letters ? heads.get(columnNumber(letters))?.title : undefined;
    report(Number(number), letters, title ?? "", "", `不支持合并单元格（${range}）`);
  }
  const places = new Map([...heads].map(([n, column]) => [column.key, columnLetters(n)]));
  const titles = new Map(COLUMNS.map((column) => [column.key, column.title.replace("(元)", "")]));
  return {
    errors,
    rows,
    errorAt: (row, { key, msg }) => ({
      row: row.number,
      column: places.get(key) ?? "",
      header: titles.get(key)!,
      value: (row.typed[key] ?? "").slice(0, 100),
      msg,
    }),
  };
}

/** Heads may stand in any order; what is always asked for must be there, and nothing that nobody knows. */
function readHeads(row: SheetRow, heads: Map<number, Column>, report: Report): void {
  const known = new Map(COLUMNS.map((column) => [plainHead(column.title), column]));
  for (const [n, cell] of row.cells) {
    const column = known.get(plainHead(cell.text));
    const at = columnLetters(n);
    if (!column) report(row.number, at, cell.text, cell.text, `无法识别的列：${cell.text.slice(0, 30)}`);
    else if ([...heads.values()].includes(column))
      report(row.number, at, column.title, cell.text, `列重复：${column.title}`);
    else heads.set(n, column);
  }
  const there = new Set([...heads.values()]);
  for (const column of COLUMNS)
    if (column.required && !there.has(column))
      report(row.number, "", column.title, "", `缺少列：${column.title}`);
}

/** The texts of a row; undefined when nothing stands in any column that counts. */
function typedOf(row: SheetRow, heads: Map<number, Column>): TypedRow | undefined {
  const typed: Typed = {};
  const wrong: Wrong[] = [];
  for (const [n, column] of heads) {
    const cell = row.cells.get(n);
    if (!cell) continue;
    const text = cell.text.replace(/[\s\u3000]+/g, " ").trim();
    if (cell.kind === "formula") wrong.push({ key: column.key, msg: "不支持公式，请粘贴为数值" });
    else if (cell.kind === "error") wrong.push({ key: column.key, msg: `单元格有错误：${text}` });
    else if (text.length > 1000) wrong.push({ key: column.key, msg: "内容过长" });
    else if (text) typed[column.key] = text;
  }
  return Object.keys(typed).length || wrong.length ? { number: row.number, typed, wrong } : undefined;
}
