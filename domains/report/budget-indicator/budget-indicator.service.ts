import { Refusal, invalid, notFound, stale } from "../../../platform/kernel/refusal.ts";
import { switchMoves } from "../../../platform/kernel/switched.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { aRow } from "../../../platform/server/database/row.ts";
import { removeAt, revise, stamp } from "../../../platform/server/database/versioned.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { formulaText, readFormula } from "./formula.rules.ts";
import { type Kept, type Typed, indicatorOf, indicatorsOf, sourceReader } from "./indicators.queries.ts";
import { SEED } from "./seed.rules.ts";
import { type Indicator, type Source, isCircular, isInput } from "./source.rules.ts";

constraintSays("budget_indicator_enterprise_id_code_key", { field: "code", msg: "编码已存在" });
constraintSays("budget_indicator_enterprise_id_name_key", { field: "name", msg: "名称已存在" });
constraintSays("budget_cell_indicator_id_fkey", {
  code: "inUse",
  msg: "已有预算数据，不能删除，可停用",
});
constraintSays("indicator_target_budget_indicator_id_fkey", {
  code: "inUse",
  msg: "有目标值由该指标带入，不能删除，可停用",
});
constraintSays("budget_indicator_parent_id_fkey", { code: "inUse", msg: "有下级指标，不能删除" });

/** Gives an enterprise the indicators that it starts with; one that has any keeps its own. Safe to call again. */
export async function seedIndicators(act: Pick<Act, "tx">, enterpriseId: number): Promise<void> {
  const any = await act.tx
    .selectFrom("budgetIndicator")
    .select("id")
    .where("enterpriseId", "=", enterpriseId)
    .executeTakeFirst();
  if (any) return;
  const subjects = await act.tx
    .selectFrom("feeSubject")
    .select(["id", "code"])
    .where("enterpriseId", "=", enterpriseId)
    .execute();
  const idOf = new Map(subjects.map((s) => [s.code, s.id]));
  const ids = new Map<string, number>();
  for (const [orderNo, { parent, source, ...seed }] of SEED.entries()) {
    const row = await act.tx
      .insertInto("budgetIndicator")
      .values({
        ...seed,
        enterpriseId,
        orderNo,
        parentId: parent ? ids.get(parent)! : null,
        source: JSON.stringify(
          source.by === "money"
            ? {
                by: "money",
                parts: source.parts.map(({ subjects: codes, ...part }) => ({
                  ...part,
                  subjectIds: codes.flatMap((code) => idOf.get(code) ?? []),
                })),
              }
            : source,
        ),
      })
      .onConflict((oc) => oc.doNothing())
      .returning("id")
      .executeTakeFirst();
    // somebody else is seeding at this very moment
    if (!row) return;
    ids.set(seed.code, row.id);
  }
}

/** What was typed, as an indicator; refuses what is not there and what would be worked out from itself. */
export async function indicatorFrom(
  read: Pick<Read, "tx" | "who">,
  given: Omit<Typed, "code">,
  { id, code }: { id: number; code: string },
): Promise<{ indicator: Indicator; all: Kept[] }> {
  const of = { id, code };
  const all = await indicatorsOf(read);
  const parentId = given.parentId ?? null;
  if (parentId !== null && !all.some((i) => i.id === parentId))
    throw invalid({ field: "parentId", msg: "上级指标不存在" });
  for (let at = parentId; at !== null; at = all.find((i) => i.id === at)?.parentId ?? null)
    if (at === of.id) throw invalid({ field: "parentId", msg: "上级不能是自己或自己的下级" });
  const source = await sourceFrom(read, given, all, of.code);
  const { name, kind, unit, basis, agg, better, must } = given;
  const indicator = { ...of, name, parentId, kind, unit, basis, agg, better, must, source, enabled: true };
  const others = all.filter((i) => i.id !== of.id);
  const circular = [indicator, ...others].find((one) => isCircular(one, [indicator, ...others]));
  if (circular)
    throw invalid({ field: given.by === "formula" ? "formula" : "parentId", msg: "指标公式存在循环引用" });
  return { indicator, all };
}

async function sourceFrom(
  read: Pick<Read, "tx" | "who">,
  given: Omit<Typed, "code">,
  all: readonly Kept[],
  own: string,
): Promise<Source> {
  switch (given.by) {
    case "money": {
      const { knows } = await sourceReader(read, all);
      given.parts.forEach(({ subjectIds }, i) => {
        if (subjectIds.some((id) => !knows.has(id)))
          throw invalid({ field: `parts.${i}.subjectIds`, msg: "费用科目不存在" });
      });
      return { by: "money", parts: given.parts };
    }
    case "measure":
      return { by: "measure", measure: given.measure! };
    case "formula": {
      const codes = new Map(all.flatMap((i) => [[i.name, i.code] as const, [i.code, i.code] as const]));
      codes.set(own, own).set(given.name, own);
      const formula = readFormula(given.formula, (typed) => codes.get(typed));
      if ("msg" in formula) throw invalid({ field: "formula", msg: formula.msg });
      return { by: "formula", formula: formulaText(formula.formula, (code) => code) };
    }
    case "children":
      return { by: "children" };
  }
}

const note = (act: Act, { id, name }: { id: number; name: string }, action: string, summary: string) =>
  act.note({ kind: "budgetIndicator", recordId: id, number: name, action, summary });

const columnsOf = ({ id: _, code: _code, enabled: _enabled, source, ...rest }: Indicator) => ({
  ...rest,
  source: JSON.stringify(source),
});

