import type { Fen } from "../../../platform/kernel/fen.ts";
import {
  type DateFormat,
  grossOf,
  headerOf,
  momentOf,
  plain,
  sumOf,
  WRONG_AMOUNT,
  WRONG_TIME,
} from "./cell.rules.ts";
import { columnsOf, type Columns, lacking, type Reading, type Row, told } from "./format.rules.ts";
import type { BankField, Template } from "./template.rules.ts";

/** What banks call their columns. */
const NAMES = {
  date: ["交易日期", "记账日期", "入账日期", "交易时间"],
  time: ["交易时间", "记账时间", "交易时刻"],
  serial: ["交易流水号", "流水号", "凭证号", "核心流水号"],
  in: ["贷方发生额", "收入金额", "贷方金额", "转入", "转入金额", "收入"],
  out: ["借方发生额", "支出金额", "借方金额", "转出", "转出金额", "支出"],
  amount: ["交易金额", "发生额"],
  sign: ["借贷标志", "借贷", "收支标志", "借/贷"],
  balance: ["余额", "账户余额"],
  name: ["对方户名", "对方名称", "付款人名称", "对方账户名称"],
  account: ["对方账号", "付款人账号", "对方账户"],
  bank: ["对方开户行", "对方行名"],
} as const satisfies Record<BankField, readonly string[]>;
const NOTES = ["摘要", "用途", "附言", "备注"];

/** Where each field stands. */
function fieldsOf(columns: Columns): Partial<Record<BankField, string>> {
  const fields: Partial<Record<BankField, string>> = {};
  for (const field of Object.keys(NAMES) as BankField[]) {
    const column = NAMES[field].find((name) =>
      [name, `${name}(元)`].some((n) => columns.has(headerOf(n)) && headerOf(n) !== fields.date),
    );
    if (column) fields[field] = columns.has(headerOf(column)) ? headerOf(column) : headerOf(`${column}(元)`);
  }
  return fields;
}

/** Where the columns of a template stand, by its own names; nothing else is looked for. */
const fieldsAs = ({ columns: { notes: _, ...fields } }: Template): Partial<Record<BankField, string>> =>
  Object.fromEntries(Object.entries(fields).map(([field, name]) => [field, headerOf(name)]));

/** The columns of a template that a header lacks. */
export const lackingOf = (template: Template, cells: readonly string[]): string | undefined => {
  const { notes = [], ...fields } = template.columns;
  return lacking(columnsOf(cells), [...Object.values(fields), ...notes].map(headerOf));
};

/** What the columns of a header most likely are, by the names that banks use; the first of its notes with them. */
export function guessed(cells: readonly string[]): {
  fields: Partial<Record<BankField, string>>;
  notes: string[];
} {
  const columns = columnsOf(cells);
  const { time, ...fields } = fieldsOf(columns);
  const apart = time !== undefined && time !== fields.date ? { time } : {};
  return { fields: { ...fields, ...apart }, notes: NOTES.filter((name) => columns.has(name)) };
}

/** A header of a bank: one with a day and at least two more names that are known. */
export function isBankHeader(cells: readonly string[]): boolean {
  const columns = columnsOf(cells);
  const fields = fieldsOf(columns);
  const notes = NOTES.filter((name) => columns.has(name)).length;
  return fields.date !== undefined && Object.keys(fields).length + notes >= 3;
}

const INCOME = /^(贷|贷方|c|cr|收|收入|转入|来账|入)$/i;
const OUTLAY = /^(借|借方|d|dr|付|支|支出|转出|往账|出)$/i;
const NO_ROW = /^(合计|总计|小计|本页|本期|期初|期末|承前|过次|总笔数|制表|打印|第\s*\d+\s*页)/;

/** What a movement is numbered by; where it has no number some banks write noughts, the same for all of them. */
const numbered = (text: string): string | undefined => (/^0+$/.test(text) ? undefined : told(text));

