import { sql } from "kysely";
import { containing } from "../../../platform/kernel/texts/like.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { anyOf, inScope } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import {
  addMerchantAccount,
  allAccounts,
  deleteAccount,
  disableAccount,
  editAccount,
  enableAccount,
  enterpriseOptions,
  exportAccounts,
  getAccount,
  platformAccounts,
  platformAppIds,
  setKeys,
} from "./account.contract.ts";
import {
  accountDetail,
  accounts,
  bindingsOf,
  foundAccount,
  headAccounts,
  villageTable,
} from "./account.queries.ts";
import { type MerchantAccount, accountsOf } from "./account.service.ts";
import {
  addBinding,
  allBindings,
  changeBinding,
  copyBindings,
  previewCopy,
  removeBinding,
  terminalPayTypes,
  villageBindings,
} from "./binding.contract.ts";
import { bind, copyPlan, copyTo, rebind, unbind } from "./binding.service.ts";
import { terminalTable } from "./channel.rules.ts";
import { createAccount, removeAccount, replaceKeys, switchAccount, updateAccount } from "./edit.service.ts";

type Option = Pick<MerchantAccount, "id" | "name" | "kind" | "enabled" | "statementMode">;

export default [
  serveRead(allAccounts, async (read, { query }) => {
    const { villages } = read.who;
    const { rows } = query.villageId
      ? { rows: (await accountsOf(read, inScope(read.who, query.villageId))) as Option[] }
      : await sql<Option>`
          select id, name, kind, enabled, statement_mode "statementMode" from merchant_account a
          where a.holder_village_id = any(${villages as number[]}::bigint[])
            or (a.holder_village_id is null and a.enterprise_id in (
              select enterprise_id from village where id = any(${villages as number[]}::bigint[])))
          order by id`.execute(read.tx);
    const { keyword = "", ids, kinds, claimed } = query;
    const wanted = rows.filter(
      (row) =>
        row.name.includes(keyword) &&
        (!ids || ids.includes(row.id)) &&
        (!kinds || kinds.includes(row.kind)) &&
        (!claimed || row.statementMode === "claim"),
    );
    return wanted.map(({ statementMode, ...row }) => ({ ...row, claimed: statementMode === "claim" }));
  }),
  serveRead(enterpriseOptions, async (read, { query: { keyword, ids, pageSize } }) => {
    const { rows } = await sql<{ id: number; name: string }>`
      select e.id, e.name from enterprise e
      where (e.id = ${read.who.enterpriseId} or e.id in (
          select enterprise_id from village where id = ${anyOf(read.who.villages)}))
        ${ids?.length ? sql`and e.id = ${anyOf(ids)}` : sql``}
        ${keyword ? sql`and e.name ilike ${containing(keyword)}` : sql``}
      order by e.name, e.id limit ${pageSize}`.execute(read.tx);
    return rows;
  }),
  exportList(exportAccounts),

  serveList(accounts),
  serveRead(getAccount, (read, { params }) => accountDetail(read, params.id)),
  serveRead(platformAccounts, (read) => headAccounts(read)),
  serveRead(platformAppIds, async (read, { params }) => (await foundAccount(read, params.id)).appIds),

  serve(addMerchantAccount, async (act, { body }) => ({ id: await createAccount(act, body) })),
  serve(editAccount, (act, { params, body }) => updateAccount(act, params.id, body, body.version)),
  serve(deleteAccount, (act, { params, query }) => removeAccount(act, params.id, query.version)),
  serve(enableAccount, (act, { params, body }) => switchAccount(act, params.id, body.version, true)),
  serve(disableAccount, (act, { params, body }) => switchAccount(act, params.id, body.version, false)),
  serve(setKeys, (act, { params, body }) => replaceKeys(act, params.id, body)),
  serveRead(villageBindings, (read, { query }) => bindingsOf(read, [inScope(read.who, query.villageId)])),
  serveRead(allBindings, (read, { query }) => villageTable(read, query)),
  serveRead(terminalPayTypes, async () => terminalTable()),

  serve(addBinding, async (act, { body }) => ({ id: await bind(act, body) })),
  serve(changeBinding, (act, { body }) => rebind(act, body)),
  serve(removeBinding, (act, { query }) => unbind(act, query.id, query.version)),
  serveRead(previewCopy, (read, { body }) => copyPlan(read, body)),
  serve(copyBindings, (act, { body }) => copyTo(act, body)),
];
