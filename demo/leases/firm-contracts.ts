import { sql } from "kysely";
import { addDays, firstOf, monthOf, type Day } from "../../platform/kernel/day.ts";
import type { Fen } from "../../platform/kernel/fen.ts";
import type { Act } from "../../platform/server/pipeline/act.ts";
import type { Cipher } from "../../platform/server/secrets/cipher.ts";
import type { Database } from "../../platform/server/database/database.ts";
import { endAfter } from "../../domains/contract/schedule/months.rules.ts";
import { signMany } from "../../domains/contract/signing/many.service.ts";
import { DEFAULT_TERMS } from "../../domains/contract/terms/plans.rules.ts";
import { accountsOf } from "../../domains/finance/account/account.service.ts";
import { previewReceipt, receive } from "../../domains/finance/flow/receive.service.ts";
import { acting } from "../acting.ts";

type Store = Pick<Database, "pool" | "db"> & { cipher: Cipher };
type Free = { roomId: number; villageId: number; partyId: number; rent: Fen };

/** Rooms under one contract, and how many free ones a store keeps for everybody else. */
const ROOMS = 3;
const KEPT = 3;
/** What the company still owes of what was due. */
const OWED = 40_000;

/** Free rooms of a store in which a company rents already, or could; nothing where too few are free. */
async function roomsFor({ db }: Store, villages: readonly number[], from: Day, today: Day): Promise<Free[]> {
  const { rows } = await sql<Free>`
    select r.id "roomId", r.village_id "villageId", f.id "partyId",
      coalesce((select q.list_price from room_price q where q.room_id = r.id and q.effective_day <= ${today}::date
        order by q.effective_day desc limit 1), 300000)::int rent
    from firm f join room r on r.village_id = f.home_village_id
    join room_status_at(${today}::date, ${today}::date, ${villages as number[]}::bigint[]) s on s.room_id = r.id
    where f.kind = 'company' and f.home_village_id = any(${villages as number[]}::bigint[])
      and s.occupancy = 'vacant' and s.condition = 'rentable' and s.next_kind is null and r.kind in ('whole', 'room')
      and not exists (select 1 from occupancy_row o where o.room_id = r.id and upper(o.period) > ${from}::date)
    order by f.id, r.id`.execute(db);
  const byFirm = [...Map.groupBy(rows, (row) => row.partyId).values()];
  return (byFirm.find((free) => free.length >= ROOMS + KEPT) ?? []).slice(0, ROOMS);
}

/** A company's one contract over several rooms, signed a while ago and paid but for a rest. */
export async function makeFirmContracts(
  store: Store,
  clerkId: number,
  cashierId: number,
  today: Day,
): Promise<void> {
  const start = firstOf(monthOf(today));
  const at = (day: Day, clock: string) => new Date(`${day}T${clock}:00+08:00`);
  const villages = await acting(store, clerkId, at(today, "09:00"), async (act) => act.who.villages);
  const rooms = await roomsFor(store, villages, start, today);
  const [first] = rooms;
  if (!first) return;
  const { villageId, partyId } = first;
  const signedOn = addDays(start, -3);
  await acting(store, clerkId, at(signedOn, "10:00"), (act) =>
    signMany(act, [
      {
        ...DEFAULT_TERMS,
        kind: "company",
        cycleMonths: 1,
        villageId,
        partyId,
        start,
        end: endAfter(start, 12),
        rooms: rooms.map(({ roomId, rent }) => ({ roomId, monthlyRent: rent })),
        signedOn,
        handoverOn: start,
        managerId: clerkId,
        signerId: clerkId,
        remark: "员工宿舍，入住名单由企业提供",
      },
    ]),
  );
  await acting(store, cashierId, at(addDays(start, 1), "11:00"), (act) => payBut(act, villageId, partyId));
}

/** Pays what was due of the company's newest contract, all but a rest. */
async function payBut(act: Act, villageId: number, partyId: number): Promise<void> {
  const { rows } = await sql<{ id: number; due: Fen; lines: number[] }>`
    select b.id, b.outstanding due, array_agg(l.id order by l.id) lines
    from bill b join bill_line l on l.bill_id = b.id
    where b.outstanding > 0 and b.due_date <= ${act.today}::date
      and b.contract_id = (select max(id) from contract where party_id = ${partyId})
    group by b.id order by b.id`.execute(act.tx);
  const [account] = (await accountsOf(act, villageId)).filter((a) => a.kind === "wechat");
  const receipt = {
    villageId,
    partyId,
    amount: rows.reduce((sum, b) => sum + b.due, 0) - OWED,
    channel: "wechat" as const,
    merchantAccountId: account!.id,
    paidAt: act.now.toISOString(),
    wants: rows.flatMap((b) => b.lines.map((lineId) => ({ billId: b.id, lineId }))),
    usePrepaid: false,
  };
  await receive(act, receipt, (await previewReceipt(act, receipt)).hash);
}
