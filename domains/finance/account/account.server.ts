import { sql } from "kysely";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { allAccounts } from "./account.contract.ts";
import { accountsOf, type MerchantAccount } from "./account.service.ts";

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
    const { keyword = "", ids } = query;
    const wanted = rows.filter((row) => row.name.includes(keyword) && (!ids || ids.includes(row.id)));
    return wanted.map(({ statementMode, ...row }) => ({ ...row, claimed: statementMode === "claim" }));
  }),
];
