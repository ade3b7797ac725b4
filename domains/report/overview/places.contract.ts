import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { idList } from "../../../platform/kernel/paging.ts";
import { inOrder, MOST_MONTHS } from "./overview.rules.ts";

const day = f.dayInput("日期");
const figures = {
  rooms: f.number("间数", { unit: "间" }),
  vacant: f.number("空置间", { unit: "间" }),
  occupancyRate: f.percent("出租率").nullable(),
  /** Missing where the caller's roles do not see it. */
  avgRent: f.money("平均租金").nullish(),
};

/** Every store with rooms where it stands, and the cities beside each other; a city's figures come from sums. */
export const overviewPlaces = call({
  method: "GET",
  path: "/report/api/v3/overview/places",
  summary: "门店地图与城市对比",
  needs: "139.query",
  query: z.object({ villageIds: idList, from: day, to: day, asOf: day.optional() }).refine(inOrder, {
    error: `请选择不超过 ${MOST_MONTHS} 个月的期间`,
    path: ["to"],
  }),
  reply: z.object({
    stores: z.array(
      z.object({
        id: f.id,
        name: f.link("门店"),
        district: f.text("区域"),
        city: f.text("城市"),
        lng: z.number().nullable(),
        lat: z.number().nullable(),
        ...figures,
      }),
    ),
    cities: z.array(z.object({ name: f.text("城市"), villageIds: z.array(f.id), ...figures })),
  }),
});
