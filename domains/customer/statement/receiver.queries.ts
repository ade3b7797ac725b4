import type { Read } from "../../../platform/server/pipeline/act.ts";
import { standing } from "../firm/firm-detail.queries.ts";
import { seenFirm } from "../firm/firm.queries.ts";

type Contact = { name: string; email: string };

/** The contacts of a company that get its bills, those without an address among them. */
export async function billContacts(read: Read, asked: number): Promise<Contact[]> {
  const firm = await seenFirm(read, "company", await standing(read, asked));
  return read.tx
    .selectFrom("partyContact")
    .select(["name", "email"])
    .where("partyId", "=", firm.id)
    .where("getsBills", "=", true)
    .orderBy("main", "desc")
    .orderBy("id")
    .execute();
}

/** Two contacts behind one address get one e-mail. */
export const byAddress = (contacts: readonly Contact[]) =>
  [
    ...new Map(
      contacts
        .filter((c) => c.email)
        .toReversed()
        .map((c) => [c.email.toLowerCase(), c]),
    ),
  ].toReversed();
