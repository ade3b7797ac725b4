import { newestParties } from "../../party/party/party.service.ts";
import { named } from "../../../platform/server/lists/conditions.ts";
import { type RawBuilder, sql } from "kysely";
import { beginning, containing } from "../../../platform/kernel/texts/like.ts";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import type { PartyKind } from "../bill/bill.rules.ts";
import { openLines } from "../allocation/plan.service.ts";
import { aRow } from "../../../platform/server/database/row.ts";

/** What a party owes and has prepaid, village by village, in the operator's scope. Unknown there = does not exist. */
export async function openOf(
  read: Read,
  of: { kind: string; partyId: number; villageId?: number | undefined; asOf: string },
) {
  const { who } = read;
  const scope = of.villageId ? who.villages.filter((v) => v === of.villageId) : [...who.villages];
  const party = await aRow(read, "party", ["id", "name", "phone"], { id: of.partyId, kind: of.kind });
  const { rows } = await sql<{
    villageId: number;
    villageName: string;
    prepaid: number;
    unconfirmed: number;
  }>`
    select v.id "villageId", v.name "villageName", coalesce(p.balance, 0) prepaid,
      (select coalesce(sum(f.amount), 0) from flow f where f.party_id = ${of.partyId} and f.village_id = v.id
        and f.direction = 'in' and f.state in ('pending', 'approving'))::bigint unconfirmed
    from village v left join party_balance p on p.village_id = v.id and p.party_id = ${of.partyId} and p.kind = 'prepaid'
    where v.id = any(${scope}::bigint[]) and (
      exists (select from party_village l where l.village_id = v.id and l.party_id = ${of.partyId})
      or exists (select from bill b where b.village_id = v.id and b.party_id = ${of.partyId}))
    order by v.id`.execute(read.tx);
  if (!party || !rows.length) throw notFound();
  const villageIds = rows.map((r) => r.villageId);
  const lines = await openLines(read, { partyId: of.partyId, villageIds, asOf: of.asOf });
  const bills = await namesOf(
    read,
    lines.map((l) => l.billId),
    of.asOf,
  );
  const byVillage = Map.groupBy(lines, (line) => line.villageId);
  return {
    partyId: party.id,
    partyName: party.name,
    partyPhone: maskPhone(party.phone),
    villages: rows.map((v) => ({
      ...v,
      lines: byVillage.get(v.villageId) ?? [],
      bills: bills.filter((b) => b.villageId === v.villageId),
    })),
  };
}

type OpenBill = {
  id: number;
  villageId: number;
  roomName: string | null;
  contractNo: string | null;
  disputed: boolean;
};

async function namesOf(read: Read, billIds: readonly number[], day: string): Promise<OpenBill[]> {
  const { rows } = await sql<OpenBill>`
    select b.id, b.village_id "villageId", r.full_name "roomName", c.contract_no "contractNo",
      b.disputed_from is not null and (b.disputed_to is null or b.disputed_to >= ${day}) disputed
    from bill b left join room r on r.id = b.room_id left join contract_brief c on c.id = b.contract_id
    where b.id = ${anyOf([...new Set(billIds)])} order by b.id`.execute(read.tx);
  return rows;
}

export type PayerOption = {
  id: number;
  kind: PartyKind;
  name: string;
  phone: string;
  /** Name of the record this one was merged into; its own bills stay its own, and are paid here. */
  mergedInto: string;
  /** Rooms of contracts in force, else of what is still owed: for telling people of one name apart. */
  rooms: string;
  owed: number;
};
/** Offered at once. */
const MOST = 20;
type Wanted = {
  keyword?: string | undefined;
  ids?: readonly number[] | undefined;
  billId?: number | undefined;
  kinds?: readonly string[] | undefined;
  standing?: "1" | undefined;
};

/** Who is offered before anything is typed: those of the newest contracts of each village, and its newest customers. */
const newest = (villages: readonly number[], kinds: readonly string[] = []): RawBuilder<unknown> => sql`
  select t.party_id from unnest(${[...villages]}::bigint[]) v (id) cross join lateral (
    select c.party_id from contract_brief c where c.village_id = v.id and c.in_force_or_signing
    order by c.id desc limit ${Math.max(2, Math.ceil((2 * MOST) / Math.max(1, villages.length)))}) t
  union ${newestParties(villages, kinds, 2 * MOST)}`;

