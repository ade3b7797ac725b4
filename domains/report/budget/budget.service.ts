import { sql } from "kysely";
import type { z } from "zod";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, invalid, notFound, stale } from "../../../platform/kernel/refusal.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { revise, stamp } from "../../../platform/server/database/versioned.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { seen } from "../../../platform/server/pipeline/scope.ts";
import { basisHash } from "../../../platform/server/secrets/basis-hash.ts";
import { propose, refuseFrozen, withdrawExamine } from "../../approval/examine/propose.service.ts";
import {
  type Outlook,
  type Wanted,
  approves,
  money,
  words,
} from "../../approval/examine/registry.service.ts";
import { actualsOf } from "../budget-indicator/actual.queries.ts";
import { indicatorsOf } from "../budget-indicator/indicators.queries.ts";
import { type Indicator, isInput } from "../budget-indicator/source.rules.ts";
import { MONTHS, evaluator, shownValue, valueRefusal } from "../budget-indicator/value.rules.ts";
import type { addBudgets, renewBudget, saveCells } from "./budget.contract.ts";
import {
  BUDGET_MOVES,
  type BudgetState,
  ONLY_DRAFT,
  type Spread,
  monthsText,
  raised,
  spreadOver,
  titleOf,
} from "./budget.rules.ts";
import {
  type Cell,
  type Version,
  cellsOf,
  plannedOf,
  topOf,
  versionById,
  versionsOf,
} from "./plan.queries.ts";

const DRAFT_EXISTS = "该门店该年度已有草稿版本";
constraintSays("budget_version_open", { code: "conflict", msg: DRAFT_EXISTS });
constraintSays("budget_version_village_id_year_no_key", { code: "conflict", msg: DRAFT_EXISTS });
constraintSays("budget_cells_stand", { code: "notAllowed", msg: ONLY_DRAFT });
constraintSays("budget_version_stands", { code: "notAllowed", msg: "该预算已提交，请刷新后查看" });

const PAGE = "/accountManage/BudgetManage";
const noteOn = (act: Act, v: Version, action: string, summary: string) =>
  act.note({
    kind: "budget",
    recordId: v.id,
    number: titleOf(v),
    villageId: v.villageId,
    action,
    summary,
  });

/** A version of a store in scope, locked: whoever changes it or its cells does so first. */
export async function lockVersion(act: Act, id: number): Promise<Version> {
  return seen(act.who, await versionById(act, id, true));
}

