import { type RawBuilder, sql } from "kysely";
import type { Permit } from "../../../platform/kernel/call.ts";
import type { Day } from "../../../platform/kernel/day.ts";
import { forbidden, notFound } from "../../../platform/kernel/refusal.ts";
import { heldSays } from "../../../platform/server/database/constraints.ts";
import { nextIds } from "../../../platform/server/database/next-ids.ts";
import { initialsOf } from "../../../platform/server/database/pinyin.ts";
import { aRow } from "../../../platform/server/database/row.ts";
import { NEXT_VERSION, removeAt, revise, stamp } from "../../../platform/server/database/versioned.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";

heldSays("party", { code: "inUse", msg: "该客户还有业务记录（如虚拟子账户），不能删除" });

export type PartyKind = "renter" | "company" | "merchant";

/**
 * The customers of these kinds (all, where none is named) in some villages: all firms, or the newest of
 * each village, `most` or more in all. */
export function newestParties(
  villages: readonly number[],
  kinds: readonly string[],
  most: number,
): RawBuilder<unknown> {
  if (kinds.length && !kinds.includes("renter"))
    return sql`select l.party_id from party p join party_village l on l.party_id = p.id and l.village_id = ${anyOf(villages)}
      where p.kind in ('company', 'merchant') and p.kind = any(${[...kinds]}::text[])`;
  const wanted = kinds.length
    ? sql`and (select kind from party where id = l.party_id) = any(${[...kinds]}::text[])`
    : sql``;
  const each = Math.max(2, Math.ceil(most / Math.max(1, villages.length)));
  return sql`select t.party_id from unnest(${[...villages]}::bigint[]) v (id) cross join lateral (
    select party_id from party_village l where village_id = v.id ${wanted} order by party_id desc limit ${each}) t`;
}

export type Noted = { id: number; kind: PartyKind; homeVillageId: number };
type Entry = { action: string; summary: string; before?: unknown; after?: unknown };

/**
 * Writes the timeline of a party. Lines are read by village: the store that registered it sees what others do to the
 * record, and a store that only links it sees what it did itself.
 */
export async function noteParty(act: Act, party: Noted, entry: Entry, alsoFor?: number): Promise<void> {
  const villages = new Set([party.homeVillageId]);
  if (alsoFor) villages.add(alsoFor);
  else if (!act.who.villages.includes(party.homeVillageId)) {
    const mine = await act.tx
      .selectFrom("partyVillage")
      .select("villageId")
      .where("partyId", "=", party.id)
      .where("villageId", "=", anyOf(act.who.villages))
      .orderBy("villageId")
      .limit(1)
      .executeTakeFirst();
    if (mine) villages.add(mine.villageId);
  }
  await act.note(
    [...villages].map((villageId) => ({ kind: party.kind, recordId: party.id, villageId, ...entry })),
  );
}

/** The page of each kind: its code is what people need for the parts of a record as for the record itself. */
export const PAGE_CODE = { renter: 16, company: 113, merchant: 106 } as const satisfies Record<
  PartyKind,
  number
>;

export type Party = {
  id: number;
  kind: PartyKind;
  enterpriseId: number;
  name: string;
  homeVillageId: number;
};

/**
 * The party that a contact, title, account or paper belongs to, when it lies in scope and was not merged away; refuses
 * whoever may not do this with records of its kind.
 */
export async function partyFor(read: Read, id: number, action: "get" | "edit"): Promise<Party> {
  const { rows } = await sql<Party>`
    select p.id, p.kind, p.enterprise_id "enterpriseId", p.name, h.home_village_id "homeVillageId"
    from party p join party_home h on h.id = p.id
    where p.id = ${id} and p.kind in ('renter', 'company', 'merchant')
      and exists (select 1 from party_village v where v.party_id = p.id
        and v.village_id = any(${read.who.villages as number[]}::bigint[]))`.execute(read.tx);
  const [party] = rows;
  if (!party) throw notFound();
  const permit: Permit = `${PAGE_CODE[party.kind]}.${action}`;
  if (!read.who.permits.has(permit)) throw forbidden();
  return party;
}

/** The same, locked: what is said of a party as a whole, such as its one main contact, is changed by one at a time. */
export async function lockParty(act: Act, id: number): Promise<Party> {
  const party = await partyFor(act, id, "edit");
  await sql`select 1 from party where id = ${id} for no key update`.execute(act.tx);
  return party;
}

export type NewParty = {
  enterpriseId: number;
  kind: PartyKind | "supplier" | "thirdParty";
  name: string;
  phone?: string;
};

