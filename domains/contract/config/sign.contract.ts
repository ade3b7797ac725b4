import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { PROVIDERS } from "../provider/provider.rules.ts";
import { CONFIG_SOURCES } from "./config.rules.ts";
import { SECRET_STATES, SIGN_ORDERS } from "./sign.rules.ts";

const HTTP = /^https?:\/\/[^\s/?#]+(:\d{1,5})?(\/\S*)?$/;
export const LINK_HOURS = f.whole("签署链接有效期", 1, 168, { unit: "小时" });

const values = z.object({
  provider: f.choice("签署服务", PROVIDERS),
  signOrder: f.choice("签署顺序", SIGN_ORDERS),
  linkHours: LINK_HOURS,
  smsMinutes: f.whole("短信验证码有效期", 1, 30, { unit: "分钟" }),
  smsTries: f.whole("短信验证码可试次数", 1, 10, { unit: "次" }),
  handwriting: f.flag("手写签名", { help: "客户签署时须在屏幕上手写姓名" }),
  readSeconds: f.whole("最短阅读时间", 0, 60, { unit: "秒" }),
  offlineAllowed: f.flag("允许线下签署", { help: "关闭后只能电子签署，不能上传扫描件确认签约" }),
  offlineNeedsApproval: f.flag("线下签署需审批", {
    help: "开启后，上传的签署件按“线下签署”的审批流程通过后合同才生效",
  }),
  timestampUrl: z
    .string()
    .trim()
    .max(200, "时间戳服务地址最多200个字符")
    .refine((url) => !url || HTTP.test(url), "请输入以 http:// 或 https:// 开头的地址")
    .default("")
    .meta({
      title: "时间戳服务地址",
      kind: "text",
      max: 200,
      wording: "program",
      help: "RFC 3161 时间戳服务；不填则不加时间戳",
    }),
});

/** The application at an outside provider. */
const APP_ID = /^[A-Za-z0-9]{4,64}$/;
const account = {
  appId: z
    .string()
    .trim()
    .max(64, "应用ID最多64个字符")
    .refine((id) => !id || APP_ID.test(id), "应用ID由4-64位字母和数字组成")
    .default("")
    .meta({ title: "应用ID", kind: "text", max: 64, wording: "program" }),
  endpoint: z
    .string()
    .trim()
    .max(200, "接口地址最多200个字符")
    .refine((url) => !url || HTTP.test(url), "请输入以 http:// 或 https:// 开头的地址")
    .default("")
    .meta({
      title: "接口地址",
      kind: "text",
      max: 200,
      wording: "program",
      help: "不填则为 e签宝 正式环境",
    }),
};

const query = z.object({ villageId: z.coerce.number().int().positive().optional() });
const configs = callsAt("/contract/api/v3/signConfig", "contractConfig");

/** Without a village: the enterprise's own. */
export const readSignConfig = configs.get("", "签署设置", ["95.query", "95.get"], {
  query,
  reply: values.extend({
    ...account,
    /** The secret itself never leaves. */
    secretSet: f.status("应用密钥", SECRET_STATES),
    source: f.status("来源", CONFIG_SOURCES),
    villageId: f.id.nullable(),
    editable: f.flag("可修改"),
    /** Of the set it stands in, which the contract parameters share; 0 = none of its own yet. */
    version: z.number().int(),
    updatedAt: f.instant("更新时间").nullable(),
    updatedBy: f.person("更新人").nullable(),
  }),
});

export const writeSignConfig = configs.put("", "修改签署设置", "95.edit", {
  query,
  body: values.extend({
    ...account,
    secret: f
      .secret(
        z.string().trim().min(8, "应用密钥为8-128个字符").max(128, "应用密钥为8-128个字符").meta({
          title: "应用密钥",
          kind: "text",
          max: 128,
          wording: "program",
          help: "加密保存，不再显示；不填则不更换",
        }),
      )
      .optional(),
    version: f.versionOrNone,
  }),
  reply: z.object({ id: f.id, version: z.number().int() }),
});

/** Asks the provider whether it knows the application as it was saved. Nothing is signed. */
export const testSignProvider = configs.post("/test", "测试签署服务", "95.edit", {
  effect: "read",
  perMinute: 20,
  query,
  reply: z.object({ ok: z.boolean(), said: z.string() }),
});
