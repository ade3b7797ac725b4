import { yuan } from "../../../platform/kernel/fen.ts";
import type { Paper } from "../../system/paper/block.rules.ts";

export type Line = {
  villageName: string;
  roomName: string;
  subject: string;
  opening: number;
  billed: number;
  collected: number;
  credited: number;
  closing: number;
};
type Facts = {
  company: string;
  creditCode: string;
  /** The operator's own legal entity. */
  issuer: string;
  from: string;
  to: string;
  villages: string;
  rows: readonly Line[];
  sums: Omit<Line, "villageName" | "roomName" | "subject">;
  printedAt: string;
};

const money = (r: Facts["sums"]) =>
  [r.opening, r.billed, r.collected, r.credited, r.closing].map((fen) => yuan(fen));

/** 对账单 as it is printed, stamped and sent back. */
export const statementBlocks = (f: Facts): Paper => ({
  blocks: [
    { kind: "title", text: "对账单" },
    {
      kind: "pairs",
      pairs: [
        ["客户", f.company],
        ["统一社会信用代码", f.creditCode],
        ["对账期间", `${f.from} 至 ${f.to}`],
        ["门店", f.villages],
        ["期初欠款", `${yuan(f.sums.opening)} 元`],
        ["本期应收", `${yuan(f.sums.billed)} 元`],
        ["本期收款", `${yuan(f.sums.collected)} 元`],
        ["本期减免", `${yuan(f.sums.credited)} 元`],
        ["期末欠款", `${yuan(f.sums.closing)} 元`],
      ],
    },
    {
      kind: "table",
      columns: [
        { title: "房间", width: 130 },
        { title: "费用", width: 65 },
        ...["期初欠款", "本期应收", "本期收款", "本期减免", "期末欠款"].map((title) => ({
          title,
          width: 60,
          right: true,
        })),
      ],
      rows: f.rows.map((r) => [r.roomName || r.villageName, r.subject, ...money(r)]),
      sums: ["合计", "", ...money(f.sums)],
    },
    {
      kind: "note",
      text: "期末欠款 = 期初欠款 + 本期应收 − 本期收款 − 本期减免；预先支付的款项在账单应收日计入。",
    },
    { kind: "text", text: "请核对以上金额，无误后盖章寄回；如有不符，请在收到后 7 日内告知。" },
    {
      kind: "signatures",
      sides: [
        { role: "出租方", name: f.issuer },
        { role: "客户", name: f.company },
      ],
      date: "",
    },
  ],
  foot: [`${f.company} ${f.from} 至 ${f.to}`, f.printedAt],
  mark: "",
});
