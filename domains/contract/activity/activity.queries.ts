import { sql } from "kysely";
import type { z } from "zod";
import { addDays } from "../../../platform/kernel/day.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { amongWords, from, holds, is, keyword, part, to } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { frozenBy } from "../../approval/examine/propose.service.ts";
import {
  type ActivityFilter,
  type activityChart,
  activityUses,
  listActivities,
} from "./activity.contract.ts";
import {
  type ActivityKind,
  type ActivityState,
  type Scope,
  scopeText,
  typedValue,
  valueText,
} from "./activity.rules.ts";

export const ACTIVITY = "activity";

/** Offers of which a store is in scope: a clerk sees what is valid where he works. */
const seenBy = (read: Read, villageIds?: readonly number[]) =>
  holds("a.village_ids")(villagesOf(read.who, villageIds));

/** 审批中 is a draft whose switching on waits for approval. */
const STATUS = sql<ActivityState>`case when a.state = 'draft' and exists (select from examine e
  where e.target_kind = 'activity' and e.target_id = a.id and e.state = 'approving') then 'approving' else a.state end`;

const CONTENT = sql`a.id, a.enterprise_id "enterpriseId", a.name, a.kind, a.value, a.every_month "everyMonth",
  a.applies_to "appliesTo", a.fee_ids "feeIds", a.month_from "monthFrom", a.month_to "monthTo",
  a.contract_kinds "contractKinds", a.sources, a.village_ids "villageIds", a.product_ids "productIds",
  a.room_kinds "roomKinds", a.cycles, a.min_term_months "minTermMonths", a.sign_from "signFrom", a.sign_to "signTo",
  a.quota, a.per_party_limit "perPartyLimit", a.budget, a.stack_group "stackGroup", a.stackable, a.priority,
  a.clawback_on_early_leave "clawbackOnEarlyLeave", a.description, a.state, a.content_version "contentVersion",
  a.used_count "usedCount", a.used_fen "usedFen", a.version`;

type Lists = { [K in keyof Scope]: Scope[K] extends readonly (infer T)[] ? T[] : Scope[K] };
export type Stored = Lists & {
  id: number;
  enterpriseId: number;
  name: string;
  kind: ActivityKind;
  value: number;
  everyMonth: boolean;
  appliesTo: "rent" | "fees";
  feeIds: number[];
  monthFrom: number;
  monthTo: number | null;
  quota: number;
  perPartyLimit: number;
  budget: number;
  stackGroup: string;
  stackable: boolean;
  priority: number;
  clawbackOnEarlyLeave: boolean;
  description: string;
  state: "draft" | "enabled" | "disabled" | "ended";
  contentVersion: number;
  usedCount: number;
  usedFen: number;
  version: number;
};

/** What the offer gives, as rules take it. */
export const contentOf = (a: Stored) => ({ ...a, ...typedValue(a.kind, a.value) });

type Row = Stored & {
  /** Of the reader's stores; so are the uses where other stores have some too. */
  villageNames: string[];
  seenCount: number;
  seenFen: number;
  status: ActivityState;
  createdName: string | null;
  createdAt: string;
  updatedAt: string;
};

/** Uses of offer a as far as the reader may know them: those of other stores are none of his. */
const usesSeen = (read: Read, as = sql`u`) => sql`cross join lateral (
  select case when mine.whole then a.used_count else mine.n end n, case when mine.whole then a.used_fen else mine.fen end fen
  from (select a.village_ids <@ ${read.who.villages as number[]}::bigint[] whole, count(d.id) n,
      coalesce(sum(d.total_fen), 0) fen
    from contract_discount d where d.activity_id = a.id and d.returned_on is null
      and d.village_id = ${anyOf(read.who.villages)}) mine) ${as}`;
/** Orders go by the figures that are shown. */
const byUses = { join: (read: Read) => usesSeen(read, sql`s`) };

const shownRow = (read: Read, { villageNames, createdName, seenCount, seenFen, ...a }: Row) => ({
  ...a,
  usedCount: seenCount,
  usedFen: seenFen,
  valueText: valueText(contentOf(a)),
  scopeText: scopeText(villageNames, a),
  createdName: createdName ?? "系统",
  editable: a.villageIds.every((id) => read.who.villages.includes(id)),
  today: read.today,
});

