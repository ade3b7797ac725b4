import type { Fen } from "../../../platform/kernel/fen.ts";
import { greys } from "../../../platform/kernel/words.ts";
import type { EventCode } from "../../finance/journal/journal.rules.ts";

export const BOOKS = "/report/FinancePage";

/** The chart of accounts as people read it, by number. */
export const ACCOUNTS = greys({
  "1001": "1001 库存现金",
  "1002": "1002 银行存款",
  "1012": "1012 渠道资金",
  "1019": "1019 缴款在途",
  "1122": "1122 应收账款",
  "1131": "1131 应收第三方",
  "1221": "1221 其他应收-短款",
  "2202": "2202 应付账款",
  "2203": "2203 预存款",
  "2204": "2204 递延收入",
  "2205": "2205 待收押金",
  "2221": "2221 应交销项税",
  "2222": "2222 待转销项税",
  "2241": "2241 押金",
  "2242": "2242 暂收款(待认领)",
  "2243": "2243 代收款",
  "2299": "2299 内部往来",
  "3999": "3999 期初",
  "6001": "6001 业务收入",
  "6052": "6052 滞纳金收入",
  "6053": "6053 第三方收入",
  "6061": "6061 其他收入",
  "6401": "6401 营业成本",
  "6602": "6602 渠道手续费",
  "6701": "6701 坏账核销",
  "6702": "6702 长短款损益",
});
export type Account = keyof typeof ACCOUNTS;

/** Debits less credits of an account from one event: before a period, and in it. */
export type Moved = { account: string; event: string; before: Fen; moved: Fen };

/** Money of the stores: their own accounts, and what head office holds for them. Over the whole company 2299 comes to nothing. */
const MONEY: readonly string[] = ["1001", "1002", "1012", "1019", "2299"];

type Term = { key: string; title: string; account: Account; events?: readonly EventCode[]; side?: "debit" };
/**
 * R3, what money came from and went to: each is what an account was credited, less what it was debited; what stores owe each other is
 * money of theirs, and the other way round.
 */
const TERMS: readonly Term[] = [
  { key: "received", title: "收款", account: "2203", events: ["E06", "E17", "E10"] },
  { key: "unclaimed", title: "待认领净增", account: "2242" },
  { key: "thirdParty", title: "第三方回款", account: "1131", events: ["E28"] },
  { key: "refunded", title: "退款", account: "2202", events: ["E13"] },
  // until costs were taken back under their own event, E10 did it
  { key: "paid", title: "付款", account: "2202", events: ["E26", "E10"] },
  { key: "fees", title: "渠道手续费", account: "6602" },
  { key: "short", title: "短款净增", account: "1221" },
  { key: "shortLoss", title: "长短款损益", account: "6702" },
  { key: "interest", title: "利息等", account: "6061" },
  { key: "returned", title: "退回", account: "2202", events: ["E18"] },
  // a deposit that goes on in a room of another store, a cost that stores bear together: nothing for all of them
  { key: "between", title: "门店间划转", account: "2299", events: ["E15", "E25"], side: "debit" },
];

/** R8 in short: earnings, then what they cost. */
const PROFIT: readonly Term[] = [
  { key: "rent", title: "业务收入", account: "6001" },
  { key: "lateFee", title: "滞纳金收入", account: "6052" },
  { key: "share", title: "第三方收入", account: "6053" },
  { key: "other", title: "其他收入", account: "6061" },
  { key: "cost", title: "营业成本", account: "6401" },
  { key: "channel", title: "渠道手续费", account: "6602" },
  { key: "badDebt", title: "坏账核销", account: "6701" },
  { key: "takings", title: "长短款损益", account: "6702" },
];

/** What is owed to us and by us, shown with its closing balance, on the side it is kept on. */
export const OWED: readonly (readonly [Account, side: 1 | -1])[] = [
  ["1122", 1],
  ["1131", 1],
  ["1221", 1],
  ["2202", -1],
  ["2203", -1],
  ["2204", -1],
  ["2205", -1],
  ["2241", -1],
  ["2242", -1],
  ["2243", -1],
  ["2221", -1],
  ["2222", -1],
  ["2299", 1],
];

export type Line = {
  key: string;
  title: string;
  fen: Fen;
  account: Account | null;
  /** Of these alone, where it is not all that moved the account. */
  events?: readonly EventCode[] | undefined;
};

