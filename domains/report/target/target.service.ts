import { sql } from "kysely";
import { firstOf, lastOf, type Month } from "../../../platform/kernel/day.ts";
import { invalid, notFound, Refusal, stale } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { INDICATORS, type Code, valueRefusal } from "../indicator/figure.rules.ts";
import { type Kept as Target, isOver, keptTargets, wholeYear } from "./target.queries.ts";

const LINKED = "由预算带入，请先改为手工";

/** `version` is the one the change was made against; 0 for a cell that had no target. */
export type Cell = { villageId: number; month: Month; value: number | null; version: number };

/**
 * Writes cells and keeps what stood there; answers how many it changed. A cell that somebody else has changed meanwhile
 * stops them all.
 */
export async function writeTargets(
  act: Act,
  code: Code,
  cells: readonly Cell[],
  note: string,
  importId: number | null = null,
): Promise<number> {
  if (cells.some((c) => !act.who.villages.includes(c.villageId))) throw notFound();
  const wrong = cells.flatMap((c, i) => {
    const msg = c.value === null ? undefined : valueRefusal(code, c.value);
    return msg ? [{ field: `cells.${i}`, msg }] : [];
  });
  if (wrong.length) throw invalid(...wrong);
  if (note.length < 2 && cells.some((c) => isOver(c.month, act.today)))
    throw invalid({ field: "note", msg: "修改历史目标请填写原因" });
  const ids = [...new Set(cells.map((c) => c.villageId))];
  const months = cells.map((c) => c.month).toSorted();
  await lockTargets(act, code);
  const kept = new Map(
    (await keptTargets(act, [code], ids, { from: firstOf(months[0]!), to: lastOf(months.at(-1)!) })).map(
      (k) => [`${k.villageId} ${k.month}`, k],
    ),
  );
  const outdated = cells.flatMap((c, i) =>
    (kept.get(`${c.villageId} ${c.month}`)?.version ?? 0) === c.version
      ? []
      : [{ field: `cells.${i}`, msg: "已被他人修改，请刷新后重试" }],
  );
  if (outdated.length)
    throw new Refusal("stale", "部分目标已被他人修改，请刷新后重试", 409, { fields: outdated });
  const linked = cells.flatMap((c, i) =>
    kept.get(`${c.villageId} ${c.month}`)?.source === "budget" ? [{ field: `cells.${i}`, msg: LINKED }] : [],
  );
  if (linked.length)
    throw new Refusal("notAllowed", `${linked.length} 格目标${LINKED}`, 409, { fields: linked });
  const changed = cells
    .map((c) => ({ ...c, before: kept.get(`${c.villageId} ${c.month}`)?.value ?? null }))
    .filter((c) => c.before !== c.value);
  if (!changed.length) return 0;
  await keep(act, code, changed, { note, importId, source: importId ? "import" : "manual" });
  return changed.length;
}

