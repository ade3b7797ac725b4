import { z } from "zod";
import { event } from "../../../platform/kernel/event.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { ENTERPRISES } from "../account/account.contract.ts";
import { CONFIRM_STATE, DRIVER, INVOICE_KIND, ITEM_TAX } from "../einvoice/einvoice.rules.ts";
import { entryShown, momentShown } from "../journal/entry.contract.ts";
import { PAYERS } from "../payer/payer.contract.ts";
import { SUBJECTS } from "../subject/subject.contract.ts";
import {
  CARRIER,
  DIRECTION,
  INVOICE_STATE,
  RED_REASON,
  TAB_KEYS,
  TABS,
  TITLE_TYPE,
} from "./invoice.rules.ts";

export const invoices = callsAt("/billing/api/v3/invoice", "invoice");
const day = f.dayInput("日期").optional();
export const seen = z.object({ version: f.version });

const lineRow = z.object({
  id: f.id,
  billId: f.id,
  billNo: f.link("账单号"),
  partyId: f.id,
  partyKind: z.string(),
  partyName: f.person("客户"),
  villageId: f.id,
  villageName: f.text("门店"),
  roomId: f.id.nullable(),
  roomName: f.room("房间").nullable(),
  subject: f.text("费用"),
  periodStart: f.day("计费期起").nullable(),
  periodEnd: f.day("计费期止").nullable(),
  amount: f.money("金额"),
  settled: f.money("已收"),
  earned: f.money("已确认"),
  invoiced: f.money("已开票"),
  invoicing: f.money("申请中"),
  available: f.money("可开金额"),
  taxWord: f.text("税率"),
  /** Why it cannot be invoiced yet, though it may. */
  why: f.text("不能开票"),
});
export type LineRow = z.output<typeof lineRow>;

const lineFilter = {
  villageIds: filter.villages(),
  partyId: filter.record("客户", PAYERS),
  subjectIds: filter.records("费用", SUBJECTS),
  ...filter.between("periodFrom", "periodTo", day, { kind: "days", title: "计费期" }),
  ...filter.between("paidFrom", "paidTo", day, { kind: "days", title: "收款日" }),
  billIds: filter.by(
    z
      .string()
      .max(2000)
      .regex(/^\d+(,\d+)*$/, "账单不正确")
      .optional(),
    {
      kind: "text",
      title: "账单",
    },
  ),
};

/** Lines of which something may be invoiced. */
export const listLines = invoices.get("/lines", "可开票费用", "28.query", {
  query: pageQuery("available", "periodStart").extend(lineFilter),
  reply: pageReply(
    lineRow,
    z.object({ amount: f.money("金额"), invoiced: f.money("已开票"), available: f.money("可开金额") }),
  ),
});
export const exportLines = exportOf({
  type: "invoiceLine",
  title: "可开票费用",
  needs: "28.export",
  list: listLines,
  personal: true,
});

/** Lines that fell below what is invoiced of them. */
export const listToRed = invoices.get("/toRed", "待红冲费用", "28.query", {
  query: pageQuery("over").extend({ villageIds: lineFilter.villageIds, partyId: lineFilter.partyId }),
  reply: pageReply(
    lineRow
      .pick({
        id: true,
        billId: true,
        billNo: true,
        partyId: true,
        partyKind: true,
        partyName: true,
        villageId: true,
        villageName: true,
        roomId: true,
        roomName: true,
        subject: true,
        amount: true,
        invoiced: true,
      })
      .extend({
        over: f.money("超开金额"),
        invoiceId: f.id.nullable(),
        invoiceNo: f.link("发票号码").nullable(),
      }),
    z.object({ invoiced: f.money("已开票"), over: f.money("超开金额") }),
  ),
});
export const exportToRed = exportOf({
  type: "invoiceToRed",
  title: "待红冲费用",
  needs: "28.export",
  list: listToRed,
  personal: true,
});
export type ToRedRow = z.output<typeof listToRed.reply>["list"][number];

const row = z.object({
  id: f.id,
  applyNo: f.link("申请单号"),
  invoiceNo: f.text("发票号码").nullable(),
  direction: f.status("蓝/红", DIRECTION),
  kind: f.status("票种", INVOICE_KIND),
  titleType: f.status("购方类型", TITLE_TYPE),
  title: f.person("购方名称"),
  taxNo: f.text("税号"),
  amount: f.money("价税合计"),
  net: f.money("不含税"),
  tax: f.money("税额"),
  state: f.status("状态", INVOICE_STATE),
  redAmount: f.money("已红冲"),
  reding: f.money("红冲中"),
  villageId: f.id,
  villageName: f.text("门店"),
  enterpriseName: f.text("企业"),
  partyId: f.id,
  partyKind: z.string(),
  partyName: f.person("客户"),
  applicant: f.person("申请人"),
  createdAt: f.instant("申请时间"),
  issuedAt: f.instant("开票时间").nullable(),
  reason: f.text("原因"),
  driver: f.status("开票方式", DRIVER),
  /** Waits for approval. */
  frozen: z.boolean(),
  files: z.array(z.enum(["pdf", "ofd", "xml"])),
  version: f.version,
});
export type InvoiceRow = z.output<typeof row>;

