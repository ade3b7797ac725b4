import { sql } from "kysely";
import { type Day } from "../../../platform/kernel/day.ts";
import { maskName, maskPhone } from "../../../platform/kernel/mask.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { type BlockReason } from "../room/words.rules.ts";

export const nameFor = (read: Read, name: string) =>
  read.who.permits.has("16.query") ? name : maskName(name);

export async function contractOf(read: Read, id: number, roomId: number) {
  const { rows } = await sql<{
    id: number;
    number: string;
    state: string;
    partyId: number;
    partyKind: string;
    partyName: string;
    phone: string;
    start: Day;
    end: Day;
    handoverOn: Day | null;
    rentFen: number;
    payText: string;
    depositFen: number;
    billedFen: number;
    receivedFen: number;
    nextDueOn: Day | null;
    nextDueFen: number | null;
    occupants: { name: string; relation: string; lockAccess: boolean }[];
  }>`
    select c.id, c.contract_no number, c.state, c.party_id "partyId", p.kind "partyKind", p.name "partyName", p.phone, c.start_date start, c.end_date "end",
      c.handover_on "handoverOn", coalesce(k.monthly_rent, c.monthly_rent, 0) "rentFen", c.pay_text "payText",
      coalesce((select held from money_held where contract_id = c.id and kind = 'deposit'), 0) "depositFen",
      coalesce(m.billed, 0) "billedFen", coalesce(m.received, 0) "receivedFen", m.next_due_on "nextDueOn", m.next_due_fen "nextDueFen",
      coalesce((select json_agg(json_build_object('name', o.name, 'relation', o.relation, 'lockAccess', o.lock_access) order by o.id)
        from contract_occupant_brief o where o.contract_id = c.id and (o.room_id is null or o.room_id = ${roomId})
          and (o.to_date is null or o.to_date >= ${read.today}::date)), '[]') occupants
    from contract_brief c join party_brief p on p.id = c.party_id
    left join contract_money_brief m on m.contract_id = c.id
    left join occupancy_row r on r.contract_id = c.id and r.room_id = ${roomId}
    left join contract_room_brief k on k.contract_id = c.id and k.room_id = coalesce(r.let_room_id, ${roomId})
    where c.id = ${id} limit 1`.execute(read.tx);
  const row = rows[0];
  if (!row) return null;
  const occupants = row.occupants.map((o) => ({ ...o, name: nameFor(read, o.name) }));
  return { ...row, partyName: nameFor(read, row.partyName), phone: maskPhone(row.phone), occupants };
}

export async function nextOf(read: Read, contractId: number) {
  const row = await read.tx
    .selectFrom("contractBrief as c")
    .leftJoin("partyBrief as p", "p.id", "c.partyId")
    .select(["c.contractNo as number", "p.name as partyName"])
    .where("c.id", "=", contractId)
    .executeTakeFirst();
  return row ? { number: row.number, partyName: nameFor(read, row.partyName ?? "") } : null;
}

export async function blockOf(read: Read, id: number, until: Day | null) {
  const row = await read.tx
    .selectFrom("roomBlock")
    .select((eb) => [
      "id",
      "number",
      "reason",
      "fromDay as from",
      "note",
      "version",
      eb
        .selectFrom("occupancyRow")
        .select((e) => e.fn.countAll<number>().as("n"))
        .whereRef("occupancyRow.blockId", "=", "roomBlock.id")
        .as("rooms"),
    ])
    .where("id", "=", id)
    .executeTakeFirst();
  return row ? { ...row, reason: row.reason as BlockReason, rooms: row.rooms ?? 0, to: until } : null;
}

/** The next one that stands on the timeline of the room, or that a contract being signed stands in for. */
export async function reservationOf(read: Read, roomId: number) {
  const { rows } = await sql<{
    id: number;
    number: string;
    state: "pending" | "held";
    partyName: string;
    moveInDay: Day;
    holdUntil: Day;
    earnestKind: "定金" | "订金";
    signing: boolean;
  }>`
    select v.id, v.number, v.state, p.name "partyName", v.move_in_day "moveInDay", v.hold_until "holdUntil",
      v.earnest_kind "earnestKind", v.contract_id is not null signing
    from reservation_brief v join party_brief p on p.id = v.party_id
    where v.keeps and (v.room_id = ${roomId} or v.id in (
      select reservation_id from occupancy_row where room_id = ${roomId} and reservation_id is not null))
    order by v.move_in_day, v.id limit 1`.execute(read.tx);
  const [row] = rows;
  return row ? { ...row, partyName: nameFor(read, row.partyName) } : null;
}

export const turnoverOf = async (read: Read, id: number) =>
  (await read.tx
    .selectFrom("turnover")
    .select(["id", "openedDay", "note"])
    .where("id", "=", id)
    .executeTakeFirst()) ?? null;

export const priceOf = (read: Read, roomId: number, day: Day) =>
  read.tx
    .selectFrom("roomPrice")
    .select(["listPrice", "lowestPrice", "unit"])
    .where("roomId", "=", roomId)
    .where("effectiveDay", "<=", day)
    .orderBy("effectiveDay", "desc")
    .limit(1)
    .executeTakeFirst();
