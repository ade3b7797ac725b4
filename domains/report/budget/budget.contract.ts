import { z } from "zod";
import { exportOf } from "../../../platform/kernel/export.ts";
import { AMOUNT_MAX } from "../../../platform/kernel/fen.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { AGGS, KINDS, UNITS } from "../budget-indicator/source.rules.ts";
import { BUDGET_STATE, FROM, SPREAD, YEARS } from "./budget.rules.ts";

const BASE = "/billing/api/v3/budget";
const budgets = callsAt(BASE, "budget");
const seen = z.object({ version: f.version });
const month = z.number().int().min(1).max(12);
const value = z.number().int().min(-AMOUNT_MAX).max(AMOUNT_MAX);
export const years = filter.by(z.coerce.number().int().min(2020).max(2039).optional(), {
  kind: "choice",
  title: "年度",
  words: YEARS,
});

const versionRow = z.object({
  id: f.id,
  no: f.number("版本"),
  name: f.text("名称"),
  reason: f.text("原因"),
  state: f.status("状态", BUDGET_STATE),
  updatedAt: f.instant("更新时间"),
  updatedName: f.person("更新人"),
  inForceAt: f.instant("生效时间").nullable(),
  version: f.version,
});

/** A store's year: the version in force, and the one that is worked on. */
export const budgetRow = z.object({
  /** The version that is in force, else the newest. */
  id: f.id,
  villageId: f.id,
  villageName: f.link("门店"),
  year: f.text("年度"),
  inForceNo: f.number("生效版本").nullable(),
  versions: f.number("版本数"),
  income: f.money("收入预算").nullable(),
  cost: f.money("成本预算").nullable(),
  profit: f.money("利润预算").nullable(),
  actual: f.money("年累计实际收入", { help: "本年截至今天的实际收入，未计提的月份为预估" }).nullable(),
  reached: f.progress("收入完成率", { help: "年累计实际收入 ÷ 全年收入预算" }).nullable(),
  state: f.status("状态", BUDGET_STATE),
  name: f.text("名称"),
  updatedAt: f.instant("更新时间"),
  updatedName: f.person("更新人"),
  version: f.version,
  /** A draft, or what waits for approval. */
  openId: f.id.nullable(),
  openNo: z.number().nullable(),
  openState: z.enum(["draft", "approving"]).nullable(),
  openVersion: f.version.nullable(),
});
export type BudgetRow = z.output<typeof budgetRow>;

export const listBudgets = budgets.get("", "预算列表", "136.query", {
  query: pageQuery("villageName").extend({
    year: years,
    villageIds: filter.villages(),
    state: filter.choices("状态", BUDGET_STATE),
  }),
  reply: pageReply(
    budgetRow,
    z.object({
      income: f.money("收入预算").nullable(),
      cost: f.money("成本预算").nullable(),
      profit: f.money("利润预算").nullable(),
      actual: f.money("年累计实际收入").nullable(),
      reached: f.progress("收入完成率").nullable(),
    }),
  ),
});
export const exportBudgets = exportOf({
  type: "budget",
  title: "预算管理",
  needs: "136.export",
  list: listBudgets,
});

export const getBudget = budgets.get("/:id", "预算详情", "136.get", {
  reply: budgetRow.extend({
    list: z.array(versionRow),
    /** What was done to any of its versions, the newest first. */
    log: z.array(
      z.object({
        id: f.id,
        no: f.number("版本"),
        at: f.instant("时间"),
        who: f.person("操作人"),
        action: f.text("动作"),
        summary: f.text("摘要"),
      }),
    ),
  }),
});

/** Budget and actual income of a store's months. */
export const budgetMonths = budgets.get("/months", "预算与实际收入", "136.query", {
  query: z.object({
    year: z.coerce.number().int().min(2000).max(2099),
    villageId: z.coerce.number().pipe(f.id),
  }),
  reply: z.array(z.object({ month, budget: z.number().nullable(), actual: z.number().nullable() })),
});

const name = f.input("名称", 1, 30, "名称为1-30个字");

export const addBudgets = budgets.post("", "新建预算", "136.add", {
  body: z.object({
    villageIds: f.ids().min(1, "请选择门店").max(500, "一次最多500个门店").meta({ title: "门店" }),
    year: f.whole("年度", 2020, 2039),
    from: f.choice("来源", FROM),
    /** Hundredths of a percent that actuals are raised by. */
    percent: z
      .number()
      .min(-100, "请输入-100到1000之间的数")
      .max(1000, "请输入-100到1000之间的数")
      .default(0)
      .meta({ title: "上浮", kind: "number", unit: "%" }),
    name,
  }),
  reply: z.object({ ids: z.array(f.id) }),
});

export const renewBudget = budgets.post("/:id/version", "新版本", "136.add", {
  body: z.object({ name, reason: f.reason() }),
  reply: z.object({ id: f.id }),
});
export const submitBudget = budgets.put("/:id/submit", "提交审批", "136.edit", {
  body: seen,
  reply: z.object({ waiting: z.string().nullable() }),
});
export const withdrawBudget = budgets.put("/:id/withdraw", "撤回预算", "136.edit", {
  body: seen,
  reply: z.null(),
});
export const deleteBudget = budgets.delete("/:id", "删除预算", "136.delete", {
  query: z.object({ version: f.versionInQuery }),
  reply: z.null(),
});

