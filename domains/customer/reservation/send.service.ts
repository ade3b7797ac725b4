import { sql } from "kysely";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, notFound } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { ownsEarnest } from "../../finance/refund/owner.service.ts";
import { keepFile } from "../../system/file/file.service.ts";
import { sendNotices } from "../push/notice.service.ts";
import { endWithout, move, noteReservation, tellOwner } from "./hold.service.ts";
import { paperOf } from "./paper.service.ts";
import { type Reservation, readReservation } from "./record.queries.ts";
import { reservationDetail } from "./reservation.queries.ts";
import { RESERVATION_MOVES } from "./reservation.rules.ts";

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
  const gone = await act.tx.selectFrom("outbox").select("id").where("onceKey", "=", once).executeTakeFirst();
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
    await move(act, r, RESERVATION_MOVES.next("payBack", r));
    await noteReservation(act, r, "退款支付", `已退还${r.earnestKind} ${yuan(r.earnest)} 元`);
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
