import type { Day } from "../../../platform/kernel/day.ts";
import { chineseYuan, type Fen, yuan } from "../../../platform/kernel/fen.ts";
import type { Paper } from "../../system/paper/block.rules.ts";
import type { SettleLine } from "./settlement.rules.ts";

export type SheetFacts = {
  actNo: string;
  contractNo: string;
  lessor: string;
  partyName: string;
  roomNames: string;
  start: Day;
  end: Day;
  leaveDate: Day;
  endReason: string;
  lines: readonly SettleLine[];
  net: Fen;
  /** Not confirmed yet: the sheet is what the tenant is asked to agree to. */
  open: boolean;
  today: Day;
};

const result = (net: Fen): string =>
  net > 0
    ? `经双方核对，甲方应退还乙方人民币 ${yuan(net)} 元（大写：${chineseYuan(net)}）。`
    : net < 0
      ? `经双方核对，乙方应补付甲方人民币 ${yuan(-net)} 元（大写：${chineseYuan(-net)}）。`
      : "经双方核对，双方互不相欠。";

/** 退房结算单: every line with its clause and calculation, and one number. */
export const settlementSheet = (s: SheetFacts): Paper => ({
  blocks: [
    { kind: "title", text: "退房结算单" },
    { kind: "note", text: `结算单号：${s.actNo}` },
    {
      kind: "pairs",
      pairs: [
        ["出租人（甲方）", s.lessor],
        ["承租人（乙方）", s.partyName],
        ["合同编号", s.contractNo],
        ["房间", s.roomNames],
        ["租期", `${s.start} 至 ${s.end}`],
        ["退房日", `${s.leaveDate}（${s.endReason}）`],
      ],
    },
    { kind: "heading", text: "结算明细" },
    {
      kind: "table",
      columns: [
        { title: "项目", width: 30 },
        { title: "金额（元）", width: 16, right: true },
        { title: "依据", width: 14 },
        { title: "计算说明", width: 40 },
      ],
      rows: s.lines.map((l) => [l.title, yuan(l.amount), l.clause, l.formula]),
      sums: [s.net < 0 ? "乙方应补付" : "甲方应退还", yuan(Math.abs(s.net)), "", ""],
    },
    { kind: "text", text: result(s.net) },
    {
      kind: "text",
      text: "乙方已交还房屋、钥匙和物品。双方除本结算单所列款项外，就本租赁合同再无其他争议。",
    },
    {
      kind: "signatures",
      sides: [
        { role: "甲方", name: s.lessor },
        { role: "乙方", name: s.partyName },
      ],
      date: s.today,
    },
  ],
  foot: [s.actNo, s.roomNames],
  mark: s.open ? "待确认" : "",
});
