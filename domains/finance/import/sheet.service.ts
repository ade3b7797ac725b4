import { columnLetters, type SheetRow } from "../../../platform/server/sheet-rows.ts";
import { readWorkbook } from "../../../platform/server/workbook-reader.ts";
import {
  COLUMNS,
  MOST_ERRORS,
  MOST_ROWS,
  SHEET,
  valueOf,
  type CellError,
  type Field,
  type ImportColumn,
  type Typed,
} from "./columns.rules.ts";

/** A row whose cells are each right by themselves. */
export type TypedRow = { number: number; typed: Typed };

/** Collects what is wrong, at most so much of it, and counts all. */
export type Complaints = {
  errors: CellError[];
  count: () => number;
  on: (row: number, field: Field, value: string, msg: string) => void;
  whole: (msg: string, row?: number) => void;
};

function complaints(columns: ReadonlyMap<number, ImportColumn>): Complaints {
  const errors: CellError[] = [];
  let count = 0;
  const add = (error: CellError) => {
    count++;
    if (errors.length < MOST_ERRORS) errors.push(error);
  };
  return {
    errors,
    count: () => count,
    on: (row, field, value, msg) => {
      const at = [...columns].find(([, c]) => c.field === field);
      const { header } = COLUMNS.find((c) => c.field === field)!;
      add({ row, column: at ? columnLetters(at[0]) : "", header, value, msg });
    },
    whole: (msg, row = 1) => add({ row, column: "A", header: "", value: "", msg }),
  };
}

/** Reads a file cell by cell: the rows that are right so far, and a sentence for each wrong cell. */
export async function typedRows(
  bytes: Buffer,
): Promise<{ rows: TypedRow[]; rowCount: number; say: Complaints }> {
  const columns = new Map<number, ImportColumn>();
  const say = complaints(columns);
  const rows: TypedRow[] = [];
  let rowCount = 0;
  const answer = () => ({ rows, rowCount, say });
  const sheets = await readWorkbook(bytes);
  const sheet = sheets?.find((s) => s.name === SHEET) ?? sheets?.[0];
  if (!sheet) {
    say.whole("请上传xlsx文件");
    return answer();
  }
  for await (const row of sheet.rows()) {
    if (!columns.size) {
      for (const [at, cell] of row.cells) {
        const column = COLUMNS.find((c) => c.header === cell.text.replace(/[*＊\s]/g, ""));
        if (column) columns.set(at, column);
      }
      const missing = COLUMNS.filter((c) => c.must && ![...columns.values()].includes(c));
      for (const { header } of missing) say.whole(`缺少列：${header}`, row.number);
      if (missing.length) return answer();
      continue;
    }
    if (![...columns.keys()].some((at) => row.cells.get(at)?.text.trim())) continue;
    if (++rowCount > MOST_ROWS) {
      say.whole(`一次最多导入${MOST_ROWS}行`, row.number);
      return answer();
    }
    const typed = typedRow(row, columns, say);
    if (typed) rows.push({ number: row.number, typed });
  }
  if (sheet.merged.length) say.whole(`不支持合并单元格：${sheet.merged.slice(0, 3).join("、")}`);
  if (!columns.size || (!rowCount && !say.count())) say.whole("文件中没有数据");
  return answer();
}

function typedRow(
  { number, cells }: SheetRow,
  columns: ReadonlyMap<number, ImportColumn>,
  say: Complaints,
): Typed | undefined {
  const typed: Record<string, unknown> = { remark: "" };
  let right = true;
  for (const [at, column] of columns) {
    const cell = cells.get(at);
    const text = cell?.text ?? "";
    const got =
      cell?.kind === "formula"
        ? { msg: "不支持公式，请粘贴为数值" }
        : cell?.kind === "error"
          ? { msg: "单元格内容有错误" }
          : valueOf(column, text);
    if ("value" in got) typed[column.field] = got.value;
    else {
      say.on(number, column.field, text, got.msg);
      right = false;
    }
  }
  const { from, to } = typed as Partial<Typed>;
  if (from && to && to < from) {
    say.on(number, "to", to, "计费期止不能早于计费期起");
    right = false;
  }
  return right ? (typed as Typed) : undefined;
}
