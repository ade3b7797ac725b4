import { sql } from "kysely";
import { containing } from "../../../platform/kernel/like.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";

type Named = { id: number; name: string };
type Found = { keyword?: string | undefined; ids?: number[] | undefined };

const wanted = ({ keyword, ids }: Found, id: string, name: string) => sql`
  ${ids?.length ? sql`and ${sql.ref(id)} = ${anyOf(ids)}` : sql``}
  ${keyword ? sql`and ${sql.ref(name)} ilike ${containing(keyword)}` : sql``}`;

/** Accounts that took money for villages in scope, or are set up to take it. */
export async function accounts(read: Read, found: Found): Promise<Named[]> {
  const { rows } = await sql<Named>`
    select m.id, m.name from merchant_account m
    where (m.holder_village_id = ${anyOf(read.who.villages)}
        or exists (select from village_account a where a.merchant_account_id = m.id and a.village_id = ${anyOf(read.who.villages)})
        or exists (select from flow f where f.merchant_account_id = m.id and f.village_id = ${anyOf(read.who.villages)}))
      ${wanted(found, "m.id", "m.name")}
    order by m.name, m.id limit 200`.execute(read.replica);
  return rows;
}

/** People who booked receipts of villages in scope. */
export async function operators(read: Read, found: Found): Promise<Named[]> {
  const { rows } = await sql<Named>`
    select o.id, o.real_name "name" from operator o
    where o.enterprise_id = ${read.who.enterpriseId}
      and exists (select from flow f where f.created_by = o.id and f.village_id = ${anyOf(read.who.villages)})
      ${wanted(found, "o.id", "o.real_name")}
    order by o.real_name, o.id limit 200`.execute(read.replica);
  return rows;
}
