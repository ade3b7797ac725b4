import { plainWords } from "../../../platform/kernel/field.ts";
import { type DateFormat, headerOf, plain } from "./cell.rules.ts";

export const DATE_FORMAT = plainWords({
  auto: "年月日",
  dmy: "日/月/年",
  mdy: "月/日/年",
} satisfies Record<DateFormat, string>);

/** What each field is called on the page, in the order of its form. */
export const TEMPLATE_FIELDS = {
  date: "交易日期",
  time: "交易时间",
  serial: "流水号",
  in: "收入金额",
  out: "支出金额",
  amount: "交易金额",
  sign: "收支标志",
  balance: "余额",
  name: "对方户名",
  account: "对方账号",
  bank: "对方开户行",
} as const;
export type BankField = keyof typeof TEMPLATE_FIELDS;

/** Which column is what in the file of a bank, by the names in its header. */
export type TemplateColumns = { [F in BankField]?: string | undefined } & {
  date: string;
  notes?: readonly string[] | undefined;
};
export type Template = {
  name?: string;
  /** Lines above the header. */
  skipLines: number;
  dateFormat: DateFormat;
  columns: TemplateColumns;
};

/** Why columns are not enough to read a statement by, or nothing; the field that lacks first. */
export function whyNotTemplate({
  columns: at,
}: Pick<Template, "columns">): { field: BankField; msg: string } | undefined {
  if (at.amount && (at.in || at.out)) return { field: "amount", msg: "交易金额与收入、支出金额只能选一种" };
  if (!at.amount && !at.in) return { field: "in", msg: "请选择收入金额和支出金额，或交易金额" };
  if (!at.amount && !at.out) return { field: "out", msg: "请选择支出金额" };
  if (at.sign && !at.amount) return { field: "sign", msg: "有收支标志时请选择交易金额" };
  if (!at.serial && !at.balance) return { field: "serial", msg: "没有流水号时，请选择余额和对方户名或账号" };
  if (!at.serial && !at.name && !at.account)
    return { field: "name", msg: "没有流水号时，请选择对方户名或账号" };
  return undefined;
}

/** Why one column cannot be two things, or nothing. */
export function whyTwice({
  columns: { notes = [], ...fields },
}: Pick<Template, "columns">): string | undefined {
  const names = [...Object.values(fields), ...notes].filter((name) => name !== undefined).map(headerOf);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  return twice === undefined ? undefined : `列“${twice}”只能选择一次`;
}

/** The line that looks most like a header: the most cells with words and without digits. */
export function likelyHeader(
  lines: readonly { line: number; cells: readonly string[] }[],
): number | undefined {
  const words = (cells: readonly string[]) => cells.filter((cell) => plain(cell) && !/\d/.test(cell)).length;
  const best = lines.toSorted((a, b) => words(b.cells) - words(a.cells))[0];
  return best && words(best.cells) > 1 ? best.line : undefined;
}
