import { sql, type RawBuilder, type SqlBool } from "kysely";
import { beginning, containing } from "../../../platform/kernel/like.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";

/** Above this many parties or rooms the flows are walked in order instead of looked up. */
const FEW = 1000;

type Found = { parties: number[]; rooms: number[] };

/** Parties by name, whole phone or its last four digits; rooms by part of their name. */
function namedBy(keyword: string) {
  const part = containing(keyword);
  const tail = /^\d{4}$/.test(keyword) ? sql`or right(phone, 4) = ${keyword}` : sql``;
  return {
    parties: sql`select id from party where name ilike ${part} or phone = ${keyword} ${tail}`,
    rooms: sql`select id from room where full_name ilike ${part}`,
  };
}

/**
 * What a keyword means, as a condition over `flow f`: a flow number by its beginning; the payer, order or channel number;
 * a remark; parties and rooms, which may have been looked up before.
 */
export function keywordMeans(keyword: string | undefined, found?: Found): RawBuilder<SqlBool> | undefined {
  if (!keyword) return undefined;
  if (/^LS\d/i.test(keyword)) return sql`f.flow_no like ${beginning(keyword.toUpperCase())}`;
  const part = containing(keyword);
  const { parties, rooms } = namedBy(keyword);
  const theirs = found
    ? sql`f.party_id = ${anyOf(found.parties)} or f.room_id = ${anyOf(found.rooms)}`
    : sql`f.party_id in (${parties}) or f.room_id in (${rooms})`;
  // two characters make no trigram, but a whole name does
  const payer = keyword.length > 2 ? sql`f.payer_name ilike ${part}` : sql`f.payer_name = ${keyword}`;
  const remark = keyword.length > 2 ? sql`or (f.remark <> '' and f.remark ilike ${part})` : sql``;
  return sql`(${theirs} or ${payer} or f.channel_trade_no = ${keyword} or f.out_trade_no = ${keyword} ${remark})`;
}

/** The same with parties and rooms looked up before any flow is touched, where they are few. */
export async function hitsOf(
  read: Pick<Read, "tx">,
  keyword: string | undefined,
): Promise<RawBuilder<SqlBool> | undefined> {
  if (!keyword || /^LS\d/i.test(keyword)) return keywordMeans(keyword);
  const { parties, rooms } = namedBy(keyword);
  const asked = await sql<Found>`
    select array(${parties} limit ${FEW + 1}) parties, array(${rooms} limit ${FEW + 1}) rooms`.execute(
    read.tx,
  );
  const found = asked.rows[0]!;
  const few = found.parties.length <= FEW && found.rooms.length <= FEW;
  return keywordMeans(keyword, few ? found : undefined);
}
