import { sql } from "kysely";
import type { z } from "zod";
import type { Day } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { beginning } from "../../../platform/kernel/texts/like.ts";
import { amongWords, from, fromDay, to, toDay } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { filesOf } from "../../system/file/file.service.ts";
import type { AccountKind } from "../account/channel.rules.ts";
import { logOf } from "../bill-list/detail.queries.ts";
import { type BookMonth, checksMonth } from "../journal/month-check.service.ts";
import { entriesShown } from "../journal/shown.service.ts";
import { settingsOf } from "../setting/setting.service.ts";
import type { SpecialDays } from "../setting/workday.rules.ts";
import { specialDaysOf } from "../setting/workday.service.ts";
import {
  type getSubmission,
  listSubmissions,
  MOST_ITEMS,
  pendingTakings,
  type SubmissionRow,
  type submissionFilter,
} from "./submission.contract.ts";
import {
  SUBMISSIONS,
  dueAt,
  type ItemKind,
  lateDays,
  type SubmissionKind,
  type SubmissionState,
  type SubmissionTab,
  TABS,
} from "./submission.rules.ts";

/** Days that have begun since 18:00 of the last day. */
const LATE = sql`coalesce(greatest(0, ceil(extract(epoch from s.created_at - s.due_at) / 86400)), 0)::int`;

const takings = { kind: amongWords("s.kind"), from: from("s.bank_day"), to: to("s.bank_day") };

/** Submissions: what waits first, the oldest on top. */
export const submissions = listOf(listSubmissions, {
  id: "s.id",
  from: sql`submission s`,
  village: "s.village_id",
  where: {
    ...takings,
    submittedFrom: fromDay("s.created_at"),
    submittedTo: toDay("s.created_at"),
    tab: (tab) => (tab === "all" ? undefined : amongWords("s.state")(TABS[tab].states)),
    keyword: (text) => sql`(s.submission_no like ${beginning(text.toUpperCase())} or s.slip_no = ${text})`,
  },
  sort: { createdAt: "s.created_at", bankDay: "s.bank_day", submitted: "s.submitted" },
  order: sql`array_position(array['submitted', 'short', 'over', 'received', 'settled', 'cancelled'], s.state), s.created_at, s.id`,
  columns: sql<SubmissionRow>`s.id, s.submission_no "submissionNo", s.village_id "villageId", v.name "villageName", s.kind,
    s.bank_day "bankDay", n.flows, s.expected, s.submitted, s.received, s.received - s.submitted diff, s.kept,
    s.bank_line_id "bankLineId", case when l.id is not null then l.day || ' ' || coalesce(nullif(x.counter_name, ''), '银行流水') end "lineText",
    (select count(*)::int from stored_file d where d.target_kind = 'submission' and d.target_id = s.id) slips,
    s.slip_no "slipNo", s.state, s.from_account_id "fromAccountId", a.name "fromAccountName", s.to_account_id "toAccountId", b.name "toAccountName",
    b.statement_mode = 'claim' claimed, s.created_by "createdBy", coalesce(o.real_name, '系统') creator,
    s.created_at "createdAt", ${LATE} "lateDays",
    exists (select from examine e where e.target_kind = 'submission' and e.target_id = s.id and e.state = 'approving') frozen,
    s.version`,
  join: sql`join submission s on s.id = page.id join village v on v.id = s.village_id
    join merchant_account a on a.id = s.from_account_id join merchant_account b on b.id = s.to_account_id
    left join bank_line l on l.id = s.bank_line_id left join statement_line x on x.id = l.statement_line_id
    left join operator o on o.id = s.created_by
    cross join lateral (select count(*)::int flows from submission_item i where i.submission_id = s.id and i.what = 'flow') n`,
  // what was cancelled is shown and counts in no sum: its flows are handed over again
  sums: {
    select: sql`coalesce(sum(s.expected) filter (where s.state <> 'cancelled'), 0)::bigint expected,
      coalesce(sum(s.submitted) filter (where s.state <> 'cancelled'), 0)::bigint submitted,
      coalesce(sum(s.received), 0)::bigint received, coalesce(sum(s.received - s.submitted), 0)::bigint diff`,
  },
});

const lateBy = ({ now }: Pick<Read, "now">, due: string) => lateDays(now.getTime() - Date.parse(due));

