import { sql } from "kysely";
import { firstOf, lastOf, monthOf } from "../../../platform/kernel/day.ts";
import { amongWords, from, keyword, named, number, to } from "../../../platform/server/lists/conditions.ts";
import { listOf, type RowOf } from "../../../platform/server/lists/list.ts";
import { frozenBy } from "../../approval/examine/propose.service.ts";
import { partyPhone } from "../contract/contract.queries.ts";
import { listSales } from "./statement.contract.ts";
import { SALES } from "./statement.service.ts";

const COUNTED = sql`filter (where x.state <> 'corrected')`;

/** Statements of the caller's villages, the newest month first. */
export const sales = listOf(listSales, {
  id: "x.id",
  from: sql`sales_statement x`,
  village: "x.village_id",
  where: {
    partyId: (id) => sql`x.contract_id in (select id from contract where party_id = ${id})`,
    state: amongWords("x.state"),
    source: amongWords("x.source"),
    // a month that begins within the lease is the whole month to whoever looks for it
    monthFrom: (day) => from("x.from_date")(firstOf(monthOf(day))),
    monthTo: (day) => to("x.from_date")(lastOf(monthOf(day))),
    keyword: (text) => sql`x.contract_id in (select c.id from contract c where c.kind = 'merchant'
      and ${keyword(number("c.contract_no"), named("c.party_name", "c.room_names"), partyPhone)(text)})`,
  },
  sort: { month: "x.from_date", net: "x.net", topUp: "x.top_up" },
  order: "month",
  columns: sql<
    Omit<RowOf<typeof listSales>, "frozen">
  >`x.id, to_char(x.from_date, 'YYYY-MM') "month", x.contract_id "contractId",
    c.contract_no "contractNo", v.name "villageName", c.party_id "partyId", c.party_name "partyName",
    c.room_names "roomNames", x.gross, x.refunds, x.excluded, x.net,
    (x.net - before.net)::float8 / nullif(before.net, 0) growth, x.base_rent "baseRent",
    x.turnover_rent "turnoverRent", x.top_up "topUp", x.state, x.source, x.bill_id "billId", b.bill_no "billNo",
    cardinality(x.file_ids) files,
    coalesce(o.real_name, '') "confirmedBy", x.note, x.version`,
  join: sql`join sales_statement x on x.id = page.id join contract c on c.id = x.contract_id
    join village v on v.id = x.village_id left join bill b on b.id = x.bill_id left join operator o on o.id = x.confirmed_by
    left join sales_statement before on before.contract_id = x.contract_id and before.month_no = x.month_no - 1
      and before.state <> 'corrected'`,
  rows: async (found, read) => {
    const ids = found.map((s) => s.id);
    const frozen = await frozenBy(read, SALES, ids);
    return found.map((s) => ({ ...s, frozen: frozen.get(s.id) ?? null }));
  },
  sums: {
    select: sql`coalesce(sum(x.net) ${COUNTED}, 0)::bigint net,
      coalesce(sum(x.turnover_rent) ${COUNTED}, 0)::bigint "turnoverRent", coalesce(sum(x.top_up) ${COUNTED}, 0)::bigint "topUp"`,
  },
});
