import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { renterEdit, renterInput } from "./renter-input.contract.ts";
import { YES_NO_ARREARS } from "../firm/words.rules.ts";
import { BLACK, CERT_TYPES, GENDERS, MONTHS, STAGES, VERIFY } from "./words.rules.ts";
import { oneRecord, recordCalls } from "../../../platform/kernel/records.ts";

const BASE = "/customer/api/v3/renter";
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

export const listRenters = call({
  method: "GET",
  path: BASE,
  summary: "租客列表",
  needs: "16.query",
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
export const renterStrip = call({
  method: "GET",
  path: `${BASE}/strip`,
  summary: "租客概况",
  needs: "16.query",
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
export const editRenter = call({
  method: "PUT",
  path: `${BASE}/:id`,
  summary: "编辑租客",
  beyondVillages: true,
  needs: "16.edit",
  target: "renter",
  params: renterId,
  body: renterEdit,
  reply: z.object({ id: f.id, phoneUsedBy: z.string().nullable() }),
});

export const getRenter = call({
  method: "GET",
  path: `${BASE}/:id`,
  summary: "租客详情",
  needs: ["16.get", "9.add"],
  target: "renter",
  params: renterId,
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
export const renterSummary = call({
  method: "GET",
  path: `${BASE}/:id/summary`,
  summary: "租客概要",
  needs: "16.get",
  target: "renter",
  params: renterId,
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
export const renterOptions = call({
  method: "GET",
  path: `${BASE}/options`,
  summary: "租客选项",
  needs: ["16.query", "9.add", "102.add", "26.query"],
  query: z.object({ keyword: z.string().trim().min(1).max(50), villageIds: idList }),
  reply: z.array(z.object({ id: f.id, name: z.string(), phone: z.string(), rooms: z.string() })),
});
