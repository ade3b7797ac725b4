import { sql } from "kysely";
import type { z } from "zod";
import { daysBetween } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { maskBank } from "../../../platform/kernel/texts/mask.ts";
import { containing } from "../../../platform/kernel/texts/like.ts";
import { from, is, to } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { filesOf } from "../../system/file/file.service.ts";
import { frozenBy } from "../../approval/examine/propose.service.ts";
import { logOf } from "../bill-list/detail.queries.ts";
import { entriesShown } from "../journal/shown.service.ts";
import { checksMonth } from "../journal/month-check.service.ts";
import { proving } from "../statement/statement.queries.ts";
import { type getBankLine, type LineRow, listBankLines, type returnable } from "./corporate.contract.ts";
import { LINE_STATE } from "./line.rules.ts";
import { claimsSeen, lineSeen } from "./line.queries.ts";
import { CORPORATE } from "./claim.rules.ts";
import { handedLines } from "./handed.queries.ts";
import { settlingLines, suggestionsFor, wantedOf } from "./suggest.queries.ts";

type Raw = Omit<LineRow, "hint" | "suggestion" | "settling" | "handed" | "days"> & { raw: string[] };

/** Money that came to company accounts. */
export const bankLines = listOf(listBankLines, {
  id: "l.id",
  from: sql`bank_line l join statement_line s on s.id = l.statement_line_id
    join merchant_account a on a.id = l.merchant_account_id`,
  scope: (read, { villageIds }) => sql`${lineSeen(read.who)}
    ${villageIds?.length ? sql`and exists (select from claim c where c.bank_line_id = l.id and c.village_id = ${anyOf(villagesOf(read.who, villageIds))})` : sql``}`,
  where: {
    merchantAccountId: is("l.merchant_account_id"),
    dayFrom: from("l.day"),
    dayTo: to("l.day"),
    amountFrom: from("l.amount"),
    amountTo: to("l.amount"),
    // a claim that waits keeps its line here, though some of it may still be claimed
    tab: (tab) =>
      tab === "all" ? undefined : tab === "approving" ? sql`l.reserved > 0` : sql`l.state = ${tab}`,
    keyword: (text) => {
      const part = containing(text);
      return sql`(s.counter_name ilike ${part} or s.counter_account like ${part} or s.summary ilike ${part}
        or s.channel_trade_no = ${text} or exists (select from claim c where c.bank_line_id = l.id
          and c.claim_no = ${text.toUpperCase()}))`;
    },
  },
  sort: {
    // within a day as the bank wrote them; an index has this order
    day: { order: (way) => sql`l.day ${way}, l.id ${way}` },
    amount: "l.amount",
    free: "l.free",
  },
  // the longest unclaimed on top; of what is done the newest
  order: ({ tab }) => ({
    sort: "day",
    order: tab === "unclaimed" || tab === "partial" || tab === "approving" ? "asc" : "desc",
  }),
  columns: (
    read: Read,
  ) => sql<Raw>`l.id, s.occurred_at "occurredAt", l.day, a.id "accountId", a.name "accountName",
    s.counter_name "counterName", s.counter_account "counterAccount", s.summary, s.raw,
    coalesce(s.channel_trade_no, '') number, l.amount, l.claimed, l.reserved, l.classified, l.free, l.state,
    coalesce((select string_agg(c.claim_no, '、' order by c.id) from claim c where ${claimsSeen(read.who)}
      and c.state in ('approving', 'approved')), '') "claimNos", l.version`,
  join: sql`join bank_line l on l.id = page.id join statement_line s on s.id = l.statement_line_id
    join merchant_account a on a.id = l.merchant_account_id`,
  sums: { select: sql`coalesce(sum(l.amount), 0)::bigint amount, coalesce(sum(l.free), 0)::bigint free` },
  inBatches: true,
  rows: async (raws: Raw[], read) => {
    const lines = raws
      .filter((row) => row.free > 0)
      .map(({ id, day, free, accountId, counterName, counterAccount, summary, raw }) =>
        wantedOf({ id, day, free, accountId, name: counterName, account: counterAccount, summary, raw }),
      );
    const settling = await settlingLines(read, lines);
    const handed = await handedLines(read, sql`l.id = ${anyOf(lines.map((line) => line.id))}`);
    const suggested = await suggestionsFor(
      read,
      lines.filter(({ id }) => !settling.has(id) && !handed.has(id)),
      1,
    );
    return raws.map(({ raw: _, ...row }) => {
      const suggestion = suggested.get(row.id)?.[0] ?? null;
      const channel = settling.get(row.id) ?? null;
      const takings = handed.get(row.id) ?? null;
      const hint = channel
        ? `渠道结算 ${channel.accountName}：${channel.reason}`
        : takings
          ? `缴款 ${takings.submissionNo}：金额一致`
          : suggestion
            ? `${suggestion.partyName}${suggestion.bills.length ? ` ${suggestion.bills.length} 笔账单` : ""}：${suggestion.reason}（${suggestion.score}）`
            : "";
      const days = row.free > 0 ? daysBetween(row.day, read.today) : null;
      return { ...row, hint, suggestion, settling: channel, handed: takings, days };
    });
  },
});

