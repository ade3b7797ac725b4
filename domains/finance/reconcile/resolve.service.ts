import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import { asSeen } from "../../../platform/server/database/versioned.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { settlingChannel } from "../account/account.service.ts";
import { credit, debit } from "../journal/journal.rules.ts";
import { entriesOf, mirrorOf, post } from "../journal/journal.service.ts";
import { type Proved, provedAccount } from "../statement/statement.queries.ts";
import { compare, unfixFees } from "./compare.service.ts";
import type { ReconcileFilter } from "./reconcile.contract.ts";
import { reconciled } from "./reconcile.queries.ts";
import {
  ACCEPTING,
  nameOfItem,
  recordedAs,
  RESOLUTION,
  type Resolution,
  RESULT,
  type Result,
  WAITS_DAYS,
  whyNotPair,
  whyNotResolve,
} from "./reconcile.rules.ts";

type Item = {
  id: number;
  accountId: number;
  day: Day;
  result: Result;
  resolution: Resolution | null;
  byHand: boolean;
  direction: "in" | "out";
  flowId: number | null;
  flowNo: string | null;
  lineId: number | null;
  lineNo: number | null;
  channelTradeNo: string | null;
  theirs: Fen | null;
  villageId: number | null;
  /** A refund that it pays once that is approved. */
  refundNo: string | null;
  /** A flow that records it and waits to be confirmed. */
  recordNo: string | null;
  version: number;
};
type Locked = { account: Proved; items: Item[] };

/** Of several records it is said which one stands in the way. */
const among = (ids: readonly number[], item: Item, why: string): string =>
  ids.length > 1 ? `${nameOfItem(item)} ${why}` : why;

/** Records of one account, behind its lock; 404 beyond what one may prove. */
async function lockItems(act: Act, ids: readonly number[]): Promise<Locked> {
  const { rows: seen } = await sql<{ accountId: number }>`
    select distinct merchant_account_id "accountId" from reconcile_item where id = any(${ids as number[]}::bigint[])`.execute(
    act.tx,
  );
  if (!seen.length) throw notFound();
  if (seen.length > 1) throw new Refusal("notAllowed", "只能一起处理同一账户的记录");
  const account = await provedAccount(act, seen[0]!.accountId, true);
  const { rows } = await sql<Item>`
    select i.id, i.merchant_account_id "accountId", i.day, i.result, i.resolution, i.by_hand "byHand",
      coalesce(l.direction, f.direction) direction, i.flow_id "flowId", f.flow_no "flowNo", i.line_id "lineId",
      l.line_no "lineNo", l.channel_trade_no "channelTradeNo", i.theirs, f.village_id "villageId", i.version,
      (select r.refund_no from refund_attempt t join refund r on r.id = t.refund_id
        where t.told_line_id = i.line_id and t.state = 'requested') "refundNo",
      (select w.flow_no from flow w where w.told_line_id = i.line_id and w.state in ('pending', 'approving')) "recordNo"
    from reconcile_item i left join flow f on f.id = i.flow_id left join statement_line l on l.id = i.line_id
    where i.id = any(${ids as number[]}::bigint[]) order by i.id for update of i`.execute(act.tx);
  if (rows.length < ids.length) throw notFound();
  const waits = rows.find((item) => item.refundNo);
  if (waits)
    throw new Refusal("notAllowed", among(ids, waits, `该流水已登记退款 ${waits.refundNo}，正在审批`));
  const recorded = rows.find((item) => item.recordNo);
  if (recorded) throw new Refusal("notAllowed", among(ids, recorded, recordedAs(recorded.recordNo!)));
  return { account, items: rows };
}

/** The one that somebody saw. */
export async function lockSeen(act: Act, id: number, version: number): Promise<Locked & { item: Item }> {
  const locked = await lockItems(act, [id]);
  const item = locked.items[0]!;
  asSeen(item, version);
  return { ...locked, item };
}

export const noteOf = (account: Proved, item: Item, action: string, summary: string) =>
  item.flowId
    ? {
        kind: "flow",
        recordId: item.flowId,
        number: item.flowNo!,
        villageId: item.villageId,
        action,
        summary,
      }
    : {
        kind: "reconcile",
        recordId: item.id,
        number: account.name,
        villageId: account.holderVillageId,
        action,
        summary: `${item.day} ${summary}`,
      };

