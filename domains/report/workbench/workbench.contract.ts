import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import * as f from "../../../platform/kernel/field.ts";
import { idList } from "../../../platform/kernel/paging.ts";
import { OCCUPANCY_KEYS } from "../../listing/status/status.rules.ts";
import { CONTRACT_KINDS, TODO_KEYS } from "./workbench.rules.ts";
import { FIGURE_KEYS } from "../indicator/figure.rules.ts";
const workbench = callsAt("/report/api/v3/workbench");

/** A card that takes longer says so and offers to try again; the others do not wait for it. */
const PATIENCE = 6_000;

const top = z.object({
  id: f.id,
  title: z.string(),
  sub: z.string(),
  day: z.string().nullable(),
  /** Days late; null when nothing is. */
  late: z.number().int().nullable(),
  amountFen: z.number().int().nullable(),
  /** Opens the record inside the console. */
  link: z.string(),
});
export type TopRow = z.output<typeof top>;

const todo = z.object({
  key: z.enum(TODO_KEYS),
  count: z.number().int(),
  amountFen: z.number().int().nullable(),
  lateCount: z.number().int(),
  /** Days of the one that is late for longest. */
  lateDays: z.number().int().nullable(),
  done: z.number().int().nullable(),
  top: z.array(top),
  /** Query of the list whose total is the count. */
  target: z.string(),
});
export type TodoRow = z.output<typeof todo>;

export const workbenchTodo = workbench.get("/todo", "工作台待办", "login", {
  query: z.object({ villageIds: idList }),
  reply: z.object({ asOf: f.instant("更新于"), list: z.array(todo) }),
  timeout: PATIENCE,
});

export const workbenchFigures = workbench.get("/figures", "工作台今日数据", "login", {
  query: z.object({ villageIds: idList, day: f.dayInput("日期").optional() }),
  reply: z.object({
    asOf: f.instant("更新于"),
    day: z.string(),
    figures: z.array(
      z.object({
        key: z.enum(FIGURE_KEYS),
        value: z.number().nullable(),
        /** The same of the day before. */
        before: z.number().nullable(),
        /** The whole it is a part of. */
        of: z.number().nullable(),
        /** How many of each kind, where each is listed on a page of its own. */
        kinds: z.array(z.object({ kind: z.enum(CONTRACT_KINDS), count: z.number().int() })).nullable(),
      }),
    ),
  }),
  timeout: PATIENCE,
});

export const workbenchTrend = workbench.get("/trend", "工作台近 30 天与今日房态", "login", {
  query: z.object({ villageIds: idList, day: f.dayInput("日期").optional() }),
  reply: z.object({
    /** The thirty days up to the day; null where nothing is known or nothing may be seen. */
    days: z.array(
      z.object({ day: z.string(), rate: z.number().nullable(), collected: z.number().nullable() }),
    ),
    /** Rooms by occupancy, in the order of the legend; absent without the room board's permit. */
    rooms: z.array(z.object({ occupancy: z.enum(OCCUPANCY_KEYS), count: z.number().int() })).nullable(),
  }),
  timeout: PATIENCE,
});

export const WEEK_KINDS = ["moveIns", "ends", "viewings", "reservations"] as const;

export const workbenchWeek = workbench.get("/week", "工作台本周日程", "login", {
  query: z.object({ villageIds: idList, from: f.dayInput("日期").optional() }),
  reply: z.object({
    from: z.string(),
    to: z.string(),
    today: z.string(),
    /** Only days and kinds that have something. */
    cells: z.array(
      z.object({ kind: z.enum(WEEK_KINDS), day: z.string(), count: z.number().int(), top: z.array(top) }),
    ),
    kinds: z.array(z.enum(WEEK_KINDS)),
  }),
  timeout: PATIENCE,
});
