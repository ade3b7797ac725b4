import { sql } from "kysely";
import { holdsSubjects } from "../../finance/subject/fee.service.ts";

/** Terms, acts that wait and offers name fee subjects in what they keep, where no foreign key sees them. */
holdsSubjects(async (read, subjectId) => {
  const path = `$.**.feeId ? (@ == ${subjectId})`;
  const { rows } = await sql<{ held: boolean }>`
    select exists (select from contract where jsonb_path_exists(terms, ${path}::text::jsonpath))
      or exists (select from contract_config where jsonb_path_exists(default_terms, ${path}::text::jsonpath))
      or exists (select from contract_act where jsonb_path_exists(payload, ${path}::text::jsonpath))
      or exists (select from activity where ${subjectId} = any(fee_ids)) held`.execute(read.tx);
  return rows[0]!.held;
});
