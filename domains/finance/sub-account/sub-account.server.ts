import { sql } from "kysely";
import { invalid } from "../../../platform/kernel/refusal.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { serveRecord } from "../../../platform/server/records/plain-record.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serveImport } from "../../system/import/serve.service.ts";
import { claimedAccounts, SUB_ACCOUNTS } from "./import.service.ts";
import * as calls from "./sub-account.contract.ts";
import { subAccounts } from "./sub-account.queries.ts";

constraintSays("sub_account_number", { field: "number", msg: "该账户下已有这个子账号" });

/** It lies under an account of the store's enterprise into which transfers are claimed, and belongs to a customer of the store. */
async function checkOf(act: Act, { merchantAccountId, villageId, partyId }: calls.SubAccountBody) {
  const accounts = await claimedAccounts(act, [villageId]);
  if (!accounts.some((a) => a.id === merchantAccountId))
    throw invalid({ field: "merchantAccountId", msg: "请选择该门店所属企业的对公入账账户" });
  const { rows } = await sql`
    select from party_village l where l.party_id = ${partyId} and l.village_id = ${villageId}
      and not exists (select from party_merged m where m.id = l.party_id)`.execute(act.tx);
  if (!rows.length) throw invalid({ field: "partyId", msg: "该门店没有这位客户" });
}

export default [
  serveList(subAccounts),
  exportList(calls.exportSubAccounts),
  ...serveRecord(
    {
      get: calls.getSubAccount,
      add: calls.addSubAccount,
      edit: calls.editSubAccount,
      delete: calls.deleteSubAccount,
      enable: calls.enableSubAccount,
      disable: calls.disableSubAccount,
    },
    {
      table: "subAccount",
      title: "虚拟子账户",
      shown: (read, id) => subAccounts.one(read, id),
      check: checkOf,
    },
  ),
  ...serveImport(calls.subAccountImport, SUB_ACCOUNTS),
];
