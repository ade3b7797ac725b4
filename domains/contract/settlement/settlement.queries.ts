import { sql } from "kysely";
import {
  type Day,
  dayInZone,
  daysBetween,
  firstOf,
  lastOf,
  type Month,
} from "../../../platform/kernel/day.ts";
import { maskName } from "../../../platform/kernel/texts/mask.ts";
import { from, is, isTrue, keyword, named, number, to } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { seen } from "../../../platform/server/pipeline/scope.ts";
import { filesOf } from "../../system/file/file.service.ts";
import type { AgreedBy } from "../act/act.contract.ts";
import { netOfAct, paidSince } from "../act/act.queries.ts";
import { CONFIG_DEFAULTS } from "../config/config.rules.ts";
import { partyPhone } from "../contract/contract.queries.ts";
import { firstRoom } from "../contract/record.queries.ts";
import { KINDS } from "../terms/kind.rules.ts";
import { unsettled } from "../waiting/waiting.service.ts";
import { payeeShown } from "./payee.service.ts";
import {
  type SettleDraft,
  type SettleFilter,
  type SettleRow,
  type SettleTab,
  listSettlements,
} from "./settlement.contract.ts";
import { stepsText } from "./settlement.rules.ts";

/** Which states each tab holds. */
const tabSql = (tab: SettleTab) =>
  tab === "ended" ? sql`a.state in ('rejected', 'cancelled')` : sql`a.state = ${tab}`;

const COLUMNS = sql`a.id, a.act_no "actNo", a.contract_id "contractId", c.contract_no "contractNo", c.kind "contractKind",
  a.village_id "villageId", v.name "villageName", ${firstRoom(sql`c.id`)} "roomId", c.room_names "roomNames",
  c.party_id "partyId", c.party_name "partyName", a.source,
  a.requested_on "requestedOn", a.effective_on "effectiveOn", a.payload->>'endReason' "endReason",
  c.start_date "start", c.end_date "end", coalesce(d.held, 0) "depositHeld", ${netOfAct} net, coalesce(o.real_name, '') "handlerName",
  a.state, a.state_since "since", (a.agreed is not null) agreed, (a.state = 'approving') frozen, a.refund_id "refundId", r.state "refundState", ${paidSince} "paidSince",
  a.bill_id "billId", a.sheet_hash "sheetHash", a.presented_on "presentedOn",
  coalesce((select concat_ws(' ', b.holder, b.bank, b.number_masked) from settlement_payee p
    join bank_account b on b.id = p.bank_account_id where p.act_id = a.id), '') "payeeText",
  coalesce((select g.silent_days from contract_config g where g.village_id = c.village_id),
    (select g.silent_days from contract_config g where g.enterprise_id = c.enterprise_id and g.village_id is null),
    ${CONFIG_DEFAULTS.silentDays}::int) "silentDays", a.updated_at "updatedAt", a.version`;
const BESIDE = sql`join contract c on c.id = a.contract_id join village v on v.id = a.village_id
  left join deposit_balance d on d.contract_id = c.id and d.kind = 'deposit'
  left join operator o on o.id = a.handler_id left join refund r on r.id = a.refund_id`;

/** Whose page of contracts somebody may not open, of those only part of the name is shown. */
export const partyShown = <R extends Pick<SettleRow, "contractKind" | "partyName">>(
  read: Read,
  row: R,
): R => ({
  ...row,
  partyName: read.who.permits.has(`${KINDS[row.contractKind].code}.query`)
    ? row.partyName
    : maskName(row.partyName),
});

type Raw = Omit<SettleRow, "steps"> & { since: string };
const shown = <R extends Raw>(read: Read, { since, ...row }: R) => ({
  ...partyShown(read, row),
  steps: stepsText(row.state, daysBetween(dayInZone(new Date(since)), read.today)),
});

