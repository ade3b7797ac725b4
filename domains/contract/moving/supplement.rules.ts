import type { Day } from "../../../platform/kernel/day.ts";
import { chineseYuan, type Fen, yuan } from "../../../platform/kernel/fen.ts";
import type { Paper } from "../../system/paper/block.rules.ts";

export type SupplementFacts = {
  actNo: string;
  kind: "room" | "tenant";
  lessor: string;
  contractNo: string;
  nextNo: string;
  partyName: string;
  nextPartyName: string;
  roomNames: string;
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
  today: Day;
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

/** 补充协议: both rooms or both tenants, the day, and where every sum of the contract before goes. */
export function supplement(s: SupplementFacts): Paper {
  const room = s.kind === "room";
  const title = room ? "换房补充协议" : "转租补充协议";
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
  return {
    blocks: [
      { kind: "title", text: title },
      { kind: "note", text: `协议编号：${s.actNo}` },
      {
        kind: "pairs",
        pairs: [
          ["出租人（甲方）", s.lessor],
          [room ? "承租人（乙方）" : "原承租人（乙方）", s.partyName],
          ...(room ? [] : ([["新承租人（丙方）", s.nextPartyName]] as const)),
          ["原合同编号", s.contractNo],
          ["新合同编号", s.nextNo],
          [room ? "原房间" : "房间", s.roomNames],
          ...(room ? ([["新房间", s.nextRoomNames]] as const) : []),
          ["生效日", s.effectiveOn],
          ["新租期", `${s.effectiveOn} 至 ${s.nextEnd}`],
          ["月租金（元）", `${yuan(s.rentBefore)} 变更为 ${yuan(s.rentAfter)}`],
          ["原因", s.reason],
        ],
      },
      {
        kind: "text",
        text: room
          ? `甲乙双方同意，乙方自 ${s.effectiveOn} 起由原房间换至新房间。原合同的租金和费用计至 ${s.lastDay}，自 ${s.effectiveOn} 起按新合同计算。`
          : `三方同意，自 ${s.effectiveOn} 起由丙方承接乙方的租赁。原合同的租金和费用计至 ${s.lastDay}，由乙方承担；自 ${s.effectiveOn} 起按新合同由丙方承担。`,
      },
      { kind: "heading", text: "款项处理" },
      {
        kind: "table",
        columns: [
          { title: "项目", width: 330 },
          { title: "金额（元）", width: 165, right: true },
        ],
        rows: money.filter(([, fen]) => fen !== 0).map(([name, fen]) => [name, yuan(fen)]),
      },
      ...results(s).map((text) => ({ kind: "text" as const, text })),
      ...(s.cut.length
        ? ([
            { kind: "heading", text: "原合同账单调整" },
            {
              kind: "table",
              columns: [
                { title: "账单", width: 130 },
                { title: "名称", width: 140 },
                { title: "原应收（元）", width: 75, right: true },
                { title: "变更后（元）", width: 75, right: true },
                { title: "未用（元）", width: 75, right: true },
              ],
              rows: s.cut.map((b) => [b.billNo, b.title, yuan(b.before), yuan(b.after), yuan(b.credit)]),
            },
          ] as const)
        : []),
      { kind: "text", text: "本协议是原合同和新合同的组成部分，未约定的事项按新合同执行。" },
      {
        kind: "signatures",
        sides: [
          { role: "甲方", name: s.lessor },
          { role: "乙方", name: s.partyName },
          ...(room ? [] : [{ role: "丙方", name: s.nextPartyName }]),
        ],
        date: s.today,
      },
    ],
    foot: [s.actNo, s.roomNames],
    mark: s.open ? "待签署" : "",
  };
}
