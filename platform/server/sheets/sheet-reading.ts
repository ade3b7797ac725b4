import { columnLetters, columnNumber, type SheetRow } from "./sheet-rows.ts";
import { NoSheet, openSheet, type Sheet } from "./foreign-sheet.ts";
import {
  guessMapping,
  mergedRange,
  plainHead,
  withoutUnit,
  type Head,
  type Mapping,
  isMappable,
} from "./headings.ts";

/** What is wrong in a spreadsheet, as people find it: sheet, row, letters of the column, its head, what stands there. */
export type SheetError = {
  sheet: string;
  row: number;
  /** Letters of the column in this file, or none where the row as a whole is meant. */
  column: string;
  header: string;
  value: string;
  msg: string;
};
/** The texts of one row, by column; what is empty is missing. */
export type Texts<K extends string> = Partial<Record<K, string>>;
export type WrongText<K extends string> = { key: K; msg: string };
export type TextRow<K extends string> = { number: number; typed: Texts<K>; wrong: WrongText<K>[] };
export type SheetReading<K extends string> = {
  errors: SheetError[];
  rows: TextRow<K>[];
  /** Where a wrong value of a row stands, in the words of the file. */
  errorAt: (row: TextRow<K>, wrong: WrongText<K>) => SheetError;
  /** The first row holds other headings than these: nothing but that was read. */
  strange: boolean;
  /** How its headings are understood, where they are not the sheet's own in the first row. */
  mapping?: Mapping;
};

export type SheetShape<C> = {
  /** Heads may stand in any order; none that nobody knows, and none twice. */
  columns: readonly C[];
  /** Which of them must be there. */
  must: (column: C) => boolean;
  /** Rows of one file at most. */
  most: number;
};

/** Where there is nothing to read at all, what is wrong with the file as a whole. */
export async function readSheet<K extends string, C extends Head<K>>(
  bytes: Buffer,
  name: string,
  shape: SheetShape<C & Head<K>>,
  mapping?: Mapping,
): Promise<SheetReading<K>> {
  try {
    return readMapped<K, C>(await openSheet(bytes, name), shape, mapping);
  } catch (error) {
    if (!(error instanceof NoSheet)) throw error;
    const whole = { sheet: name, row: 1, column: "", header: "", value: "", msg: error.message };
    return { errors: [whole], rows: [], errorAt: () => whole, strange: false };
  }
}

/**
 * The sheet by its own headings in the first row, or as it was mapped. Other headings are refused with a guess of what
 * they mean; where they are the sheet's own in a row below, they are read at once.
 */
export function readMapped<K extends string, C extends Head<K>>(
  sheet: Sheet,
  shape: SheetShape<C & Head<K>>,
  mapping?: Mapping,
): SheetReading<K> {
  if (mapping?.confirmed) return readTexts<K, C>(sheet, shape, mapping);
  const own = readTexts<K, C>(sheet, shape);
  if (!own.strange || !isMappable(sheet)) return own;
  const guess = guessMapping(sheet, shape);
  return guess.confirmed ? readTexts<K, C>(sheet, shape, guess) : { ...own, mapping: guess };
}

/** Heads first, then the texts of each row, and what can be said of the cells themselves. */
export function readTexts<K extends string, C extends Head<K>>(
  sheet: Sheet,
  shape: SheetShape<C & Head<K>>,
  mapping?: Mapping,
): SheetReading<K> {
  const heads = new Map<number, C>(
    shape.columns.flatMap((column) => {
      const at = mapping?.from[column.key];
      return at ? [[columnNumber(at), column]] : [];
    }),
  );
  const above = mapping?.row ?? 0;
  const errors: SheetError[] = [];
  const rows: TextRow<K>[] = [];
  const report: Report = (row, column, header, value, msg) =>
    errors.push({ sheet: sheet.name, row, column, header, value: value.slice(0, 100), msg });
  let headed = mapping !== undefined;
  let strange = false;
  for (const row of sheet.rows) {
    if (row.number <= above) continue;
    if (!headed) {
      headed = true;
      readHeads(row, heads, shape, report);
      strange = errors.length > 0;
      if (strange) break;
      continue;
    }
    const texts = textsOf<K>(row, heads);
    if (!texts) continue;
    if (rows.length >= shape.most) {
      report(row.number, "", "", "", `最多 ${shape.most} 行，请分批导入`);
      break;
    }
    rows.push({ ...texts, typed: { ...mapping?.fixed, ...texts.typed } });
  }
  if (!rows.length && !errors.length) report(headed ? (above || 1) + 1 : 1, "", "", "", "文件中没有数据");
  for (const range of sheet.merged) {
    const { column, from, to } = mergedRange(range);
    if (to <= above) continue;
    const letters = columnLetters(column);
    report(from, letters, heads.get(column)?.title ?? "", "", `不支持合并单元格（${range}）`);
  }
  const places = new Map([...heads].map(([n, column]) => [column.key, columnLetters(n)]));
  const titles = new Map(shape.columns.map((column) => [column.key, withoutUnit(column.title)]));
  return {
    errors,
    rows,
    strange,
    ...(mapping && { mapping }),
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

function readHeads<C extends Head<string>>(
  row: SheetRow,
  heads: Map<number, C>,
  { columns, must }: SheetShape<C>,
  report: Report,
): void {
  const known = new Map(columns.map((column) => [plainHead(column.title), column]));
  for (const [n, cell] of row.cells) {
    const column = known.get(plainHead(cell.text));
    const at = columnLetters(n);
    if (!column) report(row.number, at, cell.text, cell.text, `无法识别的列：${cell.text.slice(0, 30)}`);
    else if ([...heads.values()].includes(column))
      report(row.number, at, column.title, cell.text, `列重复：${column.title}`);
    else heads.set(n, column);
  }
  const there = new Set(heads.values());
  for (const column of columns)
    if (must(column) && !there.has(column))
      report(row.number, "", column.title, "", `缺少列：${column.title}`);
}

/** The texts of a row; undefined when nothing stands in any column that counts. */
function textsOf<K extends string>(row: SheetRow, heads: Map<number, Head<K>>): TextRow<K> | undefined {
  const typed: Texts<K> = {};
  const wrong: WrongText<K>[] = [];
  for (const [n, { key }] of heads) {
    const cell = row.cells.get(n);
    if (!cell) continue;
    const text = cell.text.replace(/[\s\u3000]+/g, " ").trim();
    if (cell.kind === "formula") wrong.push({ key, msg: "不支持公式，请粘贴为数值" });
    else if (cell.kind === "error") wrong.push({ key, msg: `单元格有错误：${text}` });
    else if (text.length > 1000) wrong.push({ key, msg: "内容过长" });
    else if (text) typed[key] = text;
  }
  return Object.keys(typed).length || wrong.length ? { number: row.number, typed, wrong } : undefined;
}
