import { sql } from "kysely";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { seenIn } from "../record/seen.queries.ts";
import { HELD } from "./firm-list.queries.ts";
import type { FirmKind } from "./words.rules.ts";

/** Floor area that each 业态 holds. */
export async function areaByCategory(read: Read, wanted: readonly number[] | undefined) {
  const v = anyOf(villagesOf(read.who, wanted));
  const { rows } = await sql<{ category: string; area: number; count: number }>`
    select s.category, coalesce(sum(h.area), 0)::float8 area, count(*)::int count
    from merchant s join firm x on x.id = s.id
    cross join lateral (select sum(r.area) area from contract_brief c join contract_room_brief k on k.contract_id = c.id
      join room r on r.id = k.room_id
      where c.party_id in (select x.id union all select y.id from firm y where y.merged_into_id = x.id)
        and c.village_id = ${v} and ${HELD}) h
    where x.merged_into_id is null
      and exists (select 1 from party_village w where w.party_id = s.id and w.village_id = ${v})
    group by 1 order by 2 desc, 1`.execute(read.tx);
  return rows;
}

/** The record when one of its villages is in scope; one that was merged away is not there any more. */
export async function seenFirm(read: Read, kind: FirmKind, id: number) {
  const row = await read.tx
    .selectFrom("firm")
    .innerJoin("party", "party.id", "firm.id")
    .leftJoin("company", "company.id", "firm.id")
    .leftJoin("merchant", "merchant.id", "firm.id")
    .selectAll("firm")
    .select(["party.name", "party.phone", "party.version"])
    .select([
      "company.industry",
      "company.scale",
      "company.ownerId",
      "company.creditDays",
      "company.creditLimit",
    ])
    .select(["merchant.brand", "merchant.category", "merchant.subject", "merchant.legalName"])
    .where("firm.id", "=", id)
    .where("firm.kind", "=", kind)
    .where("firm.mergedIntoId", "is", null)
    .where(seenIn(read, "firm.id"))
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}
export type SeenFirm = Awaited<ReturnType<typeof seenFirm>>;

/** Every record of one firm: the one kept and those merged into it. */
export async function wholeFirm(read: Read, id: number): Promise<number[]> {
  const aliases = await read.tx.selectFrom("firm").select("id").where("mergedIntoId", "=", id).execute();
  return [id, ...aliases.map((a) => a.id)];
}
