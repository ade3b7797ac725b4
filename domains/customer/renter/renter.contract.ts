import { z } from "zod";
import { certificateOf } from "../../../platform/kernel/texts/certificate.ts";
import {
  email,
  foreignMobile,
  mobileOf,
  mobileOrLandline,
  personName,
} from "../../../platform/kernel/texts/contact.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { freeText } from "../../../platform/kernel/texts/names.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { oneRecord, recordCalls, callsAt } from "../../../platform/kernel/records.ts";
import { check, optional } from "../../../platform/kernel/validators.ts";
import { YES_NO_ARREARS, CERT_TYPES, GENDERS, MONTHS, STAGES, VERIFY } from "./words.rules.ts";
import { BLACK } from "../blacklist/blacklist.rules.ts";

const otherPhone = (title: string) => f.remark(title, 20).superRefine(check(optional(mobileOrLandline)));
export const tagList = z
  .array(f.input("标签", 1, 10, "标签最多10个字"))
  .max(10, "标签最多10个")
  .meta({ title: "标签", kind: "text" });

const typed = z.object({
  certType: f.choice("证件类型", CERT_TYPES).nullish(),
  certNo: z
    .string()
    .trim()
    .max(18, "证件号格式不正确")
    .nullish()
    .meta({ title: "证件号", kind: "text", max: 18, secrecy: "certificate" }),
  name: f.input("姓名", 2, 30, "姓名长度为2到30个字").superRefine(check(personName)),
  phoneArea: z
    .string()
    .regex(/^\+\d{1,4}$/, "区号格式不正确")
    .default("+86"),
  phone: f.checked("手机", foreignMobile, { kind: "phone" }),
  gender: f.choice("性别", GENDERS).nullish(),
  birthday: f.lifeDayInput("生日").nullish(),
  nationality: f.remark("国籍", 30).default(""),
  email: f
    .remark("邮箱", 100)
    .superRefine(check(optional(email)))
    .default(""),
  occupation: f.remark("职业", 50).default(""),
  employer: f.remark("工作单位", 50).default(""),
  emergencyName: f.remark("紧急联系人", 30).default(""),
  emergencyPhone: otherPhone("紧急联系电话").default(""),
  emergencyRelation: f.remark("关系", 20).default(""),
  guardianName: f.remark("监护人", 30).default(""),
  guardianPhone: otherPhone("监护人电话").default(""),
  /** Code of the customer dictionary. */
  source: f.input("来源", 1, 20, "请选择来源"),
  tags: tagList.default([]),
  photoFileId: f.id.nullish().meta({ title: "照片", kind: "file" }),
  certFrontFileId: f.id.nullish().meta({ title: "证件正面", kind: "file" }),
  certBackFileId: f.id.nullish().meta({ title: "证件反面", kind: "file" }),
  remark: f
    .remark()
    .superRefine(check(optional(freeText)))
    .default(""),
  homeVillageId: f.pick("登记门店"),
});

/** Screens hold phones and certificates masked, so an edit that does not carry one keeps it. */
const edited = typed.extend({
  phone: typed.shape.phone.optional(),
  emergencyPhone: otherPhone("紧急联系电话").optional(),
  guardianPhone: otherPhone("监护人电话").optional(),
  version: f.version,
  correctionReason: f.reason("更正原因").optional(),
  correctionFileId: f.id.optional().meta({ title: "更正凭证", kind: "file" }),
});

type Edited = z.output<typeof edited>;
type Together = Omit<Edited, "version" | "correctionReason" | "correctionFileId">;

/** Rules that look at two fields at once, shared by add, edit and import. */
function together(v: Together, ctx: z.RefinementCtx) {
  const add = (path: keyof Together, message: string | undefined) => {
    if (message) ctx.addIssue({ code: "custom", path: [path], message, input: v });
  };
  if (v.phone !== undefined) add("phone", mobileOf(v.phoneArea)(v.phone));
  if (v.certNo && !v.certType) add("certType", "请选择证件类型");
  if (v.certType && v.certNo) add("certNo", certificateOf(v.certType)(v.certNo));
  if (v.emergencyPhone && v.emergencyPhone === v.phone) add("emergencyPhone", "紧急联系人电话不能与本人相同");
}

export const renterInput = typed.superRefine((v, ctx) => {
  if (v.certType && !v.certNo)
    ctx.addIssue({ code: "custom", path: ["certNo"], message: "请输入证件号", input: v });
  together(v, ctx);
});
export type RenterInput = z.output<typeof renterInput>;
export const renterEdit = edited.superRefine(together);
export type RenterEdit = z.output<typeof renterEdit>;

const BASE = "/customer/api/v3/renter";
const renters = callsAt(BASE, "renter");

export const renterId = oneRecord;

const ARREARS_HELP = "应收日已过仍未收的金额，仅含有权限的门店";