/** How many lines stand in each tab. */
export const lineCounts = (read: Read, filter: object): Promise<Record<string, number>> =>
  bankLines.counts(read, filter, {
    all: sql`true`,
    ...Object.fromEntries(
      Object.keys(LINE_STATE).map((key) => [
        key,
        key === "approving" ? sql`l.reserved > 0` : sql`l.state = ${key}`,
      ]),
    ),
  });

type Detail = z.input<typeof getBankLine.reply>;

export async function lineDetail(read: Read, id: number): Promise<Detail> {
  const row = await bankLines.one(read, id);
  const { rows } = await sql<Pick<Detail, "raw" | "statementNo"> & { statementId: number; proves: boolean }>`
    select s.raw, t.statement_no "statementNo", t.id "statementId", ${proving(read.who)} proves
    from bank_line l join statement_line s on s.id = l.statement_line_id join statement t on t.id = s.statement_id
    join merchant_account a on a.id = l.merchant_account_id where l.id = ${id}`.execute(read.tx);
  const { proves, statementId, raw, statementNo } = rows[0]!;
  const claims = await claimsOf(read, id);
  const uses = await usesOf(read, id);
  return {
    ...row,
    raw: raw.map((cell) => maskedCell(cell, row)),
    statementNo,
    claims,
    uses,
    entries: (
      await entriesShown(read, [
        { type: "bankLine", ids: [id] },
        // of a long file the entry of its day, which others came with
        { type: "statement", ids: proves ? [statementId] : [] },
        // a part that is no customer's is booked with the store that it belongs to, whoever that is
        { type: "bankLineUse", ids: proves ? uses.map((use) => use.id) : [] },
        { type: "flow", ids: claims.flatMap((claim) => claim.flowId ?? []) },
      ])
    ).filter((entry) => entry.event !== "E16" || entry.businessDate === row.day),
    log: await logOf(read, "bankLine", id),
  };
}

/** A cell of the bank's file without the other side's account, or any number that may be one; the line's own is no account. */
const maskedCell = (cell: string, { counterAccount, number }: { counterAccount: string; number: string }) =>
  cell === number && number !== counterAccount
    ? cell
    : (/\d{6}/.test(counterAccount) ? cell.replaceAll(counterAccount, maskBank) : cell).replaceAll(
        /\d{12,}/g,
        maskBank,
      );

