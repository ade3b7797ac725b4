import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";

const lost = callsAt("/system/api/v3/lostPage");

/**
 * What became of a path that led to /404, for whoever is signed in: the function that it needs and who can give it.
 * The path is counted; that is no act of anybody, so it stands in no log.
 */
export const lostAt = lost.post("", "页面权限说明", "login", {
  effect: "read",
  perMinute: 60,
  body: z.object({ path: z.string().regex(/^\/[^\s?#]{0,99}$/, "地址格式不正确") }),
  reply: z.object({
    /** Null: the product has no such page. */
    page: z
      .object({
        title: z.string(),
        /** Any one of these opens it. */
        functions: z.array(
          z.object({
            code: z.number(),
            name: z.string(),
            held: z.boolean(),
            /** False: switched off in 菜单管理 for everybody. */
            enabled: z.boolean(),
          }),
        ),
      })
      .nullable(),
    /** Colleagues who can give functions to others, administrators first, at most five. */
    ask: z.array(z.object({ name: z.string(), role: z.string() })),
  }),
});

const DAYS = { kind: "days", title: "日期", from: "from", to: "to" } as const;
/** Which paths led nowhere, and how often; without a word about who asked. */
export const listLost = lost.get("", "失效地址", "94.query", {
  query: pageQuery("times", "lastAt").extend({
    from: filter.by(f.dayInput("起").optional(), DAYS),
    to: filter.by(f.dayInput("止").optional(), DAYS),
    keyword: filter.keyword("地址", 100),
  }),
  reply: pageReply(
    z.object({
      path: f.text("地址"),
      title: f.text("页面"),
      times: f.number("次数"),
      days: f.number("天数"),
      lastAt: f.instant("最近一次"),
    }),
  ),
});
