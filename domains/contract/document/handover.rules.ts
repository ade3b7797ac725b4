import type { Day } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { type LeaseFacts, leaseValues } from "../paper/lease.rules.ts";
import type { Content } from "../template/blocks.rules.ts";
import type { ValuesFor } from "../template/palette.rules.ts";

export type HandoverFacts = {
  lease: LeaseFacts;
  sheetNo: string;
  kind: "in" | "out";
  doneOn: Day;
  /** The rooms that are handed over, of those of the contract. */
  roomNames: readonly string[];
  keys: number;
  cards: number;
  operator: string;
  remark: string;
  readings: readonly { room: string; meter: string; meterNo: string; start: string; reading: string }[];
  items: readonly {
    room: string;
    name: string;
    quantity: number;
    condition: string;
    price: Fen;
    note: string;
  }[];
  /** Not signed yet. */
  open: boolean;
};

export const HANDOVER_WORDS = { in: "入住", out: "退房" } as const;

/** 交接单: readings, things and keys that change hands, either way. */
export function handoverContent(h: HandoverFacts): Content {
  const lease = leaseValues(h.lease);
  const values: ValuesFor<"handoverSheet"> = {
    texts: {
      ...lease.texts,
      交接单号: h.sheetNo,
      交接类型: HANDOVER_WORDS[h.kind],
      交接日: h.doneOn,
      交接房间: h.roomNames.join("、"),
      钥匙数: String(h.keys),
      门卡数: String(h.cards),
      经办人: h.operator,
      备注: h.remark || "无",
    },
    clauses: {},
    tables: {
      读数表: {
        columns: [
          { title: "房间", width: 130 },
          { title: "表计", width: 75 },
          { title: "表号", width: 120 },
          { title: "起始读数", width: 85, right: true },
          { title: "读数", width: 85, right: true },
        ],
        rows: h.readings.map((r) => [r.room, r.meter, r.meterNo || "—", r.start || "—", r.reading]),
      },
      物品清单: {
        columns: [
          { title: "房间", width: 110 },
          { title: "物品", width: 105 },
          { title: "数量", width: 40, right: true },
          { title: "状况", width: 60 },
          { title: "赔偿价（元/件）", width: 85, right: true },
          { title: "说明", width: 95 },
        ],
        rows: h.items.map((i) => [
          i.room,
          i.name,
          String(i.quantity),
          i.condition,
          yuan(i.price),
          i.note || "—",
        ]),
      },
    },
    holds: {
      ...lease.holds,
      有读数: h.readings.length > 0,
      有物品: h.items.length > 0,
      有备注: h.remark !== "",
    },
    sides: lease.sides,
    signedOn: h.open ? "" : h.doneOn,
  };
  return { values, foot: `${h.sheetNo}　${h.lease.contractNo}`, mark: h.open ? "待签字" : "" };
}
