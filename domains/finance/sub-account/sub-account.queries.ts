import { sql } from "kysely";
import { keyword, is, part } from "../../../platform/server/lists/conditions.ts";
import { listOf, type RowOf } from "../../../platform/server/lists/list.ts";
import { listSubAccounts } from "./sub-account.contract.ts";

/** Sub-accounts of the stores in scope, the newest first. */
export const subAccounts = listOf(listSubAccounts, {
  id: "s.id",
  from: sql`sub_account s join party p on p.id = s.party_id`,
  village: "s.village_id",
  where: {
    merchantAccountId: is("s.merchant_account_id"),
    state: is("s.state"),
    keyword: keyword(part("s.number", "s.name", "p.name")),
  },
  sort: { number: { by: "s.number", way: "asc" }, updatedAt: "s.updated_at" },
  order: sql`s.id desc`,
  columns: sql<
    RowOf<typeof listSubAccounts>
  >`s.id, s.number, s.name, s.merchant_account_id "merchantAccountId",
    a.name "accountName", s.village_id "villageId", v.name "villageName", s.party_id "partyId", p.kind "partyKind",
    p.name "partyName", s.remark, s.state, coalesce(o.real_name, '系统') "updatedName", s.updated_at "updatedAt", s.version`,
  join: sql`join sub_account s on s.id = page.id join merchant_account a on a.id = s.merchant_account_id
    join village v on v.id = s.village_id join party p on p.id = s.party_id left join operator o on o.id = s.updated_by`,
});
