import { type RawBuilder, sql } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { isLateMoney } from "../../finance/bill/overdue.service.ts";

/** What the records `a.ids` of one customer owe late, have prepaid and have deposited in the villages `v`: columns of a list. */
export const moneyOf = (read: Pick<Read, "today">, v: RawBuilder<unknown>) => sql`
  coalesce((select sum(b.outstanding) from bill b where b.party_id = any(a.ids) and b.village_id = ${v} and ${isLateMoney(read.today)}), 0)::bigint arrears,
  coalesce((select sum(b.balance) from party_balance b where b.party_id = any(a.ids) and b.village_id = ${v}), 0)::bigint prepaid,
  coalesce((select sum(d.held) from deposit_balance d join contract_brief c on c.id = d.contract_id
    where c.party_id = any(a.ids) and d.village_id = ${v}), 0)::bigint deposit`;
