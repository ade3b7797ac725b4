import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply, wordList } from "../../../platform/kernel/paging.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { canonicalNumber, certificateOf, creditCode } from "../../../platform/kernel/texts/certificate.ts";
import { contactName, mobile } from "../../../platform/kernel/texts/contact.ts";
import { companyName } from "../../../platform/kernel/texts/names.ts";
import { check } from "../../../platform/kernel/validators.ts";
import { PEOPLE } from "../../access/operator/operator.contract.ts";
import { CERT_TYPES } from "../../customer/renter/words.rules.ts";
import { PRODUCTS } from "../../listing/product/product.contract.ts";
import { areaOf, ROOM_KINDS } from "../../listing/room/words.rules.ts";
import { CONTRACT_KINDS, ofAnyKind } from "../terms/kind.rules.ts";
import {
  APPLICANTS,
  APPLICATION_SOURCES,
  APPLICATION_STATES,
  MOST_DOCUMENTS,
  MOST_ROOMS,
  ROOM_STATES,
  WARNINGS,
} from "./application.rules.ts";

const APPLICATIONS = "/contract/api/v3/leaseApplication";
const applications = callsAt(APPLICATIONS, "leaseApplication");
const words = <K extends string>(w: Record<K, unknown>) => Object.keys(w) as [K, ...K[]];

const row = z.object({
  id: f.id,
  applyNo: f.link("申请单号"),
  name: f.person("申请人"),
  firmName: f.text("企业名"),
  phone: f.phone("电话"),
  partyType: f.status("类型", APPLICANTS),
  villageId: f.id,
  villageName: f.text("门店"),
  roomIds: z.array(f.id),
  productId: f.id.nullable(),
  target: f.text("房间/产品"),
  /** None where a product is asked for. */
  roomState: f.status("房间状态", ROOM_STATES).nullable(),
  wantStart: f.day("起租日"),
  wantMonths: f.number("租期", { unit: "个月" }),
  occupants: f.number("入住人数", { unit: "人" }),
  budget: f.money("预算").nullable(),
  listPrice: f.money("标价", { help: "所申请的房间在起租日的标价，折合每月" }).nullable(),
  documents: f.number("材料", { unit: "份" }),
  warnings: f.tags("黑名单/欠费", WARNINGS),
  source: f.status("来源", APPLICATION_SOURCES),
  state: f.status("状态", APPLICATION_STATES),
  reviewerId: f.id.nullable(),
  reviewerName: f.person("审核人"),
  createdAt: f.instant("申请时间"),
  expiresOn: f.day("审核截止"),
  contractId: f.id.nullable(),
  contractNo: f.link("合同").nullable(),
  /** A room is kept for it by a reservation that stands. */
  held: z.boolean(),
  version: f.version,
});

const applied = { kind: "days", title: "申请日", from: "from", to: "to" } as const;
const starts = { kind: "days", title: "期望起租日", from: "startFrom", to: "startTo" } as const;
const applicationFilter = z.object({
  villageIds: filter.villages(),
  state: wordList(words(APPLICATION_STATES)),
  keyword: filter.keyword("单号、姓名、手机号、企业"),
  from: filter.by(f.dayInput("申请日起").optional(), applied),
  to: filter.by(f.dayInput("申请日止").optional(), applied),
  startFrom: filter.by(f.dayInput("起租日起").optional(), starts),
  startTo: filter.by(f.dayInput("起租日止").optional(), starts),
  source: filter.choices("来源", APPLICATION_SOURCES),
  productId: filter.record("产品", PRODUCTS),
  reviewerId: filter.record("审核人", PEOPLE),
  leadId: z.coerce.number().pipe(f.id).optional(),
});

export const listApplications = call({
  method: "GET",
  path: APPLICATIONS,
  summary: "租赁申请列表",
  needs: "236.query",
  query: pageQuery("createdAt", "wantStart").extend(applicationFilter.shape),
  reply: pageReply(row),
});

export const countApplications = call({
  method: "GET",
  path: `${APPLICATIONS}/counts`,
  summary: "租赁申请各状态数量",
  needs: "236.query",
  query: applicationFilter.omit({ state: true }),
  reply: z.record(z.string(), z.number()),
});

export const exportApplications = exportOf({
  type: "leaseApplication",
  title: "租赁申请",
  needs: "236.export",
  list: listApplications,
  personal: true,
  filters: { leadId: "客源" },
});

