import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { certificateOf } from "../../../platform/kernel/certificate.ts";
import { email, mobileOf, mobileOrLandline, personName } from "../../../platform/kernel/contact.ts";
import * as f from "../../../platform/kernel/field.ts";
import { freeText } from "../../../platform/kernel/names.ts";
import { idList, pageQuery, pageReply, wordList } from "../../../platform/kernel/paging.ts";
import { check, optional } from "../../../platform/kernel/validators.ts";
import { BLACK, CERT_TYPES, GENDERS, SOURCES, STAGES, VERIFY } from "./words.rules.ts";

const BASE = "/customer/api/v3/renter";
const words = <K extends string>(w: Record<K, unknown>) => Object.keys(w) as [K, ...K[]];

export const renterRow = z.object({
  id: f.id,
  name: f.person("姓名"),
  phone: f.phone("手机"),
  certType: f.status("证件类型", CERT_TYPES).nullable(),
  certNo: f.text("证件").nullable(),
  gender: f.status("性别", GENDERS).nullable(),
  stage: f.status("阶段", STAGES),
  roomId: f.id.nullable(),
  roomName: f.link("当前房间").nullable(),
  endDate: f.day("租期止").nullable(),
  arrears: f.money("欠费", { help: "已到应收日仍未收的金额" }),
  prepaid: f.money("预存款"),
  deposit: f.money("押金"),
  tags: z.array(z.string()).meta({ title: "标签", kind: "text" }),
  verify: f.status("实名", VERIFY),
  black: f.status("黑名单", BLACK),
  source: f.status("来源", SOURCES),
  homeVillageName: f.text("登记门店"),
  createdAt: f.instant("登记时间"),
});

export const listRenters = call({
  method: "GET",
  path: BASE,
  summary: "租客列表",
  needs: "16.query",
  query: pageQuery("createdAt", "name", "endDate", "arrears").extend({
    villageIds: idList,
    stage: wordList(words(STAGES)),
    source: wordList(words(SOURCES)),
    verify: wordList(words(VERIFY)),
    black: z.enum(["none", "warn", "forbid"]).optional(),
    arrears: z.enum(["yes", "no"]).optional(),
    birthMonth: z.coerce.number().int().min(1).max(12).optional(),
    createdFrom: f.dayInput("登记起").optional(),
    createdTo: f.dayInput("登记止").optional(),
    keyword: z.string().trim().max(50).optional(),
  }),
  reply: pageReply(
    renterRow,
    z.object({ arrears: f.money("欠费"), prepaid: f.money("预存款"), deposit: f.money("押金") }),
  ),
});

const typed = z.object({
  name: f.input("姓名", 2, 30, "姓名长度为2到30个字").superRefine(check(personName)),
  phoneArea: z
    .string()
    .regex(/^\+\d{1,4}$/, "区号格式不正确")
    .default("+86"),
  phone: f.input("手机", 5, 15, "手机格式不正确！"),
  certType: f.choice("证件类型", CERT_TYPES).nullish(),
  certNo: z.string().trim().max(18, "证件号格式不正确").nullish(),
  gender: f.choice("性别", GENDERS).nullish(),
  birthday: f.dayInput("生日").nullish(),
  nationality: f.remark("国籍", 30).default(""),
  email: f
    .remark("邮箱", 100)
    .superRefine(check(optional(email)))
    .default(""),
  occupation: f.remark("职业", 50).default(""),
  employer: f.remark("工作单位", 50).default(""),
  emergencyName: f.remark("紧急联系人", 30).default(""),
  emergencyPhone: f
    .remark("紧急联系电话", 20)
    .superRefine(check(optional(mobileOrLandline)))
    .default(""),
  emergencyRelation: f.remark("关系", 20).default(""),
  guardianName: f.remark("监护人", 30).default(""),
  guardianPhone: f
    .remark("监护人电话", 20)
    .superRefine(check(optional(mobileOrLandline)))
    .default(""),
  source: f.choice("来源", SOURCES),
  tags: z.array(z.string().trim().min(1).max(10)).max(10, "标签最多10个").default([]),
  photoFileId: f.id.nullish(),
  certFrontFileId: f.id.nullish(),
  certBackFileId: f.id.nullish(),
  remark: f
    .remark()
    .superRefine(check(optional(freeText)))
    .default(""),
  homeVillageId: f.pick("登记门店"),
});

