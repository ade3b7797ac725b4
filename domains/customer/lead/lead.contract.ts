import { z } from "zod";
import { contactMobile } from "../../../platform/kernel/texts/contact.ts";
import { event } from "../../../platform/kernel/event.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { extraColumns, idList, pageQuery, pageReply, wordList } from "../../../platform/kernel/paging.ts";
import { oneRecord, recordCalls, callsAt } from "../../../platform/kernel/records.ts";
import { PEOPLE } from "../../access/operator/operator.contract.ts";
import { PRICE_UNITS, ROOM_KINDS } from "../../listing/room/words.rules.ts";
import { AGENTS } from "../agent/agent.contract.ts";
import { CHOICES } from "../choice/choice.rules.ts";
import { tagList } from "../renter/renter.contract.ts";
import { GENDERS } from "../renter/words.rules.ts";
import { LAYOUTS, LEAD_STATES, LEVELS, REACHED, TABS } from "./lead.rules.ts";

export const leadTyped = z.object({
  name: f
    .freely(
      z.string({ error: "请输入客户姓名" }).trim().min(1, "请输入客户姓名").max(30, "姓名长度为1到30个字"),
    )
    .meta({ title: "姓名", kind: "person", max: 30 }),
  phone: f.checked("手机", contactMobile, { kind: "phone" }),
  gender: f.choice("性别", GENDERS).nullish(),
  source: f.input("来源", 1, 20, "请选择来源"),
  agentId: f.pick("经纪人").nullish(),
  /** Whom the enquiry is from, where that is known; left out, whoever has the phone. */
  partyId: f.pick("客户").nullish(),
  villageIds: z
    .array(f.id, { error: "请选择意向门店" })
    .min(1, "请选择意向门店")
    .max(10, "意向门店最多10个")
    .meta({ title: "意向门店", kind: "text" }),
  kind: f.choice("类型", ROOM_KINDS).nullish(),
  layout: f.choice("户型", LAYOUTS).nullish(),
  budgetFrom: f.amount("预算下限", 0).nullish(),
  budgetTo: f.amount("预算上限", 0).nullish(),
  moveInDay: f.dayInput("入住日").nullish(),
  termMonths: f.whole("租期", 1, 60, { unit: "个月" }).nullish(),
  people: f.whole("入住人数", 1, 50, { unit: "人" }).nullish(),
  channelName: f.remark("渠道", 30).default(""),
  tags: tagList.default([]),
  level: f.choice("级别", LEVELS).default("B"),
  remark: f.remark().default(""),
});

type Together = {
  budgetFrom?: number | null | undefined;
  budgetTo?: number | null | undefined;
  source: string;
  agentId?: number | null | undefined;
};
const budget = (lead: Together, ctx: z.RefinementCtx) => {
  if (lead.budgetFrom != null && lead.budgetTo != null && lead.budgetFrom > lead.budgetTo)
    ctx.addIssue({ code: "custom", path: ["budgetFrom"], message: "预算下限不能高于上限" });
};
export const leadTogether = (lead: Together, ctx: z.RefinementCtx) => {
  budget(lead, ctx);
  if (lead.source === "agent" && !lead.agentId)
    ctx.addIssue({ code: "custom", path: ["agentId"], message: "请选择经纪人" });
};

/** What a person types of a lead. */
export const leadInput = leadTyped.superRefine(leadTogether);
export type LeadInput = z.output<typeof leadInput>;

/** The same of one that is there: whoever sees its phone masked leaves it out, and an agent written down as text may stay. */
export const leadEdit = leadTyped
  .extend({ phone: leadTyped.shape.phone.optional(), version: f.version })
  .superRefine(budget);

export const LEADS = "/customer/api/v3/lead";
const at = callsAt(LEADS, "lead");

export const leadId = oneRecord;
const words = <K extends string>(w: Record<K, unknown>) => Object.keys(w) as [K, ...K[]];

