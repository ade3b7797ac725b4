import type { Day } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import type { Paper } from "../../system/paper/block.rules.ts";

export type SupplementFacts = {
  actNo: string;
  title: string;
  contractNo: string;
  lessor: string;
  partyName: string;
  roomNames: string;
  start: Day;
  end: Day;
  effectiveOn: Day;
  clauses: readonly string[];
  bills: readonly { title: string; periodStart: Day; periodEnd: Day; before: Fen; after: Fen }[];
  credit: Fen;
  dueNow: Fen;
  refund: Fen;
  /** Not in force yet: the paper that the party is asked to sign. */
  open: boolean;
  today: Day;
};

/** 补充协议: what is agreed anew, and the bills as they are from then on. */
export const supplement = (s: SupplementFacts): Paper => ({
  blocks: [
    { kind: "title", text: "租赁合同补充协议" },
    { kind: "note", text: `协议编号：${s.actNo}（${s.title}）` },
    {
      kind: "pairs",
      pairs: [
        ["出租人（甲方）", s.lessor],
        ["承租人（乙方）", s.partyName],
        ["原合同编号", s.contractNo],
        ["房间", s.roomNames],
        ["原租期", `${s.start} 至 ${s.end}`],
        ["生效日", s.effectiveOn],
      ],
    },
    { kind: "heading", text: "一、变更内容" },
    ...s.clauses.map((text, i) => ({ kind: "text" as const, text: `${i + 1}. ${text}。` })),
    { kind: "heading", text: "二、账单变化" },
    {
      kind: "table",
      columns: [
        { title: "账单", width: 34 },
        { title: "计费期", width: 30 },
        { title: "原应收（元）", width: 18, right: true },
        { title: "变更后（元）", width: 18, right: true },
      ],
      rows: s.bills.map((b) => [
        b.title,
        `${b.periodStart} 至 ${b.periodEnd}`,
        yuan(b.before),
        yuan(b.after),
      ]),
      sums: [
        "合计",
        "",
        yuan(s.bills.reduce((sum, b) => sum + b.before, 0)),
        yuan(s.bills.reduce((sum, b) => sum + b.after, 0)),
      ],
    },
    ...[
      s.credit ? `乙方已付款项中多付的 ${yuan(s.credit)} 元，抵付其后的账单。` : "",
      s.dueNow ? `乙方应于本协议签署后支付 ${yuan(s.dueNow)} 元。` : "",
      s.refund ? `甲方应退还乙方押金 ${yuan(s.refund)} 元。` : "",
      "本协议自双方签字之日起成立，与原合同不一致的以本协议为准；本协议未约定的，仍按原合同执行。",
    ]
      .filter(Boolean)
      .map((text) => ({ kind: "text" as const, text })),
    {
      kind: "signatures",
      sides: [
        { role: "甲方", name: s.lessor },
        { role: "乙方", name: s.partyName },
      ],
      date: s.today,
    },
  ],
  foot: [s.actNo, s.contractNo],
  mark: s.open ? "待签署" : "",
});
