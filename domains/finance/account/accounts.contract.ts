import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { ACCOUNT_KIND } from "./account.contract.ts";
import { accountBody } from "./input.contract.ts";
import { keysBody } from "./keys.contract.ts";
import { KEY_STATE } from "./keys.rules.ts";
import { ACCOUNT_STATE, APP_TERMINALS, HOLDER, STATEMENT_MODE, type AppId } from "./kind.rules.ts";
import { oneRecord, recordCalls } from "../../../platform/kernel/records.ts";

const path = "/billing/api/v3/merchantAccount";
const appIds = z.array(
  z.object({
    terminal: z.enum(Object.keys(APP_TERMINALS) as AppId["terminal"][]),
    appId: z.string(),
  }),
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

export const listAccounts = call({
  method: "GET",
  path,
  summary: "收款账户列表",
  needs: "252.query",
  query: pageQuery("name", "kind", "certExpiresOn", "feeRate").extend({
    kind: filter.choice("类型", ACCOUNT_KIND),
    enterpriseId: z.coerce.number().int().positive().optional(),
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
  filters: { enterpriseId: "企业" },
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

export const addMerchantAccount = family.add(accountBody);
export const editAccount = family.edit(accountBody);
export const deleteAccount = family.delete();
export const enableAccount = family.enable();
export const disableAccount = family.disable();

/** Besides 252.edit it takes #10101 and the operator's password. */
export const setKeys = call({
  method: "PUT",
  path: `${path}/:id/keys`,
  summary: "设置收款账户密钥",
  needs: "252.edit",
  target: "account",
  perMinute: 20,
  params: oneRecord,
  body: keysBody,
  reply: z.object({ id: f.id }),
});

export const platformAccounts = call({
  method: "GET",
  path: `${path}/platform`,
  summary: "公司本部的收款账户",
  needs: "252.query",
  reply: z.array(
    accountRow.pick({ id: true, name: true, kind: true, number: true, state: true }).extend({
      /** Of today, by the journal; only for who has every store in scope. */
      balance: f.money("今日余额").nullable(),
    }),
  ),
});

export const platformAppIds = call({
  method: "GET",
  path: `${path}/platform/:id/appIdConfig`,
  summary: "收款账户各终端的AppID",
  needs: "252.query",
  params: oneRecord,
  reply: appIds,
});
