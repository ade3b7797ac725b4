import { z } from "zod";
import { event } from "../../../platform/kernel/event.ts";
import { mobile } from "../../../platform/kernel/texts/contact.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { companyName } from "../../../platform/kernel/texts/names.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { identity } from "../operator/operator.contract.ts";
import { APPLICATION_WORDS } from "./application.rules.ts";
import { callsAt } from "../../../platform/kernel/records.ts";

const registering = callsAt("/system/api/v3/login/register", "registerApplication");
const registerApplications = callsAt("/system/api/v3/registerApplication", "registerApplication");
const phone = f.checked("手机", mobile, { kind: "phone" });
const code = f.secret(
  z.string({ error: "请输入短信验证码" }).trim().min(1, "请输入短信验证码").max(6, "短信验证码错误或已失效"),
);

const result = z.object({
  number: f.text("申请编号"),
  companyName: f.text("企业名称"),
  account: f.text("账号"),
  state: f.status("状态", APPLICATION_WORDS),
  reason: f.text("拒绝原因"),
});

/** A new customer applies. The account opens when the platform has enabled it. Takes a code of type 1. */
export const register = registering.post("", "注册申请", "public", {
  perMinute: 20,
  body: z.object({
    companyName: f.checked("企业名称", companyName, { keepSpaces: true, max: 30 }),
    realName: identity.realName,
    account: identity.account,
    phone,
    code,
    password: identity.password,
    agreed: z.literal(true, { error: "请阅读并同意用户协议" }),
  }),
  reply: result.extend({ id: f.id }),
});

/** How the newest application of a phone stands, for who receives codes there. */
export const registerResult = registering.post("/result", "查询注册结果", "public", {
  perMinute: 20,
  body: z.object({ phone, code }),
  reply: result,
});

export const listApplications = registerApplications.get("", "注册申请列表", "46.query", {
  query: pageQuery("createdAt").extend({
    state: filter.choices("状态", APPLICATION_WORDS),
    /** A whole phone number is found. */
    keyword: filter.keyword("编号、企业、姓名、账号、手机"),
  }),
  reply: pageReply(
    result.extend({
      id: f.id,
      realName: f.person("申请人"),
      phone: f.phone("手机"),
      createdAt: f.instant("申请时间"),
      /** The versions that were agreed to with it. */
      agreed: f.text("同意的协议"),
      decidedBy: f.person("审核人"),
      decidedAt: f.instant("审核时间").nullable(),
      version: f.version,
    }),
  ),
});

/** Opens the enterprise and its first account. */
export const enableApplication = registerApplications.put("/:id/enable", "开通注册申请", "46.enable", {
  body: z.object({ version: f.version }),
  reply: z.object({ id: f.id }),
});

/** Account and phone are free again. */
export const refuseApplication = registerApplications.put("/:id/refuse", "拒绝注册申请", "46.enable", {
  body: z.object({ version: f.version, reason: f.reason("拒绝原因") }),
  reply: z.object({ id: f.id }),
});

/** A new customer of the platform waits. */
export const registerApplied = event(
  "register.applied",
  z.object({ id: f.id, number: z.string(), companyName: z.string(), realName: z.string() }),
);

/** An enterprise begins; domains lay what it cannot do without. */
export const enterpriseMade = event("enterprise.made", z.object({ id: f.id }));
