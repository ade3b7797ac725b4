import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import { contactMobile } from "../../../platform/kernel/texts/contact.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { PRICE_UNITS, ROOM_KINDS } from "../../listing/room/words.rules.ts";
import { leadFilter, leadId, LEADS } from "./lead.contract.ts";
import { EVENT_KINDS, FOLLOW_KINDS, STEPS } from "./lead.rules.ts";

const at = callsAt(LEADS, "lead");

const one = { target: "lead", params: leadId, reply: z.null() };
const period = { kind: "days", title: "登记时间", from: "from", to: "to" } as const;
const seen = z.object({ version: f.version });

export const followLead = at.post("/:id/follow", "跟进客源", "15.edit", {
  ...one,
  body: z.object({
    kind: f.choice("方式", FOLLOW_KINDS),
    content: f.input("跟进内容", 1, 500),
    nextFollowDay: f.dayInput("下次跟进").nullish(),
    fileIds: z.array(f.id).max(5, "附件最多5个").default([]).meta({ title: "附件", kind: "file" }),
  }),
});

export const loseLead = at.put("/:id/lose", "客源流失", "15.edit", {
  ...one,
  body: seen.extend({
    lostReason: f.input("流失原因", 1, 20, "请选择流失原因"),
    lostNote: f.remark("说明").default(""),
  }),
});

export const reopenLead = at.put("/:id/reopen", "重新激活客源", "15.edit", { ...one, body: seen });
export const releaseLead = at.put("/:id/release", "释放客源到公海", "15.edit", { ...one, body: seen });
/** Needs no version: whoever comes first has it. */
export const claimLead = at.put("/:id/claim", "领取公海客源", "15.edit", { ...one });

export const assignLeads = at.put("/assign", "分配客源", "#1501", {
  body: z.object({
    ids: f.ids().min(1, "请选择客源").max(500, "一次最多500条"),
    ownerId: f.pick("负责人"),
  }),
  reply: z.object({ assigned: z.number() }),
});

/** Whoever meets a customer of a colleague asks that colleague, who hears of it once a day. */
export const askForLead = at.post("/transfer", "申请转移客源", ["15.add", "15.edit"], {
  perMinute: 20,
  body: z.object({ phone: f.checked("手机", contactMobile, { kind: "phone" }) }),
  reply: z.null(),
});

export const leadEvents = at.get("/:id/events", "客源跟进记录", "15.get", {
  reply: z.array(
    z.object({
      id: f.id,
      kind: f.status("方式", EVENT_KINDS),
      content: f.text("内容"),
      nextFollowDay: f.day("下次跟进").nullable(),
      at: f.instant("时间"),
      operatorName: f.person("跟进人"),
      files: z.array(z.object({ id: f.id, name: z.string() })),
    }),
  ),
});

export const leadMatches = at.get("/:id/matches", "匹配房源", "15.get", {
  reply: z.array(
    z.object({
      id: f.id,
      villageId: f.id,
      fullName: f.room("房间"),
      kind: f.status("类型", ROOM_KINDS),
      layout: f.text("户型"),
      area: f.text("面积"),
      orientation: f.text("朝向"),
      listPrice: f.money("标价").nullable(),
      unit: f.status("计价单位", PRICE_UNITS).nullable(),
    }),
  ),
});

/** Of the leads registered in a period: how many came how far, how quickly, and why the rest was lost. */
export const leadFunnel = at.get("/funnel", "客源漏斗", "15.query", {
  query: z.object({
    from: filter.by(f.dayInput("开始日"), period),
    to: filter.by(f.dayInput("结束日"), period),
    villageIds: leadFilter.shape.villageIds,
    ownerId: leadFilter.shape.ownerId,
    source: leadFilter.shape.source,
  }),
  reply: z.object({
    steps: z.array(
      z.object({
        step: z.enum(STEPS),
        count: f.number("数量"),
        /** Of the step before. */
        rate: f.percent("上一步转化率").nullable(),
        /** Of all registered. */
        whole: f.percent("总转化率").nullable(),
        /** Mean days since the registration. */
        days: f.number("平均天数").nullable(),
      }),
    ),
    lost: z.array(z.object({ reason: z.string(), count: z.number() })),
  }),
});
