import { type RawBuilder, type SqlBool, sql } from "kysely";
import { firstOf, lastOf } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { amongWords, is } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read, Who } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { seesWhole } from "../../access/operator/scope.service.ts";
import { logOf } from "../bill-list/detail.queries.ts";
import { EVENTS, VOUCHERS, type VoucherKind } from "../journal/journal.rules.ts";
import { debitOf, eventsOf, isLocked, mappingsOf, type Place, placeOf } from "./books.queries.ts";
import { checkMonth } from "./check.service.ts";
import {
  type entriesBehind,
  listPostings,
  type Posting,
  type PostingCheck,
  type PostingRow,
  type PostingYear,
} from "./posting.contract.ts";
import {
  type BatchState,
  mappingOf,
  MERCHANT_ACCOUNTS,
  OFFICE,
  type PostedSide,
  SUBJECT_ACCOUNTS,
} from "./posting.rules.ts";
import type { FileLine } from "./layout.rules.ts";
import { batchOf } from "./posting.service.ts";

/** Over `voucher_batch b`: those of stores in scope, and of head office for who has every store of the enterprise. */
const mine = (who: Who): RawBuilder<SqlBool> => sql<SqlBool>`(b.village_id = ${anyOf(who.villages)}
  or (b.village_id is null and b.enterprise_id = ${who.enterpriseId} and not exists (
    select from village v where v.enterprise_id = b.enterprise_id and v.id <> all(${who.villages as number[]}::bigint[]))))`;

/** Of the cost bills of the month; nothing of a batch of income. */
const ofCost = (column: string) => sql`case when b.side = 'cost' then (
  select coalesce(sum(${sql.ref(column)}), 0)::bigint from bill c
  where c.village_id = b.village_id and c.direction = 'payable' and c.voided_at is null and c.issued_at is not null
    and c.issue_date between to_date(b.month, 'YYYY-MM') and to_date(b.month, 'YYYY-MM') + interval '1 month - 1 day') end`;
const [PAID, UNPAID] = [ofCost("c.settled"), ofCost("c.outstanding")];
const STANDING = sql`filter (where b.state <> 'discarded')`;

export const postings = listOf(listPostings, {
  id: "b.id",
  from: sql`voucher_batch b`,
  scope: ({ who }, filter) => {
    const { villageIds } = filter as { villageIds?: number[] };
    return villageIds?.length ? sql`b.village_id = ${anyOf(villagesOf(who, villageIds))}` : mine(who);
  },
  where: { side: is("b.side"), month: is("b.month"), state: amongWords("b.state") },
  sort: { month: "b.month", debit: "b.debit" },
  order: sql`b.month desc, b.id desc`,
  columns: sql<PostingRow>`b.id, b.batch_no "batchNo", b.village_id "villageId", coalesce(v.name, ${OFFICE}) "villageName",
    b.month, b.side, b.vouchers, b.debit, b.credit, ${PAID} paid, ${UNPAID} unpaid, b.state, b.file_version "fileVersion",
    b.gl_voucher_no "glVoucherNo", coalesce(o.real_name, '系统') creator, b.created_at "createdAt", x.real_name exporter,
    b.exported_at "exportedAt", b.reason, b.version`,
  join: sql`join voucher_batch b on b.id = page.id left join village v on v.id = b.village_id
    left join operator o on o.id = b.created_by left join operator x on x.id = b.exported_by`,
  // a discarded batch is shown and counts in no sum: its month is made anew
  sums: {
    select: sql`coalesce(sum(b.vouchers) ${STANDING}, 0)::bigint vouchers, coalesce(sum(b.debit) ${STANDING}, 0)::bigint debit,
      coalesce(sum(b.credit) ${STANDING}, 0)::bigint credit,
      (sum(${PAID}) ${STANDING})::bigint paid, (sum(${UNPAID}) ${STANDING})::bigint unpaid`,
  },
});

type Cell = { month: string; state: BatchState | null; id: number | null; debit: Fen; locked: boolean };

