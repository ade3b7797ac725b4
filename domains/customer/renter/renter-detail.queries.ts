import { named } from "../../../platform/server/lists/conditions.ts";
import { sql } from "kysely";
import { daysBetween } from "../../../platform/kernel/day.ts";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { beginning } from "../../../platform/kernel/texts/like.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { isLateMoney } from "../../finance/bill/overdue.service.ts";
import { blackHit } from "../blacklist/blacklist.service.ts";
import { storesOf } from "../record/seen.queries.ts";
import { hasSigned, wholeOf } from "./renter-edit.service.ts";
import { renterRows, seenRenter } from "./renter.queries.ts";
import { aRow } from "../../../platform/server/database/row.ts";

const masked = (phone: string) => (phone ? maskPhone(phone) : "");

/** A record that was merged away opens the one it was merged into. */
async function standing(read: Read, id: number): Promise<number> {
  const row = await aRow(read, "renter", ["mergedIntoId"], { id });
  return row?.mergedIntoId ?? id;
}

export async function renterDetail(read: Read, asked: number) {
  const id = await standing(read, asked);
  const renter = await seenRenter(read, id);
  const ids = await wholeOf(read, id);
  const [rows, villages, merged, signed, hit] = await Promise.all([
    renterRows(read, read.who.villages, [id]),
    storesOf(read, id),
    read.tx
      .selectFrom("renter")
      .innerJoin("party", "party.id", "renter.id")
      .select(["party.id", "party.name"])
      .where("renter.mergedIntoId", "=", id)
      .execute(),
    hasSigned(read, ids),
    blackHit(read, renter.enterpriseId, renter),
  ]);
  return {
    ...renter,
    ...rows[0]!,
    emergencyPhone: masked(renter.emergencyPhone),
    guardianPhone: masked(renter.guardianPhone),
    villages,
    mergedFrom: merged,
    signed,
    blackReason: hit?.reason ?? null,
  };
}

export async function summaryOf(read: Read, asked: number) {
  const id = await standing(read, asked);
  await seenRenter(read, id);
  const ids = await wholeOf(read, id);
  const any = sql`any(${ids}::bigint[])`;
  const v = anyOf(read.who.villages);
  const figures = sql<{
    arrears: number;
    overdueBills: number;
    prepaid: number;
    deposit: number;
    received: number;
    contracts: number;
  }>`select
    (select coalesce(sum(b.outstanding), 0)::bigint from bill b where b.party_id = ${any} and b.village_id = ${v} and ${isLateMoney(read.today)}) arrears,
    (select count(*) from bill b where b.party_id = ${any} and b.village_id = ${v} and ${isLateMoney(read.today)}) "overdueBills",
    (select coalesce(sum(balance), 0)::bigint from party_balance where party_id = ${any} and village_id = ${v}) prepaid,
    (select coalesce(sum(d.held), 0)::bigint from deposit_balance d join contract_brief c on c.id = d.contract_id
      where c.party_id = ${any} and d.village_id = ${v}) deposit,
    (select coalesce(sum(f.amount), 0)::bigint from flow f
      where f.party_id = ${any} and f.village_id = ${v} and f.direction = 'in' and f.state = 'confirmed') received,
    (select count(*) from contract_brief c where c.party_id = ${any} and c.village_id = ${v} and c.state <> 'voided') contracts`;
  const stays = sql<{ from: string; to: string }>`
    select greatest(c.start_date, coalesce(c.handover_on, c.start_date)) "from",
      least(coalesce(c.leave_date, case when c.in_force then ${read.today}::date else c.end_date end), ${read.today}::date) "to"
    from contract_brief c where c.party_id = ${any} and c.village_id = ${v} and (c.in_force or c.is_over)
      and c.start_date <= ${read.today}::date`;
  const occupants = sql<{
    id: number;
    name: string;
    phone: string;
    certNo: string | null;
    relation: string;
    roomName: string;
    fromDate: string;
    toDate: string | null;
    lockAccess: boolean;
  }>`select o.id, o.name, o.phone, o.cert_no_masked "certNo", o.relation, coalesce(r.full_name, c.room_names) "roomName",
      o.from_date "fromDate", o.to_date "toDate", o.lock_access "lockAccess"
    from contract_occupant_brief o join contract_brief c on c.id = o.contract_id left join room r on r.id = o.room_id
    where c.party_id = ${any} and c.village_id = ${v} and (c.in_force or c.is_over)
    order by o.to_date desc nulls first, o.id`;
  const [money, lived, people] = await Promise.all([
    figures.execute(read.tx),
    stays.execute(read.tx),
    occupants.execute(read.tx),
  ]);
  return {
    ...money.rows[0]!,
    livedDays: lived.rows.reduce((days, s) => days + Math.max(0, daysBetween(s.from, s.to) + 1), 0),
    occupants: people.rows.map((p) => ({ ...p, phone: masked(p.phone) })),
  };
}

/** Pickers of other screens: by name, initials, whole phone or its last four digits. */
export async function optionsFor(read: Read, keyword: string, villages: readonly number[]) {
  const { rows } = await sql<{ id: number; name: string; phone: string; rooms: string }>`
    select p.id, p.name, p.phone, coalesce((select string_agg(c.room_names, '、' order by c.id) from contract_brief c
        where c.party_id = p.id and c.village_id = ${anyOf(villages)} and c.in_force), '') rooms
    from party p join renter r on r.id = p.id
    where p.kind = 'renter' and r.merged_into_id is null and r.anonymised_at is null
      and exists (select 1 from party_village v where v.party_id = p.id and v.village_id = ${anyOf(villages)})
      and (${named("p.name")(keyword)} or p.pinyin like ${beginning(keyword.toLowerCase())}
        or p.phone = ${keyword} or right(p.phone, 4) = ${keyword})
    order by p.name = ${keyword} desc, p.id desc limit 20`.execute(read.tx);
  return rows.map((r) => ({ ...r, phone: masked(r.phone) }));
}