export const renterRow = z.object({
  id: f.id,
  name: f.person("姓名"),
  phone: f.phone("手机"),
  certType: f.status("证件类型", CERT_TYPES).nullable(),
  certNo: f.certificateNo("证件").nullable(),
  gender: f.status("性别", GENDERS).nullable(),
  stage: f.status("阶段", STAGES),
  roomId: f.id.nullable(),
  roomName: f.link("当前房间").nullable(),
  contractId: f.id.nullable(),
  endDate: f.day("租期止").nullable(),
  arrears: f.money("欠费", { help: ARREARS_HELP }),
  prepaid: f.money("预存款"),
  deposit: f.money("押金"),
  tags: z.array(z.string()).meta({ title: "标签", kind: "text" }),
  verify: f.status("实名", VERIFY),
  black: f.status("黑名单", BLACK),
  /** Code of the customer dictionary. */
  source: z.string(),
  sourceName: f.text("来源"),
  homeVillageName: f.text("登记门店"),
  createdAt: f.instant("登记时间"),
  version: f.version,
});

const several = (most: number) =>
  z
    .string()
    .max(most)
    .transform((text) => text.split(",").filter(Boolean))
    .optional();
const created = { kind: "days", title: "登记时间", from: "createdFrom", to: "createdTo" } as const;
export const renterFilter = z.object({
  villageIds: filter.villages(),
  stage: filter.choices("阶段", STAGES),
  source: filter.by(several(200), {
    kind: "choice",
    title: "来源",
    dic: ["customer", "source"],
    many: true,
  }),
  verify: filter.choices("实名", VERIFY),
  black: filter.choices("黑名单", BLACK),
  arrears: filter.choice("欠费", YES_NO_ARREARS),
  tags: filter.by(several(120), { kind: "choice", title: "标签", dic: ["customer", "tag"], many: true }),
  birthMonth: filter.by(z.coerce.number().int().min(1).max(12).optional(), {
    kind: "choice",
    title: "生日月份",
    words: MONTHS,
  }),
  createdFrom: filter.by(f.dayInput("登记起").optional(), created),
  createdTo: filter.by(f.dayInput("登记止").optional(), created),
  keyword: filter.by(z.string().trim().max(50, "关键字最多50个字").optional(), {
    kind: "keyword",
    title: "姓名、手机号、完整证件号、房间",
  }),
});
export type RenterFilter = z.output<typeof renterFilter>;

export const listRenters = renters.get("", "租客列表", "16.query", {
  query: pageQuery("createdAt", "name", "endDate", "arrears").extend(renterFilter.shape),
  reply: pageReply(
    renterRow,
    z.object({ arrears: f.money("欠费"), prepaid: f.money("预存款"), deposit: f.money("押金") }),
  ),
});

export const exportRenters = exportOf({
  type: "renter",
  title: "租客",
  needs: "16.export",
  list: listRenters,
  personal: true,
});

/** The picture strip over the list: how many of each stage, how many new in each of the last twelve months. */
export const renterStrip = renters.get("/strip", "租客概况", "16.query", {
  query: renterFilter.pick({ villageIds: true }),
  reply: z.object({
    stages: z.array(z.object({ stage: f.status("阶段", STAGES), count: f.number("人数") })),
    months: z.array(z.object({ month: f.month("月份"), count: f.number("新增") })),
  }),
});

const family = recordCalls({ path: BASE, code: 16, title: "租客", target: "renter" });

export const addRenter = family.add(renterInput, {
  reply: z.object({ id: f.id, phoneUsedBy: z.string().nullable() }),
});
export const editRenter = renters.put("/:id", "编辑租客", "16.edit", {
  beyondVillages: true,
  body: renterEdit,
  reply: z.object({ id: f.id, phoneUsedBy: z.string().nullable() }),
});

export const getRenter = renters.get("/:id", "租客详情", ["16.get", "9.add"], {
  target: "renter",
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
    /** A contract was signed: name and certificate change by correction only. */
    signed: z.boolean(),
    verifyNote: f.text("核验说明"),
    verifiedAt: f.instant("核验时间").nullable(),
    blackReason: f.text("黑名单原因").nullable(),
    mergedFrom: z.array(z.object({ id: f.id, name: z.string() })),
    anonymisedAt: f.instant("匿名化时间").nullable(),
  }),
});

/** What stands against or beside a renter, in numbers that open their lists. */
export const renterSummary = renters.get("/:id/summary", "租客概要", "16.get", {
  target: "renter",
  reply: z.object({
    arrears: f.money("欠费"),
    overdueBills: f.number("逾期账单"),
    prepaid: f.money("预存款"),
    deposit: f.money("押金"),
    received: f.money("累计实收"),
    contracts: f.number("合同"),
    livedDays: f.number("累计在住天数"),
    occupants: z.array(
      z.object({
        id: f.id,
        name: f.person("姓名"),
        phone: f.phone("手机"),
        certNo: f.certificateNo("证件").nullable(),
        relation: f.text("关系"),
        roomName: f.room("房间"),
        fromDate: f.day("入住"),
        toDate: f.day("离开").nullable(),
        lockAccess: f.flag("门锁权限"),
      }),
    ),
  }),
});

export const deleteRenter = family.delete();

/** Pickers of other screens: by name, phone or last four digits. */
export const renterOptions = renters.get(
  "/options",
  "租客选项",
  ["16.query", "9.add", "102.add", "26.query"],
  {
    query: z.object({ keyword: z.string().trim().min(1).max(50), villageIds: idList }),
    reply: z.array(z.object({ id: f.id, name: z.string(), phone: z.string(), rooms: z.string() })),
  },
);
