import { sql, type RawBuilder } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { isOverdue } from "../../finance/bill/overdue.service.ts";
import type { Audience } from "./push-input.contract.ts";

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
    ...(a.tags.length ? [sql`r.tags && ${a.tags}::text[]`] : []),
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