export const listInvoices = invoices.get("", "发票列表", "28.query", {
  query: pageQuery("createdAt", "issuedAt", "amount").extend({
    tab: filter.tab(z.enum(TAB_KEYS).optional(), TABS),
    villageIds: filter.villages(),
    enterpriseId: filter.record("企业", ENTERPRISES),
    kind: filter.choice("票种", INVOICE_KIND),
    state: filter.choices("状态", INVOICE_STATE),
    ...filter.between("issuedFrom", "issuedTo", day, { kind: "days", title: "开票日期" }),
    titleType: filter.choice("购方类型", TITLE_TYPE),
    partyId: filter.record("客户", PAYERS),
    keyword: filter.keyword("购方、税号、发票号码、申请单号"),
  }),
  reply: pageReply(row, z.object({ amount: f.money("价税合计"), tax: f.money("税额") })),
});
export type InvoiceQuery = z.output<typeof listInvoices.query>;

/** The count of each tab, of lines and of invoices. */
export const countInvoices = invoices.get("/count", "发票各状态数量", "28.query", {
  query: z.object({ villageIds: filter.villages() }),
  reply: z.record(z.string(), z.number()),
});

export const exportInvoices = exportOf({
  type: "invoice",
  title: "发票管理",
  needs: "28.export",
  list: listInvoices,
  personal: true,
});

export const invoiceLine = z.object({
  id: f.id,
  billId: f.id,
  billNo: f.link("账单号"),
  subject: f.text("费用"),
  itemName: f.text("项目名称"),
  itemCode: f.text("税收分类编码"),
  taxMode: f.status("税目方式", ITEM_TAX),
  taxWord: f.text("税率"),
  amount: f.money("价税合计"),
  tax: f.money("税额"),
  redAmount: f.money("已红冲"),
});

export const getInvoice = invoices.get("/:id", "发票详情", "28.get", {
  reply: row.extend({
    carrier: f.status("介质", CARRIER),
    addressPhone: f.text("地址电话"),
    bankAccount: f.bankCardNo("开户行账号"),
    receiverMobile: f.text("接收手机"),
    receiverEmail: f.text("接收邮箱"),
    leaseAddress: f.text("不动产地址"),
    leaseStart: f.day("租赁期起").nullable(),
    leaseEnd: f.day("租赁期止").nullable(),
    crossCity: f.flag("跨地市标志"),
    certificateNo: f.text("产权证号"),
    areaUnit: f.text("面积单位"),
    remark: f.text("备注"),
    serialNo: f.text("开票流水号"),
    sellerName: f.text("销方名称"),
    redOfId: f.id.nullable(),
    redOfNo: f.link("原发票").nullable(),
    redReason: f.status("红冲原因", RED_REASON).nullable(),
    redConfirmNo: f.text("红字确认单"),
    redConfirmState: f.status("确认状态", CONFIRM_STATE).nullable(),
    redConfirmUntil: f.instant("确认期限").nullable(),
    lines: z.array(invoiceLine),
    reds: z.array(
      z.object({
        id: f.id,
        applyNo: f.link("申请单号"),
        invoiceNo: f.text("红票号码").nullable(),
        amount: f.money("红冲金额"),
        tax: f.money("税额"),
        state: f.status("状态", INVOICE_STATE),
        createdAt: f.instant("申请时间"),
      }),
    ),
    entries: z.array(entryShown),
    log: z.array(momentShown),
  }),
});
export type InvoiceWhole = z.output<typeof getInvoice.reply>;

/** Of one bill or contract, for their drawers. */
export const invoicesOf = invoices.get("/of", "账单与合同的发票", "28.query", {
  query: z.object({
    billId: z.coerce.number().pipe(f.id).optional(),
    contractId: z.coerce.number().pipe(f.id).optional(),
    partyId: z.coerce.number().pipe(f.id).optional(),
  }),
  reply: z.array(
    row.pick({
      id: true,
      applyNo: true,
      invoiceNo: true,
      direction: true,
      kind: true,
      title: true,
      amount: true,
      tax: true,
      state: true,
      issuedAt: true,
    }),
  ),
});

/** The file as its driver gave it. */
export const invoiceFile = invoices.get("/:id/file", "下载发票", "28.get", {
  query: z.object({ kind: z.enum(["pdf", "ofd", "xml"]) }),
  perMinute: 120,
});

/** An invoice waits for its driver, or has files there that are not here yet. */
export const invoiceDue = event("invoice.due", z.object({ id: f.id }));

/** Call-back address of drivers. The seal in the address authenticates it; the outcome of an order is queried, never taken from it. */
export const invoiceNotify = callsAt("/billing/api/v3/invoiceNotify").post(
  "/:config",
  "开票服务商通知",
  "public",
  {
    raw: true,
    perMinute: 600,
    params: z.object({ config: z.coerce.number().pipe(f.id) }),
    query: z.object({
      serial: z.string().max(32).optional(),
      seal: f.secret(z.string().max(64)).optional(),
    }),
    reply: z.null(),
  },
);