type PendingRaw = {
  id: number;
  villageId: number;
  villageName: string;
  kind: SubmissionKind;
  merchantAccountId: number;
  accountName: string;
  bankDay: Day;
  flows: number;
  amount: Fen;
  kept: Fen;
  repaid: Fen;
  enterpriseId: number;
};

/** Until when the cash of a day of a store is handed over. What was kept for a reason is not asked for. */
export async function dueOf(
  read: Pick<Read, "tx" | "today">,
  villages: readonly { id: number; enterpriseId: number }[],
): Promise<(villageId: number, bankDay: Day) => string> {
  const settings = await settingsOf(
    read,
    villages.map((v) => v.id),
  );
  const special = new Map<number, SpecialDays>();
  for (const { enterpriseId } of villages)
    if (!special.has(enterpriseId)) special.set(enterpriseId, await specialDaysOf(read, enterpriseId));
  const enterprise = new Map(villages.map((v) => [v.id, v.enterpriseId]));
  return (villageId, bankDay) =>
    dueAt(bankDay, settings(villageId).cashSubmitDays, special.get(enterprise.get(villageId)!)!);
}

const GROUPED = sql`(
  select min(t.ref * 3 + array_position(array['flow', 'kept', 'repaid'], t.what) - 1) id, t.village_id, t.merchant_account_id,
    t.kind, t.bank_day, (count(*) filter (where t.what = 'flow'))::int flows, sum(t.amount)::bigint amount,
    coalesce(sum(t.amount) filter (where t.what = 'kept'), 0)::bigint kept,
    coalesce(sum(t.amount) filter (where t.what = 'repaid'), 0)::bigint repaid
  from takings_open t group by 2, 3, 4, 5)`;

/** Takings that nobody has handed over, the oldest first. */
export const pending = listOf(pendingTakings, {
  id: "s.id",
  from: sql`${GROUPED} s`,
  village: "s.village_id",
  where: takings,
  sort: { bankDay: "s.bank_day", amount: "s.amount" },
  order: sql`s.bank_day, s.id`,
  columns: sql<PendingRaw>`s.id, s.village_id "villageId", v.name "villageName", s.kind,
    s.merchant_account_id "merchantAccountId", a.name "accountName", s.bank_day "bankDay", s.flows, s.amount, s.kept,
    s.repaid, v.enterprise_id "enterpriseId"`,
  join: sql`join ${GROUPED} s on s.id = page.id join village v on v.id = s.village_id
    join merchant_account a on a.id = s.merchant_account_id`,
  sums: {
    select: sql`coalesce(sum(s.amount), 0)::bigint amount, coalesce(sum(s.kept), 0)::bigint kept,
      coalesce(sum(s.repaid), 0)::bigint repaid`,
  },
  rows: async (raws, read) => {
    const due = await dueOf(
      read,
      raws.map((row) => ({ id: row.villageId, enterpriseId: row.enterpriseId })),
    );
    return raws.map(({ enterpriseId: _, ...row }) => {
      const asked = row.kind === "cash" && row.amount > row.kept;
      const dueAt = asked ? due(row.villageId, row.bankDay) : null;
      return { ...row, dueAt, lateDays: dueAt === null ? 0 : lateBy(read, dueAt) };
    });
  },
});

/** How many days of cash boxes should have been handed over by now. */
export async function lateTakings(read: Read): Promise<number> {
  const { rows } = await sql<{ villageId: number; enterpriseId: number; bankDay: Day }>`
    select distinct t.village_id "villageId", v.enterprise_id "enterpriseId", t.merchant_account_id, t.bank_day "bankDay"
    from takings_loose t join village v on v.id = t.village_id
    where t.kind = 'cash' and t.village_id = ${anyOf(read.who.villages)}`.execute(read.tx);
  const due = await dueOf(
    read,
    rows.map((row) => ({ id: row.villageId, enterpriseId: row.enterpriseId })),
  );
  return rows.filter((row) => lateBy(read, due(row.villageId, row.bankDay)) > 0).length;
}

type Filter = { [K in keyof typeof submissionFilter]?: z.output<(typeof submissionFilter)[K]> };

/** The count of each tab. */
export async function submissionCounts(read: Read, filter: Filter): Promise<Record<string, number>> {
  const states = Object.entries(TABS).map(
    ([key, { states }]) => [key, amongWords("s.state")(states)] as const,
  );
  const { villageIds, kind, from: first, to: last } = filter;
  return {
    ...(await submissions.counts(read, filter, {
      all: sql`true`,
      ...(Object.fromEntries(states) as Record<SubmissionTab, ReturnType<typeof sql>>),
    })),
    ...(await pending.counts(read, { villageIds, kind, from: first, to: last } as never, {
      pending: sql`true`,
    })),
  };
}