export const getApplication = applications.get("/:id", "租赁申请详情", "236.get", {
  reply: row.extend({
    certType: f.status("证件类型", CERT_TYPES).nullable(),
    certNo: f.certificateNo("证件号").nullable(),
    creditCode: f.text("统一社会信用代码").nullable(),
    leadId: f.id.nullable(),
    leadNumber: f.link("客源").nullable(),
    reservationId: f.id.nullable(),
    reservationNo: f.link("预订").nullable(),
    reviewNote: f.text("审核意见"),
    reviewedAt: f.instant("审核时间").nullable(),
    remark: f.text("备注"),
    papers: z.array(z.object({ id: f.id, name: z.string(), size: z.number(), type: z.string() })),
  }),
});

const wanted = {
  partyType: f.choice("类型", APPLICANTS),
  name: f.input("姓名", 2, 30, "姓名长度为2到30个字").superRefine(check(contactName)),
  firmName: f.remark("企业名", 30).default(""),
  phone: f.checked("手机", mobile, { kind: "phone" }),
  wantStart: f.dayInput("起租日"),
  wantMonths: f.whole("租期", 1, 240, { unit: "个月" }),
  occupants: f.whole("人数", 1, 50, { unit: "人" }).default(1),
  budget: f.amount("预算").nullish(),
};
const identified = {
  certType: f.choice("证件类型", CERT_TYPES).nullish(),
  certNo: z
    .string()
    .trim()
    .max(18, "证件号码格式不正确")
    .nullish()
    .meta({ title: "证件号", kind: "text", max: 18, secrecy: "certificate" }),
  creditCode: f.remark("统一社会信用代码", 18).nullish(),
};
const NO_PLACE = "请选择房间或产品";

type Together = {
  partyType: string;
  firmName: string;
  certType?: keyof typeof CERT_TYPES | null | undefined;
  certNo?: string | null | undefined;
  creditCode?: string | null | undefined;
  roomIds?: number[];
  productId?: number | null | undefined;
};
function together(v: Together, ctx: z.RefinementCtx) {
  const wrong = (path: string, message: string | undefined) => {
    if (message) ctx.addIssue({ code: "custom", path: [path], message, input: v });
  };
  if (v.partyType === "renter") {
    if (v.certNo && !v.certType) wrong("certType", "请选择证件类型");
    if (v.certNo && v.certType && certificateOf(v.certType)(v.certNo)) wrong("certNo", "证件号码格式不正确");
  } else {
    wrong("firmName", companyName(v.firmName));
    if (v.creditCode) wrong("creditCode", creditCode(canonicalNumber(v.creditCode)));
  }
  if (!v.roomIds?.length && !v.productId) wrong("roomIds", NO_PLACE);
}

const typed = z.object({
  ...wanted,
  ...identified,
  villageId: f.pick("门店"),
  roomIds: f.ids().max(MOST_ROOMS, `最多${MOST_ROOMS}间`).default([]).meta({ title: "房间", kind: "text" }),
  productId: f.pick("产品").nullish(),
  fileIds: f
    .ids()
    .max(MOST_DOCUMENTS, `材料最多${MOST_DOCUMENTS}个`)
    .default([])
    .meta({ title: "材料", kind: "file" }),
  remark: f.remark().default(""),
});
const applicationInput = typed.superRefine(together);
export type ApplicationInput = z.output<typeof applicationInput>;

const made = z.object({ id: f.id, applyNo: z.string() });
export const addApplication = applications.post("", "新增租赁申请", "236.add", {
  body: applicationInput,
  reply: made,
});

/** Phone and certificate are shown masked; where an edit carries none, what is there stays. */
export const editApplication = applications.put("/:id", "修改租赁申请", "236.edit", {
  body: typed.extend({ phone: wanted.phone.optional(), version: f.version }).superRefine(together),
  reply: z.object({ id: f.id }),
});

const seen = z.object({ version: f.version });
const REVIEWS = "#23601";
const reply = z.null();

