import type { Sheet } from "./foreign-sheet.ts";
import { columnLetters, columnNumber, type SheetRow } from "./sheet-rows.ts";

/** A column of a sheet; `aliases` are what other people call it, where that is not `USUAL`. */
export type Head<K extends string = string> = { key: K; title: string; aliases?: readonly string[] };
type Shape<C> = { columns: readonly C[]; must: (column: C) => boolean };

/** A column of a file: its letters, its heading, which may be empty, and the first values below it. */
export type Heading = { at: string; title: string; samples: string[] };
/** Which column of a file each field is read from, by the letters of the column, and where its headings stand. */
export type Mapping = {
  row: number;
  titles: Record<string, string>;
  from: Record<string, string>;
  /** What stands for a field in every row whose cell is empty or that has none. */
  fixed: Record<string, string>;
  /** Somebody has said so, or there was nothing to guess. */
  confirmed: boolean;
};

/** What other systems and people's own sheets call what stands in many imports, by its title there. */
const USUAL: Readonly<Record<string, readonly string[]>> = {
  姓名: ["客户姓名", "租客姓名", "联系人姓名", "名字"],
  手机: ["手机号", "手机号码", "电话", "联系电话", "联系方式"],
  证件号: ["证件号码", "身份证", "身份证号", "身份证号码"],
  生日: ["出生日期", "出生年月日"],
  来源: ["客户来源", "来源渠道"],
  负责人: ["跟进人", "跟进人员"],
  门店: ["门店名称", "项目", "项目名称", "公寓", "小区"],
  房间: ["房号", "房间号", "房间名称", "房源", "房源名称"],
  统一社会信用代码: ["信用代码", "社会信用代码"],
  地址: ["联系地址", "通讯地址"],
  备注: ["说明", "备注信息"],
};

/** The headings are looked for in so many rows from the top. */
const LOOKED_AT = 10;
const SAMPLES = 3;
/** A sheet with more columns is nobody's list: it is refused by its headings, and not asked about. */
const WIDEST = 200;

/** Whether it can be asked which of its columns are read. */
export const isMappable = ({ rows }: Sheet): boolean =>
  rows.slice(0, LOOKED_AT).every(({ cells }) => cells.size <= WIDEST);

/** A head as people may have changed it: without the star of a must, blanks and the unit in brackets. */
export const plainHead = (text: string): string => withoutUnit(text.replace(/[*＊\s]/g, ""));
export const withoutUnit = (title: string): string => title.replace(/[（(][^）)]*[）)]$/, "");

/** Left column, first and last row of a range such as B2:D3. */
export function mergedRange(range: string): { column: number; from: number; to: number } {
  const [, letters = "A", from = "1", to = from] = /^([A-Z]+)(\d+)(?::[A-Z]+(\d+))?/.exec(range) ?? [];
  return { column: columnNumber(letters), from: Number(from), to: Number(to) };
}

/** The headings of a row by column; a cell that reaches down to it from a row above is one of them. */
function titlesAt({ rows, merged }: Sheet, row: SheetRow): Map<number, string> {
  const titles = new Map([...row.cells].map(([column, { text }]) => [column, text.trim()]));
  for (const { column, from, to } of merged.map(mergedRange))
    if (from < row.number && row.number <= to) {
      const title = rows
        .find(({ number }) => number === from)
        ?.cells.get(column)
        ?.text.trim();
      if (title) titles.set(column, title);
    }
  return titles;
}

/** The columns of a file below the row of its headings; those without a heading where a value stands in them. */
export function headingsBelow(sheet: Sheet, { row, titles }: Pick<Mapping, "row" | "titles">): Heading[] {
  const samples = new Map(Object.keys(titles).map((at) => [columnNumber(at), [] as string[]]));
  for (const { number, cells } of sheet.rows)
    if (number > row)
      for (const [column, { text }] of cells) {
        const some = samples.get(column) ?? [];
        if (some.length < SAMPLES) samples.set(column, [...some, text.trim().slice(0, 40)]);
      }
  return [...samples.entries()]
    .toSorted(([a], [b]) => a - b)
    .map(([column, some]) => {
      const at = columnLetters(column);
      return { at, title: titles[at] ?? "", samples: some };
    });
}

/**
 * What the headings of a file mean: those that are a column's own title, then those that people use for it; of two for the
 * same the first. They stand in the row in which most of them are understood.
 */
export function guessMapping<C extends Head<string>>(sheet: Sheet, { columns, must }: Shape<C>): Mapping {
  const guesses = sheet.rows.slice(0, LOOKED_AT).map((row) => {
    const titles = titlesAt(sheet, row);
    const from = new Map<string, number>();
    const match = (named: (column: C) => readonly string[]) => {
      for (const column of columns) {
        const names = named(column).map(plainHead);
        const used = new Set(from.values());
        const [at] = [...titles].find(([n, title]) => !used.has(n) && names.includes(plainHead(title))) ?? [];
        if (at !== undefined && !from.has(column.key)) from.set(column.key, at);
      }
    };
    match(({ title }) => [title]);
    // there is nothing to guess where these are the sheet's own columns and no others
    const own = from.size === titles.size && columns.every((c) => !must(c) || from.has(c.key));
    match(({ title, aliases = USUAL[plainHead(title)] ?? [] }) => aliases);
    const texts = [...row.cells.values()].filter(({ kind }) => kind === "text").length;
    return { row: row.number, titles, from, own, texts };
  });
  const [best] = guesses.toSorted((a, b) => b.from.size - a.from.size || b.texts - a.texts || a.row - b.row);

  return {
    row: best!.row,
    titles: Object.fromEntries([...best!.titles].map(([n, title]) => [columnLetters(n), title])),
    from: Object.fromEntries([...best!.from].map(([key, n]) => [key, columnLetters(n)])),
    fixed: {},
    confirmed: best!.own,
  };
}
