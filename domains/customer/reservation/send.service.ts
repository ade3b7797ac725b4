import { sql } from "kysely";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { keepFile } from "../../system/file/file.service.ts";
import { sendNotices } from "../push/notice.service.ts";
import { noteReservation } from "./note.service.ts";
import { paperOf } from "./paper.service.ts";
import { reservationDetail } from "./reservation.queries.ts";

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
