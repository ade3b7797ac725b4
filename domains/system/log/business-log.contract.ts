import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import { dayInput, id, instant, link, person, text } from "../../../platform/kernel/field.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { oneRecord } from "../../../platform/kernel/records.ts";

const line = z.object({
  id,
  at: instant("时间"),
  villageName: text("门店"),
  kindTitle: text("类型"),
  number: link("编号"),
  action: text("动作"),
  summary: text("摘要"),
  operatorName: person("操作人"),
  examineNo: link("审批单"),
  examineId: id.nullable(),
  kind: z.string(),
  recordId: id,
  requestId: z.string(),
  before: z.unknown(),
  after: z.unknown(),
});

const day = dayInput("日期").optional();
const businessQuery = pageQuery("at").extend({
  villageIds: idList,
  /** Both inclusive; without them the last 7 days. */
  from: day,
  to: day,
  kind: z.string().max(50).optional(),
  action: z.string().max(50).optional(),
  operatorId: z.coerce.number().pipe(id).optional(),
  number: z.string().trim().max(50).optional(),
  keyword: z.string().trim().max(100).optional(),
});
export type BusinessQuery = z.output<typeof businessQuery>;

export const listBusiness = call({
  method: "GET",
  path: "/system/api/v3/businessLog",
  summary: "业务日志",
  needs: "130.query",
  query: businessQuery,
  reply: pageReply(line),
});

export const getBusiness = call({
  method: "GET",
  path: "/system/api/v3/businessLog/:id",
  summary: "业务日志详情",
  needs: ["130.get", "130.query"],
  params: oneRecord,
  reply: line,
});

/** The timeline of one record: for readers of the log, and for whoever may open records of the kind. */
export const recordHistory = call({
  method: "GET",
  path: "/system/api/v3/businessLog/:kind/:recordId",
  summary: "记录动态",
  needs: "login",
  params: z.object({ kind: z.string().max(50), recordId: z.coerce.number().pipe(id) }),
  query: pageQuery("at"),
  reply: pageReply(line),
});

export const businessKinds = call({
  method: "GET",
  path: "/system/api/v3/businessLog/kinds",
  summary: "业务日志类型",
  needs: "login",
  reply: z.array(z.object({ kind: z.string(), title: z.string() })),
});

export const businessExport = exportOf({
  type: "businessLog",
  title: "业务日志",
  needs: "130.export",
  list: listBusiness,
  filters: { kind: "类型", action: "动作", operatorId: "操作人编号", number: "编号" },
});
