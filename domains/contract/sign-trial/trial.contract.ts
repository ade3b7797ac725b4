import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { mobile } from "../../../platform/kernel/texts/contact.ts";
import {
  openSigning,
  refuseSigning,
  sendSignCode,
  signByParty,
  signDocument,
  signPage,
} from "../esign/esign.contract.ts";
import { onDevice, token } from "../esign/open.contract.ts";

/** So many within a day. */
export const TRIALS_A_DAY = 10;

/** A sample goes to a phone to be signed: it is sealed and closed like a contract and has no effect. */
export const startTrial = callsAt("/contract/api/v3/signConfig", "contractConfig").post(
  "/trial",
  "发起试签",
  "95.edit",
  {
    timeout: 60_000,
    body: z.object({
      villageId: f.pick("门店"),
      name: f.input("签署人", 2, 30, "签署人长度为2到30个字"),
      phone: f.checked("手机", mobile, { kind: "phone" }),
    }),
    reply: z.object({
      id: f.id,
      phone: f.phone("手机号"),
      expiresAt: f.instant("有效至"),
      last4Of: z.literal("phone"),
      /** Shown once: the signer may scan it. */
      path: f.secret(z.string()),
    }),
  },
);

// ---- what the signer sends, without a login: as of a contract ------------------------------------
const open = callsAt("/contract/api/v3/esign/t", "contractConfig");
const code = { params: token };
export const trialPage = open.get("/:token", "打开试签链接", "public", {
  ...code,
  perMinute: 120,
  reply: signPage.reply,
});
export const openTrial = open.post("/:token/open", "验证试签人身份", "public", {
  ...code,
  perMinute: 30,
  body: openSigning.body,
  reply: openSigning.reply,
});
export const trialDocument = open.get("/:token/document", "查看试签样张", "public", {
  ...code,
  perMinute: 60,
  query: onDevice,
  reply: signDocument.reply,
});
export const trialDocumentFile = open.get("/:token/document/file", "下载试签样张", "public", {
  ...code,
  perMinute: 30,
  timeout: 60_000,
  query: onDevice,
});
export const sendTrialCode = open.post("/:token/sms", "发送试签验证码", "public", {
  ...code,
  perMinute: 20,
  body: sendSignCode.body,
  reply: sendSignCode.reply,
});
export const signTrial = open.post("/:token/sign", "同意签署样张", "public", {
  ...code,
  perMinute: 20,
  timeout: 120_000,
  body: signByParty.body,
  reply: signByParty.reply,
});
export const refuseTrial = open.post("/:token/refuse", "拒绝签署样张", "public", {
  ...code,
  perMinute: 20,
  body: refuseSigning.body,
  reply: refuseSigning.reply,
});
