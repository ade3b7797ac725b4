import { sql } from "kysely";
import type { z } from "zod";
import { monthOf } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, invalid, notFound } from "../../../platform/kernel/refusal.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { stamp } from "../../../platform/server/database/versioned.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { seen } from "../../../platform/server/pipeline/scope.ts";
import { actualsOf, monthIn } from "../budget-indicator/actual.queries.ts";
import { indicatorsOf } from "../budget-indicator/indicators.queries.ts";
import { isInput } from "../budget-indicator/source.rules.ts";
import { MONTHS, evaluator, shownValue, valueRefusal } from "../budget-indicator/value.rules.ts";
import type { saveCells } from "./budget.contract.ts";
import { ONLY_DRAFT, type Spread, spreadOver, titleOf } from "./budget.rules.ts";
import { type Cell, type Version, cellsOf, versionById } from "./plan.queries.ts";

constraintSays("budget_cells_stand", { code: "notAllowed", msg: ONLY_DRAFT });

export const noteOn = (act: Act, v: Version, action: string, summary: string) =>
  act.note({
    kind: "budget",
    recordId: v.id,
    number: titleOf(v),
    villageId: v.villageId,
    action,
    summary,
  });

/** A version of a store in scope, locked: before every change of it or of its cells. */
export async function lockVersion(act: Act, id: number): Promise<Version> {
  return seen(act.who, await versionById(act, id, true));
}
export type Value = { indicatorId: number; month: number; value: number };
export async function insertCells(act: Act, versionId: number, values: readonly Value[]): Promise<void> {
  if (!values.length) return;
  await sql`insert into budget_cell (version_id, indicator_id, month, value, updated_by)
    select ${versionId}, r."indicatorId", r.month, r.value, ${act.who.operatorId || null}::bigint
    from json_to_recordset(${JSON.stringify(values)}::json) r("indicatorId" bigint, month int, value bigint)`.execute(
    act.tx,
  );
}

type Typed = z.output<typeof saveCells.body>["cells"][number];
type Saved = z.input<typeof saveCells.reply>;

/**
 * Writes cells of a draft. One that somebody has changed since it was seen is left as it is and told, with what stands
 * there; the others are kept.
 */
export async function writeCells(act: Act, id: number, typed: readonly Typed[], how = ""): Promise<Saved> {
  const v = await lockVersion(act, id);
  if (v.state !== "draft") throw new Refusal("notAllowed", ONLY_DRAFT);
  const indicators = new Map((await indicatorsOf(act)).map((i) => [i.id, i]));
  const wrong = typed.flatMap(({ indicatorId, value }, i) => {
    const one = indicators.get(indicatorId);
    if (!one) throw notFound();
    const msg = !isInput(one)
      ? `${one.name}由其他指标计算，不能填写`
      : value === null
        ? undefined
        : valueRefusal(one.unit, value);
    return msg ? [{ field: `cells.${i}`, msg }] : [];
  });
  if (wrong.length) throw invalid(...wrong);
  const kept = new Map((await cellsOf(act, [id])).map((c) => [`${c.indicatorId} ${c.month}`, c]));
  const at = (c: Typed): Cell | undefined => kept.get(`${c.indicatorId} ${c.month}`);
  const shown = (c: Typed, value: number | null) => shownValue(indicators.get(c.indicatorId)!.unit, value);
  const late = typed.filter((c) => (at(c)?.version ?? 0) !== c.version && (at(c)?.value ?? null) !== c.value);
  const changed = typed.filter((c) => !late.includes(c) && (at(c)?.value ?? null) !== c.value);
  if (changed.length) {
    const rows = sql`json_to_recordset(${JSON.stringify(changed)}::json) c ("indicatorId" bigint, month int, value bigint)`;
    await sql`delete from budget_cell b using ${rows}
      where c.value is null and b.version_id = ${id} and b.indicator_id = c."indicatorId" and b.month = c.month`.execute(
      act.tx,
    );
    // a cell that is emptied and typed into again has another number than before
    const { edits } = await act.tx
      .updateTable("budgetVersion")
      .set({ edits: sql<number>`edits + 1`, ...stamp(act) })
      .where("id", "=", id)
      .returning("edits")
      .executeTakeFirstOrThrow();
    await sql`insert into budget_cell as b (version_id, indicator_id, month, value, version, updated_by)
      select ${id}, c."indicatorId", c.month, c.value, ${edits}, ${act.who.operatorId || null}::bigint from ${rows}
      where c.value is not null
      on conflict (version_id, indicator_id, month) do update set value = excluded.value, version = excluded.version,
        updated_at = now(), updated_by = excluded.updated_by`.execute(act.tx);
    const total = (of: (c: Typed) => number | null) =>
      changed.reduce(
        (sum, c) => (indicators.get(c.indicatorId)!.unit === "yuan" ? sum + (of(c) ?? 0) : sum),
        0,
      );
    const [was, is] = [total((c) => at(c)?.value ?? null), total((c) => c.value)];
    await noteOn(
      act,
      v,
      how || "填写",
      `${how || "填写"} ${changed.length} 格，金额合计由 ${yuan(was)} 改为 ${yuan(is)}`,
    );
  }
  const now = new Map((await cellsOf(act, [id])).map((c) => [`${c.indicatorId} ${c.month}`, c]));
  const cellNow = ({ indicatorId, month }: Typed) => {
    const c = now.get(`${indicatorId} ${month}`);
    return { indicatorId, month, value: c?.value ?? null, version: c?.version ?? 0, byName: c?.byName ?? "" };
  };
  return {
    saved: typed.filter((c) => !late.includes(c)).map((c) => cellNow(c)),
    conflicts: late.map((c) => {
      const stands = cellNow(c);
      return {
        ...stands,
        msg: `该单元格已被 ${stands.byName || "他人"} 修改为 ${stands.value === null ? "空" : shown(c, stands.value)}`,
      };
    }),
  };
}

/** A year's sum as its months, to be looked at before it is kept. */
export async function spread(
  read: Read,
  id: number,
  { indicatorId, whole, how }: { indicatorId: number; whole: number; how: Spread },
): Promise<number[]> {
  const v = seen(read.who, await versionById(read, id));
  if (v.state !== "draft") throw new Refusal("notAllowed", ONLY_DRAFT);
  const indicators = await indicatorsOf(read);
  const one = indicators.find((i) => i.id === indicatorId);
  if (!one || !isInput(one)) throw notFound();
  if (one.agg !== "sum") throw invalid({ field: "indicatorId", msg: "只有按合计汇总的指标可以全年分摊" });
  const past = await actualsOf(read, [one], [v.villageId], v.year - 1);
  const figures = evaluator([one], past.leaf);
  const isOver = (month: number) => monthIn(v.year - 1, month) < monthOf(read.today);
  const before = MONTHS.map((month) =>
    isOver(month) ? figures.value(one, { villages: [v.villageId], months: [month] }) : undefined,
  );
  const values = spreadOver(whole, how, before);
  if (!values) throw invalid({ field: "how", msg: "上年已结束的月份没有实际，不能按上年各月占比分摊" });
  const msg = values.map((value) => valueRefusal(one.unit, value)).find(Boolean);
  if (msg) throw invalid({ field: "whole", msg });
  return values;
}