type Value = { indicatorId: number; month: number; value: number };
async function insertCells(act: Act, versionId: number, values: readonly Value[]): Promise<void> {
  if (!values.length) return;
  await sql`insert into budget_cell (version_id, indicator_id, month, value, updated_by)
    select ${versionId}, r."indicatorId", r.month, r.value, ${act.who.operatorId || null}::bigint
    from json_to_recordset(${JSON.stringify(values)}::json) r("indicatorId" bigint, month int, value bigint)`.execute(
    act.tx,
  );
}

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
  const valuesOf = (villageId: number): Value[] => {
    if (from === "copy") {
      const known = new Set(inputs.map((i) => i.id));
      return (copied.get(bases.get(villageId)!.id) ?? []).filter((c) => known.has(c.indicatorId));
    }
    if (!figures) return [];
    return inputs.flatMap((one) =>
      MONTHS.flatMap((month) => {
        const was = figures.value(one, { villages: [villageId], months: [month] });
        if (was === null) return [];
        const value = raised(was, Math.round(percent * 100));
        return valueRefusal(one.unit, value) === undefined
          ? [{ indicatorId: one.id, month, value }]
          : one.unit === "percent"
            ? [{ indicatorId: one.id, month, value: Math.min(10_000, Math.max(0, value)) }]
            : [];
      }),
    );
  };
  const ids: number[] = [];
  for (const villageId of villageIds.toSorted((a, b) => a - b)) {
    const v = await insertVersion(act, { villageId, year, no: 1, name });
    const values = valuesOf(villageId);
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

/** What a handed-in version says, indicator by indicator, and its gaps where there must be none. */
async function planOf(read: Read, v: Version) {
  const indicators = await indicatorsOf(read);
  const leaf = await plannedOf(read, indicators, [v], v.year);
  const figures = evaluator(indicators, leaf);
  const value = (one: Indicator) => figures.value(one, { villages: [v.villageId], months: MONTHS });
  const sum = (kind: "income" | "cost") =>
    topOf(indicators, kind).reduce((all, one) => all + (value(one) ?? 0), 0);
  const gaps = indicators
    .filter((i) => i.must && i.enabled && isInput(i))
    .flatMap((i) => {
      const months = MONTHS.filter((month) => leaf(i.id, v.villageId, month) === null);
      return months.length ? [months.length === 12 ? i.name : `${i.name}（${monthsText(months)}）`] : [];
    });
  return {
    indicators: indicators.filter((i) => i.enabled),
    value,
    income: sum("income"),
    cost: sum("cost"),
    gaps,
  };
}

async function outlookOf(read: Read, { id }: Wanted): Promise<Outlook> {
  const v = await versionById(read, id);
  if (!v) throw notFound();
  if (v.state !== "draft" && v.state !== "approving") throw new Refusal("notAllowed", "该预算已处理");
  const { indicators, value, income, cost } = await planOf(read, v);
  const replaced = (await versionsOf(read, [v.villageId], v.year)).find((one) => one.state === "inForce");
  return {
    title: `预算 ${titleOf(v)}`,
    number: titleOf(v),
    villageId: v.villageId,
    amount: income,
    values: { amount: income },
    facts: [
      ["门店", v.villageName],
      ["年度", `${v.year} 年`],
      ["名称", v.name],
      ["收入预算", `${yuan(income)} 元`],
      ["成本预算", `${yuan(cost)} 元`],
      ["利润预算", `${yuan(income - cost)} 元`],
      ...(v.reason ? [["原因", v.reason] as const] : []),
      ...(replaced ? [["替换", `第 ${replaced.no} 版`] as const] : []),
    ],
    preview: [
      {
        title: "全年预算",
        columns: [words("指标"), words("全年")],
        rows: indicators.map((one) => [one.name, shownValue(one.unit, value(one))]),
      },
      {
        title: "合计",
        columns: [money("收入"), money("成本"), money("利润")],
        rows: [[income, cost, income - cost]],
      },
    ],
    hash: basisHash([
      id,
      (await cellsOf(read, [id])).map((c) => [c.indicatorId, c.month, c.value]).toSorted(),
    ]),
  };
}

/** It is in force from now on, for all months of the year; what was in force before stays to be read. */
async function enforce(act: Act, v: Version): Promise<void> {
  const state: BudgetState = BUDGET_MOVES.next("approve", { status: v.state, openId: null });
  const [before] = (await versionsOf(act, [v.villageId], v.year)).filter((one) => one.state === "inForce");
  if (before) {
    const locked = (await versionById(act, before.id, true))!;
    await revise(
      act,
      "budgetVersion",
      { id: locked.id, version: locked.version },
      { state: BUDGET_MOVES.next("supersede", { status: locked.state, openId: null }), ...stamp(act) },
    );
    await noteOn(act, locked, "替换", `由第 ${v.no} 版替换`);
  }
  await revise(
    act,
    "budgetVersion",
    { id: v.id, version: v.version },
    { state, inForceAt: act.now.toISOString(), ...stamp(act) },
  );
  await noteOn(act, v, "生效", before ? `生效，替换第 ${before.no} 版` : "生效");
}

approves({
  type: "budget",
  title: "预算",
  group: "财务",
  kind: "budget",
  page: PAGE,
  permit: "136.query",
  fields: [{ key: "amount", title: "收入预算", kind: "money" }],
  outlook: outlookOf,
  effect: async (act, { id }) => {
    const v = await versionById(act, id, true);
    if (!v) throw notFound();
    await enforce(act, v);
  },
  dropped: async (act, { id }, { why }) => {
    const v = await versionById(act, id, true);
    if (v?.state !== "approving") return;
    await revise(act, "budgetVersion", { id, version: v.version }, { state: "draft", ...stamp(act) });
    await noteOn(act, v, "退回草稿", why);
  },
});

/** Hands a draft in; where nobody needs to approve it is in force at once. Answers the number of the approval, or null. */
export async function submit(act: Act, id: number, version: number): Promise<string | null> {
  const v = await lockVersion(act, id);
  await refuseFrozen(act, "budget", [id]);
  if (v.version !== version) throw stale();
  const next = BUDGET_MOVES.next("submit", { status: v.state, openId: id });
  const { gaps } = await planOf(act, v);
  if (gaps.length) throw new Refusal("notAllowed", `以下指标未填写：${gaps.join("、")}`);
  const { waiting } = await propose(act, "budget", [
    { recordId: id, villageId: v.villageId, payload: {}, reason: v.reason || v.name },
  ]);
  const [one] = waiting;
  if (!one) await enforce(act, v);
  else {
    await revise(act, "budgetVersion", { id, version }, { state: next, ...stamp(act) });
    await noteOn(act, v, "提交审批", `提交审批 ${one.examineNo}`);
  }
  return one?.examineNo ?? null;
}

/** Its submitter takes it back from approval, to work on. */
export async function withdraw(act: Act, id: number, version: number): Promise<void> {
  const v = seen(act.who, await versionById(act, id));
  if (v.version !== version) throw stale();
  BUDGET_MOVES.next("withdraw", { status: v.state, openId: id });
  await withdrawExamine(act, "budget", id, { why: "撤回预算", anybody: false });
}

export async function remove(act: Act, id: number, version: number): Promise<void> {
  const v = await lockVersion(act, id);
  await refuseFrozen(act, "budget", [id]);
  if (v.version !== version) throw stale();
  BUDGET_MOVES.next("delete", { status: v.state, openId: id });
  await act.tx.deleteFrom("budgetVersion").where("id", "=", id).execute();
  await noteOn(act, v, "删除", "删除草稿");
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
  const before = MONTHS.map((month) => figures.value(one, { villages: [v.villageId], months: [month] }));
  const values = spreadOver(whole, how, before);
  if (!values) throw invalid({ field: "how", msg: "上年没有实际，不能按上年各月占比分摊" });
  const msg = values.map((value) => valueRefusal(one.unit, value)).find(Boolean);
  if (msg) throw invalid({ field: "whole", msg });
  return values;
}
