import type { Day } from "../../../platform/kernel/day.ts";
import { chineseYuan, type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { type LeaseFacts, leaseValues } from "../paper/lease.rules.ts";
import type { Content } from "../template/blocks.rules.ts";
import { inBoth, type ValuesFor } from "../template/palette.rules.ts";

export type SupplementFacts = {
  /** The contract before. */
  lease: LeaseFacts;
  actNo: string;
  kind: "room" | "tenant";
  nextNo: string;
  nextPartyName: string;
  nextRoomNames: string;
  lastDay: Day;
  effectiveOn: Day;
  nextEnd: Day;
  rentBefore: Fen;
  rentAfter: Fen;
  /** What becomes of the deposit and of rent that was paid beyond the day. */
  deposit: { held: Fen; carried: Fen; spent: Fen; back: Fen; due: Fen };
  credit: { unused: Fen; used: Fen; back: Fen };
  fee: Fen;
  due: Fen;
  refund: Fen;
  arrears: Fen;
  cut: readonly { billNo: string; title: string; before: Fen; after: Fen; credit: Fen }[];
  reason: string;
  /** Not carried out yet: what the parties are asked to sign. */
  open: boolean;
  /** Of the signatures: when the contract that it leads to was signed, until then the day of the print. */
  dated: Day;
};

const inWords = (fen: Fen) => `人民币 ${yuan(fen)} 元（大写：${chineseYuan(fen)}）`;

function results({ due, refund, kind }: SupplementFacts): string[] {
  const payer = kind === "room" ? "乙方" : "丙方";
  return [
    ...(due > 0 ? [`${payer}应于签约当日支付甲方${inWords(due)}。`] : []),
    ...(refund > 0 ? [`甲方应退还乙方${inWords(refund)}。`] : []),
    ...(due <= 0 && refund <= 0 ? ["双方就本次变更无需补付或退还款项。"] : []),
  ];
}

/** 换房、转租补充协议: both rooms or both tenants, the day, and where every sum of the contract before goes. */
export function supplementContent(s: SupplementFacts): Content {
  const lease = leaseValues(s.lease);
  const money: [string, Fen][] = [
    ["原合同在管押金", s.deposit.held],
    ["转入新合同的押金", s.deposit.carried],
    ["抵扣新合同账单的押金", s.deposit.spent],
    ["退还的押金", s.deposit.back],
    ["新合同补交的押金", s.deposit.due],
    ["原合同未用租金和费用", s.credit.unused],
    ["抵扣新合同账单", s.credit.used],
    ["退还的未用租金和费用", s.credit.back],
    ["手续费", s.fee],
    ["留在原合同的欠费", s.arrears],
  ];
  const values: ValuesFor<"changeRoom"> & ValuesFor<"changeTenant"> = {
    texts: {
      ...lease.texts,
      协议编号: s.actNo,
      生效日: s.effectiveOn,
      变更原因: s.reason,
      原合同截止日: s.lastDay,
      新合同编号: s.nextNo,
      新到期日: s.nextEnd,
      新房间: s.nextRoomNames,
      新客户名称: s.nextPartyName,
      ...inBoth({
        原月租金: s.rentBefore,
        新月租金: s.rentAfter,
        在管押金: s.deposit.held,
        转入押金: s.deposit.carried,
        退还押金: s.deposit.back,
        补交押金: s.deposit.due,
        未用款项: s.credit.unused,
        抵扣款项: s.credit.used,
        手续费: s.fee,
        原合同欠费: s.arrears,
        签约应付: s.due,
        应退金额: s.refund,
      }),
    },
    clauses: { 收付条款: results(s) },
    tables: {
      款项表: {
        columns: [
          { title: "项目", width: 330 },
          { title: "金额（元）", width: 165, right: true },
        ],
        rows: money.filter(([, fen]) => fen !== 0).map(([name, fen]) => [name, yuan(fen)]),
      },
      账单调整表: {
        columns: [
          { title: "账单", width: 130 },
          { title: "名称", width: 140 },
          { title: "原应收（元）", width: 75, right: true },
          { title: "变更后（元）", width: 75, right: true },
          { title: "未用（元）", width: 75, right: true },
        ],
        rows: s.cut.map((b) => [b.billNo, b.title, yuan(b.before), yuan(b.after), yuan(b.credit)]),
      },
    },
    holds: { ...lease.holds, 有签约应付: s.due > 0, 有应退: s.refund > 0, 有账单调整: s.cut.length > 0 },
    sides: { ...lease.sides, 新客户签字: { role: "丙方", name: s.nextPartyName } },
    signedOn: s.dated,
  };
  return { values, foot: `${s.actNo}　${s.lease.contractNo}`, mark: s.open ? "待签署" : "" };
}