const explained = (sums: readonly Moved[], { account, events, side }: Term): Fen =>
  sums.reduce(
    (all, s) =>
      s.account === account && (!events || (events as readonly string[]).includes(s.event))
        ? all + (side === "debit" ? s.moved : -s.moved)
        : all,
    0,
  );
const lineOf = (sums: readonly Moved[], term: Term): Line => ({
  key: term.key,
  title: term.title,
  fen: explained(sums, term),
  account: term.account,
  events: term.events,
});

/**
 * R3 of a period: 期初资金, what moved it, 期末资金. Opening imports count into the opening. `rest` is what the terms do not
 * explain: always nothing, and shown where it is not.
 */
export function moneyLines(sums: readonly Moved[]): { lines: Line[]; rest: Fen } {
  const cash = sums.filter((s) => MONEY.includes(s.account));
  const opening = cash.reduce((all, s) => all + s.before + (s.event === "E30" ? s.moved : 0), 0);
  const closing = cash.reduce((all, s) => all + s.before + s.moved, 0);
  const terms = TERMS.map((term) => lineOf(sums, term));
  const told = terms.reduce((all, { fen }) => all + fen, opening);
  return {
    lines: [
      { key: "opening", title: "期初资金", fen: opening, account: null },
      ...terms,
      { key: "closing", title: "期末资金", fen: closing, account: null },
    ],
    rest: closing - told,
  };
}

/** R8 of a period, its sum last. */
export function profitLines(sums: readonly Moved[]): Line[] {
  const lines = PROFIT.map((term) => lineOf(sums, term));
  const fen = lines.reduce((all, line) => all + line.fen, 0);
  return [...lines, { key: "profit", title: "利润", fen, account: null }];
}

/** Closing balances of what is owed, at the end of the period. */
export const owedLines = (sums: readonly Moved[]): Line[] =>
  OWED.map(([account, side]) => ({
    key: account,
    title: ACCOUNTS[account][0],
    fen: sums.reduce((all, s) => (s.account === account ? all + side * (s.before + s.moved) : all), 0) || 0,
    account,
  }));

/** One account or one part of it: opening and closing on the side they stand on, and both sides of what moved between. */
export type TrialLine = {
  openDebit: Fen;
  openCredit: Fen;
  debit: Fen;
  credit: Fen;
  closeDebit: Fen;
  closeCredit: Fen;
};

export function trialLine({ before, debit, credit }: { before: Fen; debit: Fen; credit: Fen }): TrialLine {
  const after = before + debit - credit;
  return {
    openDebit: Math.max(before, 0),
    openCredit: Math.max(-before, 0),
    debit,
    credit,
    closeDebit: Math.max(after, 0),
    closeCredit: Math.max(-after, 0),
  };
}

export const TRIAL_KEYS = [
  "openDebit",
  "openCredit",
  "debit",
  "credit",
  "closeDebit",
  "closeCredit",
] as const;
export const trialSums = (lines: readonly TrialLine[]): TrialLine =>
  Object.fromEntries(
    TRIAL_KEYS.map((key) => [key, lines.reduce((all, line) => all + line[key], 0)]),
  ) as TrialLine;

/** What the balance of an account can be taken apart by. */
export const DIMENSIONS = greys({ village: "门店", merchant: "账户", subject: "费用", party: "客户" });
export type Dimension = keyof typeof DIMENSIONS;

/** Where the record that a key of a break begins with is looked up; nothing where it is no number of a record. */
export function placeOfKey(key: string): { path: string; keyword: string } | undefined {
  const number = /^[A-Z]{2}\d{8}-\d{6,}/.exec(key)?.[0];
  const path = number && PLACES[number.slice(0, 2)];
  return path ? { path, keyword: number } : undefined;
}
const PLACES: Readonly<Record<string, string>> = {
  ZD: "/accountManage/BillListManage",
  LS: "/accountManage/AccountFlowPatch",
  TK: "/accountManage/RefundManage",
  JK: "/accountManage/SubmissionManage",
  FP: "/accountManage/InvoiceManage",
  DS: "/accountManage/ThirdPartIncomeSheet",
  RL: "/accountManage/CorporateFlow",
};
