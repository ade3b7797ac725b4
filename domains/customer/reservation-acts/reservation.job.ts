import { sql } from "kysely";
import { addDays } from "../../../platform/kernel/day.ts";
import { eachByItself } from "../../../platform/server/jobs/by-itself.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { dropExamines } from "../../approval/examine/propose.service.ts";
import { earnestBill, freeEarnest } from "../../finance/earnest/earnest.service.ts";
import { endWithout, lapse, noteReservation, tellCustomer, tellOwner } from "../reservation/hold.service.ts";
import { awaitAgain, holdPaid } from "./pay.service.ts";
import { readReservation } from "../reservation/record.queries.ts";
import { examineEnded } from "../../approval/examine/examine.contract.ts";
import { billReopened } from "../../finance/bill/events.contract.ts";
import { billPaid } from "../../finance/flow/flow.contract.ts";

/** Nothing is left of the earnest money that was asked for, and no approval is waited for. */
const WAIVED = sql`exists (select from bill b where b.id = bill_id and b.outstanding = 0 and b.voided_at is null)
  and not exists (select from examine e where e.target_kind = 'reservation' and e.target_id = reservation.id and e.state = 'approving')`;

/**
 * Reservations whose time is up, at most so many at once: unpaid in time, or past the day they were kept to. Those whose earnest
 * money was waived meanwhile are kept: nobody pays them, so nobody hears of it.
 */
export async function lapseOverdue(act: Act, most = 200): Promise<number> {
  const { rows } = await sql<{ id: number; number: string }>`
    select id, number from reservation
    where (state = 'pending' and (pay_until <= ${act.now.toISOString()} or ${WAIVED}))
      or (reservation_keeps(state) and contract_id is null and hold_until < ${act.today}::date)
    order by id limit ${most} for no key update skip locked`.execute(act.tx);
  return eachByItself(
    act,
    rows,
    ({ number }) => number,
    async ({ id }) => {
      const r = (await readReservation(act, id))!;
      const bill = r.billId ? await earnestBill(act, r.billId) : undefined;
      // nothing is asked any more, or the money came at the last minute: the room is kept, whatever the clock says
      if (r.status === "pending" && bill?.outstanding === 0 && r.holdUntil >= act.today) {
        await holdPaid(act, r);
        return 0;
      }
      if (r.status === "pending" && r.billId) await freeEarnest(act, r.billId, `预订 ${r.number} 未按时付款`);
      await dropExamines(act, "reservation", [id], "预订已过期");
      const why = r.holdUntil < act.today ? `保留期已于 ${r.holdUntil} 结束` : "未按时支付定金";
      await lapse(act, r.status === "pending" ? { ...r, held: 0 } : r, why);
    },
  );
}

/** Owners hear a day before. */
export async function remindEnding(act: Act): Promise<number> {
  const { rows } = await sql<{
    id: number;
    number: string;
    villageId: number;
    ownerId: number;
    holdUntil: string;
    name: string;
    room: string;
  }>`
    select r.id, r.number, r.village_id "villageId", r.owner_id "ownerId", r.hold_until "holdUntil", p.name, m.full_name room
    from reservation r join party p on p.id = r.party_id join room m on m.id = r.room_id
    where r.state = 'held' and r.contract_id is null and r.hold_until = ${addDays(act.today, 1)}::date
    order by r.id`.execute(act.tx);
  for (const r of rows) {
    const once = `reservation.ending.${r.id}.${r.holdUntil}`;
    await tellOwner(
      act,
      r,
      `预订明天到期：${r.name} ${r.room}`,
      `${r.number} 保留至 ${r.holdUntil}，请尽快签约或延期，到期后房间自动释放。`,
      once,
    );
    const text = `${r.name}您好，您预订的${r.room}保留至${r.holdUntil}，请尽快签约，过期后房间自动释放。`;
    await tellCustomer(act, r, text, once);
  }
  return rows.length;
}

/** Money that came over the counter keeps the room as much as money that was taken here. */
export async function holdWhatIsPaid(act: Act, billIds: readonly number[]): Promise<void> {
  if (!billIds.length) return;
  const { rows } = await sql<{ id: number }>`
    select r.id from reservation r join bill b on b.id = r.bill_id
    where r.bill_id = any(${billIds as number[]}::bigint[]) and r.state = 'pending' and b.outstanding = 0
      and b.voided_at is null and not exists (select 1 from examine e
        where e.target_kind = 'reservation' and e.target_id = r.id and e.state = 'approving')
    order by r.id for no key update of r`.execute(act.tx);
  for (const { id } of rows) {
    const r = (await readReservation(act, id))!;
    await noteReservation(act, r, "收定金", "定金账单已收齐");
    await holdPaid(act, r);
  }
}

/** Money that was taken back keeps no room. */
export async function awaitWhatIsOwed(act: Act, billIds: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select r.id from reservation r join bill b on b.id = r.bill_id
    where r.bill_id = any(${billIds as number[]}::bigint[]) and r.state = 'held' and r.contract_id is null
      and b.outstanding > 0 and b.voided_at is null
    order by r.id for no key update of r`.execute(act.tx);
  for (const { id } of rows) await awaitAgain(act, (await readReservation(act, id))!);
}

/** What was not approved is not kept. */
export async function dropRefused(act: Act, id: number): Promise<void> {
  const r = await readReservation(act, id, true);
  if (r?.status !== "pending") return;
  if (r.billId) await freeEarnest(act, r.billId, `预订 ${r.number} 未通过审批`);
  await endWithout(act, r, "cancelled", "低于底价的租金未通过审批");
  await noteReservation(act, r, "取消预订", `租金未通过审批，释放 ${r.roomName}`);
  await tellOwner(act, r, `预订未通过审批：${r.partyName}`, `${r.number} 的租金未通过审批，房间已释放。`);
}

export default [
  job({
    name: "reservation.lapse",
    title: "预订过期",
    cron: "* * * * *",
    work: (act) => lapseOverdue(act),
  }),
  job({ name: "reservation.ending", title: "预订到期提醒", cron: "0 9 * * *", work: remindEnding }),
  job({
    name: "reservation.paid",
    on: billPaid,
    work: (act, data) => holdWhatIsPaid(act, data.billIds),
  }),
  job({
    name: "reservation.reopened",
    on: billReopened,
    work: (act, data) => awaitWhatIsOwed(act, data.billIds),
  }),
  job({
    name: "reservation.examined",
    on: examineEnded,
    work: async (act, data) => {
      const refused = data.state === "rejected" || data.state === "withdrawn";
      if (data.type === "reservationBelowLowest" && refused) await dropRefused(act, data.recordId);
    },
  }),
];
