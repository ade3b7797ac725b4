import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import {
  choice,
  dayInput,
  freely,
  id,
  ids,
  money,
  number,
  room,
  status,
  text,
  token,
} from "../../../platform/kernel/field.ts";
import { AMOUNT_MAX } from "../../../platform/kernel/fen.ts";
import { OCCUPANCIES } from "../status/status.rules.ts";
import { PRICE_UNITS, ROOM_KINDS } from "../room/words.rules.ts";
import { APPLY_TO, LINE_PARTS, MODES, MOST_ROOMS, ROUNDS } from "./words.rules.ts";

export const CHANGES = "/room/api/v3/priceChange";
const words = <K extends string>(of: Record<K, unknown>) => Object.keys(of) as [K, ...K[]];
const roomIds = ids().max(MOST_ROOMS, `一次最多调整${MOST_ROOMS}间，请缩小范围`);
const fen = z.number().int().min(0).max(AMOUNT_MAX).nullish();
const area = z.number().min(0).max(999_999.99).nullish();

/** Which rooms: those of some villages that fit, or those that are named. */
const scope = {
  villageIds: z
    .array(id, { error: "请选择门店" })
    .min(1, "请选择门店")
    .max(1000, "门店过多")
    .meta({ title: "门店", kind: "text" }),
  roomIds: roomIds.nullish(),
  buildingId: id.nullish(),
  productId: id.nullish().meta({ title: "产品", kind: "link" }),
  kind: choice("类型", ROOM_KINDS).nullish(),
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
  roomId: id,
  list: z.number().int().min(0).max(AMOUNT_MAX, "金额过大").optional(),
  lowest: z.number().int().min(0).max(AMOUNT_MAX, "金额过大").optional(),
});

const fields = z.object({
  ...scope,
  mode: choice("调整方式", MODES),
  value: z.number({ error: VALUE }).nullish().meta({ title: "调整值", kind: "number" }),
  /** The change whose old prices come back. */
  undoOf: id.nullish(),
  applyTo: choice("调整对象", APPLY_TO),
  round: choice("取整", ROUNDS),
  effectiveDay: dayInput("生效日"),
  skip: roomIds.default([]),
  edits: z.array(edit).max(2000, "手工修改最多2000间").default([]),
  /** Products of which every following room is in it get the new price themselves. */
  asProduct: z.boolean().default(false),
  /** The draft that is being changed: it does not stand in its own way. */
  self: id.nullish(),
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
  roomId: id,
  roomName: room("房间"),
  unit: status("计价单位", PRICE_UNITS).nullable(),
  oldList: money("原标价").nullable(),
  newList: money("新标价").nullable(),
  change: money("变动").nullable(),
  oldLowest: money("原底价").nullish(),
  newLowest: money("新底价").nullish(),
  edited: z.boolean(),
  byProduct: z.boolean(),
  skipped: z.boolean(),
  why: text("跳过原因"),
  warnings: z.array(z.string()).meta({ title: "提醒", kind: "text" }),
});

export const totalsRow = z.object({
  rooms: number("房间数", { unit: "间" }),
  skipped: number("跳过", { unit: "间" }),
  oldAverage: money("调整前均价").nullable(),
  newAverage: money("调整后均价").nullable(),
  effect: money("月影响", { help: "可租的空置房间，新标价减原标价的合计；按天、按面积计价的折成一个月" }),
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
  products: z.array(z.object({ id, name: z.string(), rooms: z.number() })),
  hash: z.string(),
});

/** Every effect before anything is done; `part` and `pageNo` choose the lines that are shown. */
export const previewChange = call({
  method: "POST",
  path: `${CHANGES}/preview`,
  summary: "预览批量调价",
  needs: ["6.add", "6.edit"],
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
export const countChange = call({
  method: "POST",
  path: `${CHANGES}/count`,
  summary: "批量调价的房间数",
  needs: ["6.add", "6.edit"],
  effect: "read",
  body: changeScope,
  reply: z.object({ rooms: z.number() }),
});

const WHY = "请输入调价原因";
/** A plan as it is kept: with the hash of the preview that was agreed to. */
export const confirmedPlan = fields.extend({
  reason: freely(z.string({ error: WHY }).trim().min(2, WHY).max(200, "调价原因最多200个字")).meta({
    title: "调价原因",
    kind: "text",
    max: 200,
  }),
  hash: token(),
  /** Whoever moves a price by more than half has looked at it. */
  checked: z.boolean().default(false),
});
/** The same while it is being typed: no preview has been agreed to yet. */
export const planForm = withValue(confirmedPlan.omit({ hash: true }));
export type PlanForm = z.input<typeof planForm>;
