import { z } from "zod";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { INDICATORS, drillReply } from "../budget-indicator/budget-indicator.contract.ts";
import { BETTER, KINDS, UNITS } from "../budget-indicator/source.rules.ts";
import { years } from "../budget/budget.contract.ts";
import { MONTH_WORDS, PERIODS } from "./complete.rules.ts";

const completions = callsAt("/report/api/v3/budget");

const figures = {
  indicatorId: f.id,
  indicatorName: f.text("指标"),
  kind: f.status("类型", KINDS),
  unit: f.status("单位", UNITS),
  better: z.enum(Object.keys(BETTER) as [keyof typeof BETTER]),
  budget: f.number("本月预算").nullable(),
  actual: f.number("本月实际").nullable(),
  /** The month is not accrued yet: as far as its days have passed. */
  estimated: f.flag("预估"),
  reached: f.progress("完成率").nullable(),
  difference: f.number("差额").nullable(),
  yearBudget: f.number("年累计预算").nullable(),
  yearActual: f.number("年累计实际").nullable(),
  yearReached: f.progress("年累计完成率").nullable(),
  before: f.number("上年同期").nullable(),
  growth: f.percent("同比").nullable(),
};

export const indicatorCompleteRow = z.object({
  id: f.id,
  ...figures,
  /** null: all stores that have a budget in force. */
  villageId: f.id.nullable(),
  villageName: f.text("门店"),
});
export type CompleteRow = z.output<typeof indicatorCompleteRow>;

export const indicatorComplete = completions.get("/indicatorComplete", "指标完成情况", "136.query", {
  query: pageQuery("reached").extend({
    year: years,
    month: filter.by(z.coerce.number().int().min(1).max(12).optional(), {
      kind: "choice",
      title: "月份",
      words: MONTH_WORDS,
    }),
    indicatorIds: filter.records("指标", INDICATORS),
    villageIds: filter.villages(),
  }),
  reply: pageReply(indicatorCompleteRow),
});
export const exportIndicatorComplete = exportOf({
  type: "budgetIndicatorComplete",
  title: "指标完成情况",
  needs: "136.export",
  list: indicatorComplete,
});

const periodQuery = {
  year: years,
  period: filter.choice("期间", PERIODS),
  villageIds: filter.villages(),
};

export const villageCompleteRow = z.object({
  id: f.id,
  villageName: f.link("门店"),
  /** The version in force; null: 未编制预算. */
  versionId: f.id.nullable(),
  no: f.number("生效版本").nullable(),
  income: f.money("收入预算").nullable(),
  incomeActual: f.money("实际收入").nullable(),
  incomeReached: f.progress("收入完成率").nullable(),
  profit: f.money("年累计利润预算").nullable(),
  profitActual: f.money("年累计利润").nullable(),
  profitReached: f.progress("利润年累计完成率").nullable(),
  behind: f.number("未达标指标", { help: "本期完成率为红色的指标数" }),
  estimated: f.flag("预估"),
  cells: z.array(
    z.object({
      indicatorId: f.id,
      name: z.string(),
      better: z.enum(Object.keys(BETTER) as [keyof typeof BETTER]),
      /** Part of no other, or has to be planned: what a picture shows. */
      main: z.boolean(),
      reached: z.number().nullable(),
    }),
  ),
});
export type VillageComplete = z.output<typeof villageCompleteRow>;

export const villageComplete = completions.get("/villageComplete", "门店预算完成情况", "136.query", {
  query: pageQuery("profitReached", "incomeReached").extend(periodQuery),
  reply: pageReply(villageCompleteRow),
});

export const villageCompleteRows = completions.get("/villageComplete/rows", "门店预算完成明细", "136.query", {
  query: pageQuery("villageName").extend(periodQuery),
  reply: pageReply(
    indicatorCompleteRow.omit({ villageId: true }).extend({
      villageId: f.id,
      level: z.number(),
      note: f.text("说明"),
      noteVersion: f.versionOrNone,
      budget: f.number("本期预算").nullable(),
      actual: f.number("本期实际").nullable(),
    }),
  ),
});
export const exportVillageComplete = exportOf({
  type: "budgetVillageComplete",
  title: "门店预算完成情况",
  needs: "136.export",
  list: villageComplete,
  // as on the page: the stores, then each one's indicators
  each: {
    list: villageCompleteRows,
    by: "villageIds",
    name: "villageName",
    columns: [
      "indicatorName",
      "unit",
      "budget",
      "actual",
      "estimated",
      "reached",
      "difference",
      "yearBudget",
      "yearActual",
      "yearReached",
      "before",
      "growth",
      "note",
    ],
  },
});

/** What a store's month, or its months up to `to` of one year, came to, with the rows behind it. */
export const budgetActual = completions.get("/actual", "预算实际明细", "136.query", {
  query: z.object({
    indicatorId: z.coerce.number().pipe(f.id),
    villageId: z.coerce.number().pipe(f.id),
    month: f.monthInput("月份"),
    to: f.monthInput("截止月份").optional(),
  }),
  reply: drillReply.extend({
    indicatorName: z.string(),
    villageName: z.string(),
    basis: z.string(),
    source: z.string(),
  }),
});

/** Why a store is off its plan in a month. */
export const writeNote = callsAt("/billing/api/v3/budget", "budgetNote").put(
  "/note",
  "填写说明",
  "136.edit",
  {
    body: z.object({
      villageId: f.pick("门店"),
      indicatorId: f.pick("指标"),
      month: f.monthInput("月份"),
      text: f.reason("说明"),
      version: f.versionOrNone,
    }),
    reply: z.null(),
  },
);
