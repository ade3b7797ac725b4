import { z } from "zod";
import { event } from "../../../platform/kernel/event.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import * as f from "../../../platform/kernel/field.ts";
import { tagList } from "./renter.contract.ts";
import { CERT_TYPES, VERIFY } from "./words.rules.ts";
const renters = callsAt("/customer/api/v3/renter", "renter");
const certificate = {
  certType: f.choice("证件类型", CERT_TYPES),
  certNo: f.secret(f.input("证件号", 6, 18, "证件号格式不正确"), "certificate"),
};

export const lookupRenter = renters.post("/lookup", "按证件查找租客", ["16.add", "16.edit", "9.add"], {
  effect: "read",
  perMinute: 60,
  body: z.object(certificate),
  reply: z.object({
    found: z.enum(["none", "here", "elsewhere"]),
    id: f.id.nullable(),
    maskedName: z.string().nullable(),
  }),
});

export const linkRenter = renters.post("/:id/link", "关联租客到门店", ["16.add", "9.add"], {
  body: z.object({ villageId: f.pick("门店"), ...certificate }),
  reply: z.object({ id: f.id }),
});

export const REVEALABLE = ["phone", "certNo", "emergencyPhone", "guardianPhone", "bankNumber"] as const;
export const revealRenter = renters.post("/:id/reveal", "查看租客完整信息", "#1601", {
  body: z.object({ field: z.enum(REVEALABLE), partId: f.id.optional(), reason: f.reason("查看原因") }),
  reply: z.object({ value: f.wholeNumber("完整号码") }),
});

export const verifyRenter = renters.post("/:id/verify", "实名核验", "16.edit", {
  body: z.object({ version: f.version }),
  reply: z.object({ verify: f.status("实名", VERIFY), note: z.string() }),
});

export const tagRenters = renters.put("/tags", "租客打标签", "16.edit", {
  body: z.object({
    ids: f.ids().min(1, "请选择租客").max(500, "一次最多500人"),
    add: tagList.default([]),
    remove: tagList.default([]),
  }),
  reply: z.object({ changed: z.number().int() }),
});

/** Values that a merge may take from the record that goes; the others stay. */
export const MERGEABLE = {
  name: "姓名",
  phone: "手机",
  certificate: "证件",
  gender: "性别",
  birthday: "生日",
  email: "邮箱",
  work: "职业与单位",
  emergency: "紧急联系人",
  guardian: "监护人",
  source: "来源",
  remark: "备注",
} as const;
export type Mergeable = keyof typeof MERGEABLE;
const MERGE_KEYS = Object.keys(MERGEABLE) as [Mergeable, ...Mergeable[]];

export const mergeRenters = renters.post("/merge", "合并租客", "#1602", {
  body: z.object({
    keepId: f.id,
    keepVersion: f.version,
    goneId: f.id,
    goneVersion: f.version,
    /** Fields whose value comes from the record that goes. */
    take: f.some(MERGE_KEYS).default([]),
    reason: f.reason("合并原因"),
  }),
  reply: z.object({ id: f.id }),
});

export const anonymiseRenter = renters.post("/:id/anonymise", "匿名化租客", "#1603", {
  body: z.object({ version: f.version, reason: f.reason("匿名化原因") }),
  reply: z.object({ id: f.id }),
});

/** These records are nobody's any more: what was copied of them is erased. */
export const renterAnonymised = event("renter.anonymised", z.object({ ids: z.array(f.id) }));
