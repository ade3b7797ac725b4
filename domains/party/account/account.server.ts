import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { addAccount, deleteAccount, editAccount, listAccounts } from "./account.contract.ts";
import { accountsOf, addAccountTo, changeAccount, removeAccount } from "./account.service.ts";

export default [
  serveRead(listAccounts, (read, { query }) => accountsOf(read, query.partyId)),
  serve(addAccount, (act, { body }) => addAccountTo(act, body)),
  serve(editAccount, (act, { params, body }) => changeAccount(act, params.id, body)),
  serve(deleteAccount, async (act, { params, query }) => {
    await removeAccount(act, params.id, query.version);
    return null;
  }),
];
