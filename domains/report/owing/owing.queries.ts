import { sql, type RawBuilder } from "kysely";
import { addDays, type Day } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/act.ts";
import { AGES } from "./owing.rules.ts";

export type OwingFilter = {
  villages: readonly number[];
  day: Day;
  mode: "party" | "room" | "bill" | "subject" | "village";
  subjectIds?: readonly number[] | undefined;
  ages?: readonly string[] | undefined;
  partyKind?: string | undefined;
  contractState?: string | undefined;
  disputed: "yes" | "no";
  keyword?: string | undefined;
  amountFrom?: number | undefined;
  amountTo?: number | undefined;
};

export const BUCKETS = sql.join(
  AGES.map(
    (a) =>
      sql`coalesce(sum(w.outstanding) filter (where w.days between ${sql.lit(a.from)} and ${sql.lit(a.to)}), 0)::bigint ${sql.ref(a.key)}`,
  ),
);

/** The bills that owe at the day, with their days late, under every filter but the amount range. */
function owedBills(f: OwingFilter): RawBuilder<unknown> {
  const like = f.keyword ? `%${f.keyword.replaceAll(/[\\%_]/g, "\\$&")}%` : null;
  const ages = f.ages?.length
    ? sql.join(
        AGES.filter((a) => f.ages!.includes(a.key)).map(
          (a) => sql`o.due_date between ${addDays(f.day, -a.to)}::date and ${addDays(f.day, -a.from)}::date`,
        ),
        sql` or `,
      )
    : sql`true`;
  return sql`
    select o.*, ${f.day}::date - o.due_date days, b.bill_no, b.disputed_from
    from owing_at(${f.day}, ${f.villages as number[]}::bigint[]) o join bill b on b.id = o.bill_id
    where (${ages})
      ${f.disputed === "no" ? sql`and (b.disputed_from is null or b.disputed_to < ${f.day}::date)` : sql``}
      ${f.partyKind ? sql`and exists (select 1 from party p where p.id = o.party_id and p.kind = ${f.partyKind})` : sql``}
      ${
        f.contractState
          ? sql`and (exists (select 1 from contract c where c.id = o.contract_id and c.state in ('effective', 'expired')) = ${f.contractState === "living"})`
          : sql``
      }
      ${f.subjectIds?.length ? sql`and exists (select 1 from bill_line l where l.bill_id = o.bill_id and l.fee_subject_id = any(${f.subjectIds as number[]}::bigint[]))` : sql``}
      ${
        like
          ? sql`and (o.party_id in (select id from party where name ilike ${like} or phone = ${f.keyword!} or right(phone, 4) = ${f.keyword!})
              or o.room_id in (select id from room where full_name ilike ${like})
              or o.contract_id in (select id from contract where contract_no like ${`${f.keyword!}%`}))`
          : sql``
      }`;
}

/** What a row stands for, and the name people know it by, in each mode. */
const GROUPS = {
  party: { key: sql`w.party_id`, name: sql`(select name from party where id = g.key)` },
  room: {
    key: sql`coalesce(w.room_id, 0)`,
    name: sql`coalesce((select full_name from room where id = g.key), '未关联房间')`,
  },
  bill: { key: sql`w.bill_id`, name: sql`(select bill_no from bill where id = g.key)` },
  subject: { key: sql`w.subject_id`, name: sql`(select name from fee_subject where id = g.key)` },
  village: { key: sql`w.village_id`, name: sql`(select name from village where id = g.key)` },
} as const;

/** A bill's outstanding laid on its subjects: each line's own rest today; for a past day in proportion of the lines. */
const bySubject = sql`
  , split as (
    select w.*, s.fee_subject_id subject_id, w.outstanding * s.part / nullif(sum(s.part) over (partition by w.bill_id), 0) share,
      row_number() over (partition by w.bill_id order by s.fee_subject_id) nth, w.outstanding whole
    from w0 w join lateral (
      select l.fee_subject_id, greatest(sum(l.amount - l.settled - l.written_off), 0) part
      from bill_line l where l.bill_id = w.bill_id group by 1) s on s.part > 0
  ), w as (
    select bill_id, village_id, contract_id, room_id, party_id, due_date, days, bill_no, subject_id,
      (case when nth = 1 then whole - sum(trunc(share)) over (partition by bill_id) + trunc(share) else trunc(share) end)::bigint outstanding
    from split)`;

export type OwingRow = {
  key: number;
  name: string;
  owed: number;
  maxDays: number;
  d30: number;
  d60: number;
  d90: number;
  d180: number;
  d365: number;
  over: number;
};

/** Rows of one mode, biggest debt first unless asked otherwise; with `totals` one row over all of them. */
export async function owingRows(
  read: Read,
  f: OwingFilter,
  page: { offset: number; limit: number; sort: "owed" | "maxDays"; order: "asc" | "desc" },
): Promise<{ rows: OwingRow[]; total: number; sums: Omit<OwingRow, "key" | "name" | "maxDays"> }> {
  const { key, name } = GROUPS[f.mode];
  const order = sql`${sql.ref(page.sort === "owed" ? "owed" : "max_days")} ${sql.raw(page.order)}, key`;
  const { rows } = await sql<OwingRow & { total: number; sums: never }>`
    with w0 as (${owedBills(f)}) ${f.mode === "subject" ? bySubject : sql`, w as (select * from w0)`},
    g as (
      select ${key} key, sum(w.outstanding)::bigint owed, max(w.days) max_days, ${BUCKETS} from w group by 1
    ), kept as (
      select * from g where owed >= ${f.amountFrom ?? 0} and owed <= ${f.amountTo ?? Number.MAX_SAFE_INTEGER}
    ), summed as (
      select count(*) total, json_build_object('owed', coalesce(sum(owed), 0), 'd30', coalesce(sum(d30), 0),
        'd60', coalesce(sum(d60), 0), 'd90', coalesce(sum(d90), 0), 'd180', coalesce(sum(d180), 0),
        'd365', coalesce(sum(d365), 0), 'over', coalesce(sum(over), 0)) sums from kept
    )
    select g.*, ${name} "name", s.total, s.sums from summed s
    left join lateral (select * from kept order by ${order} limit ${page.limit} offset ${page.offset}) g on true
    order by ${order}`.execute(read.replica);
  const first = rows[0]!;
  return { rows: rows.filter((r) => r.key !== null), total: first.total, sums: first.sums };
}
