import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { idList } from "../../../platform/kernel/paging.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { RENTING } from "../room/renting.rules.ts";
import { CONDITIONS, OCCUPANCIES, VACANCY_HELP } from "./status.rules.ts";

export const dayParam = f.dayInput("日期").optional();
export const KINDS_OF_DAY = ["past", "today", "future"] as const;

const count = (title: string) => f.number(title, { unit: "间" });

const counted = <K extends string>(words: Record<K, readonly [string, string]>) =>
  Object.fromEntries(
    Object.entries<readonly [string, string]>(words).map(([key, [title]]) => [key, count(title)]),
  ) as Record<K, ReturnType<typeof count>>;
const counts = {
  ...counted(OCCUPANCIES),
  ...counted(CONDITIONS),
  inStock: count("总数"),
  base: count("可租"),
  let: count("在租"),
  vacancyRate: f.percent("空置率", { help: VACANCY_HELP }).nullable(),
  arrearsRooms: count("欠费间数"),
  arrearsFen: f.money("欠费"),
};

/** 全部门店: one row for each village, and the whole. */
export const boardSummary = callsAt("/room/api/v3/roomStatus/summary").get("", "各门店房态", "3.query", {
  query: z.object({ day: dayParam, villageIds: idList }),
  reply: z.object({
    day: z.string(),
    today: z.string(),
    list: z.array(z.object({ villageId: f.id, name: f.link("门店"), ...counts })),
    sums: z.object(counts),
  }),
});

/** Leases, holds, blocks and cleanings of a room, of each leaf for a whole flat. */
export const roomTimeline = callsAt("/room/api/v3/room").get(
  "/:id/timeline",
  "房间时间轴",
  ["3.get", "6.get"],
  {
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
        contractKind: z.enum(RENTING).nullable(),
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
  },
);