export async function add(act: Act, { code, ...given }: Typed): Promise<{ id: number }> {
  const same = await aRow(act, "budgetIndicator", ["id"], { enterpriseId: act.who.enterpriseId, code });
  if (same) throw invalid({ field: "code", msg: "编码已存在" });
  const { indicator, all } = await indicatorFrom(act, given, { id: 0, code });
  const beside = all.filter((i) => i.parentId === indicator.parentId);
  const { updatedBy } = stamp(act);
  const row = await act.tx
    .insertInto("budgetIndicator")
    .values({
      ...columnsOf(indicator),
      code,
      enterpriseId: act.who.enterpriseId,
      orderNo: Math.max(-1, ...beside.map((i) => i.orderNo)) + 1,
      createdBy: updatedBy,
      updatedBy,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await note(act, { id: row.id, name: given.name }, "新增", `新增预算指标 ${given.name}`);
  return row;
}

/**
 * Figures that are planned keep their meaning: what they are written in, how they add up, and whether they count at all stands
 * while any cell of the indicator is filled. The row is locked, so that no cell comes in between.
 */
async function refusePlanned(act: Act, before: Kept, next: Indicator): Promise<void> {
  const changed = [
    before.kind !== next.kind && { field: "kind", msg: "不能修改类型" },
    before.unit !== next.unit && { field: "unit", msg: "不能修改单位" },
    before.agg !== next.agg && { field: "agg", msg: "不能修改汇总方式" },
    isInput(before) !== isInput(next) && {
      field: "by",
      msg: `不能改为${isInput(next) ? "凭证或运营数据" : "公式或下级合计"}`,
    },
  ].filter((one) => one !== false);
  if (!changed.length) return;
  await act.tx.selectFrom("budgetIndicator").select("id").where("id", "=", before.id).forUpdate().execute();
  const filled = await act.tx
    .selectFrom("budgetCell")
    .select("month")
    .where("indicatorId", "=", before.id)
    .executeTakeFirst();
  if (filled)
    throw invalid(
      ...changed.map(({ field, msg }) => ({ field, msg: `已有预算数据，${msg}，可停用后新建指标` })),
    );
}

/** Actuals follow a new source at once, budgets stay as they are; the log keeps both sources. */
export async function edit(
  act: Act,
  id: number,
  { version, ...given }: Omit<Typed, "code"> & { version: number },
): Promise<{ id: number }> {
  const before = await indicatorOf(act, id);
  const { indicator, all } = await indicatorFrom(act, given, before);
  await refusePlanned(act, before, indicator);
  const reader = await sourceReader(act, all);
  await revise(act, "budgetIndicator", { id, version }, { ...columnsOf(indicator), ...stamp(act) });
  const [was, is] = [reader.text(before.source), reader.text(indicator.source)];
  await note(
    act,
    indicator,
    "修改",
    `修改预算指标 ${indicator.name}${was === is ? "" : `，取数由“${was}”改为“${is}”`}`,
  );
  return { id };
}

export async function remove(act: Act, id: number, version: number): Promise<void> {
  const one = await indicatorOf(act, id);
  const [filled, child] = await Promise.all([
    act.tx.selectFrom("budgetCell").select("month").where("indicatorId", "=", id).executeTakeFirst(),
    act.tx.selectFrom("budgetIndicator").select("id").where("parentId", "=", id).executeTakeFirst(),
  ]);
  if (filled) throw new Refusal("inUse", "已有预算数据，不能删除，可停用");
  if (child) throw new Refusal("inUse", "有下级指标，不能删除");
  await refuseNamed(act, one, "删除");
  await removeAt(act, "budgetIndicator", { id, version });
  await note(act, one, "删除", `删除预算指标 ${one.name}`);
}

/** A formula that named it would say nothing any more. */
async function refuseNamed(act: Act, one: Kept, verb: string): Promise<void> {
  const named = (await indicatorsOf(act)).find(
    ({ source, enabled }) =>
      enabled && source.by === "formula" && source.formula.split(/[^A-Za-z0-9_]+/).includes(one.code),
  );
  if (named) throw new Refusal("inUse", `“${named.name}”的公式引用了该指标，不能${verb}`);
}

export async function switchTo(
  act: Act,
  move: "enable" | "disable",
  id: number,
  version: number,
): Promise<{ id: number }> {
  const one = await indicatorOf(act, id);
  const next = switchMoves.next(move, { status: one.enabled ? "enabled" : "disabled" });
  if (move === "disable") await refuseNamed(act, one, "停用");
  await revise(act, "budgetIndicator", { id, version }, { enabled: next === "enabled", ...stamp(act) });
  const label = switchMoves.label(move);
  await note(act, one, label, `${label}预算指标 ${one.name}`);
  return { id };
}

/** Puts those of one parent into an order. */
export async function order(act: Act, ids: readonly number[]): Promise<void> {
  const all = new Map((await indicatorsOf(act)).map((i) => [i.id, i]));
  const asked = ids.map((id) => all.get(id));
  if (asked.some((i) => !i)) throw notFound();
  const beside = [...all.values()].filter((i) => i.parentId === asked[0]!.parentId);
  if (beside.length !== ids.length || asked.some((i) => i!.parentId !== asked[0]!.parentId)) throw stale();
  for (const [orderNo, id] of ids.entries())
    await act.tx.updateTable("budgetIndicator").set({ orderNo }).where("id", "=", id).execute();
  await note(
    act,
    { id: ids[0]!, name: asked[0]!.name },
    "排序",
    `预算指标排序：${asked.map((i) => i!.name).join("、")}`,
  );
}
