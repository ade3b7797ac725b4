import { sql, type RawBuilder, type SqlBool } from "kysely";
import { beginning, containing } from "../../../platform/kernel/like.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";

/** What a keyword found, as a condition over `bill b`. */
export type Hits = { condition: RawBuilder<SqlBool> };

/** Above this many parties, rooms or contracts the bills are walked in order instead of looked up. */
const FEW = 1000;

/**
 * Finds what a keyword means before any bill is touched: a bill or contract number by its beginning, parties by part
 * of the name, whole phone or its last four digits, rooms by part of their name.
 */
export async function hitsOf(read: Read, keyword: string | undefined): Promise<Hits | undefined> {
  if (!keyword) return undefined;
  if (/^ZD\d/i.test(keyword)) {
    const prefix = beginning(keyword.toUpperCase());
    return { condition: sql`b.bill_no like ${prefix}` };
  }
  const part = containing(keyword);
  const isTail = /^\d{4}$/.test(keyword);
  const parties = sql`
    select id from party where name ilike ${part} or phone = ${keyword}
      ${isTail ? sql`or right(phone, 4) = ${keyword}` : sql``}`;
  const rooms = sql`select id from room where full_name ilike ${part}`;
  const contracts = sql`select id from contract_brief where contract_no like ${beginning(keyword.toUpperCase())}`;
  const isContract = /^HT\d/i.test(keyword);
  const { rows } = await sql<{ parties: number[]; rooms: number[]; contracts: number[] }>`
    select array(${parties} limit ${FEW + 1}) parties, array(${rooms} limit ${FEW + 1}) rooms,
      ${isContract ? sql`array(${contracts} limit ${FEW + 1})` : sql`'{}'::bigint[]`} contracts`.execute(
    read.tx,
  );
  const found = rows[0]!;
  const few = Object.values(found).every((ids) => ids.length <= FEW);
  if (few)
    return {
      condition: sql`(b.party_id = any(${found.parties}::bigint[]) or b.room_id = any(${found.rooms}::bigint[])
        or b.contract_id = any(${found.contracts}::bigint[]))`,
    };
  return {
    condition: sql`(b.party_id in (${parties}) or b.room_id in (${rooms})
      ${isContract ? sql`or b.contract_id in (${contracts})` : sql``})`,
  };
}
