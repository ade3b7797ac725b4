import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { contactMobile } from "../../../platform/kernel/texts/contact.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { idList, pageQuery, pageReply, wordList } from "../../../platform/kernel/paging.ts";
import { PEOPLE } from "../../access/operator/operator.contract.ts";
import { MINUTES, RESULTS, VIEWING_SOURCES, VIEWING_STATES } from "./viewing.rules.ts";
import { callsAt, oneRecord } from "../../../platform/kernel/records.ts";

export const VIEWINGS = "/customer/api/v3/viewing";
const viewingsAt = callsAt(VIEWINGS, "viewing");
const words = <K extends string>(w: Record<K, unknown>) => Object.keys(w) as [K, ...K[]];

const row = z.object({
  id: f.id,
  number: f.link("编号"),
  name: f.person("客户"),
  phone: f.phone("电话"),
  leadId: f.id.nullable(),
  villageId: f.id,
  villageName: f.text("门店"),
  rooms: f.text("看房房间"),
  at: f.instant("看房时间"),
  minutes: f.number("时长", { unit: "分钟" }),
  assigneeId: f.id.nullable(),
  assigneeName: f.person("带看人"),
  source: f.status("来源", VIEWING_SOURCES),
  state: f.status("状态", VIEWING_STATES),
  result: f.status("结果", RESULTS).nullable(),
  feedback: f.text("反馈"),
  /** 1201 满意（采光好）、1202 不合适 */
  opinions: f.text("各房间结果"),
  createdAt: f.instant("登记时间"),
  version: f.version,
});

const TODAY = { "1": ["我的今日看房", "orange"] } as const;
const shown = { kind: "days", title: "看房日", from: "from", to: "to" } as const;
export const viewingFilter = z.object({
  villageIds: filter.villages(),
  state: wordList(words(VIEWING_STATES)),
  /** The page offers those who look after leads. */
  assigneeId: filter.by(z.coerce.number().pipe(f.id).optional(), {
    kind: "choice",
    title: "带看人",
    source: PEOPLE,
  }),
  leadId: z.coerce.number().pipe(f.id).optional(),
  /** Those of the enquiries that a customer once made. */
  partyId: z.coerce.number().pipe(f.id).optional(),
  from: filter.by(f.dayInput("看房日起").optional(), shown),
  to: filter.by(f.dayInput("看房日止").optional(), shown),
  /** The own ones of today that are still to come. */
  today: filter.by(z.literal("1").optional(), { kind: "choice", title: "今日", words: TODAY }),
  keyword: filter.by(z.string().trim().max(50, "关键字最多50个字").optional(), {
    kind: "keyword",
    title: "编号、姓名、手机号",
  }),
});
export type ViewingFilter = z.output<typeof viewingFilter>;

export const listViewings = viewingsAt.get("", "看房预约列表", "15.query", {
  query: pageQuery("at", "createdAt").extend(viewingFilter.shape),
  reply: pageReply(row),
});

export const countViewings = viewingsAt.get("/counts", "看房预约各状态数量", "15.query", {
  query: viewingFilter.omit({ state: true }),
  reply: z.record(z.string(), z.number()),
});

export const exportViewings = exportOf({
  type: "viewing",
  title: "看房预约",
  needs: "15.export",
  list: listViewings,
  personal: true,
  filters: { leadId: "客源", partyId: "客户编号" },
});

/** Who came to see a room, and what they thought of it; the newest hundred. */
export const roomViewings = viewingsAt.get("/ofRoom", "房间看房记录", "15.query", {
  query: z.object({ roomId: z.coerce.number().pipe(f.id) }),
  reply: z.array(
    row.pick({
      id: true,
      number: true,
      name: true,
      at: true,
      assigneeName: true,
      state: true,
      result: true,
      feedback: true,
    }),
  ),
});