/** Ids of whoever a wish means; each way to be found walks an index of its own. */
function meant(villages: readonly number[], { keyword, ids, billId, kinds }: Wanted): RawBuilder<unknown> {
  if (ids) return sql`select id from party where id = ${anyOf(ids)}`;
  if (billId) return sql`select party_id from bill where id = ${billId} and village_id = ${anyOf(villages)}`;
  if (!keyword) return newest(villages, kinds);
  const tail = /^\d{4}$/.test(keyword)
    ? sql`union select id from party where right(phone, 4) = ${keyword}`
    : sql``;
  const initials = /^[a-z]{2,}$/i.test(keyword)
    ? sql`union select id from party where pinyin like ${beginning(keyword.toLowerCase())}`
    : sql``;
  return sql`
    select id from party where ${named("name")(keyword)}
    union select id from party where phone = ${keyword} ${tail} ${initials}
    union select c.party_id from room r join contract_room_brief cr on cr.room_id = r.id
      join contract_brief c on c.id = cr.contract_id and c.state not in ('draft', 'voided')
      where ${named("r.full_name")(keyword)} and r.village_id = ${anyOf(villages)}
    union select b.party_id from room r join bill b on b.room_id = r.id and b.outstanding > 0
      where ${named("r.full_name")(keyword)} and r.village_id = ${anyOf(villages)}`;
}

/** With those that were merged into whoever is meant: what they owe is asked for under the name that was kept. */
const withMerged = (ids: RawBuilder<unknown>) => sql`
  with m as (${ids}) select * from m
  union select id from party_merged where into_id in (select * from m)`;

/**
 * Who can be billed or paid in some villages. At most 20; who lives there now comes first. Of those that were merged
 * only who still has something open is offered, and nobody of them with `standing`, for what is new.
 */
export async function payerOptions(
  read: Read,
  villages: readonly number[],
  wanted: Wanted,
): Promise<PayerOption[]> {
  const kinds = wanted.kinds?.length ? [...wanted.kinds] : null;
  const like = containing(wanted.keyword ?? "");
  // whoever is meant is looked at one by one: the villages are looked up for each, not walked through
  const here = sql`in (select unnest(${villages as number[]}::bigint[]))`;
  const inForce = sql`c.party_id = p.id and c.village_id ${here} and c.in_force_or_signing`;
  const found = meant(villages, wanted);
  const standing = wanted.standing === "1" ? sql`and m.id is null` : sql``;
  const { rows } = await sql<PayerOption>`
    with hit as materialized (
      select p.id, p.kind, p.name, p.phone, exists (select from contract_brief c where ${inForce}) lives,
        coalesce(q.name, '') "mergedInto"
      from party p left join party_merged m on m.id = p.id left join party q on q.id = m.into_id
      where p.id in (${wanted.keyword ? withMerged(found) : found})
        and (m.id is null or exists (select from bill b where b.party_id = p.id and b.outstanding > 0
          and b.village_id ${here})) ${standing}
        and (${kinds}::text[] is null or p.kind = any(${kinds}::text[]))
        and (exists (select from party_village l where l.party_id = p.id and l.village_id ${here})
          or exists (select from bill b where b.party_id = p.id and b.village_id ${here}))
      order by p.name = ${wanted.keyword ?? ""} desc, p.name like ${like} desc, lives desc, p.id desc limit ${MOST})
    select p.id, p.kind, p.name, p.phone, p."mergedInto",
      coalesce((select string_agg(distinct c.room_names, '、') from contract_brief c where ${inForce}),
        (select string_agg(distinct r.full_name, '、') from bill b join room r on r.id = b.room_id
          where b.party_id = p.id and b.outstanding > 0 and b.village_id ${here}), '') rooms,
      coalesce((select sum(b.outstanding) from receivable_open b where b.party_id = p.id
        and b.due_date <= ${read.today} and b.village_id ${here}), 0)::bigint owed
    from hit p order by p.name = ${wanted.keyword ?? ""} desc, p.name like ${like} desc, p.lives desc, p.id desc`.execute(
    read.tx,
  );
  return rows.map((row) => ({ ...row, phone: maskPhone(row.phone) }));
}

/** Signed contracts of a party in one village, the newest first. */
export async function contractsOfParty(
  read: Read,
  of: { partyId: number; villageId: number; ids?: readonly number[] | undefined },
): Promise<{ id: number; contractNo: string; rooms: string; start: string; end: string }[]> {
  const ids = of.ids?.length ? [...of.ids] : null;
  const { rows } = await sql<{ id: number; contractNo: string; rooms: string; start: string; end: string }>`
    select id, contract_no "contractNo", room_names rooms, start_date "start", end_date "end" from contract_brief
    where party_id = ${of.partyId} and village_id = ${of.villageId} and (in_force or is_over)
      and start_date is not null and (${ids}::bigint[] is null or id = any(${ids}::bigint[]))
    order by id desc limit 50`.execute(read.tx);
  return rows;
}