/** A person's word on differences: they may wait for the next file, or stand as they are. */
export async function resolve(
  act: Act,
  ids: readonly number[],
  as: { resolution: Resolution; note: string; version?: number },
): Promise<number> {
  const { account, items } = await lockItems(act, ids);
  if (as.version !== undefined) asSeen(items[0]!, as.version);
  if (new Set(items.map((i) => i.result)).size > 1)
    throw new Refusal("notAllowed", "只能批量处理同一结果的记录");
  for (const item of items) {
    const why = whyNotResolve(item, as.resolution, act.today);
    if (why) throw new Refusal("notAllowed", among(ids, item, why));
  }
  await sql`update reconcile_item set resolution = ${as.resolution}, note = ${as.note}, version = version + 1,
      wait_until = case when ${as.resolution}::text = 'wait' then day + ${WAITS_DAYS}::int end,
      resolved_at = ${act.now.toISOString()}, resolved_by = ${act.who.operatorId}
    where id = any(${ids as number[]}::bigint[])`.execute(act.tx);
  await compareDays(
    act,
    account,
    items.map((i) => i.day),
  );
  const said = (item: Item) =>
    `${RESULT[item.result][0]}：${as.resolution === "accept" ? ACCEPTING[item.result] : RESOLUTION.wait[0]}，${as.note}`;
  await act.note(items.map((item) => noteOf(account, item, "处理差异", said(item))));
  return items.length;
}

/** So many differences are dealt with at once: each has a line in the log. */
const MOST_AT_ONCE = 5_000;
type Filtered = {
  filter: Partial<ReconcileFilter>;
  count: number;
  diff: Fen;
  resolution: Resolution;
  note: string;
};

/** The same of all open differences that a filter shows; refused where it shows others by now. */
export async function resolveAll(act: Act, { filter, count, diff, ...as }: Filtered): Promise<number> {
  await provedAccount(act, filter.merchantAccountId!, true);
  if (count > MOST_AT_ONCE) throw new Refusal("notAllowed", `一次最多处理${MOST_AT_ONCE}条，请缩小日期范围`);
  const { rows } = await sql<{ id: number; diff: Fen }>`
    select i.id, i.diff from reconcile_item i where ${await reconciled.condition(act, { ...filter, open: "true" })}
    order by i.id limit ${MOST_AT_ONCE + 1}`.execute(act.tx);
  if (rows.length !== count || rows.reduce((sum, row) => sum + row.diff, 0) !== diff)
    throw new Refusal("changed", "筛选结果已变化，请核对后重新处理", 409);
  return resolve(
    act,
    rows.map((row) => row.id),
    as,
  );
}

type Settled = { merchantAccountId: number; note: string; version: number };

/** Money that a bank's line brought is what a channel owed (E29); no more than it owes. */
export async function settle(act: Act, id: number, of: Settled): Promise<void> {
  const { account, item } = await lockSeen(act, id, of.version);
  const why =
    whyNotResolve(item, "settle", act.today) ??
    (account.kind !== "bank" || item.direction !== "in" ? "只有银行账户的收款可以登记渠道结算" : undefined);
  if (why) throw new Refusal("notAllowed", why);
  const channel = await settlingChannel(
    act,
    { id: of.merchantAccountId, enterpriseId: account.enterpriseId },
    item.theirs!,
  );
  // a line that was opened again may be settled anew
  const before = await entriesOf(act, { sourceType: "reconcileItem", sourceIds: [id], events: ["E29"] });
  await post(act, [
    {
      event: "E29",
      sourceType: "reconcileItem",
      sourceId: id,
      seq: before.length,
      businessDate: item.day,
      memo: of.note,
      legs: [
        debit("1002", account.holderVillageId, item.theirs!, { merchantAccountId: account.id }),
        credit("1012", channel.holderVillageId, item.theirs!, { merchantAccountId: channel.id }),
      ],
    },
  ]);
  await sql`update reconcile_item set resolution = 'settle', settled_account_id = ${channel.id}, note = ${of.note},
      version = version + 1, wait_until = null, resolved_at = ${act.now.toISOString()}, resolved_by = ${act.who.operatorId}
    where id = ${id}`.execute(act.tx);
  await act.note(noteOf(account, item, "处理差异", `渠道结算 ${yuan(item.theirs!)} 元，${of.note}`));
}

