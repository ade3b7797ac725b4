import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import { maskPhone } from "../../../platform/kernel/mask.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { isLateMoney } from "../../finance/bill/overdue.service.ts";
import type { renterRow } from "./renter.contract.ts";
import { BLACK_LEVEL, STAGE } from "./renter-filter.queries.ts";

type RenterRow = z.input<typeof renterRow>;

/** What the dictionary calls a renter's source, also when it is not offered any more. */
const SOURCE_NAME = sql<string>`coalesce((select d.name from dic_item d where d.enterprise_id = p.enterprise_id
  and d.kind = 'customer' and d.group_key = 'source' and d.code = r.source), r.source)`;

/** Masked as screens show it. */
export const shown = (row: RenterRow): RenterRow => ({ ...row, phone: maskPhone(row.phone) });

/** Rows of the renters that `w(id, place)` names, with what is owed, prepaid and held in the villages given. */
export function rowsOf(read: Read, villages: readonly number[], w: RawBuilder<unknown>) {
  const v = anyOf(villages);
  return sql<RenterRow>`
    select p.id, p.name, p.phone, p.version, p.created_at "createdAt", r.cert_type "certType", r.cert_no_masked "certNo", r.gender,
      r.tags, r.verify, r.source, ${SOURCE_NAME} "sourceName", h.name "homeVillageName", ${STAGE} stage, ${BLACK_LEVEL} black,
      now.room_id "roomId", now.room_names "roomName", now.id "contractId", now.end_date "endDate",
      coalesce((select sum(b.outstanding) from bill b where b.party_id = any(a.ids) and b.village_id = ${v} and ${isLateMoney(read.today)}), 0)::bigint arrears,
      coalesce((select sum(b.balance) from party_balance b where b.party_id = any(a.ids) and b.village_id = ${v}), 0)::bigint prepaid,
      coalesce((select sum(d.held) from deposit_balance d join contract_brief c on c.id = d.contract_id
        where c.party_id = any(a.ids) and d.village_id = ${v}), 0)::bigint deposit
    from ${w} w(id, place)
    join party p on p.id = w.id join renter r on r.id = p.id join village h on h.id = r.home_village_id
    cross join lateral (select array(select p.id union all select x.id from renter x where x.merged_into_id = p.id) ids) a
    cross join lateral (select bool_or(c.in_force) living, bool_or(c.is_over) past
      from contract_brief c where c.party_id = any(a.ids) and c.village_id = ${v}) l
    left join lateral (select c.id, c.room_names, c.end_date,
        (select k.room_id from contract_room_brief k where k.contract_id = c.id order by k.role desc, k.room_id limit 1) room_id
      from contract_brief c where c.party_id = any(a.ids) and c.village_id = ${v} and c.in_force
      order by (c.start_date <= ${read.today}::date) desc, c.start_date desc, c.id desc limit 1) now on true
    order by w.place`;
}

/** Rows of these renters, in this order. */
export async function renterRows(
  read: Read,
  villages: readonly number[],
  ids: readonly number[],
): Promise<RenterRow[]> {
  if (!ids.length) return [];
  const these = sql`unnest(${ids as number[]}::bigint[]) with ordinality`;
  const { rows } = await rowsOf(read, villages, these).execute(read.tx);
  return rows.map(shown);
}
