import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery } from "../../../platform/kernel/paging.ts";
import { callsAt, recordCalls } from "../../../platform/kernel/records.ts";
import { SWITCHED } from "../../../platform/kernel/switched.ts";
import { certificateOf, creditCode } from "../../../platform/kernel/texts/certificate.ts";
import { bankCard, contactMobile, contactName, mobile } from "../../../platform/kernel/texts/contact.ts";
import { companyName } from "../../../platform/kernel/texts/names.ts";
import { call } from "../../../platform/kernel/call.ts";
import { event } from "../../../platform/kernel/event.ts";
import { CERT_TYPES } from "../../customer/renter/words.rules.ts";
import { storedFile } from "../../system/file/file.contract.ts";
import { bytesOf } from "../../system/file/purposes.rules.ts";
import { KIND_WORDS, KINDS } from "../terms/kind.rules.ts";
import { AUTH_STATES, LESSOR_KINDS, TRANSFER_MOST, VERIFY_STATES, VERIFY_WAYS } from "./lessor.rules.ts";

const named = { path: "/system/api/v4/company", title: "企业", target: "lessor" };
const family = recordCalls({ ...named, code: 95 });
const paths = callsAt(named.path, named.target);
const acts = callsAt("/contract/api/v3/company", named.target);

export const OTHER_PAPERS = 5;
const paper = (title: string) => z.number({ error: "请上传图片" }).pipe(f.id).meta({ title, kind: "file" });

const typed = z.object({
  // kept as typed: a blank at either end is told, not cut off in silence
  name: f.checked("企业名称", companyName, { keepSpaces: true, max: 30 }),
  creditCode: f.checked("统一社会信用代码", creditCode, { max: 18 }),
  kind: f.choice("企业类型", LESSOR_KINDS),
  address: f.remark("注册地址", 100).default(""),
  legalName: f.checked("法人姓名", contactName, { kind: "person", max: 30 }),
  legalCertType: f.choice("法人证件类型", CERT_TYPES),
  legalCertNo: z
    .string({ error: "请输入法人证件号" })
    .trim()
    .max(18, "证件号格式不正确")
    .meta({ title: "法人证件号", kind: "text", max: 18, secrecy: "certificate" }),
  legalPhone: f.checked("法人手机", mobile, { kind: "phone" }),
  agentName: f.remark("经办人", 30).default(""),
  agentPhone: z
    .union([z.literal(""), f.checked("经办人手机", contactMobile)])
    .default("")
    .meta({ title: "经办人手机", kind: "phone" }),
  bankName: f.remark("开户行", 50).default(""),
  bankNo: f.checked("对公账号", bankCard, { max: 30, secrecy: "bank" }).nullish(),
  licenceFileId: paper("营业执照"),
  legalFrontFileId: paper("法人证件正面"),
  legalBackFileId: paper("法人证件反面"),
  otherFileIds: z
    .array(f.id)
    .max(OTHER_PAPERS, `最多上传${OTHER_PAPERS}个文件`)
    .default([])
    .meta({ title: "其他材料", kind: "file" }),
});
type Together = { [K in "agentName" | "agentPhone" | "bankName" | "bankNo"]?: string | null | undefined } & {
  legalCertType: string;
  legalCertNo?: string | undefined;
};

/** `edit`: what is shown masked may be left out and stays. */
const together =
  (edit: boolean) =>
  (v: Together, ctx: z.RefinementCtx): void => {
    const add = (path: string, message: string) => ctx.addIssue({ code: "custom", path: [path], message });
    const wrong = v.legalCertNo && certificateOf(v.legalCertType)(v.legalCertNo);
    if (wrong) add("legalCertNo", wrong);
    if (v.agentPhone && !v.agentName) add("agentName", "请填写经办人");
    if (v.agentName && !v.agentPhone && !edit) add("agentPhone", "请填写经办人手机");
    if (v.bankNo && !v.bankName) add("bankName", "请填写开户行");
    if (v.bankName && !v.bankNo && !edit) add("bankNo", "请填写对公账号");
  };
export const lessorInput = typed.superRefine(together(false));
export type LessorInput = z.output<typeof lessorInput>;
export const lessorEdit = typed.extend({
  legalCertNo: typed.shape.legalCertNo.optional(),
  legalPhone: typed.shape.legalPhone.optional(),
  agentPhone: typed.shape.agentPhone.optional(),
});
export type LessorEdit = z.output<typeof lessorEdit>;

