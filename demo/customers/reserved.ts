import { sql } from "kysely";
import { addDays, type Day } from "../../platform/kernel/day.ts";
import type { Act } from "../../platform/server/pipeline/act.ts";
import type { Cipher } from "../../platform/server/secrets/cipher.ts";
import type { Database } from "../../platform/server/database/database.ts";
import { actOf } from "../../platform/server/pipeline/pipeline.ts";
import { whoActs } from "../../domains/access/operator/scope.service.ts";
import { accountsOf } from "../../domains/finance/account/account.service.ts";
import { cancel, showCode } from "../../domains/customer/reservation-acts/acts.service.ts";
import { reserve } from "../../domains/customer/reservation/create.service.ts";
import { lapse } from "../../domains/customer/reservation/hold.service.ts";
import { pay } from "../../domains/customer/reservation-acts/pay.service.ts";
import { readReservation } from "../../domains/customer/reservation/record.queries.ts";
import { settle } from "../../domains/finance/pay-order/settle.service.ts";
import { payAtTill } from "../../domains/finance/pay-order/till.service.ts";
import { bookViewing, finish } from "../../domains/customer/viewing/viewing.service.ts";
import { houseAt } from "../acting.ts";

type Store = Pick<Database, "pool" | "db"> & { cipher: Cipher };
type Lead = { id: number; villageId: number; roomId: number; rent: number };

/** What became of a demo reservation: how many days ago it was made, and for how long the room is kept. */
const FATES = ["held", "pending", "lapsed", "byCode", "refunding"] as const;

/** What customers of the demo thought of the rooms that they saw. */
const THOUGHTS = [
  { result: "满意", feedback: "采光好，离地铁近" },
  { result: "不合适", feedback: "临街，晚上有些吵" },
  { result: "再考虑", feedback: "喜欢格局，租金略高" },
] as const;

/** Acts of one person at a moment, each in a transaction of its own, as anybody's. */
async function actsOf(store: Store, operatorId: number) {
  const who = await whoActs(store.db, operatorId);
  return <T>(at: string, work: (act: Act) => Promise<T>): Promise<T> => {
    const house = houseAt(store, new Date(at));
    const request = { requestId: "demo", ip: "", userAgent: "demo" };
    return store.db.transaction().execute((tx) => {
      // what was done then was written down then
      const note: Act["note"] = async (entries) => {
        const rows = [entries].flat().map(({ before: _b, after: _a, villageId, ...entry }) => ({
          ...entry,
          number: entry.number ?? "",
          villageId: villageId ?? null,
          operatorId,
          operatorName: who.name,
          requestId: request.requestId,
          at,
        }));
        if (rows.length) await tx.insertInto("businessLog").values(rows).execute();
      };
      return work({ ...actOf(house, tx, who, request), note });
    });
  };
}

/** Leads that are being looked after, each with a free room of its first store; a third of the free rooms at most. */
async function leadsWithRooms({ db }: Store, ownerId: number, today: Day): Promise<Lead[]> {
  const { rows } = await sql<Lead>`
    with free as (
      select s.room_id, r.village_id, row_number() over (partition by r.village_id order by r.id) nth,
        count(*) over (partition by r.village_id) there
      from room_status_at(${today}::date, ${today}::date, array(select id from village)) s join room r on r.id = s.room_id
      where s.occupancy = 'vacant' and s.condition = 'rentable' and s.next_kind is null and r.kind in ('whole', 'room')),
    wanting as (
      select l.id, l.village_ids[1] village_id, row_number() over (partition by l.village_ids[1] order by l.id) nth
      from lead l where l.owner_id = ${ownerId} and l.state in ('following', 'viewed'))
    select w.id, w.village_id "villageId", f.room_id "roomId",
      coalesce((select p.list_price from room_price p where p.room_id = f.room_id and p.effective_day <= ${today}::date
        order by p.effective_day desc limit 1), 300000)::int rent
    from wanting w join free f on f.village_id = w.village_id and f.nth = w.nth and f.nth * 3 <= f.there
    order by w.nth, w.village_id limit ${FATES.length}`.execute(db);
  return rows;
}

