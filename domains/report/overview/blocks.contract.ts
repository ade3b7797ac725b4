import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { idList } from "../../../platform/kernel/paging.ts";
import { EMPTY_WHY, inOrder, MOST_MONTHS } from "./overview.rules.ts";

const BASE = "/report/api/v3/overview";
const day = f.dayInput("日期");
const span = z.object({ villageIds: idList, from: day, to: day, asOf: day.optional() }).refine(inOrder, {
  error: `请选择不超过 ${MOST_MONTHS} 个月的期间`,
  path: ["to"],
});
const count = z.number().int();

/** Rooms that could be let and are not on a day, today by default: why, and for how long. */
export const overviewVacancy = call({
  method: "GET",
  path: `${BASE}/vacancy`,
  summary: "空置分布",
  needs: "139.query",
  query: z.object({ villageIds: idList, asOf: day.optional() }),
  reply: z.object({
    rooms: count,
    why: z.array(z.object({ key: z.enum(Object.keys(EMPTY_WHY) as [keyof typeof EMPTY_WHY]), rooms: count })),
    days: z.array(z.object({ title: z.string(), rooms: count })),
  }),
});

/** Let rooms from the eve of a period to its last day: start + came − went = end. */
export const overviewWaterfall = call({
  method: "GET",
  path: `${BASE}/waterfall`,
  summary: "在租变动",
  needs: "139.query",
  query: span,
  reply: z.object({
    from: f.day("期初"),
    to: f.day("期末"),
    start: count,
    came: count,
    went: count,
    end: count,
    /** Let at both ends, by a renewal signed in between. */
    renewed: count,
  }),
});

/** How far the leads of a period came, whoever looks after them. */
export const overviewFunnel = call({
  method: "GET",
  path: `${BASE}/funnel`,
  summary: "客源转化",
  needs: "139.query",
  query: span,
  reply: z.object({
    steps: z.array(z.object({ step: z.string(), count, rate: f.percent("上一步转化率").nullable() })),
    /** 转化率: signed of all registered. */
    whole: f.percent("转化率").nullable(),
    /** The same by where they came from, the most first; together they are all registered. */
    sources: z.array(
      z.object({
        source: z.string(),
        name: f.text("来源"),
        created: count,
        signed: count,
        rate: f.percent("转化率").nullable(),
      }),
    ),
  }),
});