const ENDING = { soon: ["30 天内到期", "orange"] } as const;
export const lessorRow = z.object({
  id: f.id,
  name: f.link("企业名称"),
  creditCode: f.text("统一社会信用代码"),
  legalName: f.person("法人"),
  verifyState: f.status("认证状态", VERIFY_STATES),
  authState: f.status("授权状态", AUTH_STATES),
  authTo: f.day("授权到期").nullable(),
  /** Its last 30 days have begun. */
  ending: f.flag("即将到期"),
  villages: f.number("门店数", { unit: "家", help: "该企业启用的印章可用的门店" }),
  seals: f.number("印章数", { unit: "枚" }),
  state: f.status("状态", SWITCHED),
  updatedAt: f.instant("更新时间"),
  version: f.version,
});

export const listLessors = family.list(
  pageQuery("updatedAt", "name", "authTo").extend({
    verifyState: filter.choices("认证状态", VERIFY_STATES),
    authState: filter.choices("授权状态", AUTH_STATES),
    ending: filter.by(z.literal("soon").optional(), { kind: "choice", title: "授权期限", words: ENDING }),
    keyword: filter.keyword("企业名称、统一社会信用代码"),
  }),
  lessorRow,
);
export const exportLessors = family.export(listLessors);

const file = storedFile.pick({ id: true, name: true, type: true });

export const getLessor = family.get(
  lessorRow.extend({
    kind: f.status("企业类型", LESSOR_KINDS),
    address: f.text("注册地址"),
    legalCertType: f.status("法人证件类型", CERT_TYPES),
    legalCertNo: f.certificateNo("法人证件号"),
    legalPhone: f.phone("法人手机"),
    agentName: f.text("经办人"),
    agentPhone: f.phone("经办人手机"),
    bankName: f.text("开户行"),
    bankNo: f.bankCardNo("对公账号"),
    licence: file,
    legalFront: file,
    legalBack: file,
    others: z.array(file),
    verifyNote: f.text("认证说明"),
    verifiedAt: f.instant("认证时间").nullable(),
    authNote: f.text("授权说明"),
    authFrom: f.day("授权开始").nullable(),
    authKinds: f.tags("授权合同", KIND_WORDS),
    /** Empty = all of them. */
    authVillages: z.array(z.object({ id: f.id, name: z.string() })),
    authSeals: z.array(z.object({ id: f.id, name: z.string() })),
    authFileId: f.id.nullable(),
    createdAt: f.instant("创建时间"),
  }),
);
export const addLessor = family.add(lessorInput, { summary: "新建企业" });
export const editLessor = paths.put("/:id", "修改企业", "95.edit", {
  body: lessorEdit.extend({ version: f.version }).superRefine(together(true)),
  reply: z.object({ id: f.id }),
});
export const deleteLessor = family.delete();
export const enableLessor = family.enable();
export const disableLessor = family.disable();

const uploads = (path: string, summary: string) =>
  call({
    method: "POST",
    path: `${named.path}/fileUpload/${path}`,
    summary,
    needs: ["95.add", "95.edit"],
    upload: { maxBytes: bytesOf("10M"), maxFiles: 1 },
    target: "file",
    timeout: 300_000,
    perMinute: 120,
    reply: storedFile,
  });
export const uploadCompanyPapers = uploads("company", "上传企业证照");
export const uploadLegalPapers = uploads("legal", "上传法人证件");

// ---- verification and authorisation ------------------------------------------------------------
const request = z
  .object({
    id: f.id,
    /** Masked. */
    phone: f.phone("法人手机"),
    createdAt: f.instant("发起时间"),
    /** Seconds until another code or link may be sent. */
    waitSeconds: z.number().int(),
    lockedUntil: f.instant("锁定至").nullable(),
  })
  .nullable();
const STARTS = "1";
const MAY_READ = ["95.query", "95.get", "95.edit"] as const;

/** Reads how verification stands. Starts it only with `start=1`, an Idempotency-Key, and where the state allows it. */
export const verifyLessor = paths.get("/:id/verify", "查询或发起企业认证", MAY_READ, {
  effect: "write",
  target: "lessor",
  query: z.object({
    start: z.literal(STARTS).optional(),
    way: z.enum(["sms", "transfer", "manual"], { error: "请选择认证方式" }).default("sms"),
  }),
  reply: z.object({
    id: f.id,
    state: f.status("认证状态", VERIFY_STATES),
    note: z.string(),
    verifiedAt: f.instant("认证时间").nullable(),
    way: f.status("认证方式", VERIFY_WAYS).nullable(),
    /** Of the newest run. */
    startedAt: f.instant("发起时间").nullable(),
    endedAt: f.instant("结束时间").nullable(),
    request: request
      .unwrap()
      .extend({
        /** Of a transfer: when the platform sent it. */
        sentAt: f.instant("打款时间").nullable(),
        triesLeft: z.number().int(),
      })
      .nullable(),
    /** The enterprise has a bank account in use from which an amount can be sent. */
    transfers: z.boolean(),
    version: f.version,
  }),
});

