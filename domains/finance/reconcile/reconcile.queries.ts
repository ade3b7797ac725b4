import { sql } from "kysely";
import { addDays, addToMonth, firstOf, monthOf, type Month } from "../../../platform/kernel/day.ts";
import { from, is, to } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { type BookMonth, checksMonth, type Found as Waiting } from "../journal/month-check.service.ts";
import { COMPARED, proving, tells, WHOLE, WITH_STATEMENTS } from "../statement/statement.queries.ts";
import { type Calendar, listReconcile, type ReconcileRow } from "./reconcile.contract.ts";
import { CHECK, RESULT, type Result } from "./reconcile.rules.ts";

export const reconciled = listOf(listReconcile, {
  id: "i.id",
  from: sql`reconcile_item i`,
  scope: ({ who }) =>
    sql`i.merchant_account_id in (select a.id from merchant_account a where ${proving(who)})`,
  where: {
    merchantAccountId: is("i.merchant_account_id"),
    dayFrom: from("i.day"),
    dayTo: to("i.day"),
    result: is("i.result"),
    open: (wanted) => (wanted === "true" ? sql`i.open` : undefined),
    keyword: (text) => sql`(i.flow_id in (select id from flow where flow_no = ${text.toUpperCase()}
        or out_trade_no = ${text} or channel_trade_no = ${text})
      or i.line_id in (select id from statement_line where out_trade_no = ${text} or channel_trade_no = ${text}))`,
  },
  sort: { day: "i.day", diff: sql`abs(i.diff)` },
  // what is open comes first, the largest difference on top
  order: sql`i.open desc, abs(i.diff) desc, i.id`,
  columns: sql<ReconcileRow>`i.id, i.result, i.day, a.name "accountName", a.kind "accountKind",
    a.holder_village_id "holderVillageId", i.flow_id "flowId", f.flow_no "flowNo",
    coalesce(l.channel_trade_no, f.channel_trade_no) "channelTradeNo",
    coalesce(l.out_trade_no, f.out_trade_no) "outTradeNo", f.paid_at "paidAt", l.occurred_at "occurredAt",
    coalesce(l.direction, f.direction) direction, i.ours, i.theirs, i.diff, l.fee, i.fee_fixed "feeFixed",
    coalesce(nullif(l.counter_name, ''), nullif(l.counter_account, ''), f.payer_name, '') counter,
    coalesce(l.summary, f.remark, '') summary, i.resolution, i.note, o.real_name resolver, i.by_hand "byHand",
    l.raw, l.line_no "lineNo", r.id "refundId", r.refund_no "refundNo", w.flow_no "recordNo", case when i.result = 'onlyThere' and l.direction = 'out' then (
      select min(p.party_id) from flow p where p.direction = 'in' and p.merchant_account_id = i.merchant_account_id
        and (p.out_trade_no = l.out_trade_no collate "default" or p.channel_trade_no = l.channel_trade_no collate "default")) end "payerId", i.version`,
  join: sql`join reconcile_item i on i.id = page.id join merchant_account a on a.id = i.merchant_account_id
    left join flow f on f.id = i.flow_id left join statement_line l on l.id = i.line_id
    left join refund_attempt t on t.told_line_id = i.line_id and t.state = 'requested' left join refund r on r.id = t.refund_id
    left join flow w on w.told_line_id = i.line_id and w.state in ('pending', 'approving')
    left join operator o on o.id = i.resolved_by`,
  sums: {
    select: sql`coalesce(sum(i.ours), 0)::bigint ours, coalesce(sum(i.theirs), 0)::bigint theirs,
      coalesce(sum(i.diff), 0)::bigint diff, coalesce(sum(l.fee), 0)::bigint fee,
      count(i.ours)::int "hereCount", count(i.theirs)::int "thereCount", ${sql.join(
        (["onlyHere", "onlyThere", "amountDiffers"] as const).map(
          (result) =>
            sql`coalesce(sum(i.diff) filter (where i.result = ${sql.lit(result)}), 0)::bigint ${sql.ref(result)}`,
        ),
      )}`,
    join: sql`left join statement_line l on l.id = i.line_id`,
  },
});

/** How many records of each result, and what the differences of each kind come to. */
export async function resultsOf(
  read: Read,
  filter: { merchantAccountId?: number; dayFrom?: string; dayTo?: string },
) {
  const { rows } = await sql<{ result: Result; count: number; diff: number }>`
    select i.result, count(*)::int count, sum(i.diff)::bigint diff from reconcile_item i
    where ${await reconciled.condition(read, filter)} group by 1`.execute(read.tx);
  const of = (result: string) => rows.find((row) => row.result === result);
  const diffOf = (result: Result) => of(result)?.diff ?? 0;
  return {
    all: rows.reduce((sum, row) => sum + row.count, 0),
    ...Object.fromEntries(Object.keys(RESULT).map((key) => [key, of(key)?.count ?? 0])),
    diff: {
      onlyHere: diffOf("onlyHere"),
      onlyThere: diffOf("onlyThere"),
      amountDiffers: diffOf("amountDiffers"),
    },
  };
}

type Account = Omit<Calendar["accounts"][number], "days" | "claimed"> & { mode: "claim" | "reconcile" };

