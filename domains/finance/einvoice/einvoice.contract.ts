import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery } from "../../../platform/kernel/paging.ts";
import { callsAt, recordCalls } from "../../../platform/kernel/records.ts";
import { creditCode } from "../../../platform/kernel/texts/certificate.ts";
import { mobileOrLandline } from "../../../platform/kernel/texts/contact.ts";
import { check, optional } from "../../../platform/kernel/validators.ts";
import { ENTERPRISES } from "../account/account.contract.ts";
import { SUBJECT_KIND } from "../subject/subject.contract.ts";
import {
  AUTO,
  BASIS,
  BEHAVIOUR,
  CONF_STATE,
  DRIVER,
  ELEMENT,
  INVOICE_KIND,
  ITEM_TAX,
  NOTIFY,
} from "./einvoice.rules.ts";

const PATH = "/billing/api/v3/einvoiceConf";
const target = "einvoice";
const confs = callsAt(PATH, target);
const calls = recordCalls({ path: PATH, code: 101, title: "电子发票配置", target });

const confRow = z.object({
  id: f.id,
  name: f.link("企业"),
  taxNo: f.text("税号"),
  driver: f.status("开票方式", DRIVER),
  defaultKind: f.status("默认票种", INVOICE_KIND),
  invoiceBasis: f.status("开票依据", BASIS),
  autoInvoice: f.status("自动开票", AUTO),
  villages: f.number("适用门店数", { unit: "个" }),
  perInvoiceLimit: f.money("单张限额"),
  creditLeft: f.money("剩余授信").nullable(),
  certExpiresOn: f.day("证书到期").nullable(),
  state: f.status("状态", CONF_STATE),
  /** Whether the keys that its driver needs are set. */
  keysSet: f.flag("密钥"),
  version: f.version,
});
export type ConfRow = z.output<typeof confRow>;

export const listConfs = calls.list(
  pageQuery("name").extend({
    enterpriseId: filter.record("企业", ENTERPRISES),
    driver: filter.choices("开票方式", DRIVER),
    state: filter.choice("状态", CONF_STATE),
    keyword: filter.keyword("企业、税号"),
  }),
  confRow,
);
export const exportConfs = calls.export(listConfs);

export const getConf = calls.get(
  confRow.extend({
    enterpriseId: f.id,
    sellerName: f.text("销方名称"),
    endpoint: f.text("接口地址"),
    address: f.text("地址"),
    phone: f.text("电话"),
    bank: f.text("开户行"),
    account: f.text("账号"),
    creditWarn: f.money("授信预警").nullable(),
    drawer: f.text("开票人"),
    payee: f.text("收款人"),
    reviewer: f.text("复核人"),
    notifyBy: f.status("通知方式", NOTIFY),
    behaviour: f.status("模拟行为", BEHAVIOUR),
    villageIds: z.array(f.id),
    villageNames: f.text("适用门店"),
    keys: z.array(z.object({ name: z.string(), title: f.text("密钥"), setAt: f.instant("设置时间") })),
    testedAt: f.instant("上次测试").nullable(),
    /** Invoices that are being made. */
    issuing: z.number().int(),
  }),
);

const text = (title: string, max: number) => f.remark(title, max).default("");
const ENDPOINT = "请输入 https 开头的接口地址";
const ACCOUNT = "账号为6-30位数字和连字符";

