import { greys } from "../../../platform/kernel/words.ts";
import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { daysBetween } from "../../../platform/kernel/day.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { callsAt, oneRecord } from "../../../platform/kernel/records.ts";
import { OPERATORS } from "../../access/operator/operator.contract.ts";
import { KIND_WORDS } from "./kinds.rules.ts";

const businessLogs = callsAt("/system/api/v3/businessLog");

export const OUTCOME_WORDS = {
  ok: ["成功", "green"],
  refused: ["拒绝", "orange"],
  failed: ["失败", "red"],
} as const satisfies Words;
const METHOD_WORDS = greys({ GET: "GET", POST: "POST", PUT: "PUT", DELETE: "DELETE" });
export const MOST_DAYS = 92;

const idQuery = z.coerce.number().pipe(f.id).optional();
const filters = {
  /** Both inclusive; without them the last 7 days. */
  ...filter.between("from", "to", f.dayInput("日期").optional(), { kind: "days", title: "时间", last: 7 }),
  operatorId: filter.record("操作人", OPERATORS),
  /** Code of a page or authority: every call that needs something of it. */
  permissionId: filter.by(idQuery, { kind: "text", title: "功能编号" }),
  method: filter.choices("方法", METHOD_WORDS),
  outcome: filter.choices("结果", OUTCOME_WORDS),
  targetKind: filter.by(z.string().max(50).optional(), {
    kind: "choice",
    title: "对象类型",
    words: KIND_WORDS,
  }),
  targetId: filter.by(idQuery, { kind: "text", title: "对象编号" }),
  ip: filter.by(z.string().max(60).optional(), { kind: "text", title: "地址" }),
  /** A request id finds its lines. */
  keyword: filter.keyword("动作、操作人、路径、请求编号", 100),
};
const inRange = (query: { from?: string | undefined; to?: string | undefined }, ctx: z.RefinementCtx) => {
  if (!query.from || !query.to) return;
  const days = daysBetween(query.from, query.to);
  const message =
    days < 0 ? "结束日期不能早于开始日期" : days >= MOST_DAYS ? `时间范围最多 ${MOST_DAYS} 天` : "";
  if (message) ctx.addIssue({ code: "custom", path: ["to"], message });
};

const row = z.object({
  id: f.id,
  at: f.instant("时间"),
  operatorName: f.person("操作人"),
  functionName: f.text("功能"),
  summary: f.text("动作"),
  target: f.text("对象"),
  outcome: f.status("结果", OUTCOME_WORDS),
  durationMs: f.number("耗时", { unit: "毫秒" }),
  ip: f.text("地址"),
  userAgent: f.text("终端"),
  targetKind: z.string().nullable(),
  targetId: f.id.nullable(),
  /** The kind of its page, where it has one. */
  opens: z.string().nullable(),
});

const detail = row.extend({
  operatorId: f.id.nullable(),
  permit: f.text("所需权限"),
  method: f.text("方法"),
  path: f.text("路径"),
  httpStatus: f.number("状态码"),
  code: f.text("结果代码"),
  message: f.text("提示"),
  requestId: f.text("请求编号"),
  input: z.unknown(),
  /** What the same request did to records. */
  business: z.array(
    z.object({
      id: f.id,
      at: f.instant("时间"),
      kind: f.text("类型"),
      number: f.text("编号"),
      summary: f.text("摘要"),
    }),
  ),
  /** What the same person did within ten minutes of it. */
  nearby: z.array(row),
});

const base = (version: 3 | 5) => `/system/api/v${version}/operationLog` as const;
const list = (version: 3 | 5) =>
  call({
    method: "GET",
    path: base(version),
    summary: "操作日志",
    needs: "68.query",
    query: pageQuery("at", "durationMs").extend(filters).superRefine(inRange),
    reply: pageReply(row),
  });
const get = (version: 3 | 5) =>
  call({
    method: "GET",
    path: `${base(version)}/:id`,
    summary: "操作日志详情",
    needs: "68.get",
    params: oneRecord,
    reply: detail,
  });

export const listOperations = list(3);
export const getOperation = get(3);
export const listOperationsV5 = list(5);
export const getOperationV5 = get(5);

/** Calls and refusals by hour under the same filter, for the bars above the list. */
export const operationHours = call({
  method: "GET",
  path: `${base(3)}/hours`,
  summary: "操作日志按小时统计",
  needs: "68.query",
  query: z.object(filters).superRefine(inRange),
  reply: z.array(z.object({ hour: z.string(), ok: z.number(), refused: z.number(), failed: z.number() })),
});

export const operationExport = exportOf({
  type: "operationLog",
  title: "操作日志",
  needs: "68.export",
  list: listOperations,
});

const line = z.object({
  id: f.id,
  at: f.instant("时间"),
  villageName: f.text("门店"),
  kindTitle: f.text("类型"),
  number: f.link("编号"),
  action: f.text("动作"),
  summary: f.text("摘要"),
  operatorName: f.person("操作人"),
  examineNo: f.link("审批单"),
  examineId: f.id.nullable(),
  kind: z.string(),
  recordId: f.id,
  /** The kind of its page, where it has one. */
  opens: z.string().nullable(),
  requestId: z.string(),
  before: z.unknown(),
  after: z.unknown(),
});

export const listBusiness = businessLogs.get("", "业务日志", "130.query", {
  query: pageQuery("at").extend({
    villageIds: filter.villages(),
    /** Both inclusive; without them the last 7 days. */
    ...filter.between("from", "to", f.dayInput("日期").optional(), { kind: "days", title: "时间", last: 7 }),
    kind: filter.by(z.string().max(50).optional(), { kind: "choice", title: "类型", words: KIND_WORDS }),
    action: filter.by(z.string().max(50).optional(), { kind: "text", title: "动作" }),
    operatorId: filter.record("操作人", OPERATORS),
    number: filter.by(z.string().trim().max(50).optional(), { kind: "text", title: "编号" }),
    keyword: filter.keyword("摘要", 100),
  }),
  reply: pageReply(line),
});

export const getBusiness = businessLogs.get("/:id", "业务日志详情", ["130.get", "130.query"], {
  reply: line,
});

/** The timeline of one record: for readers of the log, and for whoever may open records of the kind. */
export const recordHistory = businessLogs.get("/:kind/:recordId", "记录动态", "login", {
  params: z.object({ kind: z.string().max(50), recordId: z.coerce.number().pipe(f.id) }),
  query: pageQuery("at"),
  reply: pageReply(line),
});

export const businessKinds = businessLogs.get("/kinds", "业务日志类型", "login", {
  reply: z.array(z.object({ kind: z.string(), title: z.string() })),
});

export const businessExport = exportOf({
  type: "businessLog",
  title: "业务日志",
  needs: "130.export",
  list: listBusiness,
});
