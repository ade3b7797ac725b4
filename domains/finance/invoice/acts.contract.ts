import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { taxNumber, creditCode } from "../../../platform/kernel/texts/certificate.ts";
import { email, mobile } from "../../../platform/kernel/texts/contact.ts";
import { check, optional } from "../../../platform/kernel/validators.ts";
import { INVOICE_KIND } from "../einvoice/einvoice.rules.ts";
import { invoiceLine, invoices, seen } from "./invoice.contract.ts";
import { RED_REASON, TITLE_TYPE } from "./invoice.rules.ts";

const CREDIT = "请输入正确的统一社会信用代码";
const text = (title: string, max: number) => f.remark(title, max).default("");

/** Whom the invoice is made out to, and where it goes. */
const buyer = {
  kind: f.choice("票种", INVOICE_KIND),
  titleType: f.choice("购方类型", TITLE_TYPE),
  title: f.input("购方名称", 2, 100),
  taxNo: text("税号", 20),
  addressPhone: text("地址电话", 100),
  bankAccount: f.secret(text("开户行账号", 100), "bank"),
  receiverMobile: text("接收手机", 11).superRefine(check(optional(mobile))),
  receiverEmail: text("接收邮箱", 100).superRefine(check(optional(email))),
  leaseAddress: text("不动产地址", 120),
  leaseStart: f.dayInput("租赁期起").nullish(),
  leaseEnd: f.dayInput("租赁期止").nullish(),
  crossCity: z.boolean().default(false).meta({ title: "跨地市标志", kind: "flag" }),
  certificateNo: text("产权证号", 40),
  remark: text("备注", 200),
};
type Buyer = {
  kind: string;
  titleType: string;
  taxNo: string;
  receiverMobile: string;
  receiverEmail: string;
  leaseStart?: string | null | undefined;
  leaseEnd?: string | null | undefined;
};
function together(v: Buyer, ctx: z.RefinementCtx): void {
  const no = (path: string, message: string) =>
    ctx.addIssue({ code: "custom", path: [path], message, input: v });
  if (v.kind === "special" && (v.titleType !== "company" || !v.taxNo)) no("taxNo", "专用发票须填写企业税号");
  else if (v.titleType === "company" && (v.taxNo.length === 18 ? creditCode(v.taxNo) : taxNumber(v.taxNo)))
    no("taxNo", CREDIT);
  else if (v.titleType === "person" && v.taxNo && taxNumber(v.taxNo)) no("taxNo", CREDIT);
  if (!v.receiverMobile && !v.receiverEmail) no("receiverMobile", "请填写接收手机或邮箱");
  if (v.leaseStart && v.leaseEnd && v.leaseEnd < v.leaseStart) no("leaseEnd", "租赁期止不能早于租赁期起");
}
export type BuyerInput = z.output<z.ZodObject<typeof buyer>>;

const wish = z.object({ lineId: f.id, amount: f.amount("本次开票") });
export type WishInput = z.output<typeof wish>;
const wishes = z
  .array(wish)
  .min(1, "请选择要开票的费用")
  .max(200, "一次最多选择200项费用")
  .refine(
    f.distinct((line: { lineId: number }) => line.lineId),
    "同一费用不能重复选择",
  )
  .meta({ title: "开票费用", kind: "text" });

const sheet = z.object({
  villageName: f.text("门店"),
  lease: f.flag("不动产租赁"),
  amount: f.money("价税合计"),
  tax: f.money("税额"),
  lines: z.array(
    z.object({
      lineId: f.id,
      label: f.text("费用"),
      item: f.text("项目名称"),
      amount: f.money("本次开票"),
      tax: f.money("税额"),
    }),
  ),
});

const APPLIES = ["28.add", "#2801"] as const;

/** The lines that an application begins with: those of bills, or some of them, with all that may be invoiced. */
export const startApply = invoices.get("/apply", "开票申请", APPLIES, {
  query: z.object({
    billIds: z
      .string()
      .max(2000)
      .regex(/^\d+(,\d+)*$/, "账单不正确")
      .optional(),
    lineIds: z
      .string()
      .max(4000)
      .regex(/^\d+(,\d+)*$/, "费用不正确")
      .optional(),
  }),
  reply: z.object({
    partyId: f.id,
    partyName: f.person("客户"),
    villageId: f.id,
    villageName: f.text("门店"),
    sellerName: f.text("销方名称"),
    perInvoiceLimit: f.money("单张限额"),
    manual: f.flag("手工登记"),
    kind: f.status("票种", INVOICE_KIND),
    mobile: z.string(),
    lease: z
      .object({
        address: z.string(),
        start: z.string().nullable(),
        end: z.string().nullable(),
        certificateNo: z.string(),
      })
      .nullable(),
    titles: z.array(
      z.object({
        id: f.id.nullable(),
        kind: z.enum(["person", "company"]),
        title: z.string(),
        taxNo: z.string(),
        addressPhone: z.string(),
        bankAccount: f.bankCardNo("开户行账号"),
        email: z.string(),
      }),
    ),
    lines: z.array(
      z.object({
        lineId: f.id,
        billNo: f.text("账单号"),
        subject: f.text("费用"),
        room: f.room("房间").nullable(),
        periodStart: f.day("计费期起").nullable(),
        periodEnd: f.day("计费期止").nullable(),
        available: f.money("可开金额"),
        taxWord: f.text("税率"),
        lease: z.boolean(),
        why: z.string(),
      }),
    ),
  }),
});
export type Started = z.output<typeof startApply.reply>;