/** Leavings of the caller's villages: of those under way the next day first, else the newest. */
export const settlements = listOf(listSettlements, {
  id: "a.id",
  from: sql`contract_act a`,
  village: "a.village_id",
  scope: () => sql`a.kind = 'settle'`,
  where: {
    tab: tabSql,
    requestedFrom: from("a.requested_on"),
    requestedTo: to("a.requested_on"),
    leaveFrom: from("a.effective_on"),
    leaveTo: to("a.effective_on"),
    unsettled: isTrue(unsettled),
    endReason: is(sql`a.payload->>'endReason'`),
    kind: (kind) => sql`exists (select from contract c where c.id = a.contract_id and c.kind = ${kind})`,
    result: (result) =>
      result === "refund"
        ? sql`${netOfAct} > 0`
        : result === "bill"
          ? sql`${netOfAct} < 0`
          : sql`${netOfAct} = 0`,
    handlerId: is("a.handler_id"),
    contractId: is("a.contract_id"),
    keyword: keyword(
      number("a.act_no"),
      (text) => sql`exists (select from contract c where c.id = a.contract_id
        and ${keyword(number("c.contract_no"), named("c.party_name", "c.room_names"), partyPhone)(text)})`,
    ),
  },
  sort: {
    effectiveOn: { by: "a.effective_on", indexed: true },
    requestedOn: { by: "a.requested_on" },
    net: { by: netOfAct },
    id: { by: "a.id", indexed: true },
  },
  order: ({ tab }) =>
    tab === undefined || tab === "done" || tab === "ended"
      ? { sort: "id", order: "desc" }
      : { sort: "effectiveOn", order: "asc" },
  columns: sql<Raw>`${COLUMNS}`,
  join: sql`join contract_act a on a.id = page.id ${BESIDE}`,
  sums: {
    select: sql`coalesce(sum(greatest(${netOfAct}, 0)), 0)::bigint refunds,
      coalesce(sum(greatest(-(${netOfAct}), 0)), 0)::bigint owed, coalesce(sum(d.held), 0)::bigint deposits`,
    join: sql`left join deposit_balance d on d.contract_id = a.contract_id and d.kind = 'deposit'`,
  },
  rows: (raws: Raw[], read) => raws.map((row) => shown(read, row)),
});

/** Days of a month on which somebody leaves; a leaving that came to nothing counts in its own tab alone. */
export async function leaveDays(
  read: Read,
  { month, ...filter }: Partial<SettleFilter> & { month: Month },
): Promise<{ day: Day; count: number }[]> {
  const where = await settlements.condition(read, {
    ...filter,
    leaveFrom: firstOf(month),
    leaveTo: lastOf(month),
  });
  const { rows } = await sql<{ day: Day; count: number }>`
    select a.effective_on "day", count(*)::int count from contract_act a
    where ${where} and (${filter.tab ?? ""} = 'ended' or a.state not in ('rejected', 'cancelled'))
    group by 1 order by 1`.execute(read.tx);
  return rows;
}

export async function settlementDetail(read: Read, id: number) {
  const { rows } = await sql<
    Raw & {
      draft: SettleDraft;
      agreedHow: AgreedBy | null;
      agreedNote: string;
      endedWhy: string;
    }
  >`
    select ${COLUMNS}, a.payload draft, a.agreed->>'how' "agreedHow", coalesce(a.agreed->>'note', '') "agreedNote",
      a.end_reason "endedWhy"
    from contract_act a ${BESIDE} where a.id = ${id} and a.kind = 'settle'`.execute(read.tx);
  const row = shown(read, seen(read.who, rows[0]));
  const { rows: lines } = await sql<{
    kind: "owed";
    title: string;
    amount: number;
    clause: string;
    formula: string;
  }>`
    select kind, title, amount, clause, formula from settlement_line where act_id = ${id} order by seq`.execute(
    read.tx,
  );
  return {
    ...row,
    lines,
    payee: await payeeShown(read, id),
    files: (await filesOf(read, "settlement", [id])).get(id) ?? [],
  };
}