/** A submission as acts work with it. */
export type Submission = {
  id: number;
  submissionNo: string;
  villageId: number;
  kind: SubmissionKind;
  bankDay: Day;
  fromAccountId: number;
  toAccountId: number;
  expected: Fen;
  submitted: Fen;
  kept: Fen;
  received: Fen | null;
  receivedOn: Day | null;
  bankLineId: number | null;
  repaidAccountId: number | null;
  rounds: number;
  status: SubmissionState;
  createdBy: number | null;
  createdAt: string;
  version: number;
};

export async function readSubmission(
  read: Pick<Read, "tx">,
  id: number,
  lock = false,
): Promise<Submission | undefined> {
  const { rows } = await sql<Submission>`
    select id, submission_no "submissionNo", village_id "villageId", kind, bank_day "bankDay",
      from_account_id "fromAccountId", to_account_id "toAccountId", expected, submitted, kept, received,
      received_on "receivedOn", bank_line_id "bankLineId", repaid_account_id "repaidAccountId", rounds, state status,
      created_by "createdBy", created_at "createdAt", version
    from submission where id = ${id} ${lock ? sql`for no key update` : sql``}`.execute(read.tx);
  return rows[0];
}

export type Item = { what: ItemKind; ref: number; number: string; day: Day; partyName: string; amount: Fen };

/** What of an account's takings in a store can be handed over for a day, or up to it; the oldest first. */
export async function itemsOpen(
  read: Pick<Read, "tx">,
  of: { villageId: number; fromAccountId: number; bankDay: Day; andBefore: boolean },
): Promise<{ items: Item[]; more: boolean }> {
  const { rows } = await sql<Item>`
    select t.what, t.ref, coalesce(f.flow_no, s.submission_no) number, t.bank_day "day",
      coalesce(p.name, f.payer_name, '') "partyName", t.amount
    from takings_open t left join flow f on t.what = 'flow' and f.id = t.ref left join party p on p.id = f.party_id
    left join submission s on t.what <> 'flow' and s.id = t.ref
    where t.village_id = ${of.villageId} and t.merchant_account_id = ${of.fromAccountId}
      and t.bank_day ${of.andBefore ? sql`<=` : sql`=`} ${of.bankDay}
    order by t.bank_day, t.what, t.ref limit ${MOST_ITEMS + 1}`.execute(read.tx);
  return { items: rows.slice(0, MOST_ITEMS), more: rows.length > MOST_ITEMS };
}

/** What an account holds by the books. */
export async function heldIn(read: Pick<Read, "tx">, accountId: number): Promise<Fen> {
  const { rows } = await sql<{ fen: Fen }>`
    select coalesce(sum(debit - credit), 0)::bigint fen from merchant_until(array[${accountId}::bigint], 'infinity')
    where account in ('1001', '1012')`.execute(read.tx);
  return rows[0]!.fen;
}

export type Source = {
  id: number;
  name: string;
  kind: AccountKind;
  handover: boolean;
  holderVillageId: number | null;
};

/** The accounts of a store whose takings are handed over, with the bank account that they usually go to. */
export async function sourcesOf(
  read: Pick<Read, "tx">,
  villageId: number,
): Promise<(Source & { usual: number | null })[]> {
  const { rows } = await sql<Source & { usual: number | null }>`
    select a.id, a.name, a.kind, a.handover, a.holder_village_id "holderVillageId",
      coalesce((select s.to_account_id from submission s where s.from_account_id = a.id and s.village_id = ${villageId}
        order by s.id desc limit 1), a.settle_to_account_id, (select u.merchant_account_id from village_account u
        where u.village_id = ${villageId} and u.pay_type = 'bankTransfer' and u.enabled order by u.id limit 1)) usual
    from merchant_account a
    where (a.kind = 'cash' or (a.kind in ('pos', 'unionpay') and a.handover))
      and (a.holder_village_id = ${villageId}
        or a.id in (select merchant_account_id from village_account where village_id = ${villageId})
        or a.id in (select merchant_account_id from takings_loose where village_id = ${villageId}))
    order by a.kind, a.id`.execute(read.tx);
  return rows;
}

