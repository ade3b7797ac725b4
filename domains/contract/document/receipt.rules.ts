import type { Day } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { BLANK, type Lessee, type PaperFacts } from "../paper/paper.rules.ts";
import type { Content } from "../template/blocks.rules.ts";
import { inBoth, type ValuesFor } from "../template/palette.rules.ts";

export type ReceiptFacts = {
  lessor: PaperFacts["lessor"];
  party: Pick<Lessee, "name" | "phone">;
  store: string;
  contractNos: readonly string[];
  roomName: string;
  flowNo: string;
  paidOn: Day;
  channel: string;
  payerName: string;
  operator: string;
  remark: string;
  amount: Fen;
  /** What of it pays no bill. */
  prepaid: Fen;
  lines: readonly {
    subject: string;
    billNo: string;
    periodStart: Day | null;
    periodEnd: Day | null;
    amount: Fen;
  }[];
};

/** 收据: who paid how much how, and what for. */
export function receiptContent(r: ReceiptFacts): Content {
  const { lessor, party } = r;
  const some = (text: string) => text || "—";
  const prepaid = r.prepaid > 0 ? [["预存款", "—", "—", yuan(r.prepaid)]] : [];
  const values: ValuesFor<"receipt"> = {
    texts: {
      合同编号: some(r.contractNos.join("、")),
      门店: r.store,
      门店地址: some(lessor.address),
      房间: some(r.roomName),
      客户名称: some(party.name),
      客户电话: some(party.phone),
      企业名称: lessor.name,
      企业信用代码: lessor.creditCode || BLANK,
      企业地址: some(lessor.address),
      企业电话: some(lessor.phone),
      收据编号: r.flowNo,
      收款日期: r.paidOn,
      收款方式: r.channel,
      付款人: some(r.payerName || party.name),
      经办人: some(r.operator),
      备注: r.remark || "无",
      ...inBoth({ 收款金额: r.amount, 转入预存款: r.prepaid }),
    },
    clauses: {},
    tables: {
      收款明细表: {
        columns: [
          { title: "费用", width: 110 },
          { title: "计费期", width: 150 },
          { title: "账单号", width: 145 },
          { title: "金额（元）", width: 90, right: true },
        ],
        rows: [
          ...r.lines.map((line) => [
            line.subject,
            line.periodStart && line.periodEnd ? `${line.periodStart} 至 ${line.periodEnd}` : "—",
            line.billNo,
            yuan(line.amount),
          ]),
          ...prepaid,
        ],
        sums: ["合计", "", "", yuan(r.amount)],
      },
    },
    holds: { 有转入预存款: r.prepaid > 0, 有备注: r.remark !== "" },
    sides: {
      企业印章: { role: "收款单位（盖章）", name: lessor.name },
      客户签字: { role: "交款人（签字）", name: r.payerName || party.name },
    },
    signedOn: r.paidOn,
  };
  return { values, foot: r.flowNo, mark: "" };
}
