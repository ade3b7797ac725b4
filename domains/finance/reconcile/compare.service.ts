import { sql } from "kysely";
import { addDays, type Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { bookOf } from "../account/channel.rules.ts";
import { credit, debit, type Entry } from "../journal/journal.rules.ts";
import { post } from "../journal/journal.service.ts";
import { type Proved, tells } from "../statement/statement.queries.ts";

/** Of what is compared: an account that is locked, and the days. */
export type Span = { account: Proved; from: Day; to: Day };

/** Records that nobody has dealt with and no other record belongs to: what a new comparison may take. */
const UNTOUCHED = sql`i.result in ('onlyHere', 'onlyThere') and i.resolution is null`;

/** Whose statements are those of banks: without a number of ours, and without a column that tells what was kept of a payment. */
const isPlain = ({ kind }: Proved): boolean => kind === "bank" || kind === "pos" || kind === "unionpay";

/**
 * Compares what an account's statements say of some days with the flows through it: by number first, else, where a bank
 * gives none, by what is the same in one way only. The same days may be compared any number of times; what people have
 * dealt with stays. Answers how many differences are open.
 */
export async function compare(
  act: Act,
  span: Span,
  progress?: (part: number) => Promise<void>,
): Promise<number> {
  const { account, from, to } = span;
  await sql`delete from reconcile_item i using flow f
    where i.merchant_account_id = ${account.id} and f.id = i.flow_id and f.state <> 'confirmed'
      and i.day between ${from}::date - 7 and ${to}::date + 7`.execute(act.tx);
  await sql`update reconcile_item i set resolution = null, wait_until = null, resolved_at = null, resolved_by = null
    where i.merchant_account_id = ${account.id} and i.resolution = 'wait' and i.wait_until < ${act.today}`.execute(
    act.tx,
  );
  const steps = [
    pairByNumber,
    ...(isPlain(account) ? [pairBy(samePayer), pairBy(sameDay)] : []),
    noteSingles,
    fixFees,
    returnFees,
  ];
  for (const [i, step] of steps.entries()) {
    await step(act, span);
    await progress?.((i + 1) / steps.length);
  }
  const { rows } = await sql<{ n: number }>`
    select count(*)::int n from reconcile_item where merchant_account_id = ${account.id} and open
      and day between ${from} and ${to}`.execute(act.tx);
  return rows[0]!.n;
}

/** What is compared of an account: where what comes in is claimed, it has its flow from there. */
const compared = (account: Proved, of: "l" | "f") =>
  account.statementMode === "claim" ? sql`${sql.ref(`${of}.direction`)} = 'out'` : sql`true`;

/** Lines of the days that nothing belongs to yet; their numbers collated as those of flows are, whose indices are of use then. */
const freeLines = ({ account, from, to }: Span) => sql`
  select l.id, l.direction, l.amount, l.fee, l.day, l.out_trade_no collate "default" out_trade_no,
    l.channel_trade_no collate "default" channel_trade_no, l.channel_refund_no collate "default" channel_refund_no,
    l.counter_name, l.counter_account, coalesce(i.by_hand, false) apart
  from statement_line l left join reconcile_item i on i.line_id = l.id
  where l.merchant_account_id = ${account.id} and not l.proves and ${compared(account, "l")}
    and l.day between ${from} and ${to} and (i.id is null or (${UNTOUCHED}))`;

/** Confirmed flows of the account around the days that no line belongs to yet. */
const freeFlow = ({ account }: Span) => sql`f.merchant_account_id = ${account.id} and f.state = 'confirmed'
  and ${compared(account, "f")}
  and not exists (select from reconcile_item i where i.flow_id = f.id and not (${UNTOUCHED}))`;

/** Writes pairs in place of the two records that stood for them. */
const writePairs = (span: Span, pairs: ReturnType<typeof sql>) => sql`
  with pair as (${pairs}), stood as (
    select i.id from pair p join reconcile_item i on i.flow_id = p.flow_id
    union select i.id from pair p join reconcile_item i on i.line_id = p.line_id),
  gone as (delete from reconcile_item i using stood where i.id = stood.id returning i.id)
  insert into reconcile_item (merchant_account_id, day, result, flow_id, line_id, ours, theirs)
  select ${span.account.id}, l.day, case when f.amount = l.amount then 'matched' else 'amountDiffers' end, f.id, l.id,
    case f.direction when 'in' then f.amount else -f.amount end, case l.direction when 'in' then l.amount else -l.amount end
  from pair p join flow f on f.id = p.flow_id join statement_line l on l.id = p.line_id
  where (select count(*) from gone) >= 0`;

/** Flows by a number of a line alone, so that it is looked up whatever the database thinks of how many flows an account has. */
const flowBy = (number: "out_trade_no" | "channel_trade_no") =>
  sql`lateral (select x.* from flow x where ${sql.ref(`x.${number}`)} = ${sql.ref(`l.${number}`)} offset 0) f`;

/** By the numbers that both sides know: of the payment, of the channel, of the attempt to refund; by what was recorded of the line itself. */
async function pairByNumber(act: Act, span: Span): Promise<void> {
  await writePairs(
    span,
    sql`
    with free as (${freeLines(span)}),
    named as (
      select l.id line_id, f.id flow_id from free l join ${flowBy("out_trade_no")} on f.direction = 'in' and ${freeFlow(span)} where l.direction = 'in'
      union
      select l.id, f.id from free l join ${flowBy("channel_trade_no")} on f.direction = l.direction
        and ${freeFlow(span)}
      union
      select l.id, f.id from free l join refund_attempt t on t.channel_refund_no = l.channel_refund_no
        join flow f on f.id = t.flow_id and ${freeFlow(span)} where l.direction = 'out'
      union
      select l.id, f.id from free l join refund_attempt t on t.told_line_id = l.id
        join flow f on f.id = t.flow_id and ${freeFlow(span)}
      union
      select l.id, f.id from free l join flow f on f.told_line_id = l.id and ${freeFlow(span)}),
    once as (select distinct on (line_id) line_id, flow_id from named order by line_id, flow_id)
    select distinct on (flow_id) line_id, flow_id from once order by flow_id, line_id`,
  ).execute(act.tx);
}

type Fit = (free: ReturnType<typeof sql>, flows: ReturnType<typeof sql>) => ReturnType<typeof sql>;
/** Same direction and amount, at most three days apart, and the name or the account of who paid: each by itself, so that both can be looked up. */
const samePayer: Fit = (free, flows) => {
  const by = (line: string, flow: string) => sql`
    select l.id line_id, f.id flow_id from ${free} l join ${flows} f on f.direction = l.direction and f.amount = l.amount
      and ${sql.ref(`f.${flow}`)} = ${sql.ref(`l.${line}`)} and f.paid_on between l.day - 3 and l.day + 3
    where ${sql.ref(`l.${line}`)} <> ''`;
  return sql`${by("counter_name", "payer_name")} union ${by("counter_account", "payer_account")}`;
};
/** Same direction, amount and day. One of each on either side is all that counts, so that rents alike are not put beside each other one by one. */
const sameDay: Fit = (free, flows) => sql`
  select l.line_id, f.flow_id
  from (select direction, amount, day, min(id) line_id from ${free} x group by 1, 2, 3 having count(*) = 1) l
  join (select direction, amount, paid_on, min(id) flow_id from ${flows} x group by 1, 2, 3 having count(*) = 1) f
    on f.direction = l.direction and f.amount = l.amount and f.paid_on = l.day`;

/**
 * Where both sides have one movement alone that fits, also among the lines of the days around, which fit the same flows;
 * what a person has put apart stays apart.
 */
const pairBy =
  (fit: Fit) =>
  async (act: Act, span: Span): Promise<void> => {
    const free = sql`(select * from free where not apart)`;
    const around = { ...span, from: addDays(span.from, -6), to: addDays(span.to, 6) };
    await writePairs(
      span,
      sql`
    with free as (${freeLines(around)}),
    flows as materialized (
      select f.id, f.direction, f.amount, f.paid_on, f.payer_name, f.payer_account from flow f
      where ${freeFlow(span)} and f.paid_on between ${span.from}::date - 3 and ${span.to}::date + 3
        and not exists (select from reconcile_item i where i.flow_id = f.id and i.by_hand)),
    fits as (
      select line_id, flow_id, count(*) over (partition by line_id) lines, count(*) over (partition by flow_id) flows
      from (${fit(free, sql`flows`)}) x)
    select line_id, flow_id from fits join free l on l.id = line_id
    where lines = 1 and flows = 1 and l.day between ${span.from} and ${span.to}`,
    ).execute(act.tx);
  };

/** Whether a statement tells of the day of a flow f. */
const coveredIn = (account: Proved) =>
  sql`exists (select from statement s where s.merchant_account_id = ${account.id} and ${tells(sql`f.direction`)}
    and s.date_from <= f.paid_on and s.date_to >= f.paid_on)`;

/** What only one side has, on the days of which there is a statement. */
async function noteSingles(act: Act, { account, from, to }: Span): Promise<void> {
  const covered = coveredIn(account);
  await sql`delete from reconcile_item i using flow f where i.merchant_account_id = ${account.id} and f.id = i.flow_id
    and ${UNTOUCHED} and i.day between ${from} and ${to} and not ${covered}`.execute(act.tx);
  await sql`
    insert into reconcile_item (merchant_account_id, day, result, line_id, theirs)
    select l.merchant_account_id, l.day, 'onlyThere', l.id, case l.direction when 'in' then l.amount else -l.amount end
    from statement_line l where l.merchant_account_id = ${account.id} and not l.proves and ${compared(account, "l")}
      and l.day between ${from} and ${to} and not exists (select from reconcile_item i where i.line_id = l.id)`.execute(
    act.tx,
  );
  await sql`
    insert into reconcile_item (merchant_account_id, day, result, flow_id, ours)
    select f.merchant_account_id, f.paid_on, 'onlyHere', f.id, case f.direction when 'in' then f.amount else -f.amount end
    from flow f where f.merchant_account_id = ${account.id} and f.state = 'confirmed' and ${compared(account, "f")}
      and f.paid_on between ${from} and ${to} and ${covered}
      and not exists (select from reconcile_item i where i.flow_id = f.id)`.execute(act.tx);
}

type FeeGap = {
  id: number;
  flowId: number;
  direction: "in" | "out";
  day: Day;
  villageId: number;
  partyId: number | null;
  gap: number;
};

/** Fees that are put right together: each is an entry of its own. */
const FEES_AT_ONCE = 5_000;

/** What the channel kept is what it says: the fee of the flow follows it, booked on the statement's day (E07). */
async function fixFees(act: Act, { account, from, to }: Span): Promise<void> {
  if (isPlain(account)) return;
  for (let count = FEES_AT_ONCE; count === FEES_AT_ONCE;) {
    const { rows } = await sql<FeeGap>`
      select i.id, f.id "flowId", f.direction, i.day, f.village_id "villageId", f.party_id "partyId",
        l.fee - case f.direction when 'in' then f.fee else 0 end gap
      from reconcile_item i join flow f on f.id = i.flow_id join statement_line l on l.id = i.line_id
      where i.merchant_account_id = ${account.id} and i.day between ${from} and ${to} and i.fee_fixed = 0
        and i.result = 'matched' and l.fee <> case f.direction when 'in' then f.fee else 0 end
      order by i.id limit ${FEES_AT_ONCE} for update of i`.execute(act.tx);
    await keepFees(act, account, rows);
    count = rows.length;
  }
}

async function keepFees(act: Act, account: Proved, gaps: readonly FeeGap[]): Promise<void> {
  if (!gaps.length) return;
  await post(
    act,
    gaps.map((gap) => feeEntry(account, gap, 0)),
  );
  const told = JSON.stringify(gaps.map(({ id, flowId, direction, gap }) => ({ id, flowId, direction, gap })));
  await sql`update reconcile_item i set fee_fixed = r.gap, result = 'feeFixed'
    from json_to_recordset(${told}::json) r(id bigint, gap bigint) where i.id = r.id`.execute(act.tx);
  await sql`update flow f set fee = f.fee + r.gap
    from json_to_recordset(${told}::json) r("flowId" bigint, direction text, gap bigint)
    where f.id = r."flowId" and r.direction = 'in'`.execute(act.tx);
}

type Fee = Pick<FeeGap, "flowId" | "day" | "villageId" | "partyId">;
const feeParts = (account: Proved, fee: Fee, more: Fen) => {
  const dims = { merchantAccountId: account.id, flowId: fee.flowId, partyId: fee.partyId };
  return {
    event: "E07" as const,
    businessDate: fee.day,
    legs: [
      debit("6602", fee.villageId, more, dims),
      credit(bookOf(account.kind), account.holderVillageId, more, dims),
    ],
  };
};

const feeEntry = (account: Proved, gap: FeeGap, seq: number): Entry => ({
  ...feeParts(account, gap, gap.gap),
  sourceType: "reconcileItem",
  sourceId: gap.id,
  seq,
  memo: seq ? "撤销手续费更正" : "按对账单更正手续费",
});

/** Of a payment that was none the channel kept nothing: its fee is back with the statement of its day, and stays so (E07). */
async function returnFees(act: Act, { account, from, to }: Span): Promise<void> {
  const { rows } = await sql<Fee & { fee: Fen }>`
    select f.id "flowId", f.paid_on "day", f.village_id "villageId", f.party_id "partyId", f.fee
    from flow f where f.merchant_account_id = ${account.id} and f.state = 'reversed' and f.fee <> 0
      and f.paid_on between ${from} and ${to} and ${coveredIn(account)} order by f.id for update of f`.execute(
    act.tx,
  );
  if (!rows.length) return;
  await post(
    act,
    rows.map((fee) => ({
      ...feeParts(account, fee, -fee.fee),
      sourceType: "flow",
      sourceId: fee.flowId,
      seq: 1,
      memo: "按对账单冲回手续费",
    })),
  );
  await sql`update flow set fee = 0 where id = ${anyOf(rows.map((fee) => fee.flowId))}`.execute(act.tx);
}

/**
 * Fees that a statement put right are as they were, before its lines go; `of` says which records `i` are meant. What of a reversed
 * flow is back already stays so.
 */
export async function unfixFees(act: Act, account: Proved, of: ReturnType<typeof sql>): Promise<void> {
  for (let after = 0, count = FEES_AT_ONCE; count === FEES_AT_ONCE;) {
    const { rows } = await sql<FeeGap>`
      select i.id, f.id "flowId", f.direction, i.day, f.village_id "villageId", f.party_id "partyId", -i.fee_fixed gap
      from reconcile_item i join flow f on f.id = i.flow_id and not (f.state = 'reversed' and f.fee = 0)
      where ${of} and i.fee_fixed <> 0 and i.id > ${after} order by i.id limit ${FEES_AT_ONCE}`.execute(
      act.tx,
    );
    count = rows.length;
    if (!count) return;
    after = rows.at(-1)!.id;
    await post(
      act,
      rows.map((gap) => feeEntry(account, gap, 1)),
    );
    await sql`update flow f set fee = f.fee + r.gap
      from json_to_recordset(${JSON.stringify(rows)}::json) r("flowId" bigint, direction text, gap bigint)
      where f.id = r."flowId" and r.direction = 'in'`.execute(act.tx);
  }
}