async function claimsOf(read: Read, lineId: number): Promise<Detail["claims"]> {
  const { rows } = await sql<
    Omit<Detail["claims"][number], "files" | "waitingFor" | "mine"> & { by: number }
  >`
    select c.id, c.claim_no "claimNo", v.name "villageName", c.party_id "partyId", p.kind "partyKind",
      p.name "partyName", c.amount, c.state, coalesce(o.real_name, '系统') claimant, c.created_at "createdAt",
      c.flow_id "flowId", f.flow_no "flowNo", coalesce(nullif(c.end_reason, ''), c.reason) note, c.version,
      coalesce(c.created_by, 0) by
    from claim c join bank_line l on l.id = c.bank_line_id join merchant_account a on a.id = l.merchant_account_id
    join village v on v.id = c.village_id join party p on p.id = c.party_id
    left join operator o on o.id = c.created_by left join flow f on f.id = c.flow_id
    where l.id = ${lineId} and ${claimsSeen(read.who)} order by c.id desc`.execute(read.tx);
  const ids = rows.map((claim) => claim.id);
  const files = await filesOf(read, "claim", ids);
  const frozen = await frozenBy(read, "claim", ids);
  return rows.map(({ by, ...claim }) => ({
    ...claim,
    files: files.get(claim.id) ?? [],
    waitingFor: frozen.get(claim.id)?.waitingFor ?? "",
    mine: by === read.who.operatorId,
  }));
}

async function usesOf(read: Read, lineId: number): Promise<Detail["uses"]> {
  const { rows } = await sql<Detail["uses"][number]>`
    select u.id, u.kind, u.amount, concat_ws(' ', m.name, u.day_from || ' 至 ' || u.day_to, r.refund_no) what, u.note,
      coalesce(o.real_name, '系统') who, u.created_at "createdAt", u.undone_at "undoneAt"
    from bank_line_use u left join merchant_account m on m.id = u.merchant_account_id
    left join refund r on r.id = u.by_id and u.by_type = 'refund' left join operator o on o.id = u.created_by
    where u.bank_line_id = ${lineId} order by u.id desc`.execute(read.tx);
  return rows;
}

type Returnable = z.output<typeof returnable.reply>[number];

/** Refunds that the bank paid and that nobody has reported back, those of this amount first. */
export async function returnableRefunds(
  read: Read,
  { keyword = "", ids, amount }: { keyword?: string; ids?: readonly number[]; amount?: number },
): Promise<Returnable[]> {
  const part = containing(keyword);
  const { rows } = await sql<Returnable>`
    select r.id, r.refund_no "refundNo", r.payee_name "payeeName", t.amount, r.paid_on "paidOn"
    from refund r join lateral (select amount, state, route from refund_attempt where refund_id = r.id
      order by seq desc limit 1) t on t.state = 'success' and t.route = 'bank'
    where r.state = 'paid' and r.village_id = ${anyOf(read.who.villages)}
      and (${ids ? [...ids] : null}::bigint[] is null or r.id = any(${ids ? [...ids] : null}::bigint[]))
      and (r.refund_no ilike ${part} or r.payee_name ilike ${part})
    order by t.amount = ${amount ?? 0} desc, r.paid_at desc, r.id limit 20`.execute(read.tx);
  return rows;
}

checksMonth({
  key: "unclaimed",
  side: "income",
  level: "amber",
  title: "对公流水都已认领",
  find: async (read, { enterpriseId, villageId, first, last }) => {
    const { rows } = await sql<{ count: number; fen: number }>`
      select count(*)::int count, coalesce(sum(l.free), 0)::bigint fen
      from bank_line l join merchant_account a on a.id = l.merchant_account_id
      where l.free > 0 and l.day between ${first} and ${last} and a.enterprise_id = ${enterpriseId}
        and a.holder_village_id is not distinct from ${villageId}::bigint`.execute(read.tx);
    const { count, fen } = rows[0]!;
    return {
      count,
      said: count ? `${count} 笔未认领，合计 ${yuan(fen)}` : "",
      path: CORPORATE,
      query: { dayFrom: first, dayTo: last },
    };
  },
});
