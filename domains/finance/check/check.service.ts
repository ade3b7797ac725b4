import { sql } from "kysely";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { actOf, type House } from "../../../platform/server/pipeline/pipeline.ts";
import { whoActs, whoHoldsAll } from "../../access/operator/scope.service.ts";
import { tell } from "../../system/message/message.service.ts";
import { checkAsked } from "./check.contract.ts";
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
/** Breaks of one check in one enterprise that are kept one by one, at least one of each store; the count covers them all. */
const KEPT = 200;
/** A run that has not come to its end for so long was lost. */
const LOST_HOURS = 4;

type Compared = CheckResult & { enterpriseId: number; found: Omit<LedgerBreak, "code">[] };
const NOTHING = { expected: 0, actual: 0, breaks: 0, found: [] };

/**
 * Every check over the books of an enterprise, or of all of them: what each of them has by check. Tells after each how much
 * is done, between 0 and 1.
 */
async function compared(
  read: Read,
  enterpriseId: number | null,
  told: (part: number) => Promise<void> = async () => {},
): Promise<(enterpriseId: number) => Omit<Compared, "enterpriseId">[]> {
  const found = new Map<string, Compared>();
  for (const [at, { code, name, compare, ownsRows }] of CHECKS.entries()) {
    const { rows } = await sql<Compared>`
      with whose as (
        select c.*, ${ownsRows ? sql`c.enterprise_id` : sql`v.enterprise_id`} owner
        from (${compare(read.today)}) c ${ownsRows ? sql`` : sql`left join village v on v.id = c.village_id`}),
      compared as materialized (select * from whose where ${enterpriseId}::bigint is null or owner = ${enterpriseId}),
      broken as (
        select *, row_number() over (partition by owner order by nth_of_store, village_id, key) nth
        from (select *, row_number() over (partition by owner, village_id order by key) nth_of_store
          from compared where expected <> actual) b)
      select c.*, coalesce(b.breaks, 0) breaks, coalesce(b.found, '[]') found
      from (
        select owner "enterpriseId", safe_fen(coalesce(sum(expected), 0)) expected,
          safe_fen(coalesce(sum(actual), 0)) actual
        from compared group by 1) c
      left join (
        select owner, count(*) breaks, json_agg(json_build_object('villageId', village_id, 'key', key,
          'expected', safe_fen(expected), 'actual', safe_fen(actual))) filter (where nth <= ${KEPT} or nth_of_store = 1) found
        from broken group by 1) b on b.owner = c."enterpriseId"`.execute(read.tx);
    for (const row of rows) found.set(`${row.enterpriseId} ${code}`, { ...row, code, name });
    await told((at + 1) / CHECKS.length);
  }
  return (owner) =>
    CHECKS.map(({ code, name }) => ({ ...(found.get(`${owner} ${code}`) ?? NOTHING), code, name }));
}

const since = (began: number) => Math.round(performance.now() - began);

/**
 * Proves the ledger of every enterprise, or of that of who asks: entries balance, kept sums equal what the records say, the
 * ties hold. Keeps a run for each with its breaks, and tells of them at once.
 */
export async function checkLedger(
  act: Act,
  kind: "nightly" | "manual",
): Promise<{ id: number; ok: boolean; results: CheckResult[]; breaks: LedgerBreak[] }> {
  const began = performance.now();
  const mine = act.who.enterpriseId || null;
  const of = await compared(act, mine);
  const millis = since(began);
  const { rows: owners } = await sql<{ id: number }>`
    select id from enterprise where ${mine}::bigint is null or id = ${mine} order by id`.execute(act.tx);
  const runs = [];
  for (const { id: enterpriseId } of owners) {
    const { id } = await act.tx
      .insertInto("ledgerCheck")
      .values({ enterpriseId, kind, ok: false, runAt: act.now.toISOString() })
      .returning("id")
      .executeTakeFirstOrThrow();
    runs.push(await keep(act, { id, enterpriseId, millis }, of(enterpriseId)));
  }
  return {
    id: runs.at(-1)?.id ?? 0,
    ok: runs.every((r) => r.ok),
    results: runs.flatMap((r) => r.results),
    breaks: runs.flatMap((r) => r.breaks),
  };
}

