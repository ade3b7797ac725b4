import { sql } from "kysely";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { eraseMessages } from "../../access/sms/sms.service.ts";
import { erasePayLinks } from "../../finance/checkout/link.service.ts";
import { eraseEnquiries } from "../../listing/channel/channel.service.ts";
import { eraseParts } from "../../party/merge/merge.service.ts";
import { eraseParties } from "../../party/party/party.service.ts";
import { letGoFiles } from "../../system/file/file.service.ts";
import { renterAnonymised } from "./acts.contract.ts";

const NOBODY = "已匿名";

/** The phones and mail addresses of some renters, as they stand now. */
const reachedAt = (ids: readonly number[]) => sql`(
  select phone from party where id = ${anyOf(ids)} and phone <> ''
  union select email from renter where id = ${anyOf(ids)} and email <> '')`;

/** Leads of some renters of an enterprise: those that are linked, and those that nobody linked under the same phone. */
const leadsOf = (ids: readonly number[], enterpriseId: number) => sql`l.enterprise_id = ${enterpriseId}
  and (l.renter_id = ${anyOf(ids)}
    or num_nonnulls(l.renter_id, l.company_id, l.merchant_id) = 0 and l.phone in ${reachedAt(ids)})`;

/** Who asks for a room again, or lives in one of somebody else's contract, is still dealt with. */
export async function refuseDealtWith(act: Act, ids: readonly number[], enterpriseId: number): Promise<void> {
  const { rows } = await sql<{ what: string }>`
    select '客源 ' || l.number what from lead l
      where ${leadsOf(ids, enterpriseId)} and l.state not in ('signed', 'lost')
    union all select '预订 ' || number from reservation
      where party_id = ${anyOf(ids)} and state in ('pending', 'held', 'lapsed', 'refunding')
    union all select '看房 ' || number from viewing
      where enterprise_id = ${enterpriseId} and state in ('pending', 'confirmed') and phone in ${reachedAt(ids)}
    union all select '合同 ' || c.contract_no || ' 的入住登记' from contract_occupant_brief o join contract_brief c on c.id = o.contract_id
      where o.renter_id = ${anyOf(ids)} and c.in_force and coalesce(o.to_date, ${act.today}::date) >= ${act.today}::date
    limit 1`.execute(act.tx);
  if (rows[0]) throw new Refusal("notAllowed", `该租客有未结束的${rows[0].what}，不能匿名化`);
}

/** Leads with what was said in them, enquiries and viewings. */
async function eraseLeads(act: Act, ids: readonly number[], enterpriseId: number): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select l.id from lead l where ${leadsOf(ids, enterpriseId)} order by l.id for update`.execute(act.tx);
  const leadIds = rows.map((row) => row.id);
  await sql`
    update viewing set name = ${NOBODY}, phone = '', remark = '', feedback = '', version = version + 1
    where lead_id = ${anyOf(leadIds)} or enterprise_id = ${enterpriseId} and phone in ${reachedAt(ids)}`.execute(
    act.tx,
  );
  const events = await sql<{ id: number }>`
    update lead_event e set content = case when e.kind = 'system' and e.content not like '流失：%'
      then replace(e.content, l.name, ${NOBODY}) else ${NOBODY} end
    from lead l where l.id = e.lead_id and l.id = ${anyOf(leadIds)} returning e.id`.execute(act.tx);
  await letGoFiles(
    act,
    "leadEvent",
    events.rows.map((row) => row.id),
  );
  const enquiries = await sql<{ id: number }>`
    select enquiry_id id from lead_enquiry where lead_id = ${anyOf(leadIds)}`.execute(act.tx);
  await eraseEnquiries(
    act,
    enquiries.rows.map((row) => row.id),
  );
  // one that nobody linked is known by the record from now on, as its phone is gone
  await sql`
    update lead set renter_id = coalesce(renter_id, ${ids[0]}), name = ${NOBODY}, phone = '', gender = null, remark = '',
      lost_note = '', tags = '{}', version = version + 1
    where id = ${anyOf(leadIds)}`.execute(act.tx);
}

/** What was sent to them, and where: that it was stays. */
async function eraseSent(act: Act, ids: readonly number[], enterpriseId: number): Promise<void> {
  const outboxIds = await eraseMessages(act, { enterpriseId, partyIds: ids, recipients: reachedAt(ids) });
  await sql`
    update push_recipient set address_cipher = null, params = '{}', body = ${NOBODY},
      receiver = case when receiver = '' then '' else ${NOBODY} end,
      state = case when state = 'queued' then 'skipped' else state end,
      reason = case when state = 'queued' then ${NOBODY} else '' end
    where party_id = ${anyOf(ids)} or outbox_id = ${anyOf(outboxIds)}`.execute(act.tx);
}

/**
 * Erases the name, phone, certificate and words of people who become nobody wherever they were copied to. Contracts with
 * their signatures, bills, flows and the logs stay as they are, and so does who stands on the black list.
 */
export async function erasePeople(act: Act, ids: readonly number[], enterpriseId: number): Promise<void> {
  // while it is still known where they were reached
  await eraseSent(act, ids, enterpriseId);
  await eraseLeads(act, ids, enterpriseId);
  await sql`
    update black_list set name = ${NOBODY}, phone = '', cert_no_hash = null, party_id = null
    where enterprise_id = ${enterpriseId} and not active
      and (party_id = ${anyOf(ids)} or phone in ${reachedAt(ids)})`.execute(act.tx);
  await sql`update reservation set remark = '' where party_id = ${anyOf(ids)}`.execute(act.tx);
  await erasePayLinks(act, ids);
  await eraseParties(act, ids);
  await eraseParts(act, ids);
  await letGoFiles(act, "renter", ids);
  await act.emit(renterAnonymised, { ids: [...ids] });
}
