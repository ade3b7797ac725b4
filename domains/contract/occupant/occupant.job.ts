import { sql } from "kysely";
import { job } from "../../../platform/server/jobs/jobs.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { renterAnonymised } from "../../customer/renter/acts.contract.ts";

const NOBODY = "已匿名";

/**
 * Tenants became nobody: so do they where they were written down as living somewhere, as having asked for a lease or as
 * holding a page of ours, and with them who lived in their contracts without a record of their own. The contract itself
 * with its papers, signatures and agreed settlement stays.
 */
export async function eraseTenants(act: Act, ids: readonly number[]): Promise<void> {
  const theirs = sql`(select id from contract where party_id = ${anyOf(ids)})`;
  await sql`
    update contract_occupant set name = ${NOBODY}, phone = '', cert_type = null, cert_no_cipher = null, cert_no_masked = null,
      cert_hash = null, gender = null
    where renter_id = ${anyOf(ids)} or renter_id is null and contract_id in ${theirs}`.execute(act.tx);
  await sql`
    update lease_application set name = ${NOBODY}, phone = '', cert_type = null, cert_no_cipher = null, cert_no_masked = null,
      cert_no_hash = null, remark = ''
    where contract_id in ${theirs} or lead_id in (select id from lead where renter_id = ${anyOf(ids)})
      or reservation_id in (select id from reservation where party_id = ${anyOf(ids)})`.execute(act.tx);
  await sql`
    update self_link set name = ${NOBODY}, phone = '-', last4 = '----' where contract_id in ${theirs}`.execute(
    act.tx,
  );
  await sql`
    update renewal_offer set name = ${NOBODY}, phone = '', last4 = '----', answer = ''
    where contract_id in ${theirs}`.execute(act.tx);
}

export default [
  job({
    name: "occupant.anonymised",
    on: renterAnonymised,
    work: (act, { ids }) => eraseTenants(act, ids),
  }),
];