/** A run that goes on, or a new one for a job to do: its id. One that its servers have lost makes way. */
export async function askForCheck(act: Act): Promise<number> {
  const { enterpriseId, operatorId } = act.who;
  await sql`select pg_advisory_xact_lock(hashtext('ledger_check'), ${enterpriseId}::int)`.execute(act.tx);
  await sql`update ledger_check set state = 'failed' where enterprise_id = ${enterpriseId} and state = 'running'
    and run_at < ${act.now.toISOString()}::timestamptz - make_interval(hours => ${LOST_HOURS})`.execute(
    act.tx,
  );
  const running = await act.tx
    .selectFrom("ledgerCheck")
    .select("id")
    .where("enterpriseId", "=", enterpriseId)
    .where("state", "=", "running")
    .executeTakeFirst();
  if (running) return running.id;
  const { id } = await act.tx
    .insertInto("ledgerCheck")
    .values({
      enterpriseId,
      kind: "manual",
      state: "running",
      ok: false,
      runAt: act.now.toISOString(),
      createdBy: operatorId,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await act.emit(checkAsked, { id });
  return id;
}

/** Does a run that was asked for, telling how far it is beside it; whoever starts it twice does it once. */
export async function runAsked(house: House, id: number): Promise<void> {
  const { db } = house.database;
  const run = await db
    .selectFrom("ledgerCheck")
    .select(["enterpriseId", "createdBy"])
    .where("id", "=", id)
    .where("state", "=", "running")
    .executeTakeFirst();
  if (!run?.enterpriseId || !run.createdBy) return;
  const { enterpriseId } = run;
  const began = performance.now();
  try {
    const who = await whoActs(db, run.createdBy);
    const acting = (tx: Act["tx"]) =>
      actOf(house, tx, who, { requestId: `ledgerCheck ${id}`, ip: "", userAgent: "job" });
    const of = await compared(acting(db), enterpriseId, async (part) => {
      await sql`update ledger_check set progress = ${Math.floor(99 * part)} where id = ${id}`.execute(db);
    });
    const millis = since(began);
    await db.transaction().execute(async (tx) => {
      await keep(acting(tx), { id, enterpriseId, millis }, of(enterpriseId));
    });
  } catch (error) {
    await sql`update ledger_check set state = 'failed' where id = ${id} and state = 'running'`.execute(db);
    throw error;
  }
}

/** What a run found, for good. */
async function keep(
  act: Act,
  { id, enterpriseId, millis }: { id: number; enterpriseId: number; millis: number },
  all: readonly Omit<Compared, "enterpriseId">[],
) {
  const results = all.map(({ code, name, expected, actual, breaks }) => ({
    code,
    name,
    expected,
    actual,
    breaks,
  }));
  const breaks = all.flatMap(({ code, found }) => found.map((b) => ({ code, ...b })));
  const ok = results.every((r) => r.breaks === 0);
  const { numUpdatedRows } = await act.tx
    .updateTable("ledgerCheck")
    .set({ state: "done", progress: 100, ok, millis, checks: JSON.stringify(results) })
    .where("id", "=", id)
    .where("checks", "=", "{}")
    .executeTakeFirst();
  // another server has done it meanwhile
  if (!numUpdatedRows) return { id, ok, results, breaks };
  if (breaks.length) {
    await sql`
      insert into ledger_break (check_id, code, village_id, key, expected, actual)
      select ${id}, r.code, r."villageId", r.key, r.expected, r.actual
      from json_to_recordset(${JSON.stringify(breaks)}::json)
        r(code text, "villageId" bigint, key text, expected bigint, actual bigint)`.execute(act.tx);
  }
  if (!ok) await tellBreaks(act, { enterpriseId, id, results });
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