/** One writer at a time for an indicator: rows that do not exist yet cannot be locked. */
export const lockTargets = (act: Act, code: Code) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`indicatorTarget ${code}`}, 0))`.execute(act.tx);

type Kept = Omit<Cell, "version"> & { before: number | null };
type How = { note: string; source: Target["source"]; importId?: number | null; budgetIndicatorId?: number };
const DONE = { manual: "修改目标", import: "导入目标", budget: "从预算带入" };

/** Puts changed cells into the table and their history. */
async function keep(act: Act, code: Code, changed: readonly Kept[], how: How): Promise<void> {
  const { note, source, importId = null, budgetIndicatorId = null } = how;
  const rows = JSON.stringify(changed.map((c) => ({ ...c, month: firstOf(c.month) })));
  const given = sql`json_to_recordset(${rows}::json)
    as c ("villageId" bigint, month date, value numeric, before numeric)`;
  const by = act.who.operatorId || null;
  await sql`delete from indicator_target t using ${given}
    where c.value is null and t.code = ${code} and t.village_id = c."villageId" and t.month = c.month`.execute(
    act.tx,
  );
  await sql`insert into indicator_target as t (code, village_id, month, value, source, budget_indicator_id, updated_by)
    select ${code}, c."villageId", c.month, c.value, ${source}, ${budgetIndicatorId}::bigint, ${by}::bigint
    from ${given} where c.value is not null
    on conflict (code, month, village_id) do update set value = excluded.value, source = excluded.source,
      budget_indicator_id = excluded.budget_indicator_id, version = t.version + 1, updated_at = now(),
      updated_by = excluded.updated_by`.execute(act.tx);
  await sql`insert into indicator_target_change (code, village_id, month, before, after, note, by, import_id)
    select ${code}, c."villageId", c.month, c.before, c.value, ${note}, ${by}::bigint, ${importId}::bigint from ${given}`.execute(
    act.tx,
  );
  await act.note(
    [...Map.groupBy(changed, (c) => c.villageId)].map(([villageId, cells]) => ({
      kind: "indicatorTarget",
      recordId: villageId,
      number: INDICATORS[code].title,
      villageId,
      action: DONE[source],
      summary: `${INDICATORS[code].title}：修改 ${cells.length} 个月的目标${note ? `，${note}` : ""}`,
    })),
  );
}

/**
 * Gives cells what a budget says of an indicator, null where it says nothing any more, and has them follow it from now on.
 * The caller has locked the targets of the code and answers for the stores. Answers how many cells it changed.
 */
export async function linkTargets(
  act: Act,
  code: Code,
  budgetIndicatorId: number,
  cells: readonly Omit<Cell, "version">[],
  { note, why }: { note: string; why?: string | undefined },
): Promise<number> {
  const months = cells.map((c) => c.month).toSorted();
  const ids = [...new Set(cells.map((c) => c.villageId))];
  const period = { from: firstOf(months[0]!), to: lastOf(months.at(-1)!) };
  const kept = await keptTargets(act, [code], ids, period);
  const at = new Map(kept.map((k) => [`${k.villageId} ${k.month}`, k]));
  const changed = cells.flatMap((c) => {
    const now = at.get(`${c.villageId} ${c.month}`);
    const same = now?.budgetIndicatorId === budgetIndicatorId && now.value === c.value;
    return same ? [] : [{ ...c, before: now?.value ?? null }];
  });
  if (why !== undefined && why.length < 2 && changed.some((c) => isOver(c.month, act.today)))
    throw invalid({ field: "note", msg: "修改历史目标请填写原因" });
  if (changed.length)
    await keep(act, code, changed, {
      note: why ? `${note}，${why}`.slice(0, 200) : note,
      source: "budget",
      budgetIndicatorId,
    });
  return changed.length;
}

/** Takes cells off their budget: they keep what they say and are typed from now on. */
export async function unlinkTargets(
  act: Act,
  code: Code,
  cells: readonly Omit<Cell, "value">[],
): Promise<number> {
  if (cells.some((c) => !act.who.villages.includes(c.villageId))) throw notFound();
  await lockTargets(act, code);
  const months = cells.map((c) => c.month).toSorted();
  const period = { from: firstOf(months[0]!), to: lastOf(months.at(-1)!) };
  const kept = await keptTargets(act, [code], [...new Set(cells.map((c) => c.villageId))], period);
  const at = new Map(kept.map((k) => [`${k.villageId} ${k.month}`, k]));
  const linked = cells.map((c) => ({ asked: c, now: at.get(`${c.villageId} ${c.month}`) }));
  if (linked.some(({ asked, now }) => now?.source !== "budget" || now.version !== asked.version))
    throw stale();
  await keep(
    act,
    code,
    linked.map(({ now }) => ({ ...now!, before: now!.value })),
    { note: "改为手工", source: "manual" },
  );
  return cells.length;
}

/** The cells of a store and year that follow a budget. */
export async function linkedTargets(
  act: Act,
  code: Code,
  villageId: number,
  year: number,
): Promise<{ month: Month; budgetIndicatorId: number }[]> {
  const kept = await keptTargets(act, [code], [villageId], wholeYear(year));
  return kept.flatMap(({ month, budgetIndicatorId }) =>
    budgetIndicatorId === null ? [] : [{ month, budgetIndicatorId }],
  );
}