export const approveApplication = applications.post("/:id/approve", "通过租赁申请", REVIEWS, {
  body: seen.extend({ note: f.remark("审核意见").default("") }),
  reply,
});
export const rejectApplication = applications.post("/:id/reject", "拒绝租赁申请", REVIEWS, {
  body: seen.extend({ reason: f.reason() }),
  reply,
});
/** A reservation without earnest money, for three days at most. */
export const holdApplication = applications.post("/:id/hold", "为租赁申请保留房间", REVIEWS, {
  body: seen.extend({ holdUntil: f.dayInput("保留至"), rent: f.amount("月租金") }),
  reply: z.object({ number: z.string(), waiting: z.string().nullable() }),
});
export const changeApplicationRoom = applications.post("/:id/room", "租赁申请换房", REVIEWS, {
  body: seen.extend({
    roomId: f.pick("房间"),
    /** Which of several rooms it takes the place of. */
    insteadId: f.id.optional(),
  }),
  reply,
});
export const cancelApplication = applications.post("/:id/cancel", "取消租赁申请", "236.edit", {
  body: seen.extend({ reason: f.reason() }),
  reply,
});
/** A draft of the contract with all that the request says, to be finished in its form. */
export const convertApplication = applications.post("/:id/convert", "租赁申请转合同", ofAnyKind("add"), {
  body: seen,
  reply: z.object({ kind: z.enum(CONTRACT_KINDS), contractId: f.id, contractNo: z.string() }),
});

/** Rooms that are free over the wanted term, at a like price and size; the nearest in price first. */
export const recommendRooms = applications.get("/:id/rooms", "换房推荐", "236.get", {
  /** Which of several rooms another is looked for. */
  query: z.object({ insteadId: z.coerce.number().pipe(f.id).optional() }),
  reply: z.array(
    z.object({
      id: f.id,
      fullName: f.room("房间"),
      kind: f.status("类型", ROOM_KINDS),
      layout: f.text("户型"),
      area: areaOf("面积"),
      orientation: f.text("朝向"),
      capacity: f.number("可住人数", { unit: "人" }),
      listPrice: f.money("标价").nullable(),
    }),
  ),
});

const some = f.ids().min(1, "请选择申请").max(200, "一次最多处理200份");
const outcome = z.object({
  done: z.number().int(),
  rows: z.array(
    z.object({
      id: f.id,
      applyNo: f.text("申请单号"),
      name: f.person("申请人"),
      refusal: f.text("未处理原因").nullable(),
    }),
  ),
});
export const assignApplications = applications.post("/assign", "指派审核人", "236.edit", {
  body: z.object({ ids: some, reviewerId: f.pick("审核人") }),
  reply: outcome,
});
export const rejectApplications = applications.post("/reject", "批量拒绝租赁申请", REVIEWS, {
  body: z.object({ ids: some, reason: f.reason() }),
  reply: outcome,
});

// ---- strangers ---------------------------------------------------------------------------------
const store = z.object({ village: z.coerce.number().int() });

/** What may be applied for in a store, for whoever opens its page. */
export const publicStore = call({
  method: "GET",
  path: `${APPLICATIONS}/public/:village`,
  summary: "查看可申请的产品",
  needs: "public",
  perMinute: 120,
  params: store,
  reply: z.object({
    village: f.text("门店"),
    address: f.text("地址"),
    phone: f.text("电话"),
    products: z.array(
      z.object({
        id: f.id,
        name: f.text("产品"),
        layout: f.text("户型"),
        listPrice: f.money("标价").nullable(),
        unit: z.string(),
      }),
    ),
  }),
});

const imageCode = f.secret(z.string({ error: "请输入图形验证码" }).trim().min(1, "请输入图形验证码").max(10));
export const applyCode = call({
  method: "POST",
  path: `${APPLICATIONS}/public/code`,
  summary: "发送租赁申请验证码",
  needs: "public",
  target: "smsCode",
  perMinute: 20,
  body: z.object({
    phone: f.checked("手机", mobile, { kind: "phone" }),
    imageCode,
    imageCodeKey: f.secret(z.string({ error: "图形验证码错误或已失效" }).max(64)),
  }),
  reply: z.null(),
});

export const applyPublicly = call({
  method: "POST",
  path: `${APPLICATIONS}/public/:village`,
  summary: "在线提交租赁申请",
  needs: "public",
  target: "leaseApplication",
  perMinute: 20,
  params: store,
  body: z
    .object({
      ...wanted,
      creditCode: identified.creditCode,
      productId: f.pick("产品"),
      remark: f.remark().default(""),
      code: f.secret(
        z
          .string({ error: "请输入短信验证码" })
          .trim()
          .min(1, "请输入短信验证码")
          .max(6, "短信验证码错误或已失效"),
      ),
    })
    .superRefine(together),
  reply: z.object({ applyNo: z.string() }),
});
