import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { idList, pageQuery, pageReply, wordList } from "../../../platform/kernel/paging.ts";
import { CONDITIONS, OCCUPANCIES } from "../../listing/status/status.rules.ts";
import { CODE_WORDS, CODES } from "../indicator/figure.rules.ts";
import { AGAINST, MOST_MONTHS, inOrder } from "../indicator/period.rules.ts";
import { EMPTY_KEYS, EMPTY_WHY, END_KEYS, MOVE_KEYS } from "./overview.rules.ts";
const overview = callsAt("/report/api/v3/overview");
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

export const overviewCards = overview.get("/cards", "数据看板指标", "139.query", {
  query: z
    .object({ ...span, codes, against: z.enum(keys(AGAINST)).default("target") })
    .refine(inOrder, WRONG),
  reply: z.object({ asOf: f.day("截至"), figures: z.array(figure) }),
});

/** Thirteen months up to the period's last, by indicator; null where nothing is known. Asked apart: the figures come first. */
export const overviewSeries = overview.get("/series", "数据看板走势", "139.query", {
  query: z.object({ ...span, codes }).refine(inOrder, WRONG),
  reply: z.object({
    months: z.array(z.string()),
    lines: z.array(z.object({ code: z.enum(CODES), line: z.array(z.number().nullable()) })),
  }),
});

export const overviewAgeing = overview.get("/ageing", "欠费账龄", "139.query", {
  query: z.object({ villageIds: idList, asOf: day.optional() }),
  reply: z.object({
    owed: z.number(),
    bills: z.number(),
    ages: z.array(z.object({ key: z.string(), title: z.string(), fen: z.number(), bills: z.number() })),
  }),
});

export const overviewExpiry = overview.get("/expiry", "合同到期分布", "139.query", {
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
const RANKED_WORDS = { ...CODE_WORDS, ...f.plainWords({ vacant: "空置间" }) };

export const overviewRanking = overview.get("/ranking", "门店排行", "139.query", {
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
    .extend({
      ...span,
      codes: filter.by(wordList(RANKED), { kind: "choice", title: "指标", many: true, words: RANKED_WORDS }),
    })
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

const count = z.number().int();

/** Rooms that could be let and are not on a day, today by default: why, and for how long. */
export const overviewVacancy = overview.get("/vacancy", "空置分布", "139.query", {
  query: z.object({ villageIds: idList, asOf: day.optional() }),
  reply: z.object({
    rooms: count,
    why: z.array(z.object({ key: z.enum(Object.keys(EMPTY_WHY) as [keyof typeof EMPTY_WHY]), rooms: count })),
    days: z.array(z.object({ title: z.string(), rooms: count })),
  }),
});

/** Let rooms from the eve of a period to its last day: start + came − went = end. */
export const overviewWaterfall = overview.get("/waterfall", "在租变动", "139.query", {
  query: z.object(span).refine(inOrder, WRONG),
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
export const overviewFunnel = overview.get("/funnel", "客源转化", "139.query", {
  query: z.object(span).refine(inOrder, WRONG),
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

const placeFigures = {
  rooms: f.number("间数", { unit: "间" }),
  vacant: f.number("空置间", { unit: "间" }),
  occupancyRate: f.percent("出租率").nullable(),
  /** Missing where the caller's roles do not see it. */
  avgRent: f.money("平均租金").nullish(),
};

/** Every store with rooms where it stands, and the cities beside each other; a city's placeFigures come from sums. */
export const overviewPlaces = overview.get("/places", "门店地图与城市对比", "139.query", {
  query: z.object(span).refine(inOrder, WRONG),
  reply: z.object({
    stores: z.array(
      z.object({
        id: f.id,
        name: f.link("门店"),
        district: f.text("区域"),
        city: f.text("城市"),
        lng: z.number().nullable(),
        lat: z.number().nullable(),
        ...placeFigures,
      }),
    ),
    cities: z.array(z.object({ name: f.text("城市"), villageIds: z.array(f.id), ...placeFigures })),
  }),
});

const place = { id: f.id, fullName: f.room("房间"), villageName: f.text("门店") };
const lease = {
  contractId: f.id.nullable(),
  contractNo: f.link("合同号").nullable(),
  kind: z.enum(["renter", "company", "merchant"]).nullable(),
  /** Only the first character for who may not see tenants. */
  partyName: f.person("客户").nullable(),
  startDate: f.day("起租日").nullable(),
  endDate: f.day("到期日").nullable(),
  rent: f.money("月租金").nullable(),
};

/** Rooms that make a bar of the picture of let rooms; as many as it says. */
export const overviewMoved = overview.get("/moved", "在租变动明细", "139.query", {
  query: pageQuery("fullName")
    .extend({ ...span, part: z.enum(MOVE_KEYS) })
    .refine(inOrder, WRONG),
  reply: pageReply(z.object({ ...place, ...lease })),
});

/** Rooms that could be let and are not: all, of one reason, or of one class of days. */
export const overviewEmpty = overview.get("/empty", "空置明细", "139.query", {
  query: pageQuery("fullName", "days").extend({
    villageIds: idList,
    asOf: day.optional(),
    why: z.enum(EMPTY_KEYS).optional(),
    daysFrom: z.coerce.number().int().min(0).max(100_000).optional(),
    daysTo: z.coerce.number().int().min(0).max(100_000).optional(),
  }),
  reply: pageReply(
    z.object({
      ...place,
      occupancy: f.status("入住状态", OCCUPANCIES),
      condition: f.status("房态", CONDITIONS),
      days: f.number("空置天数", { unit: "天" }),
      listPrice: f.money("标价").nullable(),
    }),
  ),
});

/** Contracts of every kind that end in a period. */
export const overviewEnding = overview.get("/ending", "到期合同明细", "139.query", {
  query: pageQuery("endDate")
    .extend({ ...span, part: z.enum(END_KEYS).default("all") })
    .refine(inOrder, WRONG),
  reply: pageReply(
    z.object({
      id: f.id,
      contractNo: f.link("合同号"),
      kind: z.enum(["renter", "company", "merchant"]),
      villageName: f.text("门店"),
      roomNames: f.room("房间"),
      partyName: f.person("客户"),
      endDate: f.day("到期日"),
      rent: f.money("月租金").nullable(),
      renewed: f.flag("已续租"),
    }),
  ),
});
