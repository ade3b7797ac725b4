import { sql } from "kysely";
import type { Act } from "../../../platform/server/act.ts";
import { CHECKS } from "./checks.queries.ts";

export type CheckResult = {
  code: string;
  name: string;
  expected: number;
  actual: number;
  breaks: number;
};
export type LedgerBreak = {
  code: string;
  villageId: number | null;
  key: string;
  expected: number;
  actual: number;
};
/** Breaks of one check that are kept one by one; the count covers them all. */
const KEPT = 200;

/**
 * Proves the ledger: entries balance, kept sums equal what the records say, the ties hold. Writes the run and every
 * break; a break is told as an event at once.
 */
export async function checkLedger(
  act: Act,
  kind: "nightly" | "manual",
): Promise<{ id: number; ok: boolean; results: CheckResult[]; breaks: LedgerBreak[] }> {
  const began = performance.now();
  const results: CheckResult[] = [];
  const breaks: LedgerBreak[] = [];
  for (const { code, name, compare } of CHECKS) {
    const { rows } = await sql<CheckResult & { found: Omit<LedgerBreak, "code">[] }>`
      with compared as (${compare(act.today)}), broken as (select * from compared where expected <> actual)
      select safe_fen(coalesce(sum(expected), 0)) expected, safe_fen(coalesce(sum(actual), 0)) actual,
        (select count(*) from broken) breaks,
        (select coalesce(json_agg(json_build_object('villageId', village_id, 'key', key, 'expected', safe_fen(expected),
          'actual', safe_fen(actual))), '[]') from (select * from broken limit ${KEPT}) b) found
      from compared`.execute(act.tx);
    const { found, ...sums } = rows[0]!;
    results.push({ ...sums, code, name });
    breaks.push(...found.map((b) => ({ code, ...b })));
  }
  const ok = results.every((r) => r.breaks === 0);
  const { id } = await act.tx
    .insertInto("ledgerCheck")
    .values({
      kind,
      ok,
      runAt: act.now.toISOString(),
      checks: JSON.stringify(results),
      millis: Math.round(performance.now() - began),
      createdBy: act.who.operatorId || null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  if (breaks.length) {
    await sql`
      insert into ledger_break (check_id, code, village_id, key, expected, actual)
      select ${id}, r.code, r."villageId", r.key, r.expected, r.actual
      from json_to_recordset(${JSON.stringify(breaks)}::json)
        r(code text, "villageId" bigint, key text, expected bigint, actual bigint)`.execute(act.tx);
    await act.emit("ledger.broken", { checkId: id, codes: [...new Set(breaks.map((b) => b.code))] });
  }
  return { id, ok, results, breaks };
}
