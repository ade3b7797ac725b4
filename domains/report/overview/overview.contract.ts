import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import { idList, pageQuery, pageReply, wordList } from "../../../platform/kernel/paging.ts";
import { AGAINST, CODES, inOrder, MOST_MONTHS } from "./overview.rules.ts";

const BASE = "/report/api/v3/overview";
const day = f.dayInput("日期");
const keys = <K extends string>(words: Record<K, unknown>) => Object.keys(words) as [K, ...K[]];

const span = {
  villageIds: idList,
  from: day,
  to: day,
  /** What was known at the end of this day; today by default. */
  asOf: day.optional(),
};
const WRONG = { error: `请选择不超过 ${MOST_MONTHS} 个月的期间`, path: ["to"] };

/** Only these figures; one that the caller's roles do not see is refused. All that they see, where none is named. */
const codes = wordList(CODES);

const figure = z.object({
  code: z.enum(CODES),
  value: z.number().nullable(),
  /** Of the period it is compared with. */
  before: z.number().nullable(),
  target: z.number().nullable(),
});

export const overviewCards = call({
  method: "GET",
  path: `${BASE}/cards`,
  summary: "数据看板指标",
  needs: "139.query",
  query: z
    .object({ ...span, codes, against: z.enum(keys(AGAINST)).default("target") })
    .refine(inOrder, WRONG),
  reply: z.object({ asOf: f.day("截至"), figures: z.array(figure) }),
});

/** Thirteen months up to the period's last, by indicator; null where nothing is known. Asked apart: the figures come first. */
export const overviewSeries = call({
  method: "GET",
  path: `${BASE}/series`,
  summary: "数据看板走势",
  needs: "139.query",
  query: z.object({ ...span, codes }).refine(inOrder, WRONG),
  reply: z.object({
    months: z.array(z.string()),
    lines: z.array(z.object({ code: z.enum(CODES), line: z.array(z.number().nullable()) })),
  }),
});

export const overviewAgeing = call({
  method: "GET",
  path: `${BASE}/ageing`,
  summary: "欠费账龄",
  needs: "139.query",
  query: z.object({ villageIds: idList, asOf: day.optional() }),
  reply: z.object({
    owed: z.number(),
    bills: z.number(),
    ages: z.array(z.object({ key: z.string(), title: z.string(), fen: z.number(), bills: z.number() })),
  }),
});

export const overviewExpiry = call({
  method: "GET",
  path: `${BASE}/expiry`,
  summary: "合同到期分布",
  needs: "139.query",
  query: z.object({ villageIds: idList, asOf: day.optional() }),
  reply: z.array(z.object({ month: z.string(), renewed: z.number(), open: z.number() })),
});

/** A figure that the caller's roles do not see is missing. */
const row = z.object({
  id: f.id,
  name: f.link("门店"),
  district: f.text("区域"),
  rooms: f.number("间数", { unit: "间" }),
  occupancyRate: f.percent("出租率").nullish(),
  vacant: f.number("空置间", { unit: "间" }).optional(),
  avgRent: f.money("平均租金", { help: "期末在租房间的月租金合计 ÷ 在租间数" }).nullish(),
  incomeAccrued: f.money("权责收入").nullish(),
  billed: f.money("应收").nullish(),
  collected: f.money("实收").nullish(),
  collectionRate: f.percent("收缴率").nullish(),
  arrears: f.money("欠费").nullish(),
  renewalRate: f.percent("续租率").nullish(),
  reached: f
    .percent("目标完成", { help: "各指标的目标完成率按“指标与规则”的权重平均；默认只计出租率" })
    .nullish(),
});
/** The figures among the columns, each ruled by what the caller's roles see. */
export const RANKED = [...CODES, "vacant"] as const;

export const overviewRanking = call({
  method: "GET",
  path: `${BASE}/ranking`,
  summary: "门店排行",
  needs: "139.query",
  query: pageQuery(
    "name",
    "rooms",
    "occupancyRate",
    "vacant",
    "avgRent",
    "incomeAccrued",
    "billed",
    "collected",
    "collectionRate",
    "arrears",
    "renewalRate",
    "reached",
  )
    .extend({ ...span, codes: wordList(RANKED) })
    .refine(inOrder, WRONG),
  /** The whole comes from sums, not from averages of averages. */
  reply: pageReply(row, row.omit({ id: true, name: true, district: true }).partial()),
});
export const exportRanking = exportOf({
  type: "overview",
  title: "门店排行",
  needs: "139.export",
  list: overviewRanking,
});
