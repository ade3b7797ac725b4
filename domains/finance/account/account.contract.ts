import { z } from "zod";
import { event } from "../../../platform/kernel/event.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import { nameOf } from "../../../platform/kernel/texts/names.ts";
import { idList, pageQuery, pageReply, wordList } from "../../../platform/kernel/paging.ts";
import { callsAt, recordCalls } from "../../../platform/kernel/records.ts";
import { optional } from "../../../platform/kernel/validators.ts";
import type { AccountKind } from "./channel.rules.ts";
import {
  ACCOUNT_STATE,
  APP_TERMINALS,
  type AppId,
  HOLDER,
  KEY_RULES,
  KEY_STATE,
  KEY_TITLES,
  type KeyName,
  type KindGiven,
  RULED_FIELDS,
  STATEMENT_MODE,
  isRate,
  wrongOf,
} from "./account.rules.ts";

const path = "/billing/api/v3/merchantAccount";
const accounts = callsAt(path, "account");

export const ACCOUNT_KIND: Words<AccountKind> = {
  wechat: ["微信", "grey"],
  alipay: ["支付宝", "grey"],
  unionpay: ["银联", "grey"],
  pos: ["POS", "grey"],
  bank: ["银行", "grey"],
  cash: ["现金", "grey"],
  till: ["内置收银", "grey"],
};

export const allAccounts = accounts.get("/getAll", "收款账户选项", "login", {
  query: z.object({
    /** Only accounts through which this village may take or give money. */
    villageId: z.coerce.number().pipe(f.id).optional(),
    /** Only those of these kinds. */
    kinds: wordList(Object.keys(ACCOUNT_KIND) as [AccountKind, ...AccountKind[]]),
    /** Only those into which transfers are claimed. */
    claimed: z.literal("1").optional(),
    keyword: z.string().trim().max(50).optional(),
    ids: idList,
    pageSize: z.coerce.number().int().optional(),
  }),
  reply: z.array(
    z.object({
      id: f.id,
      name: f.text("账户"),
      kind: f.status("类型", ACCOUNT_KIND),
      enabled: f.flag("启用"),
      /** Transfers into it are claimed, not booked at the counter. */
      claimed: f.flag("对公入账"),
    }),
  ),
});

/** Receiving accounts in scope, for a filter. */
export const ACCOUNTS: Source = {
  call: allAccounts,
  option: (a: { id: number; name: string; kind: keyof typeof ACCOUNT_KIND }) => ({
    value: a.id,
    label: a.name,
    note: ACCOUNT_KIND[a.kind][0],
  }),
};

/** Those of channels, which settle to the bank. */
export const CHANNEL_ACCOUNTS: Source = { ...ACCOUNTS, query: { kinds: "wechat,alipay,unionpay,pos,till" } };

/** Enterprises whose stores one has, to choose among; most people have those of one. */
export const enterpriseOptions = accounts.get(
  "/enterprises",
  "企业选项",
  ["23.query", "25.query", "28.query", "101.query", "252.query"],
  {
    query: z.object({
      keyword: z.string().trim().max(50).optional(),
      ids: idList,
      pageSize: z.coerce.number().int().min(1).max(200).default(50),
    }),
    reply: z.array(z.object({ id: f.id, name: f.text("企业") })),
  },
);
export const ENTERPRISES: Source = {
  call: enterpriseOptions,
  option: (e: { id: number; name: string }) => ({ value: e.id, label: e.name }),
};

const text = (title: string, max: number) => f.remark(title, max).default("");

/** What the form of an account carries. Which of the texts are needed, and how they read, is the kind's. */
const fields = z.object({
  name: f.checked("账户名称", nameOf("账户名称"), { max: 30 }),
  kind: f.choice("类型", ACCOUNT_KIND),
  /** 0 = head office (公司本部). */
  holderVillageId: z
    .number({ error: "请选择持有方" })
    .int()
    .min(0, "请选择持有方")
    .meta({ title: "持有方", kind: "link" }),
  /** Only who acts for the whole platform may name another enterprise than the own one. */
  enterpriseId: f.pick("企业").optional(),
  mchId: text("商户号", 32),
  subMchId: text("子商户号", 32),
  terminalNo: text("终端号", 20),
  bankName: text("开户行", 50),
  accountName: text("户名", 50),
  bankAccountNo: f.secret(text("账号", 30), "bank"),
  appIds: z
    .array(
      z.object({
        terminal: z.enum(Object.keys(APP_TERMINALS) as AppId["terminal"][]),
        appId: f.token(32, "AppID格式不正确").trim(),
      }),
    )
    .max(3)
    .default([])
    .meta({ title: "AppID", kind: "text" }),
  certExpiresOn: f.lifeDayInput("证书到期").nullish(),
  statementMode: f.choice("对账方式", STATEMENT_MODE).optional(),
  feeRate: z
    .number({ error: "费率为0到5%，最多四位小数" })
    .refine(isRate, "费率为0到5%，最多四位小数")
    .default(0)
    .meta({ title: "费率", kind: "percent" }),
  feeCap: f.amount("封顶").nullish(),
  settleDays: f.whole("到账天数", 0, 30, { unit: "天" }).default(0),
  settleToAccountId: f.pick("结算账户").nullish(),
  handover: f.flag("缴款方式").default(false),
  supervised: f.flag("监管账户").default(false),
});

/** What is wrong in itself has been said already: here it counts as nothing. */
const wrongIn = (given: unknown, field: string): string | undefined => {
  const { kind, appIds, statementMode, ...rest } = given as Record<string, unknown>;
  const texts = Object.fromEntries(Object.entries(rest).filter(([, value]) => typeof value === "string"));
  const ids = fields.shape.appIds.safeParse(appIds).data ?? [];
  const known = { ...texts, kind, statementMode, appIds: ids } as KindGiven;
  return wrongOf(known).find((w) => w.field === field)?.msg;
};
const kindKnown = (given: unknown): boolean =>
  fields.shape.kind.safeParse((given as KindGiven | null)?.kind).success;

