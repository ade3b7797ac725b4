import { type Day, daysBetween } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { type LeaseFacts, leaseValues } from "../paper/lease.rules.ts";
import type { Content } from "../template/blocks.rules.ts";
import { inBoth, type ValuesFor } from "../template/palette.rules.ts";

export type Owed = {
  billNo: string;
  title: string;
  periodStart: Day | null;
  periodEnd: Day | null;
  dueDate: Day;
  owed: Fen;
  /** What has grown on it up to today, written on the bill or not. */
  lateFee: Fen;
};
export type DunningFacts = {
  lease: LeaseFacts;
  /** At least one, the oldest due day first. */
  bills: readonly Owed[];
  payTo: readonly string[];
  today: Day;
};

/** 催缴函: what is owed bill by bill, for how long, what has grown on it, and where to pay. */
export function dunningContent({ lease: facts, bills, payTo, today }: DunningFacts): Content {
  const lease = leaseValues(facts);
  const owed = bills.reduce((sum, b) => sum + b.owed, 0);
  const lateFee = bills.reduce((sum, b) => sum + b.lateFee, 0);
  const first = bills[0]!.dueDate;
  const values: ValuesFor<"dunningLetter"> = {
    texts: {
      ...lease.texts,
      函件日期: today,
      欠费笔数: String(bills.length),
      最早应收日: first,
      最长逾期天数: String(daysBetween(first, today)),
      ...inBoth({ 欠费合计: owed, 滞纳金合计: lateFee, 应付合计: owed + lateFee }),
      付款账户: payTo.join("；") || "—",
    },
    clauses: {},
    tables: {
      欠费表: {
        columns: [
          { title: "账单号", width: 95 },
          { title: "账单", width: 80 },
          { title: "计费期", width: 90 },
          { title: "应收日", width: 60 },
          { title: "逾期天数", width: 45, right: true },
          { title: "欠费（元）", width: 60, right: true },
          { title: "滞纳金（元）", width: 65, right: true },
        ],
        rows: bills.map((b) => [
          b.billNo,
          b.title,
          b.periodStart && b.periodEnd ? `${b.periodStart} 至 ${b.periodEnd}` : "—",
          b.dueDate,
          String(daysBetween(b.dueDate, today)),
          yuan(b.owed),
          yuan(b.lateFee),
        ]),
        sums: ["合计", "", "", "", "", yuan(owed), yuan(lateFee)],
      },
    },
    holds: { ...lease.holds, 有滞纳金: lateFee > 0, 有付款账户: payTo.length > 0 },
    sides: { 企业印章: lease.sides.企业印章 },
    signedOn: today,
  };
  return { values, foot: `${facts.contractNo}　${today}`, mark: "" };
}