/** Rooms reserved for some of the leads, in every state that wants somebody's eye. */
export async function makeReservations(
  store: Store,
  ownerId: number,
  cashierId: number,
  today: Day,
): Promise<void> {
  const acting = await actsOf(store, ownerId);
  const till = await actsOf(store, cashierId);
  const day = (back: number) => addDays(today, -back);
  const leads = await leadsWithRooms(store, ownerId, today);
  for (const [i, lead] of leads.entries()) {
    const fate = FATES[i]!;
    const made = fate === "pending" ? 1 : 4;
    const { id } = await acting(`${day(made)}T10:00:00+08:00`, (act) =>
      reserve(act, {
        leadId: lead.id,
        name: "",
        phone: "",
        villageId: lead.villageId,
        roomId: lead.roomId,
        moveInDay: addDays(today, fate === "lapsed" ? 1 : 5 + i),
        plannedEndDay: addDays(today, 369 + i),
        rent: lead.rent,
        unit: "month",
        payPlan: i % 2 ? "1-3" : "1-1",
        holdUntil: fate === "lapsed" ? day(1) : addDays(today, i === 0 ? 0 : 4),
        earnestKind: fate === "refunding" ? "订金" : "定金",
        earnest: 100_000,
        remark: "",
      }),
    );
    if (fate === "pending") {
      const until = new Date(`${addDays(today, 2)}T18:00:00+08:00`);
      await store.db.updateTable("reservation").set({ payUntil: until }).where("id", "=", id).execute();
      continue;
    }
    const paidAt = `${day(made)}T10:30:00+08:00`;
    if (fate === "byCode" || fate === "refunding")
      await acting(paidAt, async (act) => {
        const order = await showCode(act, id, { channel: "till" });
        await settle(act, order.merchantAccountId, await payAtTill(act, order.orderNo));
      });
    else
      await till(paidAt, async (act) => {
        const [account] = (await accountsOf(act, lead.villageId)).filter((a) => a.kind === "wechat");
        const merchantAccountId = account!.id;
        return pay(act, id, { channel: "wechat", merchantAccountId, paidAt, amount: 100_000 });
      });
    if (fate === "lapsed")
      await acting(`${today}T00:01:00+08:00`, async (act) =>
        lapse(act, (await readReservation(act, id, true))!, `保留期已于 ${day(1)} 结束`),
      );
    if (fate === "refunding")
      await acting(`${day(1)}T15:00:00+08:00`, async (act) => {
        const { version } = (await readReservation(act, id, true))!;
        await cancel(act, id, { version, reason: "客户工作地点变动", refund: true });
      });
  }
}

/** Customers who were shown rooms, and who come today and tomorrow. */
export async function makeViewings(store: Store, ownerId: number, today: Day): Promise<void> {
  const acting = await actsOf(store, ownerId);
  const { rows } = await sql<{ id: number; villageId: number; roomIds: number[] }>`
    select l.id, l.village_ids[1] "villageId", array(select r.id from room r where r.village_id = l.village_ids[1]
      and r.is_leaf and r.retired_day is null and r.kind in ('whole', 'room') order by r.id offset l.id % 7 limit 2) "roomIds"
    from lead l where l.owner_id = ${ownerId} and l.state in ('new', 'following') order by l.id desc limit 7`.execute(
    store.db,
  );
  const slots = [
    [-2, "10:00"],
    [-1, "15:00"],
    [0, "11:00"],
    [0, "18:00"],
    [1, "10:00"],
    [1, "14:00"],
    [2, "16:00"],
  ] as const;
  for (const [i, lead] of rows.filter((l) => l.roomIds.length).entries()) {
    const [ahead, clock] = slots[i]!;
    const at = `${addDays(today, ahead)}T${clock}:00+08:00`;
    const { id } = await acting(`${addDays(today, -3)}T17:00:00+08:00`, (act) =>
      bookViewing(act, {
        leadId: lead.id,
        name: "",
        phone: "",
        villageId: lead.villageId,
        roomIds: lead.roomIds,
        at,
        minutes: "60",
        assigneeId: ownerId,
        remark: "",
      }),
    );
    if (ahead < 0)
      await acting(at.replace(":00:00+", ":50:00+"), (act) =>
        finish(act, id, {
          version: 1,
          results: lead.roomIds.map((roomId, nth) => ({ roomId, ...THOUGHTS[(i + nth) % THOUGHTS.length]! })),
          feedback: i ? "觉得租金略高，想再比较" : "对采光和交通满意，准备预订",
        }),
      );
  }
}
