import { sql } from "kysely";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { creditUsed } from "../firm/firm-filter.queries.ts";

export type CreditUse = { limit: Fen; used: Fen };

/**
 * A company's limit and what of it is used: everything issued and still open, in whatever village. Nothing for a company
 * without a limit. `lock` lets two contracts of one company be weighed one after the other.
 */
export async function creditUse(read: Read, partyId: number, lock = false): Promise<CreditUse | undefined> {
  if (lock) await sql`select from company where id = ${partyId} for update`.execute(read.tx);
  const { rows } = await sql<{ limit: Fen | null; used: Fen }>`
    select k.credit_limit "limit", ${creditUsed} used from company k join party p on p.id = k.id
    where k.id = ${partyId}`.execute(read.tx);
  const [row] = rows;
  return row && row.limit !== null ? { limit: row.limit, used: row.used } : undefined;
}
