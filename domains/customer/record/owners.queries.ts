import { sql } from "kysely";
import type { Permit } from "../../../platform/kernel/call.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";

export type Owner = { id: number; name: string; villages: number[] };

/** Who may look after leads (or what else a permit says) of villages in the caller's scope: active, with the function, working in one of them. */
export async function ownersOf(read: Read, permit: Permit = "15.edit"): Promise<Owner[]> {
  const { rows } = await sql<Owner>`
    select o.id, o.real_name name, here.ids villages
    from operator o cross join lateral (
      select coalesce(array_agg(v.id), '{}') ids from village v
      where v.id = any(${read.who.villages as number[]}::bigint[]) and v.enterprise_id = o.enterprise_id
        and (o.super_type = '1' or o.all_villages or v.id = any(o.village_ids))) here
    where o.state = 'active' and here.ids <> '{}' and (o.super_type = '1' or exists (
      select 1 from operator_assignment a join role_function f on f.role_id = a.role_id
      where a.operator_id = o.id and f.key = ${permit}))
    order by o.real_name collate "zh-x-icu", o.id`.execute(read.tx);
  return rows;
}
