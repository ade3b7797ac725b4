import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, notFound } from "../../../platform/kernel/refusal.ts";
import { revise, stamp, asSeen } from "../../../platform/server/database/versioned.ts";
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
import { indicatorsOf } from "../budget-indicator/indicators.queries.ts";
import { type Indicator, isInput } from "../budget-indicator/source.rules.ts";
import { MONTHS, evaluator, shownValue } from "../budget-indicator/value.rules.ts";
import { BUDGET_MOVES, type BudgetState, monthsText, titleOf } from "./budget.rules.ts";
import { lockVersion, noteOn } from "./cells.service.ts";
import { followBudget } from "./targets.service.ts";
import { type Version, cellsOf, plannedOf, topOf, versionById, versionsOf } from "./plan.queries.ts";

const PAGE = "/accountManage/BudgetManage";

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
  await followBudget(act, v);
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
  asSeen(v, version);
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
  asSeen(v, version);
  BUDGET_MOVES.next("withdraw", { status: v.state, openId: id });
  await withdrawExamine(act, "budget", id, { why: "撤回预算", anybody: false });
}