/** A week of a store, by who shows people around. */
export const viewingWeek = viewingsAt.get("/week", "看房周历", "15.query", {
  query: z.object({ from: f.dayInput("开始日"), villageIds: idList }),
  reply: z.object({
    days: z.array(z.string()),
    people: z.array(
      z.object({
        id: f.id.nullable(),
        name: z.string(),
        viewings: z.array(
          row.pick({ id: true, name: true, rooms: true, at: true, minutes: true, state: true }).extend({
            day: z.string(),
            clock: z.string(),
          }),
        ),
      }),
    ),
  }),
});

export const getViewing = viewingsAt.get("/:id", "看房预约详情", "15.get", {
  target: "viewing",
  reply: row.extend({
    roomList: z.array(
      z.object({
        id: f.id,
        name: z.string(),
        result: z.enum(words(RESULTS)).nullable(),
        feedback: z.string(),
      }),
    ),
    productName: f.text("产品").nullable(),
    leadNumber: f.link("客源").nullable(),
    cancelReason: f.text("取消原因"),
    remark: f.text("备注"),
  }),
});

const slot = {
  at: f.instantInput("看房时间", "请选择看房时间"),
  minutes: f.choice("时长", MINUTES).default("60"),
  assigneeId: f.pick("带看人"),
};

export const addViewing = viewingsAt.post("", "新增看房预约", "15.add", {
  body: z
    .object({
      leadId: f.id.nullish(),
      name: f.remark("姓名", 30).default(""),
      phone: f.remark("手机", 20).default(""),
      villageId: f.pick("门店"),
      roomIds: f.ids().max(10, "最多10间").default([]).meta({ title: "房间", kind: "text" }),
      productId: f.pick("产品").nullish(),
      ...slot,
      remark: f.remark().default(""),
    })
    .superRefine((v, ctx) => {
      const wrong = (path: string, message: string) =>
        ctx.addIssue({ code: "custom", path: [path], message });
      if (!v.leadId && !v.name) wrong("name", "请输入客户姓名");
      if (!v.leadId && contactMobile(v.phone)) wrong("phone", "手机格式不正确！");
      if (!v.roomIds.length && !v.productId) wrong("roomIds", "请选择房间或产品");
    }),
  reply: z.object({ id: f.id, number: z.string() }),
});

const one = { target: "viewing", params: oneRecord, needs: "15.edit", reply: z.null() } as const;
const seen = z.object({ version: f.version });

export const moveViewing = call({
  ...one,
  method: "PUT",
  path: `${VIEWINGS}/:id`,
  summary: "看房改期",
  body: seen.extend(slot),
});
export const confirmViewing = call({
  ...one,
  method: "PUT",
  path: `${VIEWINGS}/:id/confirm`,
  summary: "确认看房预约",
  body: seen,
});
export const assignViewing = call({
  ...one,
  method: "PUT",
  path: `${VIEWINGS}/:id/assign`,
  summary: "指派带看人",
  body: seen.extend({ assigneeId: slot.assigneeId }),
});
export const finishViewing = call({
  ...one,
  method: "PUT",
  path: `${VIEWINGS}/:id/view`,
  summary: "看房完成",
  body: seen.extend({
    /** Of an appointment without rooms; else the room that was liked best says it. */
    result: f.choice("结果", RESULTS).nullish(),
    results: z
      .array(
        z.object({
          roomId: f.id,
          /** None: the room was not seen. */
          result: f.choice("结果", RESULTS).nullish(),
          feedback: f.remark("反馈", 500).default(""),
        }),
      )
      .max(10)
      .default([]),
    feedback: f.remark("反馈", 500).default(""),
  }),
});
export const missViewing = call({
  ...one,
  method: "PUT",
  path: `${VIEWINGS}/:id/noShow`,
  summary: "登记未到",
  body: seen,
});
export const cancelViewing = call({
  ...one,
  method: "PUT",
  path: `${VIEWINGS}/:id/cancel`,
  summary: "取消看房预约",
  body: seen.extend({ reason: f.reason() }),
});
