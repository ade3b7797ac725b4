import { columnLetters, columnNumber, type SheetRow } from "../../../platform/server/sheet-rows.ts";
import { readWorkbook, type Sheet } from "../../../platform/server/workbook-reader.ts";
import { COLUMNS, plainHead, ROWS_MAX, SHEET, type Column } from "./columns.rules.ts";
import type { Typed, Wrong } from "./row.rules.ts";

export type SheetError = {
  sheet: string;
  row: number;
  /** Letters of the column in this file, or none where the row as a whole is meant. */
  column: string;
  header: string;
  value: string;
  msg: string;
};
export type TypedRow = { number: number; typed: Typed; wrong: Wrong[] };
export type Reading = {
  heads: Map<number, Column>;
  errors: SheetError[];
  rows: TypedRow[];
  /** Where a wrong value of a row stands, in the words of the file. */
  errorAt: (row: TypedRow, wrong: Wrong) => SheetError;
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

/** Reads the sheet as a stream: heads first, then the texts of each row, and what can be said of the cells themselves. */
export async function readRows(sheet: Sheet): Promise<Reading> {
  const heads = new Map<number, Column>();
  const errors: SheetError[] = [];
  const rows: TypedRow[] = [];
  const report = (row: number, column: string, header: string, value: string, msg: string) =>
    errors.push({ sheet: sheet.name, row, column, header, value: value.slice(0, 100), msg });
  let headed = false;
  for await (const row of sheet.rows()) {
    if (!headed) {
      headed = true;
      readHeads(row, heads, report);
      if (errors.length) break;
      continue;
    }
    if (rows.length >= ROWS_MAX) {
      report(row.number, "", "", "", `最多 ${ROWS_MAX} 行，请分批导入`);
      break;
    }
    rows.push(typedOf(row, heads));
  }
  if (!headed) report(1, "", "", "", "文件中没有数据");
  else if (!rows.length && !errors.length) report(2, "", "", "", "文件中没有数据");
  for (const range of sheet.merged) {
    const m = /^([A-Z]+)(\d+)/.exec(range);
    const column = m ? columnNumber(m[1]!) : 0;
    report(
      Number(m?.[2] ?? 1),
      m?.[1] ?? "",
      heads.get(column)?.title ?? "",
      "",
      `不支持合并单元格（${range}）`,
    );
  }
  const places = new Map([...heads].map(([n, column]) => [column.key, columnLetters(n)]));
  const titles = new Map(COLUMNS.map((column) => [column.key, column.title]));
  return {
    heads,
    errors,
    rows,
    errorAt: (row, { key, msg }) => ({
      sheet: sheet.name,
      row: row.number,
      column: places.get(key) ?? "",
      header: titles.get(key)!,
      value: (row.typed[key] ?? "").slice(0, 100),
      msg,
    }),
  };
}

type Report = (row: number, column: string, header: string, value: string, msg: string) => void;

/** Heads may stand in any order; every column must be there once, and none that nobody knows. */
function readHeads(row: SheetRow, heads: Map<number, Column>, report: Report): void {
  const known = new Map(COLUMNS.map((column) => [plainHead(column.title), column]));
  for (const [n, cell] of row.cells) {
    const column = known.get(plainHead(cell.text));
    if (!column)
      report(row.number, columnLetters(n), cell.text, cell.text, `无法识别的列：${cell.text.slice(0, 30)}`);
    else if ([...heads.values()].includes(column))
      report(row.number, columnLetters(n), column.title, cell.text, `列重复：${column.title}`);
    else heads.set(n, column);
  }
  const there = new Set([...heads.values()].map((column) => column.key));
  for (const column of COLUMNS)
    if (!there.has(column.key)) report(row.number, "", column.title, "", `缺少列：${column.title}`);
}

function typedOf(row: SheetRow, heads: Map<number, Column>): TypedRow {
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
  return { number: row.number, typed, wrong };
}
