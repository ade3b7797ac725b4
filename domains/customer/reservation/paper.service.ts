import { sql } from "kysely";
import { dayInZone } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, notFound } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { ownsEarnest } from "../../finance/refund/refund.service.ts";
import { keepFile } from "../../system/file/file.service.ts";
import type { Paper } from "../../system/paper/block.rules.ts";
import { printed } from "../../system/paper/print.service.ts";
import { markOf } from "../../system/watermark/watermark.service.ts";
import { sendNotices } from "../push/notice.service.ts";
import { endWithout, move, noteReservation, tellOwner } from "./hold.service.ts";
import { type Reservation, readReservation } from "./record.queries.ts";
import { reservationDetail } from "./reservation.queries.ts";
import {
  PAY_PLANS,
  RESERVATION_MOVES,
  RESERVATION_STATES,
  monthlyRent,
  rentText,
} from "./reservation.rules.ts";
import { aRow, theRow } from "../../../platform/server/database/row.ts";

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

/** A person's own address, or that of a firm's main contact. */
async function addressOf(act: Act, partyId: number) {
  const { rows } = await sql<{ email: string; enterpriseId: number }>`
    select coalesce(nullif(r.email, ''), c.email, '') email, p.enterprise_id "enterpriseId"
    from party p left join renter r on r.id = p.id
    left join party_contact c on c.party_id = p.id and c.main
    where p.id = ${partyId} for update of p`.execute(act.tx);
  return rows[0]!;
}

/** Sends the paper by e-mail; false when it has gone today as it stands. */
export async function sendPaper(act: Act, id: number): Promise<boolean> {
  const r = await reservationDetail(act, id);
  const { email, enterpriseId } = await addressOf(act, r.partyId);
  if (!email) throw new Refusal("nobody", "该客户没有登记邮箱，请先在客户资料中填写");
  const once = `reservation.paper.${id}.${r.version}.${act.today}.${email}`;
  const gone = await aRow(act, "outbox", ["id"], { onceKey: once });
  if (gone) return false;
  const { name, type, body } = await paperOf(act, id);
  const file = await keepFile(
    act,
    { name, type, bytes: body },
    { targetKind: "reservation", targetId: id, villageId: r.villageId, needs: "15.get" },
  );
  await sendNotices(act, [
    {
      notice: "预订单",
      channel: "email",
      recipient: email,
      subject: `房屋预订单 ${r.number}`,
      body: [
        `${r.partyName}：`,
        "",
        `附件是 ${r.roomName} 的预订单 ${r.number}，房间为您保留至 ${r.holdUntil}。`,
        "请核对内容，如有不符请尽快与我们联系。",
        "",
        r.villageName,
      ].join("\n"),
      source: "notice",
      sourceId: id,
      partyId: r.partyId,
      villageId: r.villageId,
      enterpriseId,
      fileId: file.id,
      once,
    },
  ]);
  await noteReservation(act, r, "发送预订单", "预订单邮件发送给客户");
  return true;
}

/** The reservation that money is held for, locked; a refund's own is the one that names it. */
async function heldFor(act: Act, of: { billId: number } | { refundId: number }): Promise<Reservation> {
  const row = await act.tx
    .selectFrom("reservation")
    .select("id")
    .where((eb) => ("billId" in of ? eb("billId", "=", of.billId) : eb("refundId", "=", of.refundId)))
    .executeTakeFirst();
  const r = row && (await readReservation(act, row.id, true));
  if (!r) throw notFound();
  return r;
}

/** What becomes of the refund of its money becomes of the reservation, in the same transaction. */
ownsEarnest({
  begun: async (act, { billId, refundId, refundNo, reason, amount }) => {
    const r = await heldFor(act, { billId });
    const state = RESERVATION_MOVES.next("refund", r);
    await endWithout(act, r, state, reason, { refundId });
    const summary = `${reason}，申请退还${r.earnestKind} ${yuan(amount)} 元（${refundNo}）`;
    await noteReservation(act, r, "取消退款", summary);
  },
  paid: async (act, refundId) => {
    const r = await heldFor(act, { refundId });
    const { amount } = await theRow(act, "refund", ["amount"], { id: refundId });
    await move(act, r, RESERVATION_MOVES.next("payBack", r));
    await noteReservation(act, r, "退款支付", `已退还${r.earnestKind} ${yuan(amount)} 元`);
  },
  returned: async (act, refundId, reason) => {
    const r = await heldFor(act, { refundId });
    await move(act, r, RESERVATION_MOVES.next("payAgain", r));
    await noteReservation(act, r, "退款被退回", reason);
  },
  dropped: async (act, refundId, reason) => {
    const r = await heldFor(act, { refundId });
    await move(act, r, RESERVATION_MOVES.next("keepMoney", r), { endReason: `退款未办理：${reason}` });
    await noteReservation(act, r, "退款未办理", `${reason}，${r.earnestKind}仍在管`);
    await tellOwner(
      act,
      r,
      `退款未办理：${r.partyName}`,
      `${r.number} 的退款未办理（${reason}），${r.earnestKind}仍在管，可恢复预订、重新退款或没收。`,
    );
  },
});
