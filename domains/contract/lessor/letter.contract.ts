import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { callsAt } from "../../../platform/kernel/records.ts";

/** The page outside the console on which a legal person signs the letter; nobody signs in there. */
const code = { params: z.object({ token: f.secret(z.string().max(64)) }) };
const letters = callsAt("/contract/api/v3/esign/a", "lessor");

/** Proves that whoever has the link knows whose it is: the last four places of the certificate or of the credit code. */
const last4 = f.secret(
  z
    .string({ error: "请输入证件号或统一社会信用代码后4位" })
    .trim()
    .regex(/^[0-9A-Za-z]{4}$/, "请输入证件号或统一社会信用代码后4位"),
);

export const LETTER_LINK = ["open", "signed", "expired", "revoked"] as const;
/** What anybody with the link may know. A link that nobody was sent reads as expired. */
export const readLetter = letters.get("/:token", "查看授权签署链接", "public", {
  ...code,
  perMinute: 60,
  reply: z.object({ state: z.enum(LETTER_LINK), maskedName: z.string() }),
});

export const openLetter = letters.post("/:token/open", "打开授权书", "public", {
  ...code,
  perMinute: 20,
  body: z.object({ last4 }),
  reply: z.object({
    lessorName: z.string(),
    /** Masked. */
    legalName: z.string(),
    phone: z.string(),
    from: f.day("授权开始"),
    to: f.day("授权结束"),
    kinds: z.string(),
    villages: z.string(),
    seals: z.string(),
    documentHash: z.string(),
    waitSeconds: z.number().int(),
  }),
});

/** The letter itself. */
export const letterDocument = letters.post("/:token/document", "查看授权书文件", "public", {
  ...code,
  perMinute: 20,
  body: z.object({ last4 }),
});

export const sendLetterCode = letters.post("/:token/sms", "发送授权书签署验证码", "public", {
  ...code,
  perMinute: 10,
  body: z.object({ last4 }),
  reply: z.object({ waitSeconds: z.number().int() }),
});

export const signLetter = letters.post("/:token/sign", "签署授权书", "public", {
  ...code,
  perMinute: 20,
  body: z.object({
    last4,
    captcha: f.secret(z.string({ error: "请输入短信验证码" }).trim().min(1, "请输入短信验证码").max(10)),
    /** Of the letter that was read. */
    documentHash: f.token(64),
  }),
  /** Where the browser goes: the return page, with a key of half an hour. */
  reply: z.object({ key: f.secret(z.string()) }),
});

/** What has become of a letter that was signed: it holds, or the lessor is verified anew, was refused, or the letter holds no more. */
export const AUTH_RESULTS = ["done", "verifying", "failed", "ended"] as const;
/** What the return page shows for its key. Any other key reads the same as one that has passed: nothing. */
export const authResult = callsAt("/contract/api/v3/esign/authResult").get("", "查询授权结果", "public", {
  perMinute: 20,
  query: z.object({ key: f.secret(z.string().max(64)).optional() }),
  reply: z.object({
    id: f.id.nullable(),
    maskedName: z.string(),
    state: z.enum(AUTH_RESULTS).nullable(),
    /** Why it is not verified. */
    reason: z.string(),
    from: f.day("授权开始").nullable(),
    to: f.day("授权结束").nullable(),
    at: f.instant("时间").nullable(),
  }),
});