// customers are found by their initials
const columns = (act: Act, { enterpriseId, kind, name, phone = "" }: NewParty) => ({
  enterpriseId,
  kind,
  name,
  phone,
  pinyin: kind in PAGE_CODE ? initialsOf(name) : "",
  createdBy: act.who.operatorId || null,
});

export async function makeParty(act: Act, party: NewParty): Promise<number> {
  const { id } = await act.tx
    .insertInto("party")
    .values(columns(act, party))
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** The same for many at once, such as an import; ids in the order of what was given. */
export async function makeParties(act: Act, parties: readonly NewParty[]): Promise<number[]> {
  const ids = await nextIds(act, "party", parties.length);
  await act.tx
    .insertInto("party")
    .values(parties.map((party, i) => ({ id: ids[i]!, ...columns(act, party) })))
    .execute();
  return ids;
}

/** The next version of a customer, with another name or phone where one is given; refuses where somebody else was faster. */
export const changeParty = (
  act: Act,
  id: number,
  version: number,
  { name, phone }: { name?: string | undefined; phone?: string | undefined } = {},
) =>
  revise(
    act,
    "party",
    { id, version },
    {
      ...(name !== undefined && { name, pinyin: initialsOf(name) }),
      ...(phone !== undefined && { phone }),
      ...stamp(act),
    },
  );

/** The next version of a record that nobody has edited: it was checked, or is about to be erased. */
export const claimVersion = (act: Act, id: number, version: number) =>
  revise(act, "party", { id, version }, {});

/** Of somebody who becomes nobody, name and phone go. */
export async function eraseParties(act: Act, ids: readonly number[]): Promise<void> {
  await act.tx
    .updateTable("party")
    .set({ name: "已匿名", phone: "", pinyin: "", ...stamp(act) })
    .where("id", "in", [...ids])
    .execute();
}

/** Deletes a party on which nothing hangs any more; its parts and its record go with it. */
export async function removeParty(act: Act, id: number, version: number): Promise<void> {
  await removeAt(act, "party", { id, version });
}

/** The same for those of an import, which the caller has locked. */
export async function removeParties(act: Act, ids: readonly number[]): Promise<void> {
  await act.tx.deleteFrom("party").where("id", "=", anyOf(ids)).execute();
}

export type LinkReason = "home" | "lead" | "reservation" | "contract" | "link";

/** Lets a village see the party, once; a second link of the same kind changes nothing. True when it is new. */
export async function linkParty(
  act: Act,
  partyId: number,
  villageId: number,
  because: LinkReason,
): Promise<boolean> {
  const made = await act.tx
    .insertInto("partyVillage")
    .values({ partyId, villageId, because, firstDay: act.today })
    .onConflict((oc) => oc.columns(["partyId", "villageId"]).doNothing())
    .returning("partyId")
    .executeTakeFirst();
  return made !== undefined;
}

/** The same for many at once, such as contracts signed in bulk; the links begin on their own days. */
export async function linkParties(
  act: Act,
  links: readonly { partyId: number; villageId: number; because: LinkReason; firstDay: Day }[],
): Promise<void> {
  if (links.length)
    await act.tx
      .insertInto("partyVillage")
      .values([...links])
      .onConflict((oc) => oc.columns(["partyId", "villageId"]).doNothing())
      .execute();
}

/** Whoever may see the record that was merged away may see the one that was kept. */
export async function shareVillages(act: Act, keepId: number, goneId: number): Promise<void> {
  await sql`insert into party_village (party_id, village_id, because, first_day)
    select ${keepId}, village_id, because, first_day from party_village where party_id = ${goneId}
    on conflict (party_id, village_id) do nothing`.execute(act.tx);
}

/** What a party has several of, one of them its default. */
type OneDefault = "bankAccount" | "invoiceTitle";

/** What becomes the default takes the place of the one before. */
export const noDefault = (act: Act, table: OneDefault, partyId: number) =>
  act.tx
    .updateTable(table as "bankAccount")
    .set({ isDefault: false, version: NEXT_VERSION })
    .where("partyId", "=", partyId)
    .where("isDefault", "=", true)
    .execute();

/** Whether a new one is the default: the first of a party is, whatever was ticked. */
export async function becomesDefault(
  act: Act,
  table: OneDefault,
  partyId: number,
  ticked: boolean,
): Promise<boolean> {
  const any = await aRow(act, table, ["id"], { partyId });
  if (ticked) await noDefault(act, table, partyId);
  return ticked || !any;
}
