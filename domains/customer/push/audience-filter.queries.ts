import { sql, type RawBuilder } from "kysely";
import type { Read } from "../../../platform/server/act.ts";
import { anyOf } from "../../../platform/server/scope.ts";
import type { Audience } from "./push-input.contract.ts";

export const IN_FORCE = sql`c.state in ('effective', 'expired')`;
const OVER = sql`c.state in ('ended', 'terminated', 'renewed', 'changedRoom')`;

/** A contract of the party in these villages under a condition. */
const has = (
  villages: readonly number[],
  condition: RawBuilder<unknown>,
) => sql`exists (select from contract c
  where c.party_id = p.id and c.village_id = ${anyOf(villages)} and ${condition})`;

/** Bills that are late, as the arrears list counts them. */
export const late = (villages: readonly number[], today: string) => sql`b.party_id = p.id
  and b.village_id = ${anyOf(villages)} and b.direction = 'receivable' and b.outstanding > 0
  and b.issued_at is not null and b.due_date < ${today}::date`;

/** Who of `party p left join renter r left join firm x` a filter names. */
export function conditions(read: Read, a: Audience): RawBuilder<unknown> {
  const { villageIds: villages } = a;
  const stage = {
    living: has(villages, IN_FORCE),
    former: sql`(${has(villages, OVER)} and not ${has(villages, IN_FORCE)})`,
    prospect: sql`not ${has(villages, sql`(${IN_FORCE} or ${OVER})`)}`,
  };
  const inside = sql`c.party_id = p.id and c.village_id = ${anyOf(villages)} and ${IN_FORCE}`;
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
    ...(a.tags.length ? [sql`r.tags && ${a.tags}::text[]`] : []),
    ...(a.buildingIds.length
      ? [
          sql`exists (select from contract c join contract_room k on k.contract_id = c.id join room m on m.id = k.room_id
            join apartment t on t.id = m.apartment_id where ${inside} and t.building_id = ${anyOf(a.buildingIds)})`,
        ]
      : []),
    ...(a.arrears ? [sql`exists (select from bill b where ${late(villages, read.today)})`] : []),
    ...(a.expiringWithin
      ? [
          sql`exists (select from contract c where ${inside}
            and c.end_date between ${read.today}::date and ${read.today}::date + ${a.expiringWithin}::int)`,
        ]
      : []),
    ...(a.ids.length ? [sql`p.id = ${anyOf(a.ids)}`] : []),
    ...(a.exclude.length ? [sql`not p.id = ${anyOf(a.exclude)}`] : []),
  ];
  return sql.join(all, sql` and `);
}
