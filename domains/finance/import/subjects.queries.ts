import { sql } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import type { Subject } from "../subject/subject.rules.ts";

/** The fee subject of a name, in the enterprise of a village. */
export async function enterpriseSubjects(
  read: Read,
  villageIds: readonly number[],
): Promise<(villageId: number, name: string) => Subject | undefined> {
  const { rows } = await sql<Subject & { villageId: number }>`
    select v.id "villageId", s.id, s.enterprise_id "enterpriseId", s.code, s.name, s.kind, s.tax_mode "taxMode",
      s.tax_rate "taxRate", s.recognise, s.utility, s.priority, s.enabled
    from village v join fee_subject s on s.enterprise_id = v.enterprise_id
    where v.id = ${anyOf(villageIds)} order by s.enabled`.execute(read.tx);
  const by = new Map(rows.map((row) => [`${row.villageId} ${row.name}`, row]));
  return (villageId, name) => by.get(`${villageId} ${name}`);
}
