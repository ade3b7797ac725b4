import { sql, type RawBuilder } from "kysely";
import { maskPhone } from "../../../platform/kernel/mask.ts";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import type { OwingFilter } from "./owed.queries.ts";
import type { Mode } from "./owing.rules.ts";

/** The words of a row: what stands in it depends on what it stands for. */
export type Names = {
  partyId: number | null;
  partyName: string | null;
  phone: string | null;
  roomId: number | null;
  rooms: string | null;
  villageId: number | null;
  villageName: string | null;
  billNo: string | null;
  subjectName: string | null;
  dueDate: Day | null;
  contractState: "living" | "left" | null;
  promiseDay: Day | null;
  note: string | null;
};
export const NAMELESS: Names = {
  partyId: null,
  partyName: null,
  phone: null,
  roomId: null,
  rooms: null,
  villageId: null,
  villageName: null,
  billNo: null,
  subjectName: null,
  dueDate: null,
  contractState: null,
  promiseDay: null,
  note: null,
};

/** The last thing talked about with a debtor, in the villages asked for. */
const promise = (villages: readonly number[]) => sql`
  left join lateral (select promise_day, note from owing_follow w
    where w.party_id = p.id and w.village_id = ${anyOf(villages)} order by w.id desc limit 1) w on true`;

const READS: Record<Mode, (ids: readonly number[], villages: readonly number[]) => RawBuilder<unknown>> = {
  party: (ids, villages) => sql`
    select p.id, p.id party_id, p.name party_name, p.phone, w.promise_day, w.note, c.rooms,
      case when c.living then 'living' when c.party_id is not null then 'left' end contract_state
    from party p ${promise(villages)}
    left join lateral (
      select c.party_id, bool_or(in_force(c.state)) living,
        string_agg(distinct nullif(c.room_names, ''), '、') filter (where in_force(c.state)) rooms
      from contract c where c.party_id = p.id and c.village_id = ${anyOf(villages)}
        and c.state not in ('draft', 'approving', 'voided') group by 1) c on true
    where p.id = ${anyOf(ids)}`,
  room: (ids) => sql`
    select r.id, r.id room_id, r.full_name rooms, v.id village_id, v.name village_name
    from room r join village v on v.id = r.village_id where r.id = ${anyOf(ids)}`,
  bill: (ids, villages) => sql`
    select b.id, b.bill_no, b.due_date, p.id party_id, p.name party_name, p.phone, r.id room_id, r.full_name rooms,
      v.id village_id, v.name village_name, w.promise_day, w.note,
      case when in_force(c.state) then 'living' when c.id is not null then 'left' end contract_state
    from bill b join party p on p.id = b.party_id join village v on v.id = b.village_id ${promise(villages)}
    left join room r on r.id = b.room_id left join contract c on c.id = b.contract_id where b.id = ${anyOf(ids)}`,
  subject: (ids) => sql`select id, name subject_name from fee_subject where id = ${anyOf(ids)}`,
  village: (ids) => sql`select id, id village_id, name village_name from village where id = ${anyOf(ids)}`,
};

/** Names and standing of the rows of one page, read for these alone. */
export async function namesOf(
  read: Read,
  f: OwingFilter,
  ids: readonly number[],
): Promise<Map<number, Names>> {
  const { rows } = await sql<Partial<Names> & { id: number }>`${READS[f.mode](ids, f.villages)}`.execute(
    read.replica,
  );
  return new Map(
    rows.map(({ id, ...names }) => [
      id,
      { ...NAMELESS, ...names, phone: names.phone ? maskPhone(names.phone) : null },
    ]),
  );
}
