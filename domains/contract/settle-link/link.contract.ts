import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { ACT_STATES } from "../act/act.rules.ts";
import {
  agreeing,
  codeAsk,
  codeSent,
  last4,
  linked,
  onDevice,
  shownPaper,
  token,
} from "../esign/open.contract.ts";
import { typedAccount } from "../settlement/settlement.contract.ts";
import { LINK_STATES, PRESENTED } from "./link.rules.ts";

const settlements = callsAt("/contract/api/v3/settlement", "settlement");

/** The sheet goes to the tenant: from then on his silence counts. By text message he may answer on a page of his own. */
export const sendConfirm = settlements.post("/:id/sendConfirm", "送达退房结算单", "72.edit", {
  timeout: 60_000,
  body: z.object({ version: f.version, how: f.choice("送达方式", PRESENTED) }),
  reply: z.object({
    id: f.id,
    state: f.status("状态", ACT_STATES),
    version: f.version,
    /** Once, for who sends it: the tenant may scan it at the desk. */
    path: f.secret(z.string()).nullable(),
    phone: f.phone("手机号"),
  }),
});

/** Every link of a settlement, with what proves the answer; the newest first. */
export const settlementLinks = settlements.get("/:id/links", "退房结算单确认记录", "72.get", {
  reply: z.array(
    z.object({
      id: f.id,
      state: f.status("状态", LINK_STATES),
      name: f.person("租客"),
      phone: f.phone("手机号"),
      net: f.money("结算结果"),
      sentAt: f.instant("发送时间"),
      sentBy: f.person("发送人"),
      deadline: f.instant("有效至"),
      openedAt: f.instant("打开时间").nullable(),
      endedAt: f.instant("答复时间").nullable(),
      reason: f.text("异议"),
      ip: f.text("IP 地址"),
      device: f.text("设备"),
      smsNo: f.text("短信编号"),
      documentHash: f.text("文件 SHA-256"),
    }),
  ),
});

// ---- what the tenant sends, without a login ----------------------------------------------------
const open = callsAt("/contract/api/v3/esign/sheet");
const at = { target: "settlement", params: token } as const;

export const sheetPage = open.get("/:token", "打开结算单链接", "public", {
  perMinute: 120,
  params: token,
  reply: linked.extend({ tenant: z.string() }),
});

export const openSheet = open.post("/:token/open", "验证租客身份", "public", {
  perMinute: 30,
  ...at,
  body: z.object({ last4 }),
  reply: z.object({ device: f.secret(z.string()) }),
});

/** The sheet as it is read on a phone, from the same text as the file. */
export const sheetDocument = open.get("/:token/document", "查看退房结算单", "public", {
  perMinute: 60,
  params: token,
  query: onDevice,
  reply: shownPaper.extend({
    net: z.number(),
    /** Where the refund goes, masked; empty: the tenant may name an account of his own. */
    payee: z.string().nullable(),
  }),
});

export const sheetFile = open.get("/:token/document/file", "下载待确认结算单", "public", {
  perMinute: 30,
  timeout: 60_000,
  params: token,
  query: onDevice,
});

export const sendSheetCode = open.post("/:token/sms", "发送结算确认验证码", "public", {
  perMinute: 20,
  ...at,
  body: codeAsk,
  reply: codeSent,
});

const answered = z.object({ said: z.string() });
export const agreeToSheet = open.post("/:token/agree", "租客确认结算单", "public", {
  perMinute: 20,
  ...at,
  body: agreeing({ hash: "结算单已更新，请使用新链接", tick: "请先勾选同意按此结算" }).extend({
    /** Of his own, where money goes back and nobody knows yet to which account. */
    account: z.object(typedAccount).optional(),
  }),
  reply: answered,
});

export const objectToSheet = open.post("/:token/object", "租客提出异议", "public", {
  perMinute: 20,
  ...at,
  body: onDevice.extend({ reason: f.reason("异议原因") }),
  reply: answered,
});
