import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { contactMobile } from "../../../platform/kernel/contact.ts";
import { ROOM_KINDS } from "../../listing/room/words.rules.ts";
import { tagList } from "../renter/renter-input.contract.ts";
import { GENDERS } from "../renter/words.rules.ts";
import { EARNEST_KINDS } from "../reservation/reservation.rules.ts";
import { LAYOUTS, LEVELS } from "./lead.rules.ts";

const typed = z.object({
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
const together = (lead: Together, ctx: z.RefinementCtx) => {
  budget(lead, ctx);
  if (lead.source === "agent" && !lead.agentId)
    ctx.addIssue({ code: "custom", path: ["agentId"], message: "请选择经纪人" });
};

/** What a person types of a lead. */
export const leadInput = typed.superRefine(together);
export type LeadInput = z.output<typeof leadInput>;

/** What is agreed at the same time, where the customer takes a room at once; it counts with the room. */
const room = {
  roomId: f.pick("房间").nullish(),
  plannedEndDay: f.dayInput("预计到期").nullish(),
  /** Left out: the list price. It counts what the price of the room counts. */
  rent: f.amount("租金").nullish(),
  holdUntil: f.dayInput("保留至").nullish(),
  earnestKind: f.choice("类别", EARNEST_KINDS).default("定金"),
  earnest: f.amount("定金金额", 0).nullish(),
};
export const leadAndRoom = typed.extend(room).superRefine((lead, ctx) => {
  together(lead, ctx);
  if (lead.roomId && lead.earnest == null)
    ctx.addIssue({ code: "custom", path: ["earnest"], message: "请输入定金金额，免定金请填0" });
});

/** The same of one that is there: whoever sees its phone masked leaves it out, and an agent written down as text may stay. */
export const leadEdit = typed
  .extend({ phone: typed.shape.phone.optional(), version: f.version })
  .superRefine(budget);
