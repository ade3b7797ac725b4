import { sql } from "kysely";
import { type DicUses, type Place, usesIn } from "../../system/dic/dic.service.ts";

/** Which columns hold the words of a group. The version of a customer is its party's. */
const PLACES: Record<string, readonly Place[]> = {
  source: [
    { table: "renter", column: "source", unversioned: true },
    { table: "lead", column: "source" },
  ],
  tag: [
    { table: "renter", column: "tags", many: true, unversioned: true },
    { table: "firm", column: "tags", many: true, unversioned: true },
  ],
  industry: [{ table: "company", column: "industry", of: "firm", unversioned: true }],
  scale: [{ table: "company", column: "scale", of: "firm", unversioned: true }],
  business: [{ table: "merchant", column: "category", of: "firm", unversioned: true }],
  job: [{ table: "renter", column: "occupation", unversioned: true }],
  relation: [{ table: "renter", column: "emergency_relation", unversioned: true }],
  lostReason: [{ table: "lead", column: "lost_reason" }],
  blackReason: [{ table: "black_list", column: "reason_kind" }],
};

const inRecords = usesIn(PLACES, (enterpriseId) => sql<boolean>`enterprise_id = ${enterpriseId}`);

/** Pushes of the enterprise that are still to find their people, by a mark. */
const TO_COME = (enterpriseId: number) =>
  sql`enterprise_id = ${enterpriseId} and state in ('draft', 'approving', 'scheduled')`;

/** Words in the customers and leads of the enterprise, and in the pushes that will look for customers by them. */
export const customerUses: DicUses = {
  count: async (read, group) => {
    const counts = await inRecords.count(read, group);
    if (group !== "tag" || !counts) return counts;
    const { rows } = await sql<{ word: string; n: number }>`
      select word, count(*)::int n from push_task, jsonb_array_elements_text(audience -> 'tags') word
      where ${TO_COME(read.who.enterpriseId)} group by word`.execute(read.tx);
    return new Map([
      ...counts,
      ...rows.map(({ word, n }) => [word, { ...counts.get(word), push_task: n }] as const),
    ]);
  },
  move: async (act, group, from, to) => {
    const moved = await inRecords.move(act, group, from, to);
    if (group !== "tag") return moved;
    const { numAffectedRows } = await sql`
      update push_task set version = version + 1, audience = jsonb_set(audience, '{tags}', (
        select jsonb_agg(distinct case when word = ${from} then ${to} else word end)
        from jsonb_array_elements_text(audience -> 'tags') word))
      where ${TO_COME(act.who.enterpriseId)} and jsonb_exists(audience -> 'tags', ${from})`.execute(act.tx);
    return moved + Number(numAffectedRows ?? 0);
  },
};
