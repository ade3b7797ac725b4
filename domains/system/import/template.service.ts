import type { Read } from "../../../platform/server/pipeline/act.ts";
import { plainRows, valuesXml, wholeWorkbook, type BookSheet } from "../../../platform/server/sheets/book.ts";
import { STYLE } from "../../../platform/server/sheets/cell.ts";
import { columnLetters } from "../../../platform/server/sheets/sheet-rows.ts";
import { below, listed, sheetTemplate } from "../../../platform/server/sheets/sheet-template.ts";
import { headOf, MOST_ROWS, type ImportColumn } from "./import.rules.ts";
import type { SheetTemplate } from "./importer.service.ts";

type Lists = Readonly<Record<string, readonly string[]>>;
type Columns = readonly ImportColumn[];

/** The workbook that people fill in. */
export async function templateOf<F, P extends object>(read: Read, of: SheetTemplate<F, P>, query: object) {
  const { things: sheet, template, most: rows = MOST_ROWS, megabytes = 10 } = of;
  const columns = await of.columns(read);
  const filled = (await of.filled?.(read, query as never)) ?? [];
  if ("example" in template) {
    const shown = columns.map(({ title, must, note, words, number }) => ({
      title,
      must: must === true,
      note,
      number,
      choices: words && Object.values(words).map(([word]) => word),
    }));
    return sheetTemplate({ sheet, columns: shown, rows, megabytes, example: template.example, filled });
  }
  const { rules, samples, frozen, wide } = template;
  const lists = await template.lists(read, query as never);
  const [store = "滨江店"] = Object.values(lists)[0]!;
  return wholeWorkbook([
    {
      name: sheet,
      frozen: { rows: 1, columns: frozen },
      columns: columns.map(({ kind, width = 12 }) => ({ width, style: kind ? STYLE[kind] : STYLE.plain })),
      rows: [
        valuesXml(1, columns.map(headOf), (i) => (columns[i]!.must === true ? STYLE.mustHead : STYLE.head)),
        ...filled.map((row, i) => valuesXml(i + 2, row)),
      ],
      choices: columns.flatMap((column, i) => {
        const from = choicesOf(column, lists);
        const refusal = column.open ? undefined : { title: column.title, text: column.note ?? "" };
        return from ? [{ ...below(i, rows), from, refusal }] : [];
      }),
      notes: columns.map((column, i) => ({
        at: `${columnLetters(i + 1)}1`,
        text: mustOf(column) + (column.note ?? ""),
      })),
    },
    dictionary(lists, wide.list),
    explain(
      columns,
      rules,
      wide.rules,
      samples.map((sample) => ({ [columns[0]!.key]: store, ...sample })),
    ),
  ]);
}

const mustOf = ({ must }: ImportColumn) => (must === true ? "必填。" : must ? `${must}必填。` : "");

/** The choices of a drop-down: a short list stands in the file itself, the others on the sheet 字典. */
function choicesOf({ choices, from }: ImportColumn, lists: Lists): string | undefined {
  if (choices) return listed(choices);
  const list = from === undefined ? undefined : lists[from];
  if (!list?.length) return undefined;
  const letter = columnLetters(Object.keys(lists).indexOf(from!) + 1);
  return `字典!$${letter}$2:$${letter}$${list.length + 1}`;
}

function dictionary(lists: Lists, width: number): BookSheet {
  const columns = Object.values(lists);
  const longest = Math.max(...columns.map((words) => words.length));
  const words = Array.from({ length: longest }, (_, n) => columns.map((list) => list[n]));
  return {
    name: "字典",
    columns: columns.map(() => ({ width })),
    rows: [
      valuesXml(1, Object.keys(lists), () => STYLE.head),
      ...words.map((row, n) => valuesXml(n + 2, row)),
    ],
  };
}

const explain = (
  columns: Columns,
  rules: readonly string[],
  width: number,
  samples: readonly Partial<Record<string, string | number>>[],
): BookSheet => ({
  name: "说明",
  columns: [{ width: 16 }, { width }],
  rows: plainRows(
    [
      ...rules.map((rule, i) => [i === 0 ? "填写规则" : "", rule]),
      [],
      ["列", "说明"],
      ...columns.map((column) => [
        headOf(column),
        (column.must === true ? "" : mustOf(column)) + (column.note ?? ""),
      ]),
      [],
      ["示例"],
      columns.map(headOf),
      ...samples.map((sample) => columns.map(({ key }) => sample[key] ?? "")),
    ],
    ([title]) => title === "列" || title === "示例",
  ),
});
