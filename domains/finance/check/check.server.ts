import { sql } from "kysely";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { entryOn, type Read } from "../../../platform/server/pipeline/act.ts";
import { type Broken, getCheck, lastCheck, listChecks, noteBreak, runCheck } from "./check.contract.ts";
import { askForCheck, type CheckResult } from "./check.service.ts";

/** A run, or the last one that came to its end, with its breaks that the caller may see. */
async function looked(read: Read, id?: number): Promise<Reply<typeof getCheck>> {
  const last = await read.tx
    .selectFrom("ledgerCheck")
    .select(["id", "runAt", "kind", "ok", "millis", "checks"])
    .where("enterpriseId", "=", read.who.enterpriseId)
    .where("state", "=", "done")
    .$if(id !== undefined, (q) => q.where("id", "=", id!))
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!last) return { run: null, breaks: [] };
  // a break of a village that one may not see stays hidden; the count in the results tells that it is there
  const { rows } = await sql<Broken>`
      select b.id, b.note, b.code, b.village_id "villageId", v.name "villageName", b.key, b.expected, b.actual
      from ledger_break b left join village v on v.id = b.village_id
      where b.check_id = ${last.id}
        and (b.village_id is null or b.village_id = any(${read.who.villages as number[]}::bigint[]))
      order by b.code, b.id limit 500`.execute(read.tx);
  const { checks, kind, ...run } = last;
  return {
    run: { ...run, kind: kind as "nightly" | "manual", results: checks as CheckResult[] },
    breaks: rows,
  };
}

export default [
  serveRead(listChecks, async (read) => {
    const { rows } = await sql<Reply<typeof listChecks>[number]>`
      select c.id, c.run_at "runAt", c.kind, c.ok, c.millis,
        coalesce((select sum((r->>'breaks')::int) from jsonb_array_elements(c.checks) r), 0)::int breaks
      from ledger_check c where c.enterprise_id = ${read.who.enterpriseId} and c.state = 'done'
      order by c.id desc limit 30`.execute(read.tx);
    return rows;
  }),
  serveRead(lastCheck, async (read) => {
    const { rows } = await sql<{ id: number; progress: number; state: string }>`
      select id, progress, state from ledger_check where enterprise_id = ${read.who.enterpriseId}
      order by id desc limit 1`.execute(read.tx);
    const last = rows[0];
    return {
      ...(await looked(read)),
      underway: last?.state === "running" ? { id: last.id, progress: last.progress } : null,
      failed: last?.state === "failed",
    };
  }),
  serveRead(getCheck, async (read, { params }) => {
    const found = await looked(read, params.id);
    if (!found.run) throw notFound();
    return found;
  }),
  serve(noteBreak, async (act, { params, body }) => {
    const { rows } = await sql<{ code: string; key: string; villageId: number | null }>`
      update ledger_break b set note = ${body.note} from ledger_check c
      where b.id = ${params.id} and c.id = b.check_id and c.enterprise_id = ${act.who.enterpriseId}
        and (b.village_id is null or b.village_id = any(${act.who.villages as number[]}::bigint[]))
      returning b.code, b.key, b.village_id "villageId"`.execute(act.tx);
    const found = rows[0];
    if (!found) throw notFound();
    const { key, villageId } = found;
    await act.note(entryOn("ledgerBreak", { id: params.id, villageId }, key, "说明账务异常", body.note));
    return { id: params.id };
  }),

  serve(runCheck, async (act) => ({ id: await askForCheck(act) })),
];
