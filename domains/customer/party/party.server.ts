import { serve, serveRead } from "../../../platform/server/serve.ts";
import { addAccount, deleteAccount, editAccount, listAccounts } from "./account.contract.ts";
import { accountsOf, addAccountTo, changeAccount, removeAccount } from "./account.service.ts";
import { linkByNumber, partyOptions } from "./choice.contract.ts";
import { choicesOf } from "./choice.queries.ts";
import { linkFound } from "./choice.service.ts";
import { addContact, deleteContact, editContact, listContacts } from "./contact.contract.ts";
import { addContactTo, changeContact, contactsOf, removeContact } from "./contact.service.ts";
import { addPaper, deletePaper, listPapers } from "./paper.contract.ts";
import { addPaperTo, papersOf, removePaper } from "./paper.service.ts";
import { addTitle, deleteTitle, editTitle, listTitles } from "./title.contract.ts";
import { addTitleTo, changeTitle, removeTitle, titlesOf } from "./title.service.ts";

export default [
  serveRead(partyOptions, (read, { query }) => choicesOf(read, query)),
  serve(linkByNumber, (act, { body }) => linkFound(act, body)),

  serveRead(listContacts, (read, { query }) => contactsOf(read, query.partyId)),
  serve(addContact, (act, { body: { partyId, ...input } }) => addContactTo(act, partyId, input)),
  serve(editContact, (act, { params, body }) => changeContact(act, params.id, body)),
  serve(deleteContact, async (act, { params, query }) => {
    await removeContact(act, params.id, query.version);
    return null;
  }),

  serveRead(listTitles, (read, { query }) => titlesOf(read, query.partyId)),
  serve(addTitle, (act, { body }) => addTitleTo(act, body)),
  serve(editTitle, (act, { params, body }) => changeTitle(act, params.id, body)),
  serve(deleteTitle, async (act, { params, query }) => {
    await removeTitle(act, params.id, query.version);
    return null;
  }),

  serveRead(listAccounts, (read, { query }) => accountsOf(read, query.partyId)),
  serve(addAccount, (act, { body }) => addAccountTo(act, body)),
  serve(editAccount, (act, { params, body }) => changeAccount(act, params.id, body)),
  serve(deleteAccount, async (act, { params, query }) => {
    await removeAccount(act, params.id, query.version);
    return null;
  }),

  serveRead(listPapers, (read, { query }) => papersOf(read, query.partyId)),
  serve(addPaper, (act, { body }) => addPaperTo(act, body)),
  serve(deletePaper, async (act, { params, query }) => {
    await removePaper(act, params.id, query.version);
    return null;
  }),
];
