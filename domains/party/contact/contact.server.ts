import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { addContact, deleteContact, editContact, listContacts } from "./contact.contract.ts";
import { addContactTo, changeContact, contactsOf, removeContact } from "./contact.service.ts";

export default [
  serveRead(listContacts, (read, { query }) => contactsOf(read, query.partyId)),
  serve(addContact, (act, { body: { partyId, ...input } }) => addContactTo(act, partyId, input)),
  serve(editContact, (act, { params, body }) => changeContact(act, params.id, body)),
  serve(deleteContact, async (act, { params, query }) => {
    await removeContact(act, params.id, query.version);
    return null;
  }),
];