export const activityList = listOf(listActivities, {
  id: "a.id",
  from: sql`activity a`,
  scope: (read, { villageIds }) => seenBy(read, villageIds),
  where: {
    keyword: keyword(part("a.name")),
    kind: is("a.kind"),
    status: amongWords(STATUS),
    contractKind: (kind) => sql`a.contract_kinds @> array[${kind}]::text[]`,
    // offers that run on one of the days
    dayFrom: from("a.sign_to"),
    dayTo: to("a.sign_from"),
  },
  sort: {
    signTo: "a.sign_to",
    signFrom: "a.sign_from",
    usedCount: { by: "s.n", ...byUses },
    usedFen: { by: "s.fen", ...byUses },
    updatedAt: "a.updated_at",
  },
  order: "signTo",
  tie: sql`a.id desc`,
  columns: (
    read: Read,
  ) => sql<Row>`${CONTENT}, u.n::int "seenCount", u.fen::bigint "seenFen", ${STATUS} status, o.real_name "createdName", a.created_at "createdAt",
    a.updated_at "updatedAt",
    (select coalesce(array_agg(v.name order by v.id), '{}') from village v where v.id = any(a.village_ids)
      and v.id = ${anyOf(read.who.villages)}) "villageNames"`,
  join: (read) =>
    sql`join activity a on a.id = page.id left join operator o on o.id = a.created_by ${usesSeen(read)}`,
  sums: {
    select: sql`coalesce(sum(u.n), 0)::bigint "usedCount", coalesce(sum(u.fen), 0)::bigint "usedFen"`,
    join: (read) => usesSeen(read),
  },
  rows: (rows: Row[], read) => rows.map((row) => shownRow(read, row)),
});

type Names = { villageNames: string; productNames: string; feeNames: string; createdAt: string };
const namesOf = (read: Read, id: number) => sql<Names>`
  select a.created_at "createdAt",
    (select coalesce(string_agg(v.name, '、' order by v.id), '') from village v
      where v.id = any(a.village_ids) and v.id = ${anyOf(read.who.villages)}) "villageNames",
    (select coalesce(string_agg(p.name, '、' order by p.id), '全部') from product p where p.id = any(a.product_ids)) "productNames",
    (select coalesce(string_agg(s.name, '、' order by s.id), '') from fee_subject s where s.id = any(a.fee_ids)) "feeNames"
  from activity a where a.id = ${id}`;

/** An offer as the reader may see it, locked where it is about to change; 404 where no store of it is theirs. */
export async function activitySeen(
  read: Read,
  id: number,
  { lock = false } = {},
): Promise<Stored & { status: ActivityState; today: string }> {
  const { rows } = await sql<Stored & { status: ActivityState }>`
    select ${CONTENT}, ${STATUS} status from activity a where a.id = ${id} and ${seenBy(read)}
    ${lock ? sql`for update of a` : sql``}`.execute(read.tx);
  if (!rows[0]) throw notFound();
  return { ...rows[0], today: read.today };
}

export async function activityDetail(read: Read, id: number) {
  const stored = await activitySeen(read, id);
  const [[row], { rows }, frozen] = await Promise.all([
    activityList.rowsOf(read, [id]),
    namesOf(read, id).execute(read.tx),
    frozenBy(read, ACTIVITY, [id]),
  ]);
  const { recordId: _, ...waiting } = frozen.get(id) ?? { recordId: 0, examineNo: "" };
  return {
    ...row!,
    ...contentOf(stored),
    cycles: stored.cycles.map(String) as "0"[],
    villageIds: stored.villageIds.filter((village) => read.who.villages.includes(village)),
    usedCount: row!.usedCount,
    usedFen: row!.usedFen,
    ...rows[0]!,
    waiting: waiting.examineNo ? (waiting as { examineNo: string; node: string; waitingFor: string }) : null,
  };
}

type UseRow = z.input<typeof activityUses.reply>["list"][number];