type Typed = z.output<typeof typed>;
/** Rules that look at two fields at once, shared by add and edit. */
const together = (v: Typed, ctx: z.RefinementCtx<Typed>) => {
  const add = (path: keyof Typed, message: string | undefined) => {
    if (message) ctx.addIssue({ code: "custom", path: [path], message, input: v });
  };
  add("phone", mobileOf(v.phoneArea)(v.phone));
  if (v.certNo && !v.certType) add("certType", "请选择证件类型");
  if (v.certType && !v.certNo) add("certNo", "请输入证件号");
  if (v.certType && v.certNo) add("certNo", certificateOf(v.certType)(v.certNo));
  if (v.emergencyPhone && v.emergencyPhone === v.phone) add("emergencyPhone", "紧急联系人电话不能与本人相同");
};

export const renterInput = typed.superRefine(together);
export type RenterInput = z.output<typeof renterInput>;

export const addRenter = call({
  method: "POST",
  path: BASE,
  summary: "新增租客",
  needs: "16.add",
  target: "renter",
  body: renterInput,
  reply: z.object({ id: f.id, phoneUsedBy: z.string().nullable() }),
});
export const editRenter = call({
  method: "PUT",
  path: `${BASE}/:id`,
  summary: "编辑租客",
  needs: "16.edit",
  target: "renter",
  params: z.object({ id: z.coerce.number().int().positive() }),
  body: typed
    .extend({ version: f.version, correctionReason: f.reason("更正原因").optional() })
    .superRefine(together),
  reply: z.object({ id: f.id }),
});

export const getRenter = call({
  method: "GET",
  path: `${BASE}/:id`,
  summary: "租客详情",
  needs: ["16.get", "9.add"],
  target: "renter",
  params: z.object({ id: z.coerce.number().int().positive() }),
  reply: renterRow.extend({
    phoneArea: z.string(),
    birthday: f.day("生日").nullable(),
    nationality: f.text("国籍"),
    email: f.text("邮箱"),
    occupation: f.text("职业"),
    employer: f.text("工作单位"),
    emergencyName: f.person("紧急联系人"),
    emergencyPhone: f.phone("紧急联系电话"),
    emergencyRelation: f.text("关系"),
    guardianName: f.person("监护人"),
    guardianPhone: f.phone("监护人电话"),
    photoFileId: f.id.nullable(),
    certFrontFileId: f.id.nullable(),
    certBackFileId: f.id.nullable(),
    remark: f.text("备注"),
    homeVillageId: f.id,
    villages: z.array(z.object({ id: f.id, name: z.string() })),
    signed: z.boolean(),
    mergedIntoId: f.id.nullable(),
    version: f.version,
  }),
});

export const lookupRenter = call({
  method: "POST",
  path: `${BASE}/lookup`,
  summary: "按证件查找租客",
  needs: ["16.add", "16.edit", "9.add"],
  effect: "read",
  body: z.object({
    certType: f.choice("证件类型", CERT_TYPES),
    certNo: f.input("证件号", 6, 18, "证件号格式不正确"),
  }),
  reply: z.object({
    found: z.enum(["none", "here", "elsewhere"]),
    id: f.id.nullable(),
    maskedName: z.string().nullable(),
  }),
});
export const linkRenter = call({
  method: "POST",
  path: `${BASE}/:id/link`,
  summary: "关联租客到门店",
  needs: ["16.add", "9.add"],
  target: "renter",
  params: z.object({ id: z.coerce.number().int().positive() }),
  body: z.object({
    villageId: f.pick("门店"),
    certType: f.choice("证件类型", CERT_TYPES),
    certNo: f.input("证件号", 6, 18, "证件号格式不正确"),
  }),
  reply: z.object({ id: f.id }),
});
export const revealRenter = call({
  method: "POST",
  path: `${BASE}/:id/reveal`,
  summary: "查看租客完整信息",
  needs: "#1601",
  target: "renter",
  params: z.object({ id: z.coerce.number().int().positive() }),
  body: z.object({ field: z.enum(["phone", "certNo", "emergencyPhone"]), reason: f.reason() }),
  reply: z.object({ value: z.string() }),
});
export const deleteRenter = call({
  method: "DELETE",
  path: `${BASE}/:id`,
  summary: "删除租客",
  needs: "16.delete",
  target: "renter",
  params: z.object({ id: z.coerce.number().int().positive() }),
  query: z.object({ version: z.coerce.number().int() }),
  reply: z.null(),
});
/** Pickers of other screens: by name, phone or last four digits. */
export const renterOptions = call({
  method: "GET",
  path: `${BASE}/options`,
  summary: "租客选项",
  needs: ["16.query", "9.add", "102.add", "26.query"],
  query: z.object({ keyword: z.string().trim().min(1).max(50), villageIds: idList }),
  reply: z.array(z.object({ id: f.id, name: z.string(), phone: z.string(), rooms: z.string() })),
});
