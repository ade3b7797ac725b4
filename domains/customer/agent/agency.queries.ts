import { sql, type Selectable } from "kysely";
import type { DB } from "../../../db/types.gen.ts";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { containing } from "../../../platform/kernel/texts/like.ts";
import { among, is, keyword, phrase } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { owedOf } from "./earned.queries.ts";
import { listAgencies } from "./agency.contract.ts";
import type { Enabled } from "./agent.rules.ts";

type Raw = {
  id: number;
  name: string;
  contact: string;
  phone: string;
  villageNames: string;
  ruleId: number;
  ruleName: string;
  fromDay: string;
  toDay: string | null;
  agents: number;
  owed: number;
  paid: number;
  state: Enabled;
  version: number;
};

const FROM = sql`agency a join commission_rule r on r.id = a.rule_id`;
const earned = (read: Read, asked: { villageIds?: number[] | undefined }) =>
  sql`cross join lateral (${owedOf(sql`c.agency_id = a.id`, villagesOf(read.who, asked.villageIds))}) m`;
// a condition on the villages would be looked up in their index, which finds nearly everybody
const agents = (read: Read) => sql`cross join lateral (
  select (count(*) filter (where x.village_ids && ${read.who.villages as number[]}::bigint[]))::int agents
  from agent x where x.agency_id = a.id) n`;

export const agencies = listOf(listAgencies, {
  id: "a.id",
  from: FROM,
  scope: (read, { villageIds }) =>
    sql`a.village_ids && ${villagesOf(read.who, villageIds) as number[]}::bigint[]`,
  where: {
    state: is("a.state"),
    ruleId: is("a.rule_id"),
    ids: among("a.id"),
    keyword: keyword(
      phrase("a.name", "a.contact"),
      is("a.phone"),
      (text) => sql`a.pinyin like ${containing(text).toLowerCase()}`,
    ),
  },
  sort: {
    createdAt: "a.created_at",
    name: "a.name",
    owed: { by: "m.owed", join: earned },
    paid: { by: "m.paid", join: earned },
  },
  order: "createdAt",
  columns: (read: Read) => sql<Raw>`a.id, a.name, a.contact, a.phone,
    (select coalesce(string_agg(v.name, '、' order by v.id), '') from village v
      where v.id = any(a.village_ids) and v.id = ${anyOf(read.who.villages)}) "villageNames",
    r.id "ruleId", r.name "ruleName", a.from_day "fromDay", a.to_day "toDay", n.agents, m.owed, m.paid, a.state, a.version`,
  join: (read, asked) => sql`join ${FROM} on a.id = page.id ${agents(read)} ${earned(read, asked)}`,
  sums: {
    select: sql`coalesce(sum(m.owed), 0)::bigint owed, coalesce(sum(m.paid), 0)::bigint paid`,
    join: earned,
  },
  plannedAnew: true,
  rows: (raws: Raw[]) => raws.map((row) => ({ ...row, phone: maskPhone(row.phone) })),
});

/** A record when it may be seen: one of its villages is in scope. */
const seenIn =
  <T extends "agency" | "agent">(table: T) =>
  async (read: Read, id: number, lock = false) => {
    const row = await read.tx
      .selectFrom(table as "agency")
      .selectAll()
      .where("id", "=", id)
      .$if(lock, (q) => q.forUpdate())
      .executeTakeFirst();
    if (!row || !row.villageIds.some((v) => read.who.villages.includes(v))) throw notFound();
    return row as unknown as Selectable<DB[T]>;
  };
export const seenAgency = seenIn("agency");
export const seenAgent = seenIn("agent");

export async function agencyDetail(read: Read, id: number) {
  const record = await seenAgency(read, id);
  const [row] = await agencies.rowsOf(read, [id]);
  const files = await read.tx
    .selectFrom("storedFile")
    .select(["id", "name", "type", "size"])
    .where("id", "=", anyOf(record.fileIds))
    .orderBy("id")
    .execute();
  const { creditCode, bankHolder, bankName, bankBranch, bankNoMasked } = record;
  return {
    ...row!,
    creditCode,
    villageIds: record.villageIds.filter((v) => read.who.villages.includes(v)),
    bankHolder,
    bankName,
    bankBranch,
    bankNo: bankNoMasked,
    files,
  };
}
