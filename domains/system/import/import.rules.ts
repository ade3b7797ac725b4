import type { Words } from "../../../platform/kernel/field.ts";
import type { MappedColumns } from "../../../platform/kernel/fields/sheet-mapping.ts";

/** How far an uploaded spreadsheet is: checked, taken, taken back. */
export const IMPORT_STATES = {
  failed: ["有错误", "red"],
  ready: ["待确认", "gold"],
  done: ["已导入", "green"],
  undone: ["已撤销", "grey"],
} as const satisfies Words;

/** The same where a file may be so long that a job takes it. */
export const LONG_STATES = {
  failed: IMPORT_STATES.failed,
  ready: IMPORT_STATES.ready,
  importing: ["导入中", "blue"],
  done: IMPORT_STATES.done,
  undone: IMPORT_STATES.undone,
} as const satisfies Words;
export type ImportState = keyof typeof LONG_STATES;

/** A long file may be taken so many hours after its check; the world has moved on afterwards. */
export const READY_HOURS = 24;

/** The sentence against taking a batch, or nothing. */
export function commitRefusal(
  state: ImportState | "checking",
  failed = "文件有错误，请改正后重新上传",
): string | undefined {
  if (state === "ready") return undefined;
  return {
    failed,
    checking: "文件正在检查，请稍后",
    importing: "正在导入，请勿重复提交",
    done: "该批次已导入",
    undone: "该批次已撤销，请重新上传文件",
  }[state];
}

/** A column of the spreadsheet and the field it fills. */
export type ImportColumn<K extends string = string> = {
  title: string;
  key: K;
  /** What the column is called in the sheets of others. */
  aliases?: readonly string[];
  /** Always; or said in words, where only some rows need it. */
  must?: boolean | string;
  note?: string;
  words?: Words;
  day?: boolean;
  /** 、 or , between several. */
  list?: boolean;
  yuan?: boolean;
  whole?: boolean;
  /** How cells look in a template with a dictionary, and what their drop-down offers: words, or a list of that dictionary. */
  width?: number;
  kind?: "text" | "day" | "money";
  choices?: readonly string[] | undefined;
  from?: string;
  /** The drop-down only proposes: anything else is no mistake. */
  open?: boolean;
  /** A number in a template where everything else is text. */
  number?: boolean;
};

/** Most rows of one file, where a sheet says nothing else. */
export const MOST_ROWS = 5000;

/** The sentence against reading a file so: each required field from a column of its own, or as one value. */
export function mappingRefusal(
  columns: readonly ImportColumn[],
  must: (column: ImportColumn) => boolean,
  mapped: MappedColumns,
): string | undefined {
  const fields = new Map(columns.map((column) => [column.key, column]));
  const given = new Set([...mapped.columns, ...mapped.fixed].map(({ key }) => key));
  if ([...given].some((key) => !fields.has(key))) return "模板的列已变化，请重新上传文件";
  const used = new Map<string, string>();
  for (const { key, at } of mapped.columns) {
    const { title } = fields.get(key)!;
    if (!/^[A-Z]+$/.test(at)) return `文件中没有 ${at} 列`;
    const other = used.get(at);
    if (other !== undefined) return `${other}和${title}不能取自同一列（${at} 列）`;
    used.set(at, title);
  }
  const missing = columns.filter((c) => must(c) && !given.has(c.key));
  return missing.length ? `请选择必填的列：${missing.map(({ title }) => title).join("、")}` : undefined;
}

/** The head in a template: what is always asked for is starred. */
export const headOf = ({ title, must }: ImportColumn): string => (must === true ? `${title}*` : title);

/** What stands in a cell as the field wants it; a sentence when it cannot be that. */
export function valueOf(column: ImportColumn, typed: string): { value: unknown } | { msg: string } {
  if (column.words) {
    const words = Object.entries(column.words);
    const found = words.find(([, [word]]) => word === typed);
    if (found) return { value: found[0] };
    return { msg: `${column.title}应为：${words.map(([, [word]]) => word).join("、")}` };
  }
  if (column.day)
    return {
      value: typed
        .replace(/[/.年月]/g, "-")
        .replace(/日$/, "")
        .replace(/-(\d)(?=-|$)/g, "-0$1"),
    };
  if (column.list) return { value: typed.split(/[、,，;；\s]+/).filter(Boolean) };
  if (column.yuan)
    return /^\d{1,8}(\.\d{1,2})?$/.test(typed.replaceAll(",", ""))
      ? { value: Math.round(Number(typed.replaceAll(",", "")) * 100) }
      : { msg: "金额格式不正确，最多两位小数" };
  if (column.whole)
    return /^\d{1,4}$/.test(typed) ? { value: Number(typed) } : { msg: `${column.title}应为整数` };
  return { value: typed };
}

/** A month as people write it, as 2026-11: 2026年11月, 2026/11, and the day that a spreadsheet makes of what is typed so. */
export const monthOfCell = (typed: string): string =>
  typed
    .replace(/[/.年]/g, "-")
    .replace(/月$/, "")
    .replace(/-(\d)$/, "-0$1")
    .replace(/^(\d{4}-\d{2})-\d{2}$/, "$1");
