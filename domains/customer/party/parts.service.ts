import { sql } from "kysely";
import type { Act, Read } from "../../../platform/server/act.ts";
import { MOST_CONTACTS } from "./words.rules.ts";

/** A room that is kept for one record would find itself taken when the other signs: the sentence against merging. */
export async function reservedRefusal(read: Read, goneId: number): Promise<string | undefined> {
  const open = await read.tx
    .selectFrom("reservation")
    .select("number")
    .where("partyId", "=", goneId)
    .where("state", "in", ["pending", "held", "lapsed", "refunding"])
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return open && `要并入的记录有未了结的预订 ${open.number}，请先处理该预订，或保留这条记录`;
}

/** Contacts, titles, accounts, papers and leads come along with a merged record; what the record kept has already stays behind. */
export async function bringParts(act: Act, keepId: number, goneId: number): Promise<void> {
  await sql`update party_contact c set party_id = ${keepId}, main = false, version = version + 1
    where c.id in (select g.id from party_contact g where g.party_id = ${goneId}
        and not exists (select 1 from party_contact k where k.party_id = ${keepId} and k.phone = g.phone)
      order by g.main desc, g.id
      limit greatest(0, ${MOST_CONTACTS} - (select count(*) from party_contact where party_id = ${keepId})))`.execute(
    act.tx,
  );
  await sql`update invoice_title t set party_id = ${keepId}, version = version + 1,
      is_default = t.is_default and not exists (select 1 from invoice_title where party_id = ${keepId})
    where t.party_id = ${goneId} and not exists (select 1 from invoice_title k
      where k.party_id = ${keepId} and k.title = t.title and k.tax_no = t.tax_no)`.execute(act.tx);
  await sql`update bank_account a set party_id = ${keepId}, version = version + 1,
      is_default = a.is_default and not exists (select 1 from bank_account where party_id = ${keepId})
    where a.party_id = ${goneId} and not exists (select 1 from bank_account k
      where k.party_id = ${keepId} and k.number_hash = a.number_hash)`.execute(act.tx);
  await sql`update party_paper set party_id = ${keepId} where party_id = ${goneId}`.execute(act.tx);
  await sql`update lead set renter_id = case when renter_id is not null then ${keepId}::bigint end,
      company_id = case when company_id is not null then ${keepId}::bigint end,
      merchant_id = case when merchant_id is not null then ${keepId}::bigint end
    where renter_id = ${goneId} or company_id = ${goneId} or merchant_id = ${goneId}`.execute(act.tx);
  await sql`insert into party_village (party_id, village_id, because, first_day)
    select ${keepId}, village_id, because, first_day from party_village where party_id = ${goneId}
    on conflict (party_id, village_id) do nothing`.execute(act.tx);
}

/** Of somebody who becomes nobody, names and numbers go with the rest. */
export async function eraseParts(act: Act, ids: readonly number[]): Promise<void> {
  await act.tx
    .deleteFrom("invoiceTitle")
    .where("partyId", "in", [...ids])
    .execute();
  await act.tx
    .deleteFrom("bankAccount")
    .where("partyId", "in", [...ids])
    .execute();
  await act.tx
    .deleteFrom("partyPaper")
    .where("partyId", "in", [...ids])
    .execute();
}
