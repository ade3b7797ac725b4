import type { FileReply } from "../../kernel/call.ts";
import { plainRows, valuesXml, wholeWorkbook } from "./book.ts";
import { STYLE } from "./cell.ts";
import { columnLetters } from "./sheet-rows.ts";

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
export const xlsxReply = (name: string, body: FileReply["body"]): FileReply => ({ name, type: XLSX, body });

/** A column that people fill in: its head, whether it must be there, what it says about itself, what it may choose from. */
export type TemplateColumn = {
  title: string;
  must?: boolean | undefined;
  note?: string | undefined;
  choices?: readonly string[] | undefined;
  /** Everything else is kept as text: a phone is no amount, and a door such as 0301 keeps its zero. */
  number?: boolean | undefined;
};
export type Template = {
  sheet: string;
  columns: readonly TemplateColumn[];
  /** Rows and megabytes of one file at most. */
  rows: number;
  megabytes: number;
  /** One line that shows how it is meant. */
  example: string;
  /** Rows that stand in it already, to be changed. */
  filled?: readonly (readonly string[])[];
};

/** An empty sheet with heads, notes and choices, and a page that explains it. */
export function sheetTemplate({ sheet, columns, rows, megabytes, example, filled = [] }: Template) {
  const heads = columns.map(({ title, must }) => (must ? `${title}*` : title));
  const help = [
    ["填写说明", ""],
    ["必填", "列名带 * 的为必填；列的次序可以变动"],
    ["行数", `一次最多 ${rows} 行，文件不超过${megabytes}M`],
    ["公式", "不支持公式和合并单元格，请粘贴为数值"],
    ["结果", "任何一行有错误时全部不导入，按行列列出错误"],
    ...columns.flatMap(({ title, note, choices }) => {
      const told = note ?? choices?.join("、");
      return told ? [[title, told]] : [];
    }),
    ["示例", example],
  ];
  return wholeWorkbook([
    {
      name: sheet,
      frozen: { rows: 1 },
      columns: columns.map(({ title, number }) => ({
        width: headWidth(title),
        ...(!number && { style: STYLE.text }),
      })),
      rows: [valuesXml(1, heads, () => STYLE.sums.text), ...filled.map((row, i) => valuesXml(i + 2, row))],
      choices: columns.flatMap(({ choices }, i) =>
        choices && listed(choices) ? [{ ...below(i, rows), from: listed(choices)! }] : [],
      ),
      notes: columns.flatMap(({ note }, i) => (note ? [{ at: `${columnLetters(i + 1)}1`, text: note }] : [])),
    },
    { name: "说明", columns: [{ width: 18 }, { width: 60 }], rows: plainRows(help) },
  ]);
}

/** Wide enough for its head. */
export const headWidth = (title: string): number => Math.max(13, title.length * 2 + 4);

/** The cells under a head that people fill in. */
export const below = (i: number, rows: number): { range: string } => ({
  range: `${columnLetters(i + 1)}2:${columnLetters(i + 1)}${rows + 1}`,
});

/** Choices as they stand in the drop-down itself; a spreadsheet refuses the whole file where they are too long for it. */
export function listed(choices: readonly string[]): string | undefined {
  const list = choices.join(",");
  return list.length > 255 || choices.some((word) => /[",]/.test(word)) ? undefined : `"${list}"`;
}
