import { addDays, type Day } from "../../platform/kernel/day.ts";
import type { Database } from "../../platform/server/database/database.ts";
import type { Cipher } from "../../platform/server/secrets/cipher.ts";
import { createApplication } from "../../domains/contract/lease-application/application.service.ts";
import { approve, assignMany, rejectOne } from "../../domains/contract/lease-application/review.service.ts";
import { readApplications } from "../../domains/contract/lease-application/application.queries.ts";
import { acting } from "../acting.ts";

type Store = Pick<Database, "pool" | "db"> & { cipher: Cipher; now?: Date };
type Wish = { name: string; phone: string; villageId: number; roomId: number; capacity: number };

/** What became of a demo request, and how many days ago it was made. */
const FATES = [
  ["waits", 1],
  ["waits", 3],
  ["waits", 13],
  ["approved", 4],
  ["approved", 2],
  ["rejected", 6],
] as const;

/** Leads of the demo who ask for a free room of their store, in every state that wants somebody's eye. */
export async function makeApplications(store: Store, manager: number, today: Day): Promise<void> {
  const { rows } = await store.pool.query<Wish>(
    `with free as (
       select r.id, r.village_id, r.capacity, row_number() over (partition by r.village_id order by r.id desc) nth,
         count(*) over (partition by r.village_id) there
       from room_status_at($1::date, $1::date, array(select id from village)) s join room r on r.id = s.room_id
       where s.occupancy = 'vacant' and s.condition = 'rentable' and s.next_kind is null and r.kind in ('whole', 'room')),
     wanting as (
       select l.id, l.name, l.phone, l.village_ids[1] village_id, row_number() over (partition by l.village_ids[1] order by l.id desc) nth
       from lead l where l.state in ('new', 'following') and length(l.name) between 2 and 30)
     select w.name, w.phone, w.village_id::int "villageId", f.id::int "roomId", f.capacity
     from wanting w join free f on f.village_id = w.village_id and f.nth = 1 + (w.nth - 1) % f.there
     order by w.nth, w.village_id limit ${FATES.length}`,
    [today],
  );
  for (const [i, { name, phone, villageId, roomId, capacity }] of rows.entries()) {
    const [fate, ago] = FATES[i]!;
    const at = (clock: string) => new Date(`${addDays(today, -ago)}T${clock}+08:00`);
    const { id } = await acting(store, manager, at("10:20:00"), (act) =>
      createApplication(
        act,
        {
          partyType: "renter",
          ...{ name, phone, villageId },
          firmName: "",
          roomIds: [roomId],
          wantStart: addDays(today, 5 + i),
          wantMonths: i % 2 ? 6 : 12,
          occupants: Math.min(capacity, 1 + (i % 2)),
          remark: "",
        },
        i % 3 ? "h5" : "staff",
      ),
    );
    await acting(store, manager, at("16:00:00"), async (act) => {
      if (fate === "approved") await approve(act, id, { version: 1, note: "" });
      if (fate === "rejected")
        await rejectOne(act, (await readApplications(act, [id], true))[0]!, "该房间已另行安排");
      if (fate === "waits" && i === 0) await assignMany(act, { ids: [id], reviewerId: manager });
    });
  }
}

/**
 * The originals of the signed contracts: those of the last month wait for their shelf, the older ones lie on theirs, and
 * a few are away, one of them for too long.
 */
export async function makeArchive({ pool }: Store, manager: number, today: Day): Promise<void> {
  await pool.query(
    `insert into contract_archive (archive_no, contract_id, village_id, doc_kind, medium, copies, warehouse, cabinet, shelf,
       archived_on, archived_by, state, retention_until, created_at)
     select 'DA' || to_char(signed_on, 'YYYYMMDD') || '-' || lpad((row_number() over (partition by signed_on order by id))::text, 6, '0'),
       id, village_id, kind || 'Contract', 'paper', 2,
       case when old then 'A' else '' end, case when old then lpad((1 + n / 40 % 12)::text, 2, '0') else '' end,
       case when old then (1 + n / 8 % 5)::text else '' end,
       case when old then least(signed_on + 7, $1::date) end, case when old then $2::bigint end,
       case when old then 'archived' else 'pending' end, (end_date + interval '10 years')::date, signed_on + time '17:30'
     from (select c.*, signed_on < $1::date - 30 old, (row_number() over (partition by village_id order by id))::int n
       from contract c where signed_on is not null and state not in ('draft', 'signing', 'voided')) c`,
    [today, manager],
  );
  await pool.query(
    `insert into number_sequence (kind, day, last)
     select 'DA', to_date(substr(archive_no, 3, 8), 'YYYYMMDD'), count(*) from contract_archive group by 2
     on conflict (kind, day) do update set last = greatest(number_sequence.last, excluded.last)`,
  );
  await pool.query(
    `with lent as (
       select id, row_number() over (order by archive_no desc) n from contract_archive
       where state = 'archived' order by archive_no desc limit 3),
     loans as (
       insert into archive_loan (archive_id, borrower_id, purpose, lent_on, due_on, lent_by)
       select id, $2, (array['核对合同条款', '办理居住登记', '财务审计查阅'])[n],
         $1::date - (array[2, 5, 12])[n], $1::date + (array[5, 9, -3])[n], $2 from lent returning archive_id)
     update contract_archive set state = 'lent', version = version + 1 where id in (select archive_id from loans)`,
    [today, manager],
  );
}