/** A month of all accounts that one may prove: each day with what both sides say. */
export async function calendarOf(
  read: Read,
  asked: { month?: Month; kind?: readonly string[]; holder?: "head" | "village"; enterpriseId?: number },
): Promise<Calendar> {
  const month = asked.month ?? monthOf(read.today);
  const first = firstOf(month);
  const last = addDays(firstOf(addToMonth(month, 1)), -1);
  const { rows: accounts } = await sql<Account>`
    select a.id, a.name, a.kind, coalesce(v.name, '公司本部') "holderName", a.statement_mode mode
    from merchant_account a left join village v on v.id = a.holder_village_id
    where ${proving(read.who)} and a.kind = any(${(asked.kind?.length ? asked.kind.filter((k) => WITH_STATEMENTS.includes(k as never)) : WITH_STATEMENTS) as string[]}::text[])
      and (${asked.enterpriseId ?? null}::bigint is null or a.enterprise_id = ${asked.enterpriseId ?? null}::bigint)
      and (${asked.holder ?? null}::text is null or (a.holder_village_id is null) = (${asked.holder ?? null}::text = 'head'))
      and (a.enabled or exists (select from reconcile_item i where i.merchant_account_id = a.id and i.day between ${first} and ${last}))
    order by a.kind, a.id`.execute(read.tx);
  const ids = accounts.map((a) => a.id);
  const { rows: days } = await sql<{ id: number; day: string; open: number; ours: number; theirs: number }>`
    select merchant_account_id id, day, count(*) filter (where open)::int open, coalesce(sum(ours), 0)::bigint ours,
      coalesce(sum(theirs), 0)::bigint theirs
    from reconcile_item where merchant_account_id = any(${ids}::bigint[]) and day between ${first} and ${last}
    group by 1, 2`.execute(read.tx);
  const { rows: covered } = await sql<{ id: number; day: string }>`
    select s.merchant_account_id id, d::date "day" from statement s,
      generate_series(greatest(s.date_from, ${first}::date), least(s.date_to, ${last}::date), interval '1 day') d
    where s.merchant_account_id = any(${ids}::bigint[]) and ${COMPARED}
      and s.date_from <= ${last} and s.date_to >= ${first} group by 1, 2 having ${WHOLE}`.execute(read.tx);
  const keyOf = (of: { id: number; day: string }) => `${of.id} ${of.day}`;
  const found = new Map(days.map((row) => [keyOf(row), row]));
  const isCovered = new Set(covered.map(keyOf));
  const count = Number(last.slice(8));
  const shown = accounts.map(({ mode, ...account }) => ({
    ...account,
    claimed: mode === "claim",
    days: Array.from({ length: count }, (_, i) => {
      const day = addDays(first, i);
      const of = found.get(keyOf({ id: account.id, day }));
      const state = of?.open
        ? "different"
        : isCovered.has(keyOf({ id: account.id, day }))
          ? "balanced"
          : "none";
      return { day, state, open: of?.open ?? 0, ours: of?.ours ?? 0, theirs: of?.theirs ?? 0 } as const;
    }),
  }));
  const open = shown.flatMap((a) => a.days).filter((d) => d.open);
  return {
    month,
    days: count,
    accounts: shown,
    openDays: open.length,
    diff: open.reduce((sum, d) => sum + d.ours - d.theirs, 0),
  };
}

/** The accounts of a store's books, or of head office's. */
const held = ({ villageId, enterpriseId }: BookMonth) => sql`a.enterprise_id = (
    select coalesce((select enterprise_id from village where id = ${villageId}::bigint), ${enterpriseId}::bigint))
  and a.holder_village_id is not distinct from ${villageId}::bigint`;

checksMonth({
  key: "differences",
  side: "income",
  level: "amber",
  title: "对账差异已处理",
  find: async (read, month) => {
    const { rows } = await sql<{ count: number; diff: number }>`
      select count(*)::int count, coalesce(sum(i.diff), 0)::bigint diff
      from reconcile_item i join merchant_account a on a.id = i.merchant_account_id
      where ${held(month)} and i.open and i.day between ${month.first} and ${month.last}`.execute(read.tx);
    const { count, diff } = rows[0]!;
    return {
      count,
      said: count ? `${count} 笔未处理，差额 ${yuan(diff)}` : "",
      path: CHECK,
      query: { list: "items", dayFrom: month.first, dayTo: month.last, open: "true" },
    };
  },
});

/** Days on which an account moved and of which there is no statement. */
const withoutStatement = async (read: Read, month: BookMonth, fees: boolean): Promise<Waiting> => {
  const kinds = WITH_STATEMENTS.filter((kind) => !fees || kind !== "bank");
  const { rows } = await sql<{ count: number; names: string | null }>`
    select count(*)::int count, string_agg(distinct x.name, '、') names from (
      select distinct a.name, a.id, f.paid_on from flow f join merchant_account a on a.id = f.merchant_account_id
      where ${held(month)} and a.kind = any(${kinds as string[]}::text[]) and a.statement_mode = 'reconcile'
        and f.state = 'confirmed' and f.paid_on between ${month.first} and ${month.last}
        and (not ${fees}::boolean or f.fee > 0)
        and not exists (select from statement s where s.merchant_account_id = a.id and ${tells(sql`f.direction`)}
          and f.paid_on between s.date_from and s.date_to)) x`.execute(read.tx);
  const { count, names } = rows[0]!;
  return {
    count,
    said: count ? `${names} 共 ${count} 天没有对账单` : "",
    path: CHECK,
    query: { list: "month", month: month.first.slice(0, 7) },
  };
};
checksMonth({
  key: "statements",
  side: "income",
  level: "amber",
  title: "渠道日都已对账",
  find: (read, month) => withoutStatement(read, month, false),
});
checksMonth({
  key: "fees",
  side: "cost",
  level: "amber",
  title: "手续费已按对账单更正",
  find: (read, month) => withoutStatement(read, month, true),
});
