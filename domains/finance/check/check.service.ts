import { sql } from "kysely";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { whoHoldsAll } from "../../access/operator/scope.service.ts";
import { tell } from "../../system/message/message.service.ts";
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
/** Breaks of one check in one enterprise that are kept one by one; the count covers them all. */
const KEPT = 200;

type Compared = CheckResult & { enterpriseId: number; found: Omit<LedgerBreak, "code">[] };
const NOTHING = { expected: 0, actual: 0, breaks: 0, found: [] };

/**
 * Proves the ledger: entries balance, kept sums equal what the records say, the ties hold. Who has an enterprise proves its
 * books alone; the nightly job proves those of each. Writes a run for each enterprise with its breaks, and tells of
 * them at once.
 */
export async function checkLedger(
  act: Act,
  kind: "nightly" | "manual",
): Promise<{ id: number; ok: boolean; results: CheckResult[]; breaks: LedgerBreak[] }> {
  const began = performance.now();
  const mine = act.who.enterpriseId || null;
  const found = new Map<string, Compared>();
  for (const { code, name, compare, ownsRows } of CHECKS) {
    const { rows } = await sql<Compared>`
      with whose as (
        select c.*, ${ownsRows ? sql`c.enterprise_id` : sql`v.enterprise_id`} owner
        from (${compare(act.today)}) c ${ownsRows ? sql`` : sql`left join village v on v.id = c.village_id`}),
      compared as materialized (select * from whose where ${mine}::bigint is null or owner = ${mine}),
      broken as (
        select *, row_number() over (partition by owner order by village_id, key) nth
        from compared where expected <> actual)
      select c.*, coalesce(b.breaks, 0) breaks, coalesce(b.found, '[]') found
      from (
        select owner "enterpriseId", safe_fen(coalesce(sum(expected), 0)) expected,
          safe_fen(coalesce(sum(actual), 0)) actual
        from compared group by 1) c
      left join (
        select owner, count(*) breaks, json_agg(json_build_object('villageId', village_id, 'key', key,
          'expected', safe_fen(expected), 'actual', safe_fen(actual))) filter (where nth <= ${KEPT}) found
        from broken group by 1) b on b.owner = c."enterpriseId"`.execute(act.tx);
    for (const row of rows) found.set(`${row.enterpriseId} ${code}`, { ...row, code, name });
  }
  const millis = Math.round(performance.now() - began);
  const { rows: owners } = await sql<{ id: number }>`
    select id from enterprise where ${mine}::bigint is null or id = ${mine} order by id`.execute(act.tx);
  const runs = [];
  for (const { id } of owners)
    runs.push(
      await keepRun(
        act,
        { enterpriseId: id, kind, millis },
        CHECKS.map(({ code, name }) => ({ ...(found.get(`${id} ${code}`) ?? NOTHING), code, name })),
      ),
    );
  return {
    id: runs.at(-1)?.id ?? 0,
    ok: runs.every((r) => r.ok),
    results: runs.flatMap((r) => r.results),
    breaks: runs.flatMap((r) => r.breaks),
  };
}

async function keepRun(
  act: Act,
  run: { enterpriseId: number; kind: string; millis: number },
  compared: readonly Omit<Compared, "enterpriseId">[],
) {
  const results = compared.map(({ code, name, expected, actual, breaks }) => ({
    code,
    name,
    expected,
    actual,
    breaks,
  }));
  const breaks = compared.flatMap(({ code, found }) => found.map((b) => ({ code, ...b })));
  const ok = results.every((r) => r.breaks === 0);
  const { id } = await act.tx
    .insertInto("ledgerCheck")
    .values({
      ...run,
      ok,
      runAt: act.now.toISOString(),
      checks: JSON.stringify(results),
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
  }
  if (!ok) await tellBreaks(act, { enterpriseId: run.enterpriseId, id, results });
  return { id, ok, results, breaks };
}

/** At once, to who may run the check and has every store. */
async function tellBreaks(
  act: Act,
  { enterpriseId, id, results }: { enterpriseId: number; id: number; results: readonly CheckResult[] },
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from village where enterprise_id = ${enterpriseId} order by id`.execute(act.tx);
  const broken = results.filter((r) => r.breaks);
  const count = broken.reduce((sum, r) => sum + r.breaks, 0);
  await tell(act, {
    to: await whoHoldsAll(
      act,
      "#6501",
      rows.map((village) => village.id),
    ),
    type: 2,
    title: `账务自检发现 ${count} 处异常`,
    content: `${act.today} 的账务自检有 ${count} 处异常：${broken.map((r) => `${r.code} ${r.name}`).join("、")}。请在财务报表的勾稽检查中查看。`,
    bizType: "ledgerCheck",
    bizId: id,
    facts: broken.map((r) => [`${r.code} ${r.name}`, `${r.breaks} 处`]),
    once: `ledgerCheck.${id}`,
  });
}
