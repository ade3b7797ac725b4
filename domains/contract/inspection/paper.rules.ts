import type { Day } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { Paper } from "../../system/paper/block.rules.ts";
import type { Sheet } from "./inspection.contract.ts";
import { CONDITIONS, METERS, SHEET_KINDS } from "./inspection.rules.ts";

type Facts = { contractNo: string; lessor: string; partyName: string; today: Day };

/** 交接单: what is handed over, with its condition, its readings and places to sign. */
export const handoverPaper = (s: Sheet, { contractNo, lessor, partyName, today }: Facts): Paper => ({
  blocks: [
    { kind: "title", text: SHEET_KINDS[s.kind][0] },
    {
      kind: "pairs",
      pairs: [
        ["出租人（甲方）", lessor],
        ["承租人（乙方）", partyName],
        ["合同编号", contractNo],
        ["房间", s.roomName],
        ["交接日", s.doneOn],
        ["办理人", s.operatorName],
        ["钥匙", `${s.keys} 把`],
        ["门卡", `${s.cards} 张`],
      ],
    },
    { kind: "heading", text: "物品" },
    {
      kind: "table",
      columns: [
        { title: "物品", width: 34 },
        { title: "数量", width: 10, right: true },
        { title: "状况", width: 12 },
        { title: "赔偿价（元/件）", width: 18, right: true },
        { title: "说明", width: 26 },
      ],
      rows: s.items.map((i) => [
        i.name,
        String(i.quantity),
        CONDITIONS[i.condition][0],
        yuan(i.price),
        i.reason,
      ]),
    },
    { kind: "heading", text: "表计读数" },
    {
      kind: "table",
      columns: [
        { title: "类型", width: 20 },
        { title: "表号", width: 30 },
        { title: "起始读数", width: 25, right: true },
        { title: s.kind === "in" ? "入住读数" : "退房读数", width: 25, right: true },
      ],
      rows: s.readings.map((r) => [METERS[r.kind][0], r.meterNo, r.start ?? "", r.reading]),
    },
    ...(s.note ? [{ kind: "text" as const, text: `备注：${s.note}` }] : []),
    {
      kind: "text",
      text:
        s.kind === "in"
          ? "乙方已核对以上物品、钥匙和读数，确认与房屋实际状况一致。损坏或缺失的，按上列赔偿价赔偿。"
          : "双方已共同验房，确认以上物品、钥匙和读数与房屋实际状况一致。",
    },
    {
      kind: "signatures",
      sides: [
        { role: "甲方", name: lessor },
        { role: "乙方", name: partyName },
      ],
      date: today,
    },
  ],
  foot: [contractNo, s.roomName],
  mark: s.signed ? "" : "待签字",
});
