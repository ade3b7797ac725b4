import { sql } from "kysely";
import { maskPhone } from "../../../platform/kernel/mask.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/act.ts";
import type { PartyKind } from "../bill/bills.contract.ts";
import { openLines } from "../bill/open.queries.ts";

/** What a party owes and has prepaid, village by village, in the operator's scope. Unknown there = does not exist. */
export async function openOf(
  read: Read,
  of: { kind: string; partyId: number; villageId?: number | undefined; asOf: string },
) {
  const { who } = read;
  const scope = of.villageId ? who.villages.filter((v) => v === of.villageId) : [...who.villages];
  const party = await read.tx
    .selectFrom("party")
    .select(["id", "name", "phone"])
    .where("id", "=", of.partyId)
    .where("kind", "=", of.kind)
    .executeTakeFirst();
  const { rows } = await sql<{ villageId: number; villageName: string; prepaid: number }>`
    select v.id "villageId", v.name "villageName", coalesce(p.balance, 0) prepaid
    from village v left join party_balance p on p.village_id = v.id and p.party_id = ${of.partyId} and p.kind = 'prepaid'
    where v.id = any(${scope}::bigint[]) and (
      exists (select from party_village l where l.village_id = v.id and l.party_id = ${of.partyId})
      or exists (select from bill b where b.village_id = v.id and b.party_id = ${of.partyId}))
    order by v.id`.execute(read.tx);
  if (!party || !rows.length) throw notFound();
  const lines = await openLines(read, {
    partyId: of.partyId,
    villageIds: rows.map((r) => r.villageId),
    asOf: of.asOf,
  });
  const byVillage = Map.groupBy(lines, (line) => line.villageId);
  return {
    partyId: party.id,
    partyName: party.name,
    partyPhone: maskPhone(party.phone),
    villages: rows.map((v) => ({ ...v, lines: byVillage.get(v.villageId) ?? [] })),
  };
}

export type PayerOption = {
  id: number;
  kind: PartyKind;
  name: string;
  phone: string;
  /** Rooms of bills it still owes, for telling people of one name apart. */
  rooms: string;
  owed: number;
};

/** Who can be billed or paid in some villages: by name, phone (whole or last four digits) or room. At most 20. */
export async function payerOptions(
  read: Read,
  of: {
    villages: readonly number[];
    keyword?: string | undefined;
    ids?: readonly number[] | undefined;
    kinds?: readonly string[] | undefined;
  },
): Promise<PayerOption[]> {
  const villages = of.villages as number[];
  const part = of.keyword ? `%${of.keyword.replaceAll(/[\\%_]/g, "\\$&")}%` : null;
  const tail = /^\d{4}$/.test(of.keyword ?? "") ? of.keyword! : null;
  const matching = of.ids
    ? sql`p.id = any(${of.ids as number[]}::bigint[])`
    : part
      ? sql`(p.name ilike ${part} or p.phone = ${of.keyword!} or right(p.phone, 4) = ${tail} or p.id in (
          select b.party_id from room r join bill b on b.room_id = r.id
          where r.full_name ilike ${part} and r.village_id = any(${villages}::bigint[]) limit 200))`
      : sql`true`;
  const { rows } = await sql<PayerOption>`
    select p.id, p.kind, p.name, p.phone,
      coalesce((select string_agg(distinct r.full_name, '、') from bill b join room r on r.id = b.room_id
        where b.party_id = p.id and b.outstanding > 0 and b.village_id = any(${villages}::bigint[])), '') rooms,
      coalesce((select sum(b.outstanding) from bill b where b.party_id = p.id and b.outstanding > 0
        and b.issued_at is not null and b.direction = 'receivable'
        and b.village_id = any(${villages}::bigint[])), 0)::bigint owed
    from party p
    where ${matching} and (${of.kinds?.length ? [...of.kinds] : null}::text[] is null
        or p.kind = any(${of.kinds?.length ? [...of.kinds] : null}::text[]))
      and exists (select from party_village l where l.party_id = p.id and l.village_id = any(${villages}::bigint[]))
    order by p.id desc limit 20`.execute(read.tx);
  return rows.map((row) => ({ ...row, phone: maskPhone(row.phone) }));
}
