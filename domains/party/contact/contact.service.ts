import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { NEXT_VERSION, removeAt, revise, stamp } from "../../../platform/server/database/versioned.ts";
import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { type Party, lockParty, noteParty, partyFor } from "../party/party.service.ts";
import type { ContactInput } from "./contact.contract.ts";
import { MOST_CONTACTS } from "./contact.rules.ts";

const ONE_MAIN = "请设置一个主联系人";
constraintSays("party_contact_main", { field: "main", msg: ONE_MAIN });
constraintSays("party_contact_one_main", { code: "oneMain", msg: ONE_MAIN });
constraintSays("party_contact_most", { code: "tooMany", msg: `联系人最多${MOST_CONTACTS}个` });

export async function contactsOf(read: Read, partyId: number) {
  await partyFor(read, partyId, "get");
  const rows = await read.tx
    .selectFrom("partyContact")
    .select(["id", "name", "phone", "position", "email", "main", "getsBills", "version"])
    .where("partyId", "=", partyId)
    .orderBy("main", "desc")
    .orderBy("id")
    .execute();
  return rows.map((c) => ({ ...c, phone: maskPhone(c.phone) }));
}

/** Contacts of a party that is being registered; exactly one of them is the main one. */
export async function makeContacts(
  act: Act,
  partyId: number,
  contacts: readonly ContactInput[],
): Promise<void> {
  await act.tx
    .insertInto("partyContact")
    .values(contacts.map((c) => ({ partyId, ...c, createdBy: act.who.operatorId })))
    .execute();
}

async function locked(act: Act, id: number) {
  const row = await act.tx.selectFrom("partyContact").selectAll().where("id", "=", id).executeTakeFirst();
  if (!row) throw notFound();
  return { row, party: await firmOnly(act, row.partyId) };
}

async function firmOnly(act: Act, partyId: number): Promise<Party> {
  const party = await lockParty(act, partyId);
  if (party.kind === "renter") throw new Refusal("notAllowed", "租客本人即联系人，请在租客资料中修改");
  return party;
}

/** The main contact's phone is the party's: lists, pickers and messages read it there. */
async function keepMain(act: Act, partyId: number): Promise<void> {
  await act.tx
    .updateTable("party")
    .set((eb) => ({
      phone: eb
        .selectFrom("partyContact")
        .select("partyContact.phone")
        .whereRef("partyContact.partyId", "=", "party.id")
        .where("partyContact.main", "=", true)
        .$asScalar(),
    }))
    .where("id", "=", partyId)
    .execute();
}

const noMain = (act: Act, partyId: number) =>
  act.tx
    .updateTable("partyContact")
    .set({ main: false, version: NEXT_VERSION })
    .where("partyId", "=", partyId)
    .where("main", "=", true)
    .execute();

export async function addContactTo(act: Act, partyId: number, input: ContactInput): Promise<{ id: number }> {
  const party = await firmOnly(act, partyId);
  const { n } = await act.tx
    .selectFrom("partyContact")
    .select((eb) => eb.fn.countAll<number>().as("n"))
    .where("partyId", "=", partyId)
    .executeTakeFirstOrThrow();
  if (n >= MOST_CONTACTS) throw new Refusal("tooMany", `联系人最多${MOST_CONTACTS}个`);
  if (input.main) await noMain(act, partyId);
  const { id } = await act.tx
    .insertInto("partyContact")
    .values({ partyId, ...input, createdBy: act.who.operatorId })
    .returning("id")
    .executeTakeFirstOrThrow();
  await keepMain(act, partyId);
  await noteParty(act, party, { action: "联系人", summary: `新增联系人${input.name}` });
  return { id };
}

export async function changeContact(
  act: Act,
  id: number,
  { version, phone, ...input }: Omit<ContactInput, "phone"> & { phone?: string | undefined; version: number },
): Promise<{ id: number }> {
  const { row, party } = await locked(act, id);
  if (row.main && !input.main) throw invalid({ field: "main", msg: ONE_MAIN });
  if (input.main && !row.main) await noMain(act, row.partyId);
  await revise(
    act,
    "partyContact",
    { id, version },
    {
      ...input,
      phone: phone ?? row.phone,
      ...stamp(act),
    },
  );
  await keepMain(act, row.partyId);
  const main = input.main && !row.main ? "，设为主联系人" : "";
  await noteParty(act, party, { action: "联系人", summary: `修改联系人${input.name}${main}` });
  return { id };
}

export async function removeContact(act: Act, id: number, version: number): Promise<void> {
  const { row, party } = await locked(act, id);
  if (row.main) throw new Refusal("oneMain", "主联系人不能删除，请先设置其他主联系人");
  await removeAt(act, "partyContact", { id, version });
  await noteParty(act, party, { action: "联系人", summary: `删除联系人${row.name}` });
}
