import { sql } from "kysely";
import { firstOf, lastOf, type Month } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { seesWhole } from "../../access/operator/scope.service.ts";
import { EVENTS, VOUCHERS, type VoucherKind } from "../journal/journal.rules.ts";
import {
  MERCHANT_ACCOUNTS,
  type Mapping,
  OFFICE,
  type PostedSide,
  SUBJECT_ACCOUNTS,
} from "./posting.rules.ts";

/** A store whose books are posted, or an enterprise's head office. */
export type Place = { enterpriseId: number; villageId: number | null; name: string };
export type PostedMonth = { place: Place; month: Month; side: PostedSide };

/** Under which number a place stands in `journal_day`. */
const dayKey = ({ villageId, enterpriseId }: Place) => villageId ?? -enterpriseId;
export const eventsOf = (side: PostedSide): string[] =>
  Object.entries(EVENTS).flatMap(([event, of]) => (of.side === side ? [event] : []));
export const kindsOf = (side: PostedSide): VoucherKind[] => {
  const kinds = new Set(
    Object.values(EVENTS).flatMap((of) => (of.side === side && of.voucher ? [of.voucher] : [])),
  );
  return (Object.keys(VOUCHERS) as VoucherKind[]).filter((kind) => kinds.has(kind));
};

/** A store in scope, or head office for who has every store of the enterprise; 404 otherwise. */
export async function placeOf(read: Read, villageId: number | null | undefined): Promise<Place> {
  const { who } = read;
  if (villageId === null || villageId === undefined) {
    if (!(await seesWhole(read, who.enterpriseId))) throw notFound();
    return { enterpriseId: who.enterpriseId, villageId: null, name: OFFICE };
  }
  if (!who.villages.includes(villageId)) throw notFound();
  const { rows } = await sql<Place>`
    select enterprise_id "enterpriseId", id "villageId", name from village where id = ${villageId}`.execute(
    read.tx,
  );
  return rows[0]!;
}

export type BookLine = {
  kind: VoucherKind;
  account: string;
  feeSubjectId: number | null;
  merchantAccountId: number | null;
  debit: Fen;
  credit: Fen;
};

/** A month of a side as voucher lines, debits and credits apart, in one look at the books. */
export async function linesOf(
  read: Pick<Read, "tx">,
  { place, month, side }: PostedMonth,
): Promise<BookLine[]> {
  const kinds = kindsOf(side);
  const events = eventsOf(side) as (keyof typeof EVENTS)[];
  const { rows } = await sql<BookLine>`
    with kind as (
      select * from unnest(${events}::text[], ${events.map((event) => EVENTS[event].voucher)}::text[]) k (event, kind)
    ), summed as (
      select k.kind, j.account,
        case when j.account = any(${SUBJECT_ACCOUNTS}::text[]) then j.fee_subject_id end fee_subject_id,
        case when j.account = any(${MERCHANT_ACCOUNTS}::text[]) then j.merchant_account_id end merchant_account_id,
        sum(j.debit) debit, sum(j.credit) credit
      from journal_day j join kind k on k.event = j.event
      where j.village_id = ${dayKey(place)} and j.day between ${firstOf(month)} and ${lastOf(month)}
      group by 1, 2, 3, 4)
    select kind, s.account, s.fee_subject_id "feeSubjectId", s.merchant_account_id "merchantAccountId",
      d.debit::bigint debit, d.credit::bigint credit
    from summed s cross join lateral (values (s.debit, 0), (0, s.credit)) d (debit, credit)
    where d.debit + d.credit > 0
    order by array_position(${kinds}::text[], kind), d.debit = 0, s.account, s.fee_subject_id, s.merchant_account_id`.execute(
    read.tx,
  );
  return rows;
}

/** What the books have of a month of a side, in debits. Only ever more is booked, so an equal sum is the same entries. */
export async function debitOf(read: Pick<Read, "tx">, { place, month, side }: PostedMonth): Promise<Fen> {
  const { rows } = await sql<{ fen: Fen }>`
    select coalesce(sum(debit), 0)::bigint fen from journal_day
    where village_id = ${dayKey(place)} and day between ${firstOf(month)} and ${lastOf(month)}
      and event = any(${eventsOf(side)}::text[])`.execute(read.tx);
  return rows[0]!.fen;
}

/**
 * The month that has to be locked before one: that after the last locked month, also where the books have nothing of it; of a
 * place without a locked month the first that they have something of.
 */
export async function openBefore(
  read: Pick<Read, "tx">,
  { place, month, side }: PostedMonth,
): Promise<Month | undefined> {
  const { rows } = await sql<{ month: Month | null }>`
    select coalesce(
      (select to_char(to_date(max(p.month), 'YYYY-MM') + interval '1 month', 'YYYY-MM') from period_lock p
        where p.side = ${side} and p.village_id is not distinct from ${place.villageId}::bigint
          and p.enterprise_id is not distinct from ${place.villageId === null ? place.enterpriseId : null}::bigint),
      (select to_char(min(j.day), 'YYYY-MM') from journal_day j
        where j.village_id = ${dayKey(place)} and j.event = any(${eventsOf(side)}::text[]))) "month"`.execute(
    read.tx,
  );
  const open = rows[0]!.month;
  return open !== null && open < month ? open : undefined;
}

export async function isLocked(
  read: Pick<Read, "tx">,
  { place, month, side }: PostedMonth,
): Promise<boolean> {
  const { rows } = await sql`
    select from period_lock where side = ${side} and month >= ${month}
      and village_id is not distinct from ${place.villageId}::bigint
      and enterprise_id is not distinct from ${place.villageId === null ? place.enterpriseId : null}::bigint
    limit 1`.execute(read.tx);
  return rows.length > 0;
}

export async function mappingsOf(read: Pick<Read, "tx">, enterpriseId: number): Promise<Mapping[]> {
  return read.tx
    .selectFrom("glMapping")
    .select(["account", "feeSubjectId", "merchantAccountId", "villageId", "glCode", "auxiliary"])
    .where("enterpriseId", "=", enterpriseId)
    .execute();
}
