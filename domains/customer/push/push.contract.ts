import { z } from "zod";
import { event } from "../../../platform/kernel/event.ts";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { PEOPLE } from "../../access/operator/operator.contract.ts";
import { CHANNELS } from "../../system/template/template.rules.ts";
import { audienceInput, BASE, pushId, words } from "./push-input.contract.ts";
import { CATEGORIES, PUSH_STATES } from "./push.rules.ts";

export const pushRow = z.object({
  id: f.id,
  number: f.link("编号"),
  title: f.text("标题"),
  category: f.status("类别", CATEGORIES),
  channels: f.tags("渠道", CHANNELS),
  villageName: f.text("门店"),
  recipients: f.number("对象", { unit: "人" }),
  done: f.number("已发"),
  delivered: f.number("送达"),
  failed: f.number("失败"),
  skipped: f.number("跳过"),
  parts: f.number("短信条数", { unit: "条" }),
  sendAt: f.instant("发送时间").nullable(),
  state: f.status("状态", PUSH_STATES),
  creatorName: f.person("创建人"),
  createdAt: f.instant("创建时间"),
  version: f.version,
});

const sentIn = { kind: "days", title: "发送时间", from: "from", to: "to" } as const;
export const listPushes = call({
  method: "GET",
  path: BASE,
  summary: "推送任务",
  needs: "18.query",
  query: pageQuery("createdAt", "sendAt").extend({
    villageIds: filter.villages(),
    category: filter.choices("类别", CATEGORIES),
    channel: filter.choices("渠道", CHANNELS),
    state: filter.choices("状态", PUSH_STATES),
    from: filter.by(f.dayInput("发送起").optional(), sentIn),
    to: filter.by(f.dayInput("发送止").optional(), sentIn),
    /** The page offers those who may write to customers. */
    creatorId: filter.by(z.coerce.number().pipe(f.id).optional(), {
      kind: "choice",
      title: "创建人",
      source: PEOPLE,
    }),
    keyword: filter.keyword("编号、标题"),
  }),
  reply: pageReply(pushRow, z.object({ recipients: f.number("对象"), parts: f.number("短信条数") })),
});

export const getPush = call({
  method: "GET",
  path: `${BASE}/:id`,
  summary: "推送详情",
  needs: ["18.get", "18.query"],
  params: pushId,
  reply: pushRow.extend({
    body: f.text("推送内容"),
    templateName: f.text("模板"),
    audience: audienceInput,
    templateId: f.id.nullable(),
    at: f.instant("定时发送").nullable(),
    startedAt: f.instant("开始时间").nullable(),
    endedAt: f.instant("结束时间").nullable(),
    /** Channels that no service is connected to: what they send is kept here for administrators. */
    keptHere: z.array(z.enum(words(CHANNELS))),
  }),
});

/** A push is on its way, part by part. */
export const pushSending = event("push.sending", z.object({ id: f.id }));

/** A push may be due. */
export const pushScheduled = event("push.scheduled", z.object({ id: f.id }));
