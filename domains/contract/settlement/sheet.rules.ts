import type { Day } from "../../../platform/kernel/day.ts";
import { chineseYuan, type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { type LeaseFacts, leaseValues } from "../paper/lease.rules.ts";
import type { Content } from "../template/blocks.rules.ts";
import { inBoth, type ValuesFor } from "../template/palette.rules.ts";
import type { SettleLine } from "./settlement.rules.ts";

export type SheetFacts = {
  lease: LeaseFacts;
  actNo: string;
  leaveDate: Day;
  endReason: string;
  lines: readonly SettleLine[];
  net: Fen;
  /** Not confirmed yet: the sheet is what the tenant is asked to agree to. */
  open: boolean;
  /** Of the signatures: when it was agreed to, until then the day of the print. */
  dated: Day;
};

const result = (net: Fen): string =>
  net > 0
    ? `经双方核对，甲方应退还乙方人民币 ${yuan(net)} 元（大写：${chineseYuan(net)}）。`
    : net < 0
      ? `经双方核对，乙方应补付甲方人民币 ${yuan(-net)} 元（大写：${chineseYuan(-net)}）。`
      : "经双方核对，双方互不相欠。";

/** 退房结算单: every line with its clause and calculation, and one number. */
export function settlementContent(s: SheetFacts): Content {
  const lease = leaseValues(s.lease);
  const values: ValuesFor<"settlementSheet"> = {
    texts: {
      ...lease.texts,
      结算单号: s.actNo,
      退房日: s.leaveDate,
      退房类型: s.endReason,
      ...inBoth({ 结算金额: Math.abs(s.net) }),
    },
    clauses: { 结算结果: [result(s.net)] },
    tables: {
      结算明细表: {
        columns: [
          { title: "项目", width: 140 },
          { title: "金额（元）", width: 75, right: true },
          { title: "依据", width: 80 },
          { title: "计算说明", width: 200 },
        ],
        rows: s.lines.map((l) => [l.title, yuan(l.amount), l.clause, l.formula]),
        sums: [s.net < 0 ? "乙方应补付" : "甲方应退还", yuan(Math.abs(s.net)), "", ""],
      },
    },
    holds: { ...lease.holds, 应退还: s.net > 0, 应补付: s.net < 0, 互不相欠: s.net === 0 },
    sides: lease.sides,
    signedOn: s.dated,
  };
  return { values, foot: `${s.actNo}　${s.lease.contractNo}`, mark: s.open ? "待确认" : "" };
}
