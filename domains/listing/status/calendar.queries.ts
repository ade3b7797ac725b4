import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { maskName } from "../../../platform/kernel/mask.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { BLOCK_REASONS, wordOf } from "../room/words.rules.ts";
import type { Bar } from "./calendar.contract.ts";

type Row = Bar & { party: string | null; reason: string | null };

/** Leases, holds, blocks and cleanings of a village that touch a span, by room and first day. */
export async function barsOf(read: Read, villageId: number, from: Day, to: Day): Promise<Bar[]> {
  const { rows } = await sql<Row>`
    select r.id "roomId", o.kind, coalesce(o.contract_id, o.block_id, o.reservation_id) id,
      coalesce(c.contract_no, k.number, v.number) number,
      lower(o.period) "from", upper(o.period) - 1 "to", p.name party, k.reason, coalesce(n.monthly_rent, v.rent) "rentFen",
      c.handover_on is not null "movedIn"
    from room r join occupancy_row o on o.room_id = r.id
    left join contract_brief c on c.id = o.contract_id left join reservation_brief v on v.id = o.reservation_id
    left join party_brief p on p.id = coalesce(c.party_id, v.party_id)
    left join contract_room_brief n on n.contract_id = c.id and n.room_id = o.let_room_id
    left join room_block k on k.id = o.block_id
    where r.village_id = ${villageId} and r.is_leaf and o.period && daterange(${from}::date, ${to}::date, '[]')
    union all
    select r.id, 'turnover', t.id, '', t.opened_day, coalesce(t.done_day, ${read.today}::date), null, null, null, false
    from room r join turnover t on t.room_id = r.id
    where t.village_id = ${villageId} and t.opened_day <= ${to}::date and coalesce(t.done_day, ${read.today}::date) >= ${from}::date
    order by 1, 5, 3`.execute(read.tx);
  const named = read.who.permits.has("16.query");
  return rows.map(({ party, reason, ...row }) => ({
    ...row,
    label:
      row.kind === "turnover"
        ? "待保洁"
        : reason
          ? wordOf(BLOCK_REASONS, reason)
          : party && !named
            ? maskName(party)
            : (party ?? ""),
  }));
}
