import type { z } from "zod";
import { monthOf } from "../../../platform/kernel/day.ts";
import { Refusal, invalid, notFound } from "../../../platform/kernel/refusal.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { stamp, asSeen } from "../../../platform/server/database/versioned.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { refuseFrozen } from "../../approval/examine/propose.service.ts";
import { actualsOf, monthIn } from "../budget-indicator/actual.queries.ts";
import { indicatorsOf } from "../budget-indicator/indicators.queries.ts";
import { isInput } from "../budget-indicator/source.rules.ts";
import { MONTHS, evaluator, valueRefusal } from "../budget-indicator/value.rules.ts";
import type { addBudgets, renewBudget } from "./budget.contract.ts";
import { BUDGET_MOVES, raised } from "./budget.rules.ts";
import { type Value, insertCells, lockVersion, noteOn } from "./cells.service.ts";
import { type Version, cellsOf, versionById, versionsOf } from "./plan.queries.ts";

const DRAFT_EXISTS = "该门店该年度已有草稿版本";
constraintSays("budget_version_open", { code: "conflict", msg: DRAFT_EXISTS });
constraintSays("budget_version_village_id_year_no_key", { code: "conflict", msg: DRAFT_EXISTS });
constraintSays("budget_version_stands", { code: "notAllowed", msg: "该预算已提交，请刷新后查看" });

type Made = {
  villageId: number;
  year: number;
  no: number;
  name: string;
  reason?: string;
  basedOnId?: number;
};
async function insertVersion(act: Act, made: Made): Promise<Version> {
  const { updatedBy } = stamp(act);
  const { id } = await act.tx
    .insertInto("budgetVersion")
    .values({ ...made, createdBy: updatedBy, updatedBy })
    .returning("id")
    .executeTakeFirstOrThrow();
  return (await versionById(act, id))!;
}

/** Drafts of a year for stores that have none: empty, as the year before was planned, or as it came out. */
export async function addDrafts(
  act: Act,
  { villageIds, year, from, percent, name }: z.output<typeof addBudgets.body>,
): Promise<number[]> {
  if (villageIds.some((id) => !act.who.villages.includes(id))) throw notFound();
  const [standing, before, indicators] = await Promise.all([
    versionsOf(act, villageIds, year),
    versionsOf(act, villageIds, year - 1),
    indicatorsOf(act),
  ]);
  for (const v of standing) {
    const open = v.state === "draft" || v.state === "approving";
    throw new Refusal(
      "conflict",
      open ? `${v.villageName}：${DRAFT_EXISTS}` : `${v.villageName}：该年度已有预算，请新建版本`,
      409,
    );
  }
  const inputs = indicators.filter((i) => i.enabled && isInput(i));
  const bases = new Map(before.filter((v) => v.state === "inForce").map((v) => [v.villageId, v]));
  if (from === "copy") {
    const without = villageIds.find((id) => !bases.has(id));
    if (without !== undefined) {
      const { name: store } = await act.tx
        .selectFrom("village")
        .select("name")
        .where("id", "=", without)
        .executeTakeFirstOrThrow();
      throw invalid({ field: "from", msg: `${store}没有 ${year - 1} 年生效的预算` });
    }
  }
  const copied = Map.groupBy(
    from === "copy"
      ? await cellsOf(
          act,
          [...bases.values()].map((v) => v.id),
        )
      : [],
    (c) => c.versionId,
  );
  const past = from === "actual" ? await actualsOf(act, inputs, villageIds, year - 1) : undefined;
  const figures = past && evaluator(inputs, past.leaf);
  // the days so far of a month that runs are not what the month comes to: it is left to be filled in, like those to come
  const over = MONTHS.filter((month) => monthIn(year - 1, month) < monthOf(act.today));
  const valuesOf = ({ villageId, villageName }: Version): Value[] => {
    if (from === "copy") {
      const known = new Set(inputs.map((i) => i.id));
      return (copied.get(bases.get(villageId)!.id) ?? []).filter((c) => known.has(c.indicatorId));
    }
    if (!figures) return [];
    return inputs.flatMap((one) =>
      over.flatMap((month) => {
        const was = figures.value(one, { villages: [villageId], months: [month] });
        if (was === null) return [];
        const more = raised(was, Math.round(percent * 100));
        const value = one.unit === "percent" ? Math.min(10_000, Math.max(0, more)) : more;
        const msg = valueRefusal(one.unit, value);
        if (msg)
          throw invalid({ field: "percent", msg: `${villageName}${month}月的${one.name}上浮后${msg}` });
        return [{ indicatorId: one.id, month, value }];
      }),
    );
  };
  const ids: number[] = [];
  for (const villageId of villageIds.toSorted((a, b) => a - b)) {
    const v = await insertVersion(act, { villageId, year, no: 1, name });
    const values = valuesOf(v);
    await insertCells(act, v.id, values);
    await noteOn(act, v, "新建", `新建预算“${name}”${values.length ? `，带入 ${values.length} 格` : ""}`);
    ids.push(v.id);
  }
  return ids;
}

/** A draft that begins as what is in force, with the reason for it. */
export async function renew(
  act: Act,
  id: number,
  { name, reason }: z.output<typeof renewBudget.body>,
): Promise<{ id: number }> {
  const base = await lockVersion(act, id);
  const all = await versionsOf(act, [base.villageId], base.year);
  const open = all.find((v) => v.state === "draft" || v.state === "approving");
  BUDGET_MOVES.next("renew", { status: base.state, openId: open?.id ?? null });
  const v = await insertVersion(act, {
    villageId: base.villageId,
    year: base.year,
    no: all[0]!.no + 1,
    name,
    reason,
    basedOnId: base.id,
  });
  await insertCells(act, v.id, await cellsOf(act, [base.id]));
  await noteOn(act, v, "新版本", `按第 ${base.no} 版新建第 ${v.no} 版：${reason}`);
  return { id: v.id };
}
export async function remove(act: Act, id: number, version: number): Promise<void> {
  const v = await lockVersion(act, id);
  await refuseFrozen(act, "budget", [id]);
  asSeen(v, version);
  BUDGET_MOVES.next("delete", { status: v.state, openId: id });
  await act.tx.deleteFrom("budgetVersion").where("id", "=", id).execute();
  await noteOn(act, v, "删除", "删除草稿");
}