export type Destination = {
  id: number;
  name: string;
  claimed: boolean;
  enabled: boolean;
  kind: AccountKind;
  holderVillageId: number | null;
};

/** The bank accounts that takings of a store can go to: head office's, and the store's own. */
export async function destinationsOf(read: Pick<Read, "tx">, villageId: number): Promise<Destination[]> {
  const { rows } = await sql<Destination>`
    select a.id, a.name, a.statement_mode = 'claim' claimed, a.enabled, a.kind, a.holder_village_id "holderVillageId"
    from merchant_account a join village v on v.id = ${villageId} and v.enterprise_id = a.enterprise_id
    where a.kind = 'bank' and (a.holder_village_id is null or a.holder_village_id = v.id)
    order by a.holder_village_id nulls first, a.id`.execute(read.tx);
  return rows;
}

type Detail = z.input<typeof getSubmission.reply>;
type Head = Pick<
  Detail,
  | "keptReason"
  | "remark"
  | "receivedOn"
  | "receivedAt"
  | "receiver"
  | "settleWay"
  | "settledOn"
  | "settleReason"
  | "endReason"
>;

export async function submissionDetailOf(read: Read, id: number): Promise<Detail> {
  const row = await submissions.one(read, id);
  const head = await sql<Head>`
    select s.kept_reason "keptReason", s.remark, s.received_on "receivedOn", s.received_at "receivedAt",
      o.real_name receiver, s.settle_way "settleWay", s.settled_on "settledOn", s.settle_reason "settleReason",
      s.end_reason "endReason"
    from submission s left join operator o on o.id = s.received_by where s.id = ${id}`.execute(read.tx);
  const items = await sql<Item>`
    select i.what, coalesce(i.flow_id, i.of_id) ref, coalesce(f.flow_no, s.submission_no) number,
      coalesce(f.paid_on, case i.what when 'repaid' then s.settled_on end, s.bank_day) "day",
      coalesce(p.name, f.payer_name, '') "partyName", i.amount
    from submission_item i left join flow f on f.id = i.flow_id left join party p on p.id = f.party_id
    left join submission s on s.id = i.of_id where i.submission_id = ${id} order by i.id`.execute(read.tx);
  return {
    ...row,
    ...head.rows[0]!,
    files: (await filesOf(read, "submission", [id])).get(id) ?? [],
    items: items.rows,
    entries: await entriesShown(read, [{ type: "submission", ids: [id] }]),
    log: await logOf(read, "submission", id),
  };
}

/** Submissions that have an item of this one, and stand. */
export async function takenOn(
  read: Pick<Read, "tx">,
  of: { id: number; what: "kept" | "repaid" },
): Promise<string | undefined> {
  const { rows } = await sql<{ no: string }>`
    select s.submission_no "no" from submission_item i join submission s on s.id = i.submission_id
    where i.of_id = ${of.id} and i.what = ${of.what} and i.live`.execute(read.tx);
  return rows[0]?.no;
}

/** The standing submission of one of some flows, where there is one. */
export async function submissionOf(
  read: Pick<Read, "tx">,
  flowIds: readonly number[],
): Promise<string | undefined> {
  const { rows } = await sql<{ no: string }>`
    select s.submission_no "no" from flow f join submission s on s.id = f.submission_id
    where f.id = ${anyOf(flowIds)} order by s.id desc limit 1`.execute(read.tx);
  return rows[0]?.no;
}

/** Takings of a month that are still on their way, or came short and are owed by the store. */
const waiting =
  (state: "submitted" | "short", fen: string) =>
  async (read: Read, { villageId, first, last }: BookMonth) => {
    const { rows } = await sql<{ count: number; fen: number }>`
      select count(*)::int count, coalesce(sum(${sql.raw(fen)}), 0)::bigint fen from submission
      where village_id = ${villageId} and state = ${state} and bank_day between ${first} and ${last}`.execute(
      read.tx,
    );
    const { count, fen: sum } = rows[0]!;
    return {
      count,
      said: count ? `${count} 张缴款单，${yuan(sum)}` : "",
      path: SUBMISSIONS,
      query: { ...(villageId && { villageIds: villageId }), tab: state },
    };
  };
checksMonth({
  key: "submitted",
  side: "income",
  level: "amber",
  title: "缴款都已到账",
  find: waiting("submitted", "submitted"),
});
checksMonth({
  key: "short",
  side: "income",
  level: "amber",
  title: "短款都已处理",
  find: waiting("short", "submitted - received"),
});