export const leadRow = z.object({
  id: f.id,
  number: f.link("编号"),
  name: f.person("姓名"),
  phone: f.phone("电话"),
  level: f.status("级别", LEVELS),
  state: f.status("状态", LEAD_STATES),
  wish: f.text("意向"),
  moveInDay: f.day("入住日").nullable(),
  source: z.string(),
  sourceName: f.text("来源"),
  channelName: f.text("渠道"),
  agentId: f.id.nullable(),
  agentName: f.text("经纪人"),
  tags: z.array(z.string()),
  ownerId: f.id.nullable(),
  ownerName: f.person("负责人"),
  lastFollowAt: f.instant("最近跟进").nullable(),
  /** The newest that a person wrote down. */
  lastWords: f.text("最近跟进内容"),
  nextFollowDay: f.day("下次跟进").nullable(),
  daysToPool: f.number("距转入公海", { unit: "天", help: "超过规定天数未跟进的客源自动转入公海" }).nullable(),
  createdAt: f.instant("登记时间"),
  lostReason: f.text("流失原因"),
  /** Of the contract that it would become; an enquiry that nobody is linked to yet is a person's. */
  signsAs: z.enum(words(CHOICES)),
  mine: z.boolean(),
  version: f.version,
});

const fen = z.coerce.number().int().min(0).max(9_999_999_999).optional();
/** Who looks after a lead; the page offers those who may. */
export const ownedBy = filter.by(z.coerce.number().pipe(f.id).optional(), {
  kind: "choice",
  title: "负责人",
  source: PEOPLE,
});
const DUE = { due: ["今日待跟进", "orange"] } as const;
const next = { kind: "days", title: "下次跟进", from: "nextFrom", to: "nextTo" } as const;
const created = { kind: "days", title: "登记时间", from: "createdFrom", to: "createdTo" } as const;
const movesIn = { kind: "days", title: "入住日", from: "moveInFrom", to: "moveInTo" } as const;
export const leadFilter = z.object({
  tab: filter.by(z.enum(words(TABS)).default("all"), { kind: "choice", title: "范围", words: TABS }),
  villageIds: filter.villages(),
  state: wordList(words(LEAD_STATES)),
  level: filter.choices("级别", LEVELS),
  source: filter.by(z.string().max(20).optional(), {
    kind: "choice",
    title: "来源",
    dic: ["customer", "source"],
  }),
  /** By its name, as the page offers those that enquiries came by. */
  channel: filter.by(z.string().max(30).optional(), { kind: "choice", title: "渠道", words: {} }),
  agentId: filter.record("经纪人", AGENTS),
  ownerId: ownedBy,
  nextFrom: filter.by(f.dayInput("下次跟进起").optional(), next),
  nextTo: filter.by(f.dayInput("下次跟进止").optional(), next),
  createdFrom: filter.by(f.dayInput("登记起").optional(), created),
  createdTo: filter.by(f.dayInput("登记止").optional(), created),
  moveInFrom: filter.by(f.dayInput("入住日起").optional(), movesIn),
  moveInTo: filter.by(f.dayInput("入住日止").optional(), movesIn),
  ...filter.between("budgetFrom", "budgetTo", fen, { kind: "money", title: "预算" }),
  lostReason: filter.by(z.string().max(20).optional(), {
    kind: "choice",
    title: "流失原因",
    dic: ["customer", "lostReason"],
  }),
  /** Those that came so far, whatever became of them since: what a bar of the funnel counts. */
  reached: filter.choice("到过", REACHED),
  /** Those whose next follow-up is today or past. */
  follow: filter.by(z.literal("due").optional(), { kind: "choice", title: "跟进", words: DUE }),
  keyword: filter.by(z.string().trim().max(50, "关键字最多50个字").optional(), {
    kind: "keyword",
    title: "编号、姓名、手机号",
  }),
});
export type LeadFilter = z.output<typeof leadFilter>;

export const listLeads = at.get("", "客源列表", "15.query", {
  query: pageQuery("nextFollowDay", "createdAt", "lastFollowAt", "moveInDay").extend({
    ...leadFilter.shape,
    /** Exports write it; the list's rows ask for it themselves, so that the list never waits. */
    also: extraColumns("matches"),
  }),
  reply: pageReply(leadRow.extend({ matches: f.number("匹配房源", { unit: "间" }).nullable() })),
});