/** The contracts of the reader's stores that used an offer. */
export const useList = listOf(activityUses, {
  id: "d.id",
  from: sql`contract_discount d`,
  village: "d.village_id",
  where: { id: is("d.activity_id") },
  sort: { usedOn: "d.used_on", totalFen: "d.total_fen" },
  order: "usedOn",
  columns: sql<UseRow>`d.id, c.id "contractId", c.kind, c.contract_no "contractNo", v.name "villageName",
    c.party_name "partyName", c.room_names "roomNames", c.start_date "startDate", c.end_date "endDate",
    d.used_on "usedOn", d.total_fen "totalFen", case when d.returned_on is null then 'standing' else 'returned' end state`,
  join: sql`join contract_discount d on d.id = page.id join contract c on c.id = d.contract_id
    join village v on v.id = d.village_id`,
  sums: {
    select: sql`coalesce(sum(d.total_fen) filter (where d.returned_on is null), 0)::bigint "totalFen"`,
  },
});

/** Days that the picture shows. */
const DAYS = 30;

/** Uses of the filter's offers in the reader's stores: by day of signing, and what each store gave. */
export async function chartOf(
  read: Read,
  query: ActivityFilter,
): Promise<z.input<typeof activityChart.reply>> {
  const wanted = await activityList.condition(read, query);
  const stores = anyOf(villagesOf(read.who, query.villageIds));
  const uses = sql`contract_discount d where d.returned_on is null and d.village_id = ${stores}
    and d.activity_id in (select a.id from activity a where ${wanted})`;
  const first = addDays(read.today, 1 - DAYS);
  const [daily, villages] = await Promise.all([
    sql<{ day: string; count: number; fen: number }>`
      select d.day::date "day", coalesce(u.n, 0)::int count, coalesce(u.fen, 0)::bigint fen
      from generate_series(${first}::date, ${read.today}::date, interval '1 day') d(day)
      left join (select d.used_on, count(*) n, sum(d.total_fen) fen from ${uses}
        and d.used_on between ${first}::date and ${read.today}::date group by d.used_on) u on u.used_on = d.day
      order by 1`.execute(read.tx),
    sql<{ villageId: number; name: string; fen: number }>`
      select v.id "villageId", v.name, u.fen::bigint fen
      from (select d.village_id, sum(d.total_fen) fen from ${uses} group by d.village_id) u
      join village v on v.id = u.village_id order by u.fen desc, v.id limit 12`.execute(read.tx),
  ]);
  return { daily: daily.rows, villages: villages.rows };
}

/** Offers by id, as they are stored. */
export async function activitiesOf(
  read: Pick<Read, "tx">,
  ids: readonly number[],
  { lock = false } = {},
): Promise<Map<number, Stored>> {
  if (!ids.length) return new Map();
  const { rows } =
    await sql<Stored>`select ${CONTENT} from activity a where a.id = ${anyOf(ids)} order by a.id
    ${lock ? sql`for update of a` : sql``}`.execute(read.tx);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Offers that a store could give on the day, in order of their priority. */
export async function activitiesAt(read: Pick<Read, "tx" | "today">, villageId: number): Promise<Stored[]> {
  const { rows } = await sql<Stored>`select ${CONTENT} from activity a
    where a.state = 'enabled' and ${holds("a.village_ids")([villageId])}
      and ${read.today}::date between a.sign_from and a.sign_to
    order by a.priority, a.id`.execute(read.tx);
  return rows;
}

/** How many standing contracts of a party used each offer, apart from one contract. */
export async function usesByParty(
  read: Pick<Read, "tx">,
  partyId: number | null,
  activityIds: readonly number[],
): Promise<Map<number, number>> {
  if (partyId === null || !activityIds.length) return new Map();
  const rows = await read.tx
    .selectFrom("contractDiscount")
    .select((eb) => ["activityId", eb.fn.countAll<number>().as("n")])
    .where("partyId", "=", partyId)
    .where("activityId", "=", anyOf(activityIds))
    .where("returnedOn", "is", null)
    .groupBy("activityId")
    .execute();
  return new Map(rows.map((row) => [row.activityId!, Number(row.n)]));
}

/** Offers that can be chosen in a filter, the newest first. */
export async function optionsOf(
  read: Read,
  { keyword: typed, ids }: { keyword?: string | undefined; ids?: number[] | undefined },
) {
  const found = typed ? part("a.name")(typed) : sql`true`;
  const { rows } = await sql<Stored>`select ${CONTENT} from activity a
    where ${seenBy(read)} and ${ids?.length ? sql`a.id = ${anyOf(ids)}` : found} order by a.id desc limit 50`.execute(
    read.tx,
  );
  return rows.map((a) => ({ id: a.id, name: a.name, valueText: valueText(contentOf(a)) }));
}