/** Reads the statement of a bank whose header this is, by the names that banks use or those of a template; a sentence where a column is missing. */
export function bankOf(columns: Columns, template?: Template): Reading | string {
  const at = template ? fieldsAs(template) : fieldsOf(columns);
  const dates: DateFormat = template?.dateFormat ?? "auto";
  if (!at.date) return "缺少列：交易日期";
  if (!at.amount && !(at.in && at.out)) return "缺少列：收入金额和支出金额，或交易金额";
  if (!at.serial && !(at.balance && (at.name || at.account))) return "缺少列：交易流水号，或对方户名和余额";

  // one amount beside them does not say which way it went, unless by a mark
  const hasBoth = Boolean(at.in && at.out && !(at.amount && at.sign));
  const equal = new Map<string, number>();
  const chain = balanceChain();
  const noteColumns = template
    ? (template.columns.notes ?? []).map(headerOf)
    : NOTES.filter((name) => columns.has(name));
  return {
    format: "bank",
    columns,
    aside: ({ cells }) => NO_ROW.test(plain(cells.find((cell) => plain(cell) !== "") ?? "")),
    row: (row) => {
      const cell = (field: BankField) => (at[field] ? row.get(at[field]) : "");
      const wrong = (field: BankField, reason: string) => row.say(at[field] ?? field, reason);
      const occurredAt =
        momentOf(cell("date"), /^\d{4}[-/.年]|^\d{8}/.test(cell("time")) ? "" : cell("time"), dates) ??
        wrong("date", WRONG_TIME);
      const money = hasBoth ? twoColumns(row, at) : signed(row, at as { amount: string; sign?: string });
      const balance = cell("balance") ? sumOf(cell("balance")) : undefined;
      if (typeof balance === "string") wrong("balance", balance);
      if (!money || typeof balance === "string") return [];
      const serial = numbered(cell("serial"));
      const key = serial
        ? `S:${serial}:${money.direction}:${money.amount}`
        : `N:${occurredAt}:${money.direction}:${money.amount}:${told(cell("account")) ?? told(cell("name")) ?? ""}:${balance ?? ""}`;
      const ordinal = equal.get(key) ?? 0;
      equal.set(key, ordinal + 1);
      if (balance !== undefined)
        chain.take(row.no, money.direction === "in" ? money.amount : -money.amount, balance);
      return [
        {
          lineNo: row.no,
          rowKey: ordinal ? `${key}#${ordinal}` : key,
          occurredAt: occurredAt ?? "",
          ...money,
          fee: 0,
          balance,
          channelTradeNo: serial,
          counterName: told(cell("name")),
          counterAccount: told(cell("account")),
          summary: [...new Set(noteColumns.map((name) => told(row.get(name))))].filter(Boolean).join(" "),
          raw: row.raw,
        },
      ];
    },
    warnings: () => chain.warnings(),
  };
}

type Money = { direction: "in" | "out"; amount: Fen };

function twoColumns(row: Row, at: Partial<Record<BankField, string>>): Money | undefined {
  const [income, outlay] = ([at.in!, at.out!] as const).map((column) => {
    const text = row.get(column);
    // what some banks write where nothing moved
    if (text === "" || text === "-" || text === "--") return 0;
    const amount = grossOf(text);
    return typeof amount === "string" ? row.say(column, amount) : amount;
  });
  if (income === undefined || outlay === undefined) return undefined;
  if (income && outlay) return row.say(at.out!, "收入和支出不能同时有金额");
  if (!income && !outlay) return row.say(at.in!, WRONG_AMOUNT);
  // a reversal stands on its own side below nothing
  const plus = income > 0 || outlay < 0;
  return { direction: plus ? "in" : "out", amount: Math.abs(income || outlay) };
}

function signed(row: Row, at: { amount: string; sign?: string }): Money | undefined {
  const amount = grossOf(row.get(at.amount));
  if (typeof amount === "string") return row.say(at.amount, amount);
  if (!amount) return row.say(at.amount, WRONG_AMOUNT);
  if (!at.sign) return { direction: amount > 0 ? "in" : "out", amount: Math.abs(amount) };
  const sign = row.get(at.sign);
  if (INCOME.test(sign)) return { direction: amount > 0 ? "in" : "out", amount: Math.abs(amount) };
  // some write what goes out below nothing beside its sign
  if (OUTLAY.test(sign)) return { direction: "out", amount: Math.abs(amount) };
  return row.say(at.sign, "借贷标志无法识别");
}

const NAMED = 20;

/** Whether each balance is the one before and the amount, read downwards or upwards; whichever fits better is the order of the file. */
function balanceChain() {
  const breaks = { down: [] as number[], up: [] as number[] };
  const count = { down: 0, up: 0 };
  let before: { change: Fen; balance: Fen } | undefined;
  const note = (way: "down" | "up", line: number) => {
    count[way]++;
    if (breaks[way].length < NAMED) breaks[way].push(line);
  };
  return {
    take: (line: number, change: Fen, balance: Fen) => {
      if (before && balance !== before.balance + change) note("down", line);
      if (before && before.balance !== balance + before.change) note("up", line);
      before = { change, balance };
    },
    warnings: (): string[] => {
      const way = count.up < count.down ? "up" : "down";
      if (!count[way]) return [];
      const more = count[way] > NAMED ? ` 等 ${count[way]} 处` : "";
      return [`余额不连续：第 ${breaks[way].join("、")} 行${more}`];
    },
  };
}
