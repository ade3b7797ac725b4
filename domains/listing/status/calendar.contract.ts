import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { villageParam } from "./board.contract.ts";

export const BAR_KINDS = ["lease", "reservation", "block", "turnover"] as const;
export type BarKind = (typeof BAR_KINDS)[number];

/** A stretch of days on the timeline of a room; `to` is inclusive, null = open. */
const bar = z.object({
  roomId: f.id,
  kind: z.enum(BAR_KINDS),
  /** Of the contract, the reservation, the block or the turnover. */
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
    bars: z.array(bar),
  }),
});
