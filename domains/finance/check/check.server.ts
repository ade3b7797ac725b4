import { sql } from "kysely";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { lastCheck, runCheck } from "./check.contract.ts";
import { checkLedger, type CheckResult, type LedgerBreak } from "./check.service.ts";

export default [
  serveRead(lastCheck, async (read) => {
    const last = await read.tx
      .selectFrom("ledgerCheck")
      .select(["id", "runAt", "kind", "ok", "millis", "checks"])
      .where("enterpriseId", "=", read.who.enterpriseId)
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirst();
    if (!last) return { run: null, breaks: [] };
    // a break of a village that one may not see stays hidden; the count in the results tells that it is there
    const { rows } = await sql<LedgerBreak & { villageName: string | null }>`
      select b.code, b.village_id "villageId", v.name "villageName", b.key, b.expected, b.actual
      from ledger_break b left join village v on v.id = b.village_id
      where b.check_id = ${last.id}
        and (b.village_id is null or b.village_id = any(${read.who.villages as number[]}::bigint[]))
      order by b.code, b.id limit 500`.execute(read.tx);
    const { checks, kind, ...run } = last;
    return {
      run: { ...run, kind: kind as "nightly" | "manual", results: checks as CheckResult[] },
      breaks: rows,
    };
  }),

  serve(runCheck, async (act) => {
    const { breaks, ...done } = await checkLedger(act, "manual");
    return { ...done, breaks: breaks.length };
  }),
];