export const countLeads = at.get("/counts", "客源各状态数量", "15.query", {
  query: leadFilter.omit({ state: true }),
  reply: z.record(z.string(), z.number()),
});

export const exportLeads = exportOf({
  type: "lead",
  title: "客源",
  needs: "15.export",
  list: listLeads,
  personal: true,
});

/** Words and people that forms and filters of leads offer. */
export const leadWords = at.get("/words", "客源选项", ["15.query", "15.add"], {
  reply: z.object({
    sources: z.array(z.object({ code: z.string(), name: z.string() })),
    channels: z.array(z.string()),
    lostReasons: z.array(z.string()),
    owners: z.array(z.object({ id: f.id, name: z.string() })),
  }),
});

/** Asked when a phone has been typed: who works on it already, and whether it is a known renter's. */
export const checkLead = at.get("/check", "查询手机号是否已有客源", ["15.add", "15.edit"], {
  perMinute: 60,
  query: z.object({ phone: z.string().regex(/^1[3-9]\d{9}$/, "手机格式不正确！") }),
  reply: z.object({
    live: z.object({ number: z.string(), ownerName: z.string().nullable() }).nullable(),
    renter: z.object({ id: f.id, name: z.string(), phone: z.string() }).nullable(),
  }),
});

const family = recordCalls({ path: LEADS, code: 15, title: "客源", target: "lead" });

export const addLead = family.add(leadInput, { reply: z.object({ id: f.id, number: z.string() }) });

export const editLead = at.put("/:id", "编辑客源", ["15.edit", "#1501"], { body: leadEdit, reply: z.null() });

export const getLead = at.get("/:id", "客源详情", "15.get", {
  target: "lead",
  reply: leadRow.extend({
    matches: f.number("匹配房源", { unit: "间" }),
    gender: f.status("性别", GENDERS).nullable(),
    villageIds: z.array(f.id),
    villageNames: f.text("意向门店"),
    kind: f.status("类型", ROOM_KINDS).nullable(),
    layout: f.status("户型", LAYOUTS).nullable(),
    budgetFrom: f.money("预算下限").nullable(),
    budgetTo: f.money("预算上限").nullable(),
    termMonths: f.number("租期", { unit: "个月" }).nullable(),
    people: f.number("入住人数", { unit: "人" }).nullable(),
    remark: f.text("备注"),
    lostNote: f.text("流失说明"),
    creatorName: f.person("登记人"),
    partyId: f.id.nullable(),
    partyKind: f.status("客户类型", CHOICES).nullable(),
    partyName: f.link("客户").nullable(),
  }),
});

export const deleteLead = family.delete();

/** Told by contract, which stands further right: leads have become contracts. */
export const contractSigned = event(
  "contract.signed",
  z.object({
    contracts: z.array(
      z.object({
        contractId: f.id,
        villageId: f.id,
        partyId: f.id,
        roomIds: z.array(f.id),
        start: z.string(),
        end: z.string(),
        signedOn: z.string(),
      }),
    ),
  }),
);

/** How many rooms suit each of some leads: asked apart, so that the list never waits for it. */
export const countMatches = at.get("/matchCounts", "匹配房源数量", "15.query", {
  query: z.object({ ids: idList }),
  reply: z.array(z.object({ id: f.id, rooms: z.number().int() })),
});

/** What a customer may be shown of a room: neither its door nor its lowest price is read for it. */
export const shareRoom = at.get("/:id/share", "房源分享卡片", "15.get", {
  query: z.object({ roomId: z.coerce.number().pipe(f.id) }),
  reply: z.object({
    storeName: f.text("门店"),
    address: f.text("地址"),
    kind: f.status("类型", ROOM_KINDS),
    layout: f.text("户型"),
    area: f.text("面积"),
    orientation: f.text("朝向"),
    listPrice: f.money("标价").nullable(),
    unit: f.status("计价单位", PRICE_UNITS).nullable(),
    freeFrom: f.day("可入住"),
    /** Files, the cover first. */
    pictures: z.array(f.id),
    consultantName: f.person("顾问"),
    consultantPhone: f.phone("顾问电话"),
  }),
});
