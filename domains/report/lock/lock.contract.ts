import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import * as f from "../../../platform/kernel/field.ts";
import { idList } from "../../../platform/kernel/paging.ts";

export const monthLocks = callsAt("/report/api/v3/monthLocks").get(
  "",
  "期间锁账状态",
  ["99.query", "114.query", "65.query", "136.query"],
  {
    query: z.object({ villageIds: idList, from: f.dayInput("开始日期"), to: f.dayInput("结束日期") }),
    reply: z.object({
      /** The moment up to which figures count what was booked. */
      asOf: f.instant("数据截至"),
      villages: z.array(z.object({ id: f.id, name: z.string(), locked: z.boolean() })),
    }),
  },
);
