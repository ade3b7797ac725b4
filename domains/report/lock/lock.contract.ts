import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { idList } from "../../../platform/kernel/paging.ts";

export const monthLocks = call({
  method: "GET",
  path: "/report/api/v3/monthLocks",
  summary: "期间锁账状态",
  needs: ["99.query", "114.query"],
  query: z.object({ villageIds: idList, from: f.dayInput("开始日期"), to: f.dayInput("结束日期") }),
  reply: z.object({
    /** The moment up to which figures count what was booked. */
    asOf: f.instant("数据截至"),
    villages: z.array(z.object({ id: f.id, name: z.string(), locked: z.boolean() })),
  }),
});