export const differenceRow = z.object({
  indicatorName: f.text("指标"),
  months: f.text("月份"),
  unit: f.text("单位"),
  before: f.text("原预算"),
  after: f.text("新预算"),
  change: f.text("差异"),
});
export const compareBudgets = budgets.get("/:id/compare", "版本对比", "136.query", {
  query: z.object({ with: z.coerce.number().pipe(f.id) }),
  reply: z.object({ before: f.text("原版本"), after: f.text("新版本"), list: z.array(differenceRow) }),
});

const cell = z.object({ indicatorId: f.id, month, value: value.nullable(), version: f.versionOrNone });
const gridRow = z.object({
  id: f.id,
  code: z.string(),
  name: z.string(),
  level: z.number(),
  parentId: f.id.nullable(),
  kind: z.enum(Object.keys(KINDS) as [keyof typeof KINDS]),
  unit: z.enum(Object.keys(UNITS) as [keyof typeof UNITS]),
  agg: z.enum(Object.keys(AGGS) as [keyof typeof AGGS]),
  better: z.enum(["up", "down"]),
  basis: z.enum(["accrual", "billed", "cash", "timeline"]),
  must: z.boolean(),
  enabled: z.boolean(),
  /** How it is worked out in a budget, empty for the sum of what is below it; null: it is typed. */
  formula: z.string().nullable(),
  formulaText: z.string(),
  /** Actuals of the year before, by month and as a whole. */
  before: z.array(z.number().nullable()),
  beforeYear: z.number().nullable(),
});
export type GridRow = z.output<typeof gridRow>;

/** A version as a grid: what is typed into it, and what the rest is worked out from. */
export const budgetCells = budgets.get("/:id/cells", "预算明细", "136.query", {
  reply: versionRow.extend({
    villageId: f.id,
    villageName: z.string(),
    year: z.number(),
    rows: z.array(gridRow),
    cells: z.array(cell),
    /** Room nights by month, which means are weighed by. */
    nights: z.array(z.number()),
  }),
});
export type BudgetGrid = z.output<typeof budgetCells.reply>;

/** What was changed; cells that somebody else was quicker with are left as they are and told. */
export const saveCells = budgets.put("/:id/cells", "保存预算明细", "136.edit", {
  body: z.object({
    cells: z
      .array(cell)
      .min(1, "没有修改")
      .max(2400, "一次最多保存2400格")
      .refine(
        f.distinct((c: { indicatorId: number; month: number }) => `${c.indicatorId} ${c.month}`),
        "同一单元格不能重复",
      ),
  }),
  reply: z.object({
    saved: z.array(cell),
    conflicts: z.array(cell.extend({ byName: z.string(), msg: z.string() })),
  }),
});

/** A year's sum laid over its months; it is typed into the grid and saved from there. */
export const spreadYear = budgets.post("/:id/spread", "全年分摊", "136.edit", {
  effect: "read",
  body: z.object({ indicatorId: f.pick("指标"), whole: value, how: f.choice("方式", SPREAD) }),
  reply: z.object({ values: z.array(z.number()) }),
});

type Month = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12;
const M = Object.fromEntries(
  Array.from({ length: 12 }, (_, i) => [`m${i + 1}`, f.money(`${i + 1}月`).nullable()]),
) as Record<`m${Month}`, z.ZodNullable<ReturnType<typeof f.money>>>;

export const indicatorBudgetRow = z.object({
  id: f.id,
  villageId: f.id,
  villageName: f.link("门店"),
  no: f.number("版本"),
  state: f.status("状态", BUDGET_STATE),
  ...M,
  whole: f.money("全年").nullable(),
  share: f.percent("占比").nullable(),
  before: f.money("上年实际").nullable(),
  growth: f.percent("增长率").nullable(),
  /** The same by month. */
  grown: z.array(z.number().nullable()),
});
const WHICH = { inForce: ["生效", "grey"], draft: ["最新草稿", "grey"] } as const;

/** One indicator over all stores, in hundredths of its unit. */
export const indicatorBudgets = callsAt(BASE).get("/indicator/:indicatorId", "预算指标明细", "136.query", {
  params: z.object({ indicatorId: z.coerce.number().pipe(f.id) }),
  query: pageQuery("whole", "growth").extend({
    year: years,
    villageIds: filter.villages(),
    which: filter.choice("版本", WHICH),
  }),
  reply: pageReply(
    indicatorBudgetRow,
    z.object({
      ...M,
      whole: f.money("全年").nullable(),
      before: f.money("上年实际").nullable(),
      growth: f.percent("增长率").nullable(),
      /** Of a mean: what it is the quotient of. */
      numerator: z.number().nullable(),
      denominator: z.number().nullable(),
    }),
  ),
});
export const exportIndicatorBudgets = exportOf({
  type: "budgetIndicatorDetail",
  title: "预算指标明细",
  needs: "136.export",
  list: indicatorBudgets,
});
