import { sql } from "kysely";
import { addDays, type Day } from "../../platform/kernel/day.ts";
import type { Cipher } from "../../platform/server/secrets/cipher.ts";
import type { Database } from "../../platform/server/database/database.ts";
import { reserve } from "../../domains/customer/reservation/create.service.ts";
import { pay } from "../../domains/customer/reservation-acts/pay.service.ts";
import { accountsOf } from "../../domains/finance/account/account.service.ts";
import { acting } from "../acting.ts";

type Store = Pick<Database, "pool" | "db"> & { cipher: Cipher };
type Wish = {
  partyId: number;
  kind: "company" | "merchant";
  villageId: number;
  roomId: number;
  area: string;
  price: number;
};

/** A company and a merchant, each with a room of its store that nobody has; a merchant rather has a shop. */
async function wishes({ db }: Store, villages: readonly number[], today: Day): Promise<Wish[]> {
  const { rows } = await sql<Wish>`
    select distinct on (p.kind) p.id "partyId", p.kind, r.village_id "villageId", r.id "roomId", r.area::text area,
      coalesce((select q.list_price from room_price q where q.room_id = r.id and q.effective_day <= ${today}::date
        order by q.effective_day desc limit 1), 300000)::int price
    from party p join party_village w on w.party_id = p.id join room r on r.village_id = w.village_id
    join room_status_at(${today}::date, ${today}::date, ${villages as number[]}::bigint[]) s on s.room_id = r.id
    where p.kind in ('company', 'merchant') and r.village_id = any(${villages as number[]}::bigint[])
      and s.occupancy = 'vacant' and s.condition = 'rentable' and s.next_kind is null and r.kind in ('whole', 'shop')
    order by p.kind, (r.kind = 'shop') = (p.kind = 'merchant') desc, r.id desc`.execute(db);
  // where a single room is free, the first one has it
  return rows.filter((row, i) => rows.findIndex((r) => r.roomId === row.roomId) === i);
}

/** Rooms that firms have reserved: a company's is paid, a merchant's is agreed by area and waits for its money. */
export async function makeFirmReservations(
  store: Store,
  ownerId: number,
  cashierId: number,
  today: Day,
): Promise<void> {
  const at = (back: number, clock: string) => new Date(`${addDays(today, -back)}T${clock}:00+08:00`);
  const villages = await acting(store, ownerId, at(0, "09:00"), async (act) => act.who.villages);
  for (const { kind, area, price, ...who } of await wishes(store, villages, today)) {
    const byArea = kind === "merchant";
    const rent = byArea ? Math.max(1, Math.round((price * 12) / 365 / Number(area))) : price;
    const { id } = await acting(store, ownerId, at(1, "15:00"), (act) =>
      reserve(act, {
        ...who,
        name: "",
        phone: "",
        moveInDay: addDays(today, 10),
        plannedEndDay: addDays(today, byArea ? 739 : 374),
        rent,
        unit: byArea ? "sqmDay" : "month",
        payPlan: byArea ? "2-1" : "1-3",
        holdUntil: addDays(today, 5),
        earnestKind: byArea ? "订金" : "定金",
        earnest: 200_000,
        remark: byArea ? "租金按面积计，签约前确认门头位置" : "员工宿舍，入住名单随后提供",
      }),
    );
    if (byArea) {
      const payUntil = new Date(`${addDays(today, 2)}T18:00:00+08:00`);
      await store.db.updateTable("reservation").set({ payUntil }).where("id", "=", id).execute();
      continue;
    }
    await acting(store, cashierId, at(1, "15:30"), async (act) => {
      const [account] = (await accountsOf(act, who.villageId)).filter((a) => a.kind === "wechat");
      const paidAt = at(1, "15:30").toISOString();
      return pay(act, id, { channel: "wechat", merchantAccountId: account!.id, paidAt, amount: 200_000 });
    });
  }
}
