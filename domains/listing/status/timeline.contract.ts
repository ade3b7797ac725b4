import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { villageParam } from "./board.contract.ts";

export const BAR_KINDS = ["lease", "reservation", "block", "turnover"] as const;
export type BarKind = (typeof BAR_KINDS)[number];

/** A stretch of days on a room's timeline; `to` is inclusive, null = open. */
const bar = z.object({
  kind: z.enum(BAR_KINDS),
  /** Of the contract, the block or the turnover. */
  id: f.id,
  number: z.string(),
  label: z.string(),
  from: z.string(),
  to: z.string().nullable(),
  rentFen: z.number().nullable(),
  /** The tenant has moved in. */
  movedIn: z.boolean(),
});
export type Bar = z.output<typeof bar>;

export const roomTimeline = call({
  method: "GET",
  path: "/room/api/v3/room/:id/timeline",
  summary: "房间时间轴",
  needs: ["3.get", "6.get"],
  target: "room",
  params: z.object({ id: z.coerce.number().pipe(f.id) }),
  query: z.object({ from: f.dayInput("开始日"), to: f.dayInput("结束日") }),
  reply: z.object({ from: z.string(), to: z.string(), today: z.string(), bars: z.array(bar) }),
});

/** 日历: every room of a village over at most 92 days. */
export const roomCalendar = call({
  method: "GET",
  path: "/room/api/v3/roomStatus/calendar",
  summary: "房态日历",
  needs: "3.query",
  query: z.object({ villageId: villageParam, from: f.dayInput("开始日"), to: f.dayInput("结束日") }),
  reply: z.object({
    from: z.string(),
    to: z.string(),
    today: z.string(),
    bars: z.array(bar.extend({ roomId: f.id })),
  }),
});