/** A year of every store in scope, head office last: the batch of each month, or what its books have so far. */
export async function yearOf(
  read: Read,
  { side, year }: { side: PostedSide; year: number },
): Promise<PostingYear> {
  const { who } = read;
  const office = await seesWhole(read, who.enterpriseId);
  const { rows } = await sql<{ key: number; villageName: string; months: Cell[] }>`
    with place as (
      select id key, id village_id, null::bigint enterprise_id, name from village where id = ${anyOf(who.villages)}
      union all
      select -${who.enterpriseId}::bigint, null, ${who.enterpriseId}::bigint, ${OFFICE} where ${office}
    ), booked as materialized (
      select j.village_id, to_char(j.day, 'YYYY-MM') "month", sum(j.debit)::bigint debit from journal_day j
      where j.village_id in (select key from place) and j.day between ${`${year}-01-01`} and ${`${year}-12-31`}
        and j.event = any(${eventsOf(side)}::text[])
      group by 1, 2)
    select p.key, p.name "villageName", json_agg(json_build_object('month', m.month, 'state', b.state, 'id', b.id,
      'debit', coalesce(b.debit, k.debit, 0), 'locked', l.month is not null) order by m.month) months
    from place p cross join (select ${String(year)} || '-' || lpad(n::text, 2, '0') "month" from generate_series(1, 12) n) m
    left join booked k on k.village_id = p.key and k.month = m.month
    left join voucher_batch b on b.side = ${side} and b.month = m.month and b.state <> 'discarded'
      and b.village_id is not distinct from p.village_id and (p.enterprise_id is null or b.enterprise_id = p.enterprise_id)
    left join period_lock l on l.side = ${side} and l.month = m.month and l.village_id is not distinct from p.village_id
      and l.enterprise_id is not distinct from p.enterprise_id
    group by p.key, p.name order by p.key < 0, p.name, p.key`.execute(read.tx);
  return {
    year,
    rows: rows.map(({ key, ...row }) => ({ villageId: key > 0 ? key : null, ...row })),
  };
}

/** What a month still waits for, beside what stands of it. */
export async function checksOf(
  read: Read,
  { side, month, villageId }: { side: PostedSide; month: string; villageId?: number },
): Promise<PostingCheck> {
  const place = await placeOf(read, villageId);
  const posted = { place, month, side };
  const { rows } = await sql<{ id: number }>`
    select id from voucher_batch where enterprise_id = ${place.enterpriseId} and side = ${side} and month = ${month}
      and village_id is not distinct from ${place.villageId}::bigint and state <> 'discarded'`.execute(
    read.tx,
  );
  const checks = await checkMonth(read, posted);
  return {
    villageName: place.name,
    checks: checks.map(({ key, level, title, said, path, query }) => ({
      key,
      level,
      title,
      said,
      path: path ?? null,
      query: Object.fromEntries(Object.entries(query ?? {}).map(([name, value]) => [name, String(value)])),
    })),
    debit: await debitOf(read, posted),
    ended: lastOf(month) < read.today,
    locked: await isLocked(read, posted),
    batch:
      (
        await postings.rowsOf(
          read,
          rows.map(({ id }) => id),
        )
      )[0] ?? null,
  };
}

type Line = Omit<FileLine, "kind" | "maker" | "villageName"> & {
  batchId: number;
  voucherId: number;
  kind: VoucherKind;
  villageId: number | null;
  villageName: string;
  enterpriseId: number;
  feeSubjectId: number | null;
  merchantAccountId: number | null;
  maker: string;
};

/** The lines of batches in order, each voucher with its number in the whole, from 1. */
export async function fileLines(read: Read, batchIds: readonly number[]): Promise<Line[]> {
  const { rows } = await sql<Line>`
    select b.id "batchId", v.id "voucherId", b.batch_no "batchNo", b.village_id "villageId", b.enterprise_id "enterpriseId",
      dense_rank() over (order by b.month, b.id, v.seq)::int "voucherNo", v.kind, v.date, v.memo, l.seq + 1 seq, l.account,
      a.name "accountName", l.gl_code "glCode", coalesce(g.name, ${OFFICE}) "villageName", coalesce(s.name, '') "subjectName",
      coalesce(m.name, '') "merchantName", l.fee_subject_id "feeSubjectId", l.merchant_account_id "merchantAccountId",
      l.debit, l.credit, coalesce(o.real_name, '系统') maker
    from voucher_batch b join voucher v on v.batch_id = b.id join voucher_line l on l.voucher_id = v.id
      join account a on a.code = l.account left join village g on g.id = b.village_id
      left join fee_subject s on s.id = l.fee_subject_id left join merchant_account m on m.id = l.merchant_account_id
      left join operator o on o.id = b.created_by
    where b.id = ${anyOf(batchIds)} order by b.month, b.id, v.seq, l.seq`.execute(read.tx);
  const owners = [...new Set(rows.map(({ enterpriseId }) => enterpriseId))];
  const mappings = new Map<number, Awaited<ReturnType<typeof mappingsOf>>>();
  for (const id of owners) mappings.set(id, await mappingsOf(read, id));
  return rows.map((row) => ({
    ...row,
    auxiliary: mappingOf(mappings.get(row.enterpriseId)!, row)?.auxiliary ?? "",
  }));
}

