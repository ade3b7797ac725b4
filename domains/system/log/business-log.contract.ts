import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import { dayInput, id, instant, link, person, text } from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { OPERATORS } from "../../access/operator/operator.contract.ts";
import { KIND_WORDS } from "./kinds.rules.ts";
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

export const listBusiness = call({
  method: "GET",
  path: "/system/api/v3/businessLog",
  summary: "业务日志",
  needs: "130.query",
  query: pageQuery("at").extend({
    villageIds: filter.villages(),
    /** Both inclusive; without them the last 7 days. */
    ...filter.between("from", "to", dayInput("日期").optional(), { kind: "days", title: "时间", last: 7 }),
    kind: filter.by(z.string().max(50).optional(), { kind: "choice", title: "类型", words: KIND_WORDS }),
    action: filter.by(z.string().max(50).optional(), { kind: "text", title: "动作" }),
    operatorId: filter.record("操作人", OPERATORS),
    number: filter.by(z.string().trim().max(50).optional(), { kind: "text", title: "编号" }),
    keyword: filter.keyword("摘要", 100),
  }),
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
});