/** On how many invoices lines come to stand. */
export const previewApply = invoices.post("/preview", "开票试算", APPLIES, {
  effect: "read",
  body: z.object({ lines: wishes }),
  reply: z.object({
    sheets: z.array(sheet),
    amount: f.money("价税合计"),
    tax: f.money("税额"),
    hash: z.string(),
  }),
});

const applied = z.object({
  ids: z.array(f.id),
  applyNos: z.array(z.string()),
  waiting: z.string().nullable(),
});
export const applyInvoice = invoices.post("", "申请开票", APPLIES, {
  money: true,
  body: z
    .object({
      lines: wishes,
      ...buyer,
      /** Issues at once; takes #2801. */
      issueNow: z.boolean().default(false).meta({ title: "直接开票", kind: "flag" }),
      previewHash: f.token(),
    })
    .superRefine(together),
  reply: applied,
});

const batch = z.object({
  rows: z.array(
    z.object({
      id: f.id,
      partyName: f.person("客户"),
      villageName: f.text("门店"),
      title: f.text("购方名称"),
      taxNo: f.text("税号"),
      kind: f.status("票种", INVOICE_KIND),
      count: f.number("张数", { unit: "张" }),
      amount: f.money("价税合计"),
      tax: f.money("税额"),
      refusal: f.text("不能开票").nullable(),
    }),
  ),
  count: z.number().int(),
  amount: f.money("价税合计"),
  hash: z.string(),
});
export type BatchPreview = z.output<typeof batch>;
const lineIds = f.ids().min(1, "请选择要开票的费用").max(500, "一次最多选择500项费用");
/** One application for each party of a store, made out as its own title says. */
export const previewBatch = invoices.post("/batch/preview", "批量开票试算", APPLIES, {
  effect: "read",
  body: z.object({ lineIds }),
  reply: batch,
});
export const applyBatch = invoices.post("/batch", "批量开票", APPLIES, {
  money: true,
  body: z.object({ lineIds, previewHash: f.token() }),
  reply: applied.omit({ waiting: true }).extend({ waiting: z.number().int() }),
});

export const editInvoice = invoices.put("/:id", "修改开票信息", "28.edit", {
  body: seen.extend(buyer).superRefine(together),
  reply: z.null(),
});

const version = { money: true, body: seen, reply: z.null() } as const;
export const issueInvoice = invoices.put("/:id/issue", "审核开票", "#2801", version);
export const retryInvoice = invoices.put("/:id/retry", "重试开票", "#2801", version);
export const rejectInvoice = invoices.put("/:id/reject", "驳回开票申请", "#2801", {
  money: true,
  body: seen.extend({ reason: f.reason() }),
  reply: z.null(),
});
export const cancelInvoice = invoices.put("/:id/cancel", "取消开票申请", ["28.delete", "#2801"], {
  money: true,
  body: seen.extend({ reason: f.reason() }),
  reply: z.null(),
});
export const issueInvoices = invoices.post("/issue", "批量审核开票", "#2801", {
  money: true,
  body: z.object({
    items: f.seenRecords("发票", "张", 200),
  }),
  reply: z.object({ count: z.number().int() }),
});

/** An invoice that was made outside: its number, day and paper. */
export const registerInvoice = invoices.put("/:id/register", "登记发票", "#2803", {
  money: true,
  body: seen.extend({
    invoiceNo: f.checked(
      "发票号码",
      (value) => (/^(\d{8}|\d{20})$/.test(value) ? undefined : "发票号码为8位或20位数字"),
      {
        max: 20,
      },
    ),
    issuedOn: f.dayInput("开票日期"),
    fileId: z
      .number({ error: "请上传发票PDF" })
      .int()
      .positive("请上传发票PDF")
      .meta({ title: "发票PDF", kind: "file" }),
  }),
  reply: z.null(),
});

const part = z.object({ lineId: f.id, amount: f.amount("红冲金额") });
const parts = z
  .array(part)
  .min(1, "请填写红冲金额")
  .max(200)
  .refine(
    f.distinct((line: { lineId: number }) => line.lineId),
    "同一明细不能重复",
  );
export const previewRed = invoices.post("/:id/red/preview", "红冲试算", "#2802", {
  effect: "read",
  body: z.object({ lines: parts }),
  reply: z.object({
    lines: z.array(invoiceLine.pick({ id: true, itemName: true, amount: true, tax: true })),
    amount: f.money("红冲金额"),
    tax: f.money("红冲税额"),
    hash: z.string(),
  }),
});
export const redInvoice = invoices.post("/:id/red", "红冲发票", "#2802", {
  money: true,
  body: seen.extend({
    reason: f.choice("红冲原因", RED_REASON),
    lines: parts,
    remark: text("说明", 200),
    previewHash: f.token(),
  }),
  reply: z.object({ id: f.id, applyNo: z.string() }),
});

/** To whom it is for, by text message and e-mail. */
export const sendInvoice = invoices.post("/:id/send", "发送发票", ["28.edit", "#2801"], {
  perMinute: 60,
  body: z
    .object({
      mobile: text("手机", 11).superRefine(check(optional(mobile))),
      email: text("邮箱", 100).superRefine(check(optional(email))),
    })
    .superRefine((v, ctx) => {
      if (!v.mobile && !v.email)
        ctx.addIssue({ code: "custom", path: ["mobile"], message: "请填写接收手机或邮箱", input: v });
    }),
  reply: z.null(),
});
