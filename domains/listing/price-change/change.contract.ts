import { z } from "zod";
import { event } from "../../../platform/kernel/event.ts";
import { call } from "../../../platform/kernel/call.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import * as f from "../../../platform/kernel/field.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import {
  APPLY_TO,
  CHANGE_KINDS,
  CHANGE_STATES,
  LINE_PARTS,
  MODES,
  ROUNDS,
  MOST_ROOMS,
} from "./words.rules.ts";
import { callsAt, oneRecord } from "../../../platform/kernel/records.ts";
import { AMOUNT_MAX } from "../../../platform/kernel/fen.ts";
import { OCCUPANCIES } from "../status/status.rules.ts";
import { PRICE_UNITS, ROOM_KINDS } from "../room/words.rules.ts";

const words = <K extends string>(of: Record<K, unknown>) => Object.keys(of) as [K, ...K[]];
export const CHANGES = "/room/api/v3/priceChange";
const priceChanges = callsAt(CHANGES, "priceChange");
const roomIds = f.ids().max(MOST_ROOMS, `一次最多调整${MOST_ROOMS}间，请缩小范围`);
const fen = z.number().int().min(0).max(AMOUNT_MAX).nullish();
const area = z.number().min(0).max(999_999.99).nullish();

/** Which rooms: those of some villages that fit, or those that are named. */
const scope = {
  villageIds: z
    .array(f.id, { error: "请选择门店" })
    .min(1, "请选择门店")
    .max(1000, "门店过多")
    .meta({ title: "门店", kind: "text" }),
  roomIds: roomIds.nullish(),
  buildingId: f.id.nullish(),
  productId: f.id.nullish().meta({ title: "产品", kind: "link" }),
  kind: f.choice("类型", ROOM_KINDS).nullish(),
  bedrooms: z.number().int().min(0).max(10).nullish(),
  areaFrom: area,
  areaTo: area,
  priceFrom: fen,
  priceTo: fen,
  occupancy: z
    .array(z.enum(words(OCCUPANCIES)))
    .max(7)
    .nullish(),
  vacantDays: z.number().int().min(0).max(9999).nullish(),
};
export const changeScope = z.object(scope);
export type ChangeScope = z.output<typeof changeScope>;

const VALUE = "请输入调整值";
const edit = z.object({
  roomId: f.id,
  list: z.number().int().min(0).max(AMOUNT_MAX, "金额过大").optional(),
  lowest: z.number().int().min(0).max(AMOUNT_MAX, "金额过大").optional(),
});

const fields = z.object({
  ...scope,
  mode: f.choice("调整方式", MODES),
  value: z.number({ error: VALUE }).nullish().meta({ title: "调整值", kind: "number" }),
  /** The change whose old prices come back. */
  undoOf: f.id.nullish(),
  applyTo: f.choice("调整对象", APPLY_TO),
  round: f.choice("取整", ROUNDS),
  effectiveDay: f.dayInput("生效日"),
  skip: roomIds.default([]),
  edits: z.array(edit).max(2000, "手工修改最多2000间").default([]),
  /** Products of which every following room is in it get the new price themselves. */
  asProduct: z.boolean().default(false),
  /** The draft that is being changed: it does not stand in its own way. */
  self: f.id.nullish(),
});

type Ruled = { mode: string; value?: number | null | undefined; undoOf?: number | null | undefined };
const hundredth = (n: number) => Math.abs(n * 100 - Math.round(n * 100)) < 1e-6;
function wrongValue({ mode, value, undoOf }: Ruled): string | undefined {
  if (mode === "undo") return undoOf ? undefined : "请选择要恢复的调价单";
  if (!value) return VALUE;
  if (mode === "percent")
    return value >= -90 && value <= 500 && hundredth(value) ? undefined : "百分比为 -90 到 500，最多两位小数";
  if (!Number.isInteger(value)) return "请输入正确的金额（最多两位小数）";
  if (Math.abs(value) > AMOUNT_MAX) return "金额过大";
  return mode === "set" && value < 0 ? "统一价格必须大于0" : undefined;
}
/** Also while other fields are wrong: a form shows everything at once. */
export const withValue = <S extends z.ZodType>(schema: S): S =>
  schema.refine((rule) => !wrongValue(rule as Ruled), {
    path: ["value"],
    error: (issue) => wrongValue(issue.input as Ruled),
    when: ({ value }) => typeof value === "object" && value !== null,
  });

