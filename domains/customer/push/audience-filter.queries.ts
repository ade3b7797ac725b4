import { type RawBuilder, sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { isOverdue } from "../../finance/bill/overdue.service.ts";
import type { Variable } from "../../system/template/template.rules.ts";
import { blackListed } from "../blacklist/blacklist.service.ts";
import type { Audience } from "./push.contract.ts";

/** A contract of the party in these villages under a condition. */
const has = (
  villages: readonly number[],
  condition: RawBuilder<unknown>,
) => sql`exists (select from contract_brief c
  where c.party_id = p.id and c.village_id = ${anyOf(villages)} and ${condition})`;

/** What party p owes late in these villages. */
export const late = (villages: readonly number[], today: Day) =>
  sql`b.party_id = p.id and ${isOverdue(villages, today)}`;

/** Who of `party p left join renter r left join firm x` a filter names. */
export function conditions(read: Read, a: Audience): RawBuilder<unknown> {
  const { villageIds: villages } = a;
  const stage = {
    living: has(villages, sql`c.in_force`),
    former: sql`(${has(villages, sql`c.is_over`)} and not ${has(villages, sql`c.in_force`)})`,
    prospect: sql`not ${has(villages, sql`(c.in_force or c.is_over)`)}`,
  };
  const inside = sql`c.party_id = p.id and c.village_id = ${anyOf(villages)} and c.in_force`;
  const all = [
    sql`p.kind = ${a.kind}`,
    sql`coalesce(r.merged_into_id, x.merged_into_id) is null and r.anonymised_at is null`,
    ...(a.stages.length
      ? [
          sql`(${sql.join(
            a.stages.map((s) => stage[s]),
            sql` or `,
          )})`,
        ]
      : []),
    ...(a.tags.length ? [sql`coalesce(r.tags, x.tags) && ${a.tags}::text[]`] : []),
    ...(a.buildingIds.length
      ? [
          sql`exists (select from contract_brief c join contract_room_brief k on k.contract_id = c.id join room m on m.id = k.room_id
            join apartment t on t.id = m.apartment_id where ${inside} and t.building_id = ${anyOf(a.buildingIds)})`,
        ]
      : []),
    ...(a.arrears ? [sql`exists (select from bill b where ${late(villages, read.today)})`] : []),
    ...(a.expiringWithin
      ? [
          sql`exists (select from contract_brief c where ${inside}
            and c.end_date between ${read.today}::date and ${read.today}::date + ${a.expiringWithin}::int)`,
        ]
      : []),
    ...(a.ids.length ? [sql`p.id = ${anyOf(a.ids)}`] : []),
    ...(a.exclude.length ? [sql`not p.id = ${anyOf(a.exclude)}`] : []),
  ];
  return sql.join(all, sql` and `);
}

export type Receiver = {
  id: number;
  name: string;
  phone: string;
  email: string;
  villageId: number;
  black: boolean;
  values: Partial<Record<Variable, string>>;
};
type Found = Omit<Receiver, "values"> & {
  villageName: string;
  room: string | null;
  endDate: string | null;
  arrears: number | null;
};

/** Those of some stores whom a filter names, as p, with the first store where each is known. */
const people = (a: Audience) => sql`
  party p left join renter r on r.id = p.id left join firm x on x.id = p.id
  cross join lateral (select min(village_id) village_id from party_village
    where party_id = p.id and village_id = ${anyOf(a.villageIds)}) w
  join village v on v.id = w.village_id`;

export async function audienceSize(read: Read, a: Audience): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int n from ${people(a)} where ${conditions(read, a)}`.execute(read.tx);
  return rows[0]!.n;
}

/** Whom a filter names, each once, in the first of the stores where they are known. */
export async function receiversOf(read: Read, a: Audience): Promise<Receiver[]> {
  const { villageIds: villages } = a;
  const { rows } = await sql<Found>`
    select p.id, p.name, p.phone,
      coalesce(r.email, (select c.email from party_contact c where c.party_id = p.id and c.main), '') email, w.village_id "villageId", v.name "villageName",
      ${blackListed} black,
      now.room_names room, now.end_date "endDate",
      (select sum(b.outstanding)::bigint from bill b where ${late(villages, read.today)}) arrears
    from ${people(a)}
    left join lateral (select c.room_names, c.end_date from contract_brief c
      where c.party_id = p.id and c.village_id = ${anyOf(villages)} and c.in_force
      order by c.start_date desc, c.id desc limit 1) now on true
    where ${conditions(read, a)} order by p.id`.execute(read.tx);
  return rows.map(({ villageName, room, endDate, arrears, ...one }) => ({
    ...one,
    values: {
      姓名: one.name,
      门店: villageName,
      房间: room ?? "",
      到期日: endDate ?? "",
      欠费: yuan(arrears ?? 0),
    },
  }));
}
