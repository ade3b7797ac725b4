import type { Day } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { type LeaseFacts, leaseValues } from "../paper/lease.rules.ts";
import type { Content } from "../template/blocks.rules.ts";
import { inBoth, type ValuesFor } from "../template/palette.rules.ts";

export type SupplementFacts = {
  lease: LeaseFacts;
  actNo: string;
  title: string;
  effectiveOn: Day;
  reason: string;
  clauses: readonly string[];
  bills: readonly { title: string; periodStart: Day; periodEnd: Day; before: Fen; after: Fen }[];
  credit: Fen;
  dueNow: Fen;
  refund: Fen;
  /** Not in force yet: the paper that the party is asked to sign. */
  open: boolean;
  /** Of the signatures: when it was agreed to, until then the day of the print. */
  dated: Day;
};

/** 补充协议: what is agreed anew, and the bills as they are from then on. */
export function supplementContent(s: SupplementFacts): Content {
  const lease = leaseValues(s.lease);
  const before = s.bills.reduce((sum, b) => sum + b.before, 0);
  const after = s.bills.reduce((sum, b) => sum + b.after, 0);
  const values: ValuesFor<"supplement"> = {
    texts: {
      ...lease.texts,
      协议编号: s.actNo,
      变更类型: s.title,
      生效日: s.effectiveOn,
      变更原因: s.reason,
      ...inBoth({
        原应收合计: before,
        变更后合计: after,
        多付抵付: s.credit,
        签后应付: s.dueNow,
        应退押金: s.refund,
      }),
    },
    clauses: { 变更条款: s.clauses.map((text) => `${text}。`) },
    tables: {
      账单变化表: {
        columns: [
          { title: "账单", width: 165 },
          { title: "计费期", width: 150 },
          { title: "原应收（元）", width: 90, right: true },
          { title: "变更后（元）", width: 90, right: true },
        ],
        rows: s.bills.map((b) => [
          b.title,
          `${b.periodStart} 至 ${b.periodEnd}`,
          yuan(b.before),
          yuan(b.after),
        ]),
        sums: ["合计", "", yuan(before), yuan(after)],
      },
    },
    holds: {
      ...lease.holds,
      有账单变化: s.bills.length > 0,
      有多付: s.credit > 0,
      有签后应付: s.dueNow > 0,
      有应退押金: s.refund > 0,
    },
    sides: lease.sides,
    signedOn: s.dated,
  };
  return { values, foot: `${s.actNo}　${s.lease.contractNo}`, mark: s.open ? "待签署" : "" };
}