export const changePlan = withValue(fields);
/** As it is shown: an amount that the reader may not see is left out. */
export const shownPlan = fields;
export type ChangePlan = z.output<typeof changePlan>;

export const lineRow = z.object({
  roomId: f.id,
  roomName: f.room("房间"),
  unit: f.status("计价单位", PRICE_UNITS).nullable(),
  oldList: f.money("原标价").nullable(),
  newList: f.money("新标价").nullable(),
  change: f.money("变动").nullable(),
  oldLowest: f.money("原底价").nullish(),
  newLowest: f.money("新底价").nullish(),
  edited: z.boolean(),
  byProduct: z.boolean(),
  skipped: z.boolean(),
  why: f.text("跳过原因"),
  warnings: z.array(z.string()).meta({ title: "提醒", kind: "text" }),
});

export const totalsRow = z.object({
  rooms: f.number("房间数", { unit: "间" }),
  skipped: f.number("跳过", { unit: "间" }),
  oldAverage: f.money("调整前均价").nullable(),
  newAverage: f.money("调整后均价").nullable(),
  effect: f.money("月影响", { help: "可租的空置房间，新标价减原标价的合计；按天、按面积计价的折成一个月" }),
});
export const histogramRow = z.object({
  labels: z.array(z.string()),
  before: z.array(z.number()),
  after: z.array(z.number()),
});

export const previewReply = totalsRow.extend({
  beyond: z.number(),
  problems: z.array(z.string()),
  histogram: histogramRow,
  counts: z.record(z.enum(words(LINE_PARTS)), z.number()),
  lines: z.array(lineRow),
  /** Products that can get the new price themselves. */
  products: z.array(z.object({ id: f.id, name: z.string(), rooms: z.number() })),
  hash: z.string(),
});

/** Every effect before anything is done; `part` and `pageNo` choose the lines that are shown. */
export const previewChange = priceChanges.post("/preview", "预览批量调价", ["6.add", "6.edit"], {
  effect: "read",
  timeout: 120_000,
  body: withValue(
    fields.extend({
      part: z.enum(words(LINE_PARTS)).default("all"),
      pageNo: z.number().int().min(1).max(10_000).default(1),
      pageSize: z.number().int().min(1).max(200).default(50),
    }),
  ),
  reply: previewReply,
});

/** How many rooms a choice finds; asked while it is being made. */
export const countChange = priceChanges.post("/count", "批量调价的房间数", ["6.add", "6.edit"], {
  effect: "read",
  body: changeScope,
  reply: z.object({ rooms: z.number() }),
});

const WHY = "请输入调价原因";
/** A plan as it is kept: with the hash of the preview that was agreed to. */
export const confirmedPlan = fields.extend({
  reason: f.freely(z.string({ error: WHY }).trim().min(2, WHY).max(200, "调价原因最多200个字")).meta({
    title: "调价原因",
    kind: "text",
    max: 200,
  }),
  hash: f.token(),
  /** Whoever moves a price by more than half has looked at it. */
  checked: z.boolean().default(false),
});
/** The same while it is being typed: no preview has been agreed to yet. */
export const planForm = withValue(confirmedPlan.omit({ hash: true }));
export type PlanForm = z.input<typeof planForm>;

export const changeRow = z.object({
  id: f.id,
  number: f.link("编号"),
  kind: f.status("类型", CHANGE_KINDS),
  scopeText: f.text("范围"),
  ruleText: f.text("方式"),
  rooms: f.number("房间数"),
  oldAverage: f.money("调整前均价").nullable(),
  newAverage: f.money("调整后均价").nullable(),
  effect: f.money("月影响", { help: "可租的空置房间，新标价减原标价的合计" }),
  effectiveDay: f.day("生效日"),
  state: f.status("状态", CHANGE_STATES),
  createdName: f.person("提交人"),
  createdAt: f.instant("创建时间"),
  examineNo: f.link("审批").nullable(),
  examineId: f.id.nullable(),
  mine: z.boolean(),
  /** Of what a job carries out: how far it is, and why the last run came to nothing. */
  progress: f.number("进度", { unit: "%" }),
  failed: f.text("未完成原因"),
  version: f.version,
});
export type ChangeRow = z.output<typeof changeRow>;

