import { sql } from "kysely";
import { firstOf, lastOf, type Month } from "../../../platform/kernel/day.ts";
import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { INDICATORS, type Code, valueRefusal } from "../indicator/figure.rules.ts";
import { isOver, keptTargets } from "./target.queries.ts";

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
  // one writer at a time for an indicator: rows that do not exist yet cannot be locked
  await sql`select pg_advisory_xact_lock(hashtextextended(${`indicatorTarget ${code}`}, 0))`.execute(act.tx);
  const kept = new Map(
    (await keptTargets(act, [code], ids, { from: firstOf(months[0]!), to: lastOf(months.at(-1)!) })).map(
      (k) => [`${k.villageId} ${k.month}`, k],
    ),
  );
  const stale = cells.flatMap((c, i) =>
    (kept.get(`${c.villageId} ${c.month}`)?.version ?? 0) === c.version
      ? []
      : [{ field: `cells.${i}`, msg: "已被他人修改，请刷新后重试" }],
  );
  if (stale.length) throw new Refusal("stale", "部分目标已被他人修改，请刷新后重试", 409, { fields: stale });
  const changed = cells
    .map((c) => ({ ...c, before: kept.get(`${c.villageId} ${c.month}`)?.value ?? null }))
    .filter((c) => c.before !== c.value);
  if (!changed.length) return 0;
  const rows = JSON.stringify(changed.map((c) => ({ ...c, month: firstOf(c.month) })));
  const given = sql`json_to_recordset(${rows}::json)
    as c ("villageId" bigint, month date, value numeric, before numeric)`;
  await sql`delete from indicator_target t using ${given}
    where c.value is null and t.code = ${code} and t.village_id = c."villageId" and t.month = c.month`.execute(
    act.tx,
  );
  await sql`insert into indicator_target as t (code, village_id, month, value, source, updated_by)
    select ${code}, c."villageId", c.month, c.value, ${importId ? "import" : "manual"}, ${act.who.operatorId} from ${given} where c.value is not null
    on conflict (code, month, village_id) do update set value = excluded.value, source = excluded.source,
      version = t.version + 1, updated_at = now(), updated_by = excluded.updated_by`.execute(act.tx);
  await sql`insert into indicator_target_change (code, village_id, month, before, after, note, by, import_id)
    select ${code}, c."villageId", c.month, c.before, c.value, ${note}, ${act.who.operatorId}, ${importId}::bigint from ${given}`.execute(
    act.tx,
  );
  await act.note(
    ids.map((villageId) => ({
      kind: "indicatorTarget",
      recordId: villageId,
      number: INDICATORS[code].title,
      villageId,
      action: importId ? "导入目标" : "修改目标",
      summary: `${INDICATORS[code].title}：修改 ${changed.filter((c) => c.villageId === villageId).length} 个月的目标${note ? `，${note}` : ""}`,
    })),
  );
  return changed.length;
}