export async function postingOf(read: Read, id: number): Promise<Posting> {
  const batch = await batchOf(read, id);
  const place: Place = batch;
  const [row] = await postings.rowsOf(read, [id]);
  const lines = await fileLines(read, [id]);
  const vouchersOf = [...Map.groupBy(lines, ({ voucherId }) => voucherId)].map(([voucherId, of]) => ({
    id: voucherId,
    kind: of[0]!.kind,
    title: VOUCHERS[of[0]!.kind],
    date: of[0]!.date,
    memo: of[0]!.memo,
    debit: of.reduce((sum, { debit }) => sum + debit, 0),
    lines: of.map((line) => ({
      id: line.seq,
      seq: line.seq - 1,
      account: line.account,
      accountName: line.accountName,
      glCode: line.glCode,
      auxiliary: [line.subjectName, line.merchantName, line.auxiliary].filter(Boolean).join(" · "),
      debit: line.debit,
      credit: line.credit,
    })),
  }));
  return {
    ...row!,
    inBooks: await debitOf(read, { place, month: batch.month, side: batch.side }),
    vouchersOf,
    log: await logOf(read, "posting", id),
  };
}

/** A page of the journal lines behind one line of a voucher, in the order of their days. */
export async function behind(
  read: Read,
  asked: { voucherId: number; seq: number; pageNo: number; pageSize: number; order?: "asc" | "desc" },
) {
  const { rows: found } = await sql<{
    batchId: number;
    kind: VoucherKind;
    account: string;
    feeSubjectId: number | null;
    merchantAccountId: number | null;
    isDebit: boolean;
  }>`
    select v.batch_id "batchId", v.kind, l.account, l.fee_subject_id "feeSubjectId", l.merchant_account_id "merchantAccountId",
      l.debit > 0 "isDebit"
    from voucher v join voucher_line l on l.voucher_id = v.id
    where v.id = ${asked.voucherId} and l.seq = ${asked.seq}`.execute(read.tx);
  const [line] = found;
  if (!line) throw notFound();
  const batch = await batchOf(read, line.batchId);
  const events = Object.entries(EVENTS).flatMap(([event, of]) => (of.voucher === line.kind ? [event] : []));
  const same = (column: string, value: number | null, apart: readonly string[]) =>
    apart.includes(line.account) ? sql`${sql.ref(column)} is not distinct from ${value}::bigint` : sql`true`;
  const where = sql`j.account = ${line.account} and j.village_id is not distinct from ${batch.villageId}::bigint
    and j.date between ${firstOf(batch.month)} and ${lastOf(batch.month)} and e.event = any(${events}::text[])
    and (j.debit > 0) = ${line.isDebit} and ${same("j.fee_subject_id", line.feeSubjectId, SUBJECT_ACCOUNTS)}
    and ${same("j.merchant_account_id", line.merchantAccountId, MERCHANT_ACCOUNTS)}
    ${batch.villageId === null ? sql`and entry_enterprise(e.id) = ${batch.enterpriseId}` : sql``}`;
  type Behind = NonNullable<(typeof entriesBehind)["reply"]>["_zod"]["output"]["list"][number];
  const { rows } = await sql<Omit<Behind, "eventName"> & { event: keyof typeof EVENTS; total: number }>`
    select j.entry_id || '-' || j.seq id, e.entry_no "entryNo", e.event, e.date, e.business_date "businessDate", e.memo,
      c.bill_no "billNo", f.flow_no "flowNo", p.name "partyName", j.debit, j.credit, count(*) over ()::int total
    from journal_line j join journal_entry e on e.id = j.entry_id left join bill c on c.id = j.bill_id
      left join flow f on f.id = j.flow_id left join party p on p.id = j.party_id
    where ${where} order by e.date ${asked.order === "desc" ? sql`desc` : sql``}, j.entry_id, j.seq
    limit ${asked.pageSize} offset ${(asked.pageNo - 1) * asked.pageSize}`.execute(read.tx);
  return {
    list: rows.map(({ event, total: _, ...row }) => ({ ...row, eventName: EVENTS[event].name })),
    total: rows[0]?.total ?? 0,
  };
}
