import { yuan } from "../../../platform/kernel/fen.ts";
import type { Paper } from "../../system/paper/block.rules.ts";

type Sums = { amount: number; settled: number; outstanding: number };
export type StatementFacts = {
  issuer: string;
  company: string;
  contractNo: string;
  store: string;
  lines: readonly (Sums & {
    roomName: string;
    subject: string;
    periodStart: string | null;
    periodEnd: string | null;
    dueDate: string;
  })[];
  sums: Sums;
  printedAt: string;
};

/** What the lines come to. */
export const sumsOf = (lines: readonly Sums[]): Sums => {
  const sum = (key: keyof Sums) => lines.reduce((total, line) => total + line[key], 0);
  return { amount: sum("amount"), settled: sum("settled"), outstanding: sum("outstanding") };
};

const money = ({ amount, settled, outstanding }: Sums) =>
  [amount, settled, outstanding].map((fen) => yuan(fen));

/** 本期账单明细 as a company gets it: a line for each room and fee. */
export const statementPaper = (f: StatementFacts): Paper => ({
  blocks: [
    { kind: "title", text: "本期账单明细" },
    {
      kind: "pairs",
      pairs: [
        ["客户", f.company],
        ["合同号", f.contractNo],
        ["门店", f.store],
        ["出租方", f.issuer],
        ["本期应收", `${yuan(f.sums.amount)} 元`],
        ["本期未收", `${yuan(f.sums.outstanding)} 元`],
      ],
    },
    {
      kind: "table",
      columns: [
        { title: "房间", width: 112 },
        { title: "费用", width: 52 },
        { title: "计费期", width: 112 },
        { title: "应收日", width: 56 },
        ...["应收", "已收", "未收"].map((title) => ({ title, width: 54, right: true })),
      ],
      rows: f.lines.map((l) => [
        ...[
          l.roomName || "—",
          l.subject,
          l.periodStart ? `${l.periodStart} ~ ${l.periodEnd}` : "—",
          l.dueDate,
        ],
        ...money(l),
      ]),
      sums: ["合计", "", "", "", ...money(f.sums)],
    },
    { kind: "note", text: "应收为减免后的金额，押金不在其中。" },
  ],
  foot: [`${f.company} ${f.contractNo}`, f.printedAt],
  mark: "",
});