const body = z.object({
  /** Only who acts for the whole platform may name another enterprise than the own one. */
  enterpriseId: f.pick("企业").optional(),
  driver: f.choice("开票方式", DRIVER),
  endpoint: z
    .union([
      z.literal(""),
      z
        .url({ protocol: /^https?$/, error: ENDPOINT })
        .max(200)
        // a secret goes there: in the clear only to a program on the same machine
        .refine((url) => /^(https:|http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/])/i.test(url), ENDPOINT),
    ])
    .default("")
    .meta({ title: "接口地址", kind: "text", max: 200 }),
  sellerName: f.input("销方名称", 2, 100),
  taxNo: f.checked("税号", (value) => creditCode(value) && "请输入正确的统一社会信用代码", { max: 18 }),
  address: text("地址", 100),
  phone: text("电话", 20).superRefine(check(optional(mobileOrLandline))),
  bank: text("开户行", 50),
  account: f.secret(
    text("账号", 30).refine((value) => !value || /^\d[\d-]{4,28}\d$/.test(value), ACCOUNT),
    "bank",
  ),
  defaultKind: f.choice("默认票种", INVOICE_KIND),
  perInvoiceLimit: f.amount("单张限额"),
  creditWarn: f.amount("授信预警").nullish(),
  invoiceBasis: f.choice("开票依据", BASIS),
  autoInvoice: f.choice("自动开票", AUTO).default("off"),
  drawer: f.input("开票人", 1, 20),
  payee: text("收款人", 20),
  reviewer: text("复核人", 20),
  notifyBy: f.choice("通知方式", NOTIFY).default("none"),
  behaviour: f.choice("模拟行为", BEHAVIOUR).default("normal"),
  villageIds: f.ids().min(1, "请选择适用门店").max(2000).meta({ title: "适用门店", kind: "link" }),
});
export type ConfInput = z.output<typeof body>;

const password = z
  .string({ error: "请输入登录密码" })
  .regex(/^[0-9a-f]{64}$/, "请输入登录密码")
  .meta({ title: "登录密码", kind: "text", secrecy: "key" });

export const addConf = calls.add(body);
/** Another address of the provider takes #10101 and the operator's password, as its keys do, which must be set anew. */
export const editConf = calls.edit(body.extend({ password: password.optional() }));
export const enableConf = calls.enable();
export const disableConf = calls.disable();

/** Besides 101.edit it takes #10101 and the operator's password. */
export const setConfKeys = confs.put("/:id/keys", "设置电子发票密钥", "101.edit", {
  perMinute: 20,
  body: z.object({
    version: f.version,
    appKey: f.secret(f.input("App Key", 4, 64)),
    appSecret: f.secret(f.input("App Secret", 4, 64)),
    password,
  }),
  reply: z.object({ id: f.id }),
});

/** Asks the driver who the seller is. */
export const testConf = confs.post("/:id/test", "测试连接", "#10101", {
  timeout: 60_000,
  reply: z.object({
    name: f.text("名称"),
    taxNo: f.text("税号"),
    creditLeft: f.money("剩余授信").nullable(),
  }),
});

/** A sample of one yuan and more, which stands in no book. */
export const trialConf = confs.get("/:id/trial", "试开", "101.get", {
  query: z.object({ amount: z.coerce.number().pipe(f.amount("金额")), kind: z.enum(["special", "general"]) }),
  timeout: 60_000,
  perMinute: 30,
});

/** Enterprises that have no configuration yet; who works for one of them alone sees none. */
export const copyTargets = confs.get("/targets", "可复制到的企业", "101.add", {
  reply: z.array(
    z.object({
      id: f.id,
      name: f.text("企业"),
      creditCode: f.text("税号"),
      villages: z.array(z.object({ id: f.id, name: f.text("门店") })),
    }),
  ),
});

/** What one enterprise has, carried over to another that has nothing: keys, tax number and stores are its own. */
export const copyConf = confs.post("/:id/copy", "复制到其他企业", "101.add", {
  body: z.object({
    enterpriseId: f.pick("企业"),
    taxNo: body.shape.taxNo,
    sellerName: body.shape.sellerName,
    villageIds: body.shape.villageIds,
  }),
  reply: z.object({ id: f.id }),
});

const itemShown = z.object({
  fromDay: f.day("生效日期"),
  taxMode: f.status("税目方式", ITEM_TAX),
  taxRate: f.text("税率"),
  itemCode: f.text("税收分类编码"),
  itemName: f.text("项目名称"),
  policy: f.text("优惠政策"),
  element: f.status("特定要素", ELEMENT),
  version: f.version,
});

