import { sql } from "kysely";
import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Permit } from "../../../platform/kernel/call.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";

type Owner = { id: number; name: string; villages: number[] };

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

export async function ownerOf(read: Read, id: number): Promise<Owner> {
  const owner = (await ownersOf(read)).find((each) => each.id === id);
  if (!owner) throw invalid({ field: "ownerId", msg: "该员工不能负责客源" });
  return owner;
}

/** Channels that enquiries of the caller's villages came by. */
export async function channelsOf(read: Read): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct l.channel_name name from lead l
    where l.enterprise_id = ${read.who.enterpriseId} and l.channel_name <> ''
      and l.village_ids && ${read.who.villages as number[]}::bigint[]
    order by 1 limit 100`.execute(read.tx);
  return rows.map((row) => row.name);
}
