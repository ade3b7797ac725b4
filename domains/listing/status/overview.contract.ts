import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { idList } from "../../../platform/kernel/paging.ts";
import { dayParam } from "./board.contract.ts";
import { CONDITION, OCCUPANCY, VACANCY_HELP } from "./status.rules.ts";

const count = (title: string) => f.number(title, { unit: "间" });

const counts = {
  vacant: count(OCCUPANCY.vacant[0]),
  reserved: count(OCCUPANCY.reserved[0]),
  toMoveIn: count(OCCUPANCY.toMoveIn[0]),
  occupied: count(OCCUPANCY.occupied[0]),
  expiring: count(OCCUPANCY.expiring[0]),
  holdingOver: count(OCCUPANCY.holdingOver[0]),
  leaving: count(OCCUPANCY.leaving[0]),
  rentable: count(CONDITION.rentable[0]),
  dirty: count(CONDITION.dirty[0]),
  maintenance: count(CONDITION.maintenance[0]),
  offline: count(CONDITION.offline[0]),
  selfUse: count(CONDITION.selfUse[0]),
  inStock: count("总数"),
  base: count("可租"),
  let: count("在租"),
  vacancyRate: f.percent("空置率", { help: VACANCY_HELP }).nullable(),
  arrearsRooms: count("欠费间数"),
  arrearsFen: f.money("欠费"),
};

/** 全部门店: one row for each village, and the whole. */
export const boardSummary = call({
  method: "GET",
  path: "/room/api/v3/roomStatus/summary",
  summary: "各门店房态",
  needs: "3.query",
  query: z.object({ day: dayParam, villageIds: idList }),
  reply: z.object({
    day: z.string(),
    today: z.string(),
    list: z.array(z.object({ villageId: f.id, name: f.link("门店"), ...counts })),
    sums: z.object(counts),
  }),
});