/** The mirror of the settlement that stands. */
async function unsettle(act: Act, id: number): Promise<void> {
  const posted = await entriesOf(act, { sourceType: "reconcileItem", sourceIds: [id], events: ["E29"] });
  const as = { event: "E29", sourceType: "reconcileItem", sourceId: id, seq: posted.length } as const;
  await post(act, [mirrorOf(posted.at(-1)!, { ...as, businessDate: act.today, memo: "重新打开差异" })]);
}

/** A difference that was dealt with is open again. */
export async function reopen(act: Act, id: number, version: number): Promise<void> {
  const { account, item } = await lockSeen(act, id, version);
  if (!item.resolution) throw new Refusal("notAllowed", "该差异还没有处理");
  if (item.resolution === "settle") await unsettle(act, id);
  await sql`update reconcile_item set resolution = null, wait_until = null, resolved_at = null, resolved_by = null,
    settled_account_id = null, note = '', version = version + 1 where id = ${id}`.execute(act.tx);
  await compareDays(act, account, [item.day]);
  await act.note(noteOf(account, item, "重新打开差异", RESULT[item.result][0]));
}

/** Puts a flow and a line of the same account together; where their amounts differ, that stays to be dealt with. */
export async function pair(act: Act, of: { hereId: number; thereId: number; note: string }): Promise<number> {
  const { account, items } = await lockItems(act, [...new Set([of.hereId, of.thereId])]);
  const ours = items.find((i) => i.id === of.hereId)!;
  const theirs = items.find((i) => i.id === of.thereId)!;
  const why = whyNotPair(ours, theirs);
  if (why) throw new Refusal("notAllowed", why);
  await sql`delete from reconcile_item where id = any(${[ours.id, theirs.id]}::bigint[])`.execute(act.tx);
  const { rows } = await sql<{ id: number }>`
    insert into reconcile_item (merchant_account_id, day, result, flow_id, line_id, ours, theirs, by_hand, note)
    select ${account.id}, l.day, case when f.amount = l.amount then 'matched' else 'amountDiffers' end, f.id, l.id,
      case f.direction when 'in' then f.amount else -f.amount end,
      case l.direction when 'in' then l.amount else -l.amount end, true, ${of.note}
    from flow f, statement_line l where f.id = ${ours.flowId} and l.id = ${theirs.lineId} returning id`.execute(
    act.tx,
  );
  await compareDays(act, account, [ours.day, theirs.day]);
  await act.note(noteOf(account, ours, "手工匹配", of.note));
  return rows[0]!.id;
}

/** Two that were put together are apart again, and are not put together by their amounts. */
export async function unpair(act: Act, id: number, version: number): Promise<void> {
  const { account, item } = await lockSeen(act, id, version);
  if (!item.flowId || !item.lineId) throw new Refusal("notAllowed", "该记录没有匹配");
  await unfixFees(act, account, sql`i.id = ${id}`);
  await sql`delete from reconcile_item where id = ${id}`.execute(act.tx);
  await sql`
    insert into reconcile_item (merchant_account_id, day, result, flow_id, ours, by_hand)
    select ${account.id}, paid_on, 'onlyHere', id, case direction when 'in' then amount else -amount end, true
    from flow where id = ${item.flowId}`.execute(act.tx);
  await sql`
    insert into reconcile_item (merchant_account_id, day, result, line_id, theirs, by_hand)
    select ${account.id}, day, 'onlyThere', id, case direction when 'in' then amount else -amount end, true
    from statement_line where id = ${item.lineId}`.execute(act.tx);
  await act.note(noteOf(account, item, "取消匹配", RESULT[item.result][0]));
}

export async function compareDays(act: Act, account: Proved, days: readonly Day[]): Promise<void> {
  const sorted = days.toSorted();
  await compare(act, { account, from: sorted[0]!, to: sorted.at(-1)! });
}
