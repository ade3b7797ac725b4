import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { oneRecord } from "../../../platform/kernel/records.ts";

/** Leases, holds, blocks and cleanings of a room, of each leaf for a whole flat. */
export const roomTimeline = call({
  method: "GET",
  path: "/room/api/v3/room/:id/timeline",
  summary: "房间时间轴",
  needs: ["3.get", "6.get"],
  params: oneRecord,
  query: z.object({ from: f.dayInput("开始日").optional(), to: f.dayInput("结束日").optional() }),
  reply: z.array(
    z.object({
      kind: z.enum(["lease", "reservation", "block", "turnover"]),
      from: f.day("开始"),
      /** Null: open end. */
      to: f.day("结束").nullable(),
      title: f.text("内容"),
      number: f.text("编号"),
      contractId: f.id.nullable(),
      blockId: f.id.nullable(),
      reservationId: f.id.nullable(),
      roomName: f.room("房间"),
      /** The room named in the contract, when it is a whole flat above this one. */
      letRoomName: f.text("出租房间").nullable(),
      rentFen: f.money("月租金").nullable(),
      days: f.number("天数").nullable(),
      /** Given back before its end; it no longer holds the room. */
      ended: z.boolean(),
    }),
  ),
});