/** The same, judged by its kind too: all wrong fields at once, also while others are wrong in themselves. */
export const accountBody = RULED_FIELDS.reduce(
  (body, field) =>
    body.refine((given) => !kindKnown(given) || !wrongIn(given, field), {
      path: [field],
      error: ({ input }) => wrongIn(input, field)!,
      when: ({ value }) => kindKnown(value),
    }),
  fields,
);

export type AccountInput = z.output<typeof accountBody>;

const key = (name: KeyName) =>
  f.checked(KEY_TITLES[name], optional(KEY_RULES[name]), { max: 8000, secrecy: "key" }).optional();

/** New keys, and the password of who sets them: hashed as at the log-in. */
export const keysBody = z.object({
  version: f.version,
  apiV3Key: key("apiV3Key"),
  certSerialNo: key("certSerialNo"),
  privateKey: key("privateKey"),
  wechatKeyId: key("wechatKeyId"),
  wechatPublicKey: key("wechatPublicKey"),
  appPrivateKey: key("appPrivateKey"),
  alipayPublicKey: key("alipayPublicKey"),
  /** Goes with the certificate of a WeChat account. */
  certExpiresOn: f.lifeDayInput("证书到期").nullish(),
  password: z
    .string({ error: "请输入登录密码" })
    .regex(/^[0-9a-f]{64}$/, "请输入登录密码")
    .meta({ title: "登录密码", kind: "text", secrecy: "key" }),
});

const appIds = z.array(
  z.object({ terminal: z.enum(Object.keys(APP_TERMINALS) as AppId["terminal"][]), appId: z.string() }),
);

export const accountRow = z.object({
  id: f.id,
  name: f.link("名称"),
  kind: f.status("类型", ACCOUNT_KIND),
  enterpriseName: f.text("企业"),
  /** 0 = head office. */
  holderVillageId: z.number().int(),
  holderName: f.text("持有方"),
  number: f.text("商户号/账号"),
  subMchId: f.text("子商户号"),
  statementMode: f.status("对账方式", STATEMENT_MODE),
  feeRate: f.percent("费率"),
  settleDays: f.number("到账天数", { unit: "天" }),
  settleToName: f.text("结算到"),
  supervised: f.flag("监管账户"),
  certExpiresOn: f.day("证书到期").nullable(),
  keys: f.status("密钥", KEY_STATE),
  villages: f.number("使用门店数", { help: "在范围内、正在使用此账户收款的门店" }),
  state: f.status("状态", ACCOUNT_STATE),
  /** Head office's accounts are changed only by who sees every store. */
  changeable: z.boolean(),
  version: f.version,
});

export const listAccounts = accounts.get("", "收款账户列表", "252.query", {
  query: pageQuery("name", "kind", "certExpiresOn", "feeRate").extend({
    kind: filter.choice("类型", ACCOUNT_KIND),
    enterpriseId: filter.record("企业", ENTERPRISES),
    holder: filter.choice("持有方", HOLDER),
    villageIds: filter.villages("持有门店"),
    state: filter.choice("状态", ACCOUNT_STATE),
    keyword: filter.keyword("名称、商户号、账号"),
  }),
  reply: pageReply(accountRow),
});

export const exportAccounts = exportOf({
  type: "merchantAccount",
  title: "收款账户",
  needs: "252.export",
  list: listAccounts,
});

const family = recordCalls({ path, code: 252, title: "收款账户", target: "account" });

export const getAccount = family.get(
  accountRow.extend({
    enterpriseId: f.id,
    /** Whole for who may edit, else with its middle hidden. */
    mchId: f.text("商户号"),
    subMchId: f.text("子商户号"),
    terminalNo: f.text("终端号"),
    bankName: f.text("开户行"),
    accountName: f.text("户名"),
    bankAccountNo: f.text("账号", { secrecy: "bank" }),
    appIds,
    handover: f.flag("缴款"),
    feeCap: f.money("封顶").nullable(),
    settleToAccountId: f.id.nullable(),
    /** Journal lines exist: kind, holder and statement mode are fixed. */
    used: z.boolean(),
    keySet: z.array(z.object({ name: z.string(), title: f.text("密钥"), setAt: f.instant("设置时间") })),
    createdAt: f.instant("创建时间"),
  }),
  { needs: ["252.query", "252.get"] },
);

/** An account takes no more money by codes, of one store or of any: codes that are shown for it end. */
export const accountClosed = event(
  "account.closed",
  z.object({ merchantAccountId: f.id, villageId: f.id.nullable() }),
);

export const addMerchantAccount = family.add(accountBody);
export const editAccount = family.edit(accountBody);
export const deleteAccount = family.delete();
export const enableAccount = family.enable();
export const disableAccount = family.disable();

/** Besides 252.edit it takes #10101 and the operator's password. */
export const setKeys = accounts.put("/:id/keys", "设置收款账户密钥", "252.edit", {
  perMinute: 20,
  body: keysBody,
  reply: z.object({ id: f.id }),
});

export const platformAccounts = accounts.get("/platform", "公司本部的收款账户", "252.query", {
  reply: z.array(
    accountRow.pick({ id: true, name: true, kind: true, number: true, state: true }).extend({
      /** Of today, by the journal; only for who has every store in scope. */
      balance: f.money("今日余额").nullable(),
    }),
  ),
});

export const platformAppIds = accounts.get(
  "/platform/:id/appIdConfig",
  "收款账户各终端的AppID",
  "252.query",
  { reply: appIds },
);