const ids = (title: string) =>
  z
    .string()
    .regex(/^(\d{1,15}(,\d{1,15}){0,499})?$/, `${title}格式不正确`)
    .transform((list) => (list ? list.split(",").map(Number) : []))
    .default([]);
const kinds = z
  .string({ error: "请选择授权合同" })
  .transform((list) => list.split(","))
  .pipe(
    f
      .some(Object.keys(KINDS) as [keyof typeof KINDS, ...(keyof typeof KINDS)[]], "请选择授权合同")
      .min(1, "请选择授权合同"),
  );

/** Reads how authorisation stands. Starts it only with `start=1`, an Idempotency-Key, and where the state allows it. */
export const authoriseLessor = paths.get("/:id/auth", "查询或发起签署授权", MAY_READ, {
  effect: "write",
  target: "lessor",
  query: z.object({
    start: z.literal(STARTS).optional(),
    from: f.dayInput("授权开始").optional(),
    to: f.dayInput("授权结束").optional(),
    kinds: kinds.optional(),
    villageIds: ids("门店"),
    sealIds: ids("印章"),
  }),
  reply: z.object({
    id: f.id,
    state: f.status("授权状态", AUTH_STATES),
    note: z.string(),
    revokedAt: f.instant("撤销时间").nullable(),
    from: f.day("授权开始").nullable(),
    to: f.day("授权结束").nullable(),
    fileId: f.id.nullable(),
    request: request
      .unwrap()
      .extend({ linkExpiresAt: f.instant("链接有效期至") })
      .nullable(),
    /** Answered once, to whoever starts or resends: the address of the page where the letter is signed. */
    link: f.secret(z.string()).optional(),
    version: f.version,
  }),
});

const done = z.object({ id: f.id });
export const sendVerifyCode = acts.post("/:id/verify/sms", "发送认证验证码", "95.edit", { reply: done });
export const confirmVerify = acts.post("/:id/verify/confirm", "提交认证验证码", "95.edit", {
  body: z.object({
    captcha: f.secret(z.string({ error: "请输入短信验证码" }).trim().min(1, "请输入短信验证码").max(10)),
  }),
  reply: done,
});
/** What is to be sent to which account; the look is logged. */
export const seeTransfer = acts.post("/:id/verify/transfer", "查看对公打款", "super", {
  reply: z.object({
    name: f.text("收款户名"),
    bankName: f.text("开户行"),
    account: f.wholeNumber("收款账号"),
    amount: f.money("打款金额"),
  }),
});
export const sentTransfer = acts.post("/:id/verify/sent", "确认对公打款", "super", { reply: done });
export const confirmTransfer = acts.post("/:id/verify/amount", "提交对公打款金额", "95.edit", {
  body: z.object({ amount: f.amount("到账金额").max(TRANSFER_MOST, "打款金额在0.01到0.99元之间") }),
  reply: done,
});
export const cancelVerify = acts.post("/:id/verify/cancel", "撤回企业认证", "95.edit", { reply: done });
/** Whoever runs the platform compares papers and data. */
export const decideVerify = acts.post("/:id/verify/decide", "审核企业认证", "super", {
  body: z.object({
    pass: z.boolean({ error: "请选择审核结果" }),
    reason: f.remark("原因", 200).default(""),
    version: f.version,
  }),
  reply: done,
});

export const resendLetter = acts.post("/:id/auth/send", "重新发送授权链接", "95.edit", {
  reply: done.extend({ link: f.secret(z.string()) }),
});
export const cancelAuthorisation = acts.post("/:id/auth/cancel", "取消授权申请", "95.edit", { reply: done });
export const revokeAuthorisation = acts.post("/:id/auth/revoke", "撤销签署授权", "95.edit", {
  body: z.object({ reason: f.reason("撤销原因"), version: f.version }),
  reply: done,
});

/** From now on no seal of the lessor may be set, and why: what is being signed for it ends. Told also of one that is deleted. */
export const lessorStopped = event("lessor.stopped", z.object({ lessorId: f.id, why: z.string() }));
