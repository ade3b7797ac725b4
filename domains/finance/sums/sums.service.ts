import { sql, type Kysely } from "kysely";
import type { DB } from "../../../db/types.gen.ts";

/** Stores and days that are folded in one transaction. */
const BATCH = 5_000;

/** Folds the rows of the kept sums, step by step; answers how many stores and days. What they add up to stays. */
export async function foldSums(db: Kysely<DB>): Promise<number> {
  let folded = 0;
  for (;;) {
    const { rows } = await sql<{ n: number }>`select fold_sums(${BATCH}) n`.execute(db);
    const { n } = rows[0]!;
    folded += n;
    if (n < BATCH) return folded;
  }
}
