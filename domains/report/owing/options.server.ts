import { sql } from "kysely";
import { maskPhone } from "../../../platform/kernel/mask.ts";
import { containing } from "../../../platform/kernel/like.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { owingParties, owingSubjects } from "./options.contract.ts";

type Found = { keyword?: string | undefined; ids?: number[] | undefined; pageSize: number };
type Named = { id: number; name: string; note: string | null };

const wanted = ({ keyword, ids, pageSize }: Found, id: string, name: string) => sql`
  ${ids?.length ? sql`and ${sql.ref(id)} = ${anyOf(ids)}` : sql``}
  ${keyword ? sql`and ${sql.ref(name)} ilike ${containing(keyword)}` : sql``}
  order by ${sql.ref(name)}, ${sql.ref(id)} limit ${pageSize}`;

export default [
  /** Whoever was billed in a village in scope. */
  serveRead(owingParties, async (read, { query }) => {
    const { rows } = await sql<Named>`
      select p.id, p.name, p.phone note from party p
      where exists (select from bill b where b.party_id = p.id and b.village_id = ${anyOf(read.who.villages)})
        ${wanted(query, "p.id", "p.name")}`.execute(read.replica);
    return rows.map((row) => ({ ...row, note: row.note ? maskPhone(row.note) : null }));
  }),

  /** What can be owed: everything but costs. */
  serveRead(owingSubjects, async (read, { query }) => {
    const { rows } = await sql<Named>`
      select s.id, s.name, null note from fee_subject s
      where s.enterprise_id = ${read.who.enterpriseId} and s.kind <> 'cost' ${wanted(query, "s.id", "s.name")}`.execute(
      read.replica,
    );
    return rows;
  }),
];
