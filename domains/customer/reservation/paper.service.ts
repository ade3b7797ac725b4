import { dayInZone } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { Paper } from "../../system/paper/block.rules.ts";
import { printed } from "../../system/paper/print.service.ts";
import { markOf } from "../../system/watermark/watermark.service.ts";
import { PAY_PLANS, RESERVATION_STATES, monthlyRent, rentText } from "./reservation.rules.ts";
import { reservationDetail } from "./reservation.queries.ts";

type Detail = Awaited<ReturnType<typeof reservationDetail>>;

const RULES: Record<"定金" | "订金", string> = {
  定金: "乙方在保留期内签订租赁合同的，定金抵作首期款；乙方无故不签订的，甲方可不退还定金；甲方不能提供该房间的，双倍返还定金。定金超过合同总额百分之二十的部分不产生定金的效力。",
  订金: "乙方在保留期内签订租赁合同的，订金抵作首期款；不签订的，甲方全额退还订金。",
};

/** A rent by the day or by area also says what it comes to a month. */
const rentOf = (r: Detail): string =>
  r.unit === "month"
    ? rentText(r)
    : `${rentText(r)}${r.unit === "sqmDay" ? `，面积 ${r.area} ㎡` : ""}，折合 ${yuan(monthlyRent(r, r.area))} 元/月`;

const paperFor = (r: Detail, zone: string, today: string): Paper => ({
  blocks: [
    { kind: "title", text: "房屋预订单" },
    {
      kind: "pairs",
      pairs: [
        ["预订单号", r.number],
        ["状态", RESERVATION_STATES[r.state][0]],
        ["甲方（门店）", r.villageName],
        ["乙方（客户）", `${r.partyName} ${r.phone}`],
        ["房间", r.roomName],
        ["租金", rentOf(r)],
        ["入住日", r.moveInDay],
        ["预计到期", r.plannedEndDay ?? "未定"],
        ["付款方式", r.payPlan ? PAY_PLANS[r.payPlan][0] : "签约时约定"],
        [r.earnestKind, `${yuan(r.earnest)} 元，已收 ${yuan(r.received)} 元`],
        ["保留至", r.holdUntil],
        ["登记日", dayInZone(new Date(r.createdAt), zone)],
      ],
    },
    { kind: "heading", text: "约定" },
    {
      kind: "text",
      text: `甲方为乙方保留上述房间至 ${r.holdUntil}（含当日），逾期未签订租赁合同的，房间不再保留。`,
    },
    ...(r.earnest ? [{ kind: "text" as const, text: RULES[r.earnestKind] }] : []),
    ...(r.remark ? [{ kind: "text" as const, text: `备注：${r.remark}` }] : []),
    {
      kind: "signatures",
      sides: [
        { role: "甲方", name: r.villageName },
        { role: "乙方", name: r.partyName },
      ],
      date: today,
    },
  ],
  foot: [r.number, r.villageName],
  mark: "",
});

/** 预订单: what both sides agreed, to be printed or sent. */
export async function paperOf(read: Read, id: number) {
  const r = await reservationDetail(read, id);
  const body = await printed(
    paperFor(r, read.settings.TIME_ZONE, read.today),
    `预订单 ${r.number}`,
    await markOf(read, "pdfs"),
  );
  return { name: `预订单_${r.number}.pdf`, type: "application/pdf", body, inline: true };
}