/** Every subject of the enterprise with what it is on an invoice today, and from later days on. */
export const listItems = confs.get("/:id/items", "科目映射", "101.get", {
  reply: z.array(
    z.object({
      feeSubjectId: f.id,
      code: z.string(),
      name: f.text("费用科目"),
      kind: f.status("类型", SUBJECT_KIND),
      /** The tax of the fee dictionary: 减按1.5%, 6%. */
      usual: f.text("科目税率"),
      usualMode: z.enum(["rate", "reduced15", "none"]),
      usualRate: z.string(),
      /** Deposits, earnest money and what is collected for others. */
      locked: z.boolean(),
      now: itemShown.nullable(),
      later: z.array(itemShown),
      earlier: z.array(itemShown),
    }),
  ),
});

const RATE = "税率为0到50%，最多四位小数";
export const setItem = confs.put("/:id/items", "设置科目映射", "101.edit", {
  body: z
    .object({
      feeSubjectId: f.pick("费用科目"),
      fromDay: f.dayInput("生效日期"),
      /** Of what holds from that very day on; 0 where that is nothing yet. */
      version: f.versionOrNone,
      taxMode: f.choice("税目方式", ITEM_TAX),
      taxRate: z
        .number({ error: RATE })
        .min(0, RATE)
        .max(0.5, RATE)
        .refine((rate) => Number.isInteger(Number((rate * 1e4).toPrecision(12))), RATE)
        .default(0)
        .meta({ title: "税率", kind: "percent" }),
      itemCode: f.remark("税收分类编码", 19).default(""),
      itemName: f.remark("项目名称", 40).default(""),
      policy: f.remark("优惠政策", 50).default(""),
      element: f.choice("特定要素", ELEMENT).default("none"),
    })
    .superRefine((item, ctx) => {
      const no = (path: string, message: string) => ctx.addIssue({ code: "custom", path: [path], message });
      if (item.taxMode === "none") return;
      if (!/^\d{19}$/.test(item.itemCode)) no("itemCode", "请输入19位税收分类编码");
      if (!item.itemName) no("itemName", "请输入项目名称");
      if (item.taxMode === "rate" && item.taxRate <= 0) no("taxRate", "请输入税率");
    }),
  reply: z.null(),
});
export type ItemInput = z.output<typeof setItem.body>;

/** Takes back what holds from a later day on: until then nothing was taxed by it of itself. */
export const removeItem = confs.delete("/:id/items", "撤销科目映射", "101.edit", {
  query: z.object({
    feeSubjectId: z.coerce.number().pipe(f.id),
    fromDay: f.dayInput("生效日期"),
    version: f.versionInQuery,
  }),
  reply: z.null(),
});

/** What a changed rate comes to on bills that are planned: gross amounts stay, tax follows. */
const ratePreview = z.object({
  /** In force on the day that is asked for. */
  rate: f.text("税率"),
  bills: z.number().int(),
  lines: z.number().int(),
  amount: f.money("金额"),
  before: f.money("原税额"),
  after: f.money("新税额"),
  /** There are further bills, for another time. */
  more: z.boolean(),
  hash: z.string(),
});
const rateAsked = { feeSubjectId: f.id, fromDay: f.dayInput("起始日") };
export const previewRate = confs.get("/:id/planned", "未出账账单税率试算", "101.edit", {
  query: z.object({ feeSubjectId: z.coerce.number().pipe(f.id), fromDay: rateAsked.fromDay }),
  reply: ratePreview,
});
export const applyRate = confs.post("/:id/planned", "应用到未出账账单", "101.edit", {
  money: true,
  body: z.object({ ...rateAsked, previewHash: f.token() }),
  reply: z.object({ lines: z.number().int(), more: z.boolean() }),
});
