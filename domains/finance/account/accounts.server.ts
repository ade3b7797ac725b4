import { exportList } from "../../../platform/server/sheets/export.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import {
  addMerchantAccount,
  deleteAccount,
  disableAccount,
  editAccount,
  enableAccount,
  exportAccounts,
  getAccount,
  platformAccounts,
  platformAppIds,
  setKeys,
} from "./accounts.contract.ts";
import { accountDetail, accounts, headAccounts } from "./accounts.queries.ts";
import { createAccount, removeAccount, switchAccount, updateAccount } from "./edit.service.ts";
import { replaceKeys } from "./keys.service.ts";
import { foundAccount } from "./scope.queries.ts";

export default [
  exportList(exportAccounts),

  serveList(accounts),
  serveRead(getAccount, (read, { params }) => accountDetail(read, params.id)),
  serveRead(platformAccounts, (read) => headAccounts(read)),
  serveRead(platformAppIds, async (read, { params }) => (await foundAccount(read, params.id)).appIds),

  serve(addMerchantAccount, async (act, { body }) => ({ id: await createAccount(act, body) })),
  serve(editAccount, async (act, { params, body }) => {
    await updateAccount(act, params.id, body, body.version);
    return { id: params.id };
  }),
  serve(deleteAccount, async (act, { params, query }) => {
    await removeAccount(act, params.id, query.version);
    return null;
  }),
  serve(enableAccount, async (act, { params, body }) => {
    await switchAccount(act, params.id, body.version, true);
    return { id: params.id };
  }),
  serve(disableAccount, async (act, { params, body }) => {
    await switchAccount(act, params.id, body.version, false);
    return { id: params.id };
  }),
  serve(setKeys, async (act, { params, body }) => {
    await replaceKeys(act, params.id, body);
    return { id: params.id };
  }),
];
