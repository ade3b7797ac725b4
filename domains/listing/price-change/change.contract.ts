import { z } from "zod";
import { event } from "../../../platform/kernel/event.ts";
import { call } from "../../../platform/kernel/call.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import {
  day,
  dayInput,
  id,
  instant,
  link,
  money,
  number,
  person,
  status,
  text,
  version,
} from "../../../platform/kernel/field.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import {
  CHANGES,
  confirmedPlan,
  histogramRow,
  lineRow,
  totalsRow,
  withValue,
  shownPlan,
} from "./plan.contract.ts";
import { APPLY_TO, CHANGE_KINDS, CHANGE_STATES, LINE_PARTS, MODES, ROUNDS } from "./words.rules.ts";
import { oneRecord } from "../../../platform/kernel/records.ts";

const words = <K extends string>(of: Record<K, unknown>) => Object.keys(of) as [K, ...K[]];

export const changeRow = z.object({
  id,
  number: link("编号"),
  kind: status("类型", CHANGE_KINDS),
  scopeText: text("范围"),
  ruleText: text("方式"),
  rooms: number("房间数"),
  oldAverage: money("调整前均价").nullable(),
  newAverage: money("调整后均价").nullable(),
  effect: money("月影响", { help: "可租的空置房间，新标价减原标价的合计" }),
  effectiveDay: day("生效日"),
  state: status("状态", CHANGE_STATES),
  createdName: person("提交人"),
  createdAt: instant("创建时间"),
  examineNo: link("审批").nullable(),
  examineId: id.nullable(),
  mine: z.boolean(),
  /** Of what a job carries out: how far it is, and why the last run came to nothing. */
  progress: number("进度", { unit: "%" }),
  failed: text("未完成原因"),
  version,
});
export type ChangeRow = z.output<typeof changeRow>;

const effective = { kind: "days", title: "生效日", from: "dayFrom", to: "dayTo" } as const;
export const listChanges = call({
  method: "GET",
  path: CHANGES,
  summary: "调价单列表",
  needs: "6.query",
  query: pageQuery("createdAt", "effectiveDay", "rooms", "effect").extend({
    villageIds: filter.villages(),
    state: filter.choices("状态", CHANGE_STATES),
    kind: filter.choices("类型", CHANGE_KINDS),
    dayFrom: filter.by(dayInput("生效日起").optional(), effective),
    dayTo: filter.by(dayInput("生效日止").optional(), effective),
    person: filter.by(z.string().trim().max(30).optional(), { kind: "text", title: "提交人" }),
    keyword: filter.by(z.string().trim().max(50, "关键字最多50个字").optional(), {
      kind: "keyword",
      title: "编号、原因",
    }),
  }),
  reply: pageReply(changeRow, z.object({ rooms: number("房间数"), effect: money("月影响") })),
});

export const exportChanges = exportOf({
  type: "priceChange",
  title: "调价单",
  needs: "6.export",
  list: listChanges,
});

export const getChange = call({
  method: "GET",
  path: `${CHANGES}/:id`,
  summary: "调价单详情",
  needs: "6.get",
  params: oneRecord,
  reply: changeRow.extend({
    mode: status("调整方式", MODES),
    applyTo: status("调整对象", APPLY_TO),
    round: status("取整", ROUNDS),
    reason: text("调价原因"),
    villageNames: text("门店"),
    /** At which node it waits for whom, and since when. */
    waiting: z.object({ node: z.string(), waitingFor: z.string(), since: z.string() }).nullable(),
    undoOf: z.object({ id, number: z.string() }).nullable(),
    undoneBy: z.object({ id, number: z.string() }).nullable(),
    totals: totalsRow,
    histogram: histogramRow,
    counts: z.record(z.enum(words(LINE_PARTS)), z.number()),
    /** What the form began with, for copies and edits. */
    plan: shownPlan,
  }),
});

export const changeLines = call({
  method: "GET",
  path: `${CHANGES}/:id/lines`,
  summary: "调价单明细",
  needs: "6.get",
  params: oneRecord,
  query: pageQuery("room", "newList").extend({ part: z.enum(words(LINE_PARTS)).default("all") }),
  reply: pageReply(lineRow),
});

export const exportLines = exportOf({
  type: "priceChangeLine",
  title: "调价明细",
  needs: "6.export",
  list: changeLines,
  filters: { part: "范围" },
});

export const addChange = call({
  method: "POST",
  path: CHANGES,
  summary: "新增调价单",
  needs: ["6.add", "6.edit"],
  target: "priceChange",
  timeout: 120_000,
  body: withValue(confirmedPlan),
  reply: z.object({ id, number: z.string(), version }),
});

export const editChange = call({
  method: "PUT",
  path: `${CHANGES}/:id`,
  summary: "编辑调价单",
  needs: "6.edit",
  target: "priceChange",
  timeout: 120_000,
  params: oneRecord,
  body: withValue(confirmedPlan.extend({ version })),
  reply: z.object({ id, number: z.string(), version }),
});

const moved = (act: "submit" | "withdraw" | "cancel", summary: string) =>
  call({
    method: "PUT",
    path: `${CHANGES}/:id/${act}`,
    summary,
    needs: "6.edit",
    target: "priceChange",
    timeout: 120_000,
    params: oneRecord,
    body: z.object({ version }),
    reply: z.object({ id, state: status("状态", CHANGE_STATES), examineNo: z.string().nullable() }),
  });
/** Carried out at once where no approval is configured. */
export const submitChange = moved("submit", "提交调价单");
export const withdrawChange = moved("withdraw", "撤回调价单");
export const cancelChange = moved("cancel", "取消调价单");

/** New prices of many rooms are written apart from the call. */
export const priceChangeCarried = event("priceChange.carry", z.object({ id: id, operatorId: id.nullable() }));
