import { sql } from "kysely";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { titlesJoined } from "../title/title.contract.ts";
import { MOST_CONTACTS } from "../contact/contact.rules.ts";

/** Contacts, titles, accounts and papers come along with a merged record; what the record kept has already stays behind. */
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
  const { rows: titles } = await sql<{ goneId: number; keepId: number }>`
    select g.id "goneId", k.id "keepId" from invoice_title g
    join invoice_title k on k.party_id = ${keepId} and k.title = g.title and k.tax_no = g.tax_no
    where g.party_id = ${goneId} order by g.id`.execute(act.tx);
  if (titles.length) await act.emit(titlesJoined, { titles });
  await sql`update bank_account a set party_id = ${keepId}, version = version + 1,
      is_default = a.is_default and not exists (select 1 from bank_account where party_id = ${keepId})
    where a.party_id = ${goneId} and not exists (select 1 from bank_account k
      where k.party_id = ${keepId} and k.number_hash = a.number_hash)`.execute(act.tx);
  await sql`update party_paper set party_id = ${keepId} where party_id = ${goneId}`.execute(act.tx);
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
