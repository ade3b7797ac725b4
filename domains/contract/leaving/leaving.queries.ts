import { sql } from "kysely";
import { daysBetween } from "../../../platform/kernel/day.ts";
import { from, is, keyword, number, phrase, to } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import { noOpenAct } from "../act/act.queries.ts";
import { overdueBills } from "../contract/contract.queries.ts";
import { partyShown } from "../settlement/settlement.queries.ts";
import { type ExpiredRow, listExpired } from "./leaving.contract.ts";

type Raw = Omit<ExpiredRow, "daysOver">;

/** Contracts of the caller's villages that ran out, the longest ago first. */
export const expired = listOf(listExpired, {
  id: "c.id",
  from: sql`contract c`,
  village: "c.village_id",
  scope: () => sql`c.state = 'expired' and ${noOpenAct}`,
  where: {
    kind: is("c.kind"),
    endFrom: from("c.end_date"),
    endTo: to("c.end_date"),
    keyword: keyword(number("c.contract_no"), phrase("c.party_name", "c.room_names")),
  },
  sort: {
    end: { by: "c.end_date", way: "asc" },
    overdue: {
      by: "o.fen",
      join: ({ today }) =>
        sql`left join lateral (select sum(b.outstanding) fen ${overdueBills(today)}) o on true`,
    },
  },
  order: "end",
  columns: ({ today }) => sql<
    Omit<ExpiredRow, "daysOver">
  >`c.id, c.contract_no "contractNo", c.kind "contractKind",
    v.name "villageName", c.room_names "roomNames", c.party_name "partyName", c.start_date "start", c.end_date "end",
    coalesce(d.held, 0) "depositHeld", coalesce((select sum(b.outstanding) ${overdueBills(today)}), 0)::bigint overdue,
    coalesce(k.real_name, '') "keeperName"`,
  join: sql`join contract c on c.id = page.id join village v on v.id = c.village_id
    left join deposit_balance d on d.contract_id = c.id and d.kind = 'deposit'
    left join operator k on k.id = c.manager_operator_id`,
  sums: {
    select: ({ today }) => sql`coalesce(sum(d.held), 0)::bigint "depositHeld",
      coalesce(sum((select sum(b.outstanding) ${overdueBills(today)})), 0)::bigint overdue`,
    join: sql`left join deposit_balance d on d.contract_id = c.id and d.kind = 'deposit'`,
  },
  rows: (raws: Raw[], read) =>
    raws.map((row) => ({ ...partyShown(read, row), daysOver: daysBetween(row.end, read.today) })),
});
