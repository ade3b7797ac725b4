import { yuan, type Fen } from "../../../platform/kernel/fen.ts";
import type { Words } from "../../../platform/kernel/field.ts";

export const FORMAT = {
  xlsx: ["Excel", "grey"],
  csv: ["CSV", "grey"],
  kingdee: ["金蝶凭证引入", "grey"],
  yonyou: ["用友凭证引入", "grey"],
  ledger: ["纯文本账（hledger）", "grey"],
} as const satisfies Words;
export type Format = keyof typeof FORMAT;

/** A line of a voucher with all that the layouts of general ledgers ask for. */
export type FileLine = {
  batchNo: string;
  /** Of the voucher within the file, from 1. */
  voucherNo: number;
  kind: string;
  date: string;
  memo: string;
  /** Within its voucher, from 1. */
  seq: number;
  account: string;
  accountName: string;
  glCode: string;
  villageName: string;
  subjectName: string;
  merchantName: string;
  auxiliary: string;
  debit: Fen;
  credit: Fen;
  maker: string;
};
type Cell = string | number;
export type Table = { head: readonly string[]; rows: Cell[][] };

/** Fen as a number in yuan, exact to the fen. */
const amount = (fen: Fen): number => Number(plain(fen));
const plain = (fen: Fen): string => yuan(fen, false);
const dimsOf = (line: FileLine) =>
  [line.villageName, line.subjectName, line.merchantName, line.auxiliary].filter(Boolean).join("/");

/** As people read it. */
export const plainTable = (lines: readonly FileLine[]): Table => ({
  head: [
    "过账单号",
    "凭证号",
    "凭证类型",
    "日期",
    "摘要",
    "科目",
    "科目名称",
    "总账科目",
    "门店",
    "费用",
    "账户",
    "辅助核算",
    "借方",
    "贷方",
  ],
  rows: lines.map((l) => [
    l.batchNo,
    l.voucherNo,
    l.kind,
    l.date,
    l.memo,
    l.account,
    l.accountName,
    l.glCode,
    l.villageName,
    l.subjectName,
    l.merchantName,
    l.auxiliary,
    amount(l.debit),
    amount(l.credit),
  ]),
});

/** The standard sheet by which Kingdee K/3 and KIS take vouchers in (标准格式引入), 36 columns in this order. */
export const kingdeeTable = (lines: readonly FileLine[]): Table => ({
  head: [
    "凭证日期",
    "会计年度",
    "会计期间",
    "凭证字",
    "凭证号",
    "科目代码",
    "科目名称",
    "币别代码",
    "币别名称",
    "原币金额",
    "借方",
    "贷方",
    "制单",
    "审核",
    "核准",
    "出纳",
    "经办",
    "结算方式",
    "结算号",
    "凭证摘要",
    "数量",
    "数量单位",
    "单价",
    "参考信息",
    "业务日期",
    "往来业务编号",
    "附件数",
    "序号",
    "系统模块",
    "业务描述",
    "汇率",
    "分录序号",
    "核算项目",
    "过账",
    "机制凭证",
    "现金流量",
  ],
  rows: lines.map((l) => [
    l.date,
    Number(l.date.slice(0, 4)),
    Number(l.date.slice(5, 7)),
    "记",
    l.voucherNo,
    l.glCode,
    l.accountName,
    "RMB",
    "人民币",
    amount(l.debit + l.credit),
    amount(l.debit),
    amount(l.credit),
    l.maker,
    "NONE",
    "NONE",
    "NONE",
    "",
    "*",
    "",
    l.memo,
    0,
    "*",
    0,
    l.batchNo,
    l.date,
    "",
    0,
    l.voucherNo,
    "",
    dimsOf(l),
    1,
    l.seq - 1,
    dimsOf(l),
    0,
    "",
    "",
  ]),
});

/**
 * The text by which Yonyou U8 takes vouchers in (总账工具): a first line that names it, then comma-separated date, sign, number,
 * papers, memo, account, debit, credit, quantity, foreign amount, rate and maker; what follows may be left out.
 */
export const yonyouText = (lines: readonly FileLine[]): string =>
  [
    "填制凭证,V800",
    ...lines.map((l) =>
      [
        l.date,
        "记",
        l.voucherNo,
        0,
        unpointed(`${l.memo} ${dimsOf(l)}`).slice(0, 60),
        l.glCode,
        plain(l.debit),
        plain(l.credit),
        "",
        "",
        "",
        unpointed(l.maker),
      ].join(","),
    ),
    "",
  ].join("\r\n");
/** A comma ends a field there, and nothing quotes it. */
const unpointed = (text: string) => text.replace(/[,"\r\n]/g, " ");

/** What an account is to a plain-text ledger: assets, liabilities, equity, income, costs. */
const TYPE: Record<string, readonly [root: string, type: string]> = {
  "1": ["资产", "A"],
  "2": ["负债", "L"],
  "3": ["权益", "E"],
};
const rootOf = (account: string) =>
  TYPE[account[0]!] ?? (["6001", "6052", "6053", "6061"].includes(account) ? ["收入", "R"] : ["费用", "X"]);

/** A journal for hledger and ledger: one transaction a voucher, debits above nothing. */
export function ledgerText(lines: readonly FileLine[]): string {
  const nameOf = (l: FileLine) => {
    const deeper = [l.villageName, l.subjectName, l.merchantName].filter(Boolean).map(part);
    return [rootOf(l.account)[0], `${l.account} ${part(l.accountName)}`, ...deeper].join(":");
  };
  const roots = new Map(lines.map((l) => rootOf(l.account)));
  const declared = [...roots].map(([root, type]) => `account ${root}  ; type:${type}`);
  const vouchers = [...Map.groupBy(lines, (l) => l.voucherNo).values()].map((of) => {
    const { date, voucherNo, batchNo, memo } = of[0]!;
    return [
      `${date} * (${batchNo}-${voucherNo}) ${part(memo)}`,
      ...of.map((l) => `    ${nameOf(l)}  CNY ${l.debit ? plain(l.debit) : `-${plain(l.credit)}`}`),
    ].join("\n");
  });
  return `${[...declared, ...vouchers].join("\n\n")}\n`;
}
/** Two spaces end an account's name, a colon makes a level of it, a semicolon begins a comment. */
const part = (text: string) => text.replace(/[;:\s]+/g, " ").trim();