const effective = { kind: "days", title: "生效日", from: "dayFrom", to: "dayTo" } as const;
export const listChanges = priceChanges.get("", "调价单列表", "6.query", {
  query: pageQuery("createdAt", "effectiveDay", "rooms", "effect").extend({
    villageIds: filter.villages(),
    state: filter.choices("状态", CHANGE_STATES),
    kind: filter.choices("类型", CHANGE_KINDS),
    dayFrom: filter.by(f.dayInput("生效日起").optional(), effective),
    dayTo: filter.by(f.dayInput("生效日止").optional(), effective),
    person: filter.by(z.string().trim().max(30).optional(), { kind: "text", title: "提交人" }),
    keyword: filter.by(z.string().trim().max(50, "关键字最多50个字").optional(), {
      kind: "keyword",
      title: "编号、原因",
    }),
  }),
  reply: pageReply(changeRow, z.object({ rooms: f.number("房间数"), effect: f.money("月影响") })),
});

export const exportChanges = exportOf({
  type: "priceChange",
  title: "调价单",
  needs: "6.export",
  list: listChanges,
});

export const getChange = priceChanges.get("/:id", "调价单详情", "6.get", {
  reply: changeRow.extend({
    mode: f.status("调整方式", MODES),
    applyTo: f.status("调整对象", APPLY_TO),
    round: f.status("取整", ROUNDS),
    reason: f.text("调价原因"),
    villageNames: f.text("门店"),
    /** At which node it waits for whom, and since when. */
    waiting: z.object({ node: z.string(), waitingFor: z.string(), since: z.string() }).nullable(),
    undoOf: z.object({ id: f.id, number: z.string() }).nullable(),
    undoneBy: z.object({ id: f.id, number: z.string() }).nullable(),
    totals: totalsRow,
    histogram: histogramRow,
    counts: z.record(z.enum(words(LINE_PARTS)), z.number()),
    /** What the form began with, for copies and edits. */
    plan: shownPlan,
  }),
});

export const changeLines = priceChanges.get("/:id/lines", "调价单明细", "6.get", {
  query: pageQuery("room", "newList").extend({
    part: filter.by(z.enum(words(LINE_PARTS)).default("all"), {
      kind: "choice",
      title: "范围",
      words: LINE_PARTS,
    }),
  }),
  reply: pageReply(lineRow),
});

export const exportLines = exportOf({
  type: "priceChangeLine",
  title: "调价明细",
  needs: "6.export",
  list: changeLines,
});

export const addChange = priceChanges.post("", "新增调价单", ["6.add", "6.edit"], {
  timeout: 120_000,
  body: withValue(confirmedPlan),
  reply: z.object({ id: f.id, number: z.string(), version: f.version }),
});

export const editChange = priceChanges.put("/:id", "编辑调价单", "6.edit", {
  timeout: 120_000,
  body: withValue(confirmedPlan.extend({ version: f.version })),
  reply: z.object({ id: f.id, number: z.string(), version: f.version }),
});

const moved = (act: "submit" | "withdraw" | "cancel", summary: string) =>
  call({
    method: "PUT",
    path: `${CHANGES}/:id/${act}`,
    summary,
    needs: "6.edit",
    target: "priceChange",
    timeout: 120_000,
    params: oneRecord,
    body: z.object({ version: f.version }),
    reply: z.object({ id: f.id, state: f.status("状态", CHANGE_STATES), examineNo: z.string().nullable() }),
  });
/** Carried out at once where no approval is configured. */
export const submitChange = moved("submit", "提交调价单");
export const withdrawChange = moved("withdraw", "撤回调价单");
export const cancelChange = moved("cancel", "取消调价单");

/** New prices of many rooms are written apart from the call. */
export const priceChangeCarried = event(
  "priceChange.carry",
  z.object({ id: f.id, operatorId: f.id.nullable() }),
);
