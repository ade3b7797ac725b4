import { createDecipheriv, createSign, createVerify, randomBytes } from "node:crypto";

/*
 * WeChat Pay API v3: requests are signed with WECHATPAY2-SHA256-RSA2048 by the merchant's private key, answers and
 * notifications by WeChat Pay's, and what a notification carries is encrypted with AEAD_AES_256_GCM under the APIv3 key
 * ("interface rules" of its documentation).
 */
const SCHEME = "WECHATPAY2-SHA256-RSA2048";
/** Seconds that a signed message may be old: a copy that is sent again later is worth nothing. */
const FRESH_SECONDS = 300;
const TAG = 16;

export type WechatMerchant = { mchId: string; serialNo: string; privateKey: string };

/** Lines that end in a line feed each, the last one too. */
const lines = (...parts: readonly string[]): string => parts.map((part) => `${part}\n`).join("");

export const signed = (privateKey: string, message: string): string =>
  createSign("RSA-SHA256").update(message).sign(privateKey, "base64");

/** The `Authorization` of a request. `path` is the address after the host, with its query. */
export function wechatAuthorization(
  merchant: WechatMerchant,
  asked: { method: string; path: string; body: string; at: Date; nonce?: string },
): string {
  const nonce = asked.nonce ?? randomBytes(16).toString("hex");
  const timestamp = String(Math.floor(asked.at.getTime() / 1000));
  const signature = signed(
    merchant.privateKey,
    lines(asked.method, asked.path, timestamp, nonce, asked.body),
  );
  const said = {
    mchid: merchant.mchId,
    nonce_str: nonce,
    signature,
    timestamp,
    serial_no: merchant.serialNo,
  };
  const fields = Object.entries(said).map(([name, value]) => `${name}="${value}"`);
  return `${SCHEME} ${fields.join(",")}`;
}

/** Headers of an answer or a notification. */
export type WechatSeal = { timestamp: string; nonce: string; signature: string; serial: string };

export const sealOf = (header: (name: string) => string | undefined): WechatSeal => ({
  timestamp: header("wechatpay-timestamp") ?? "",
  nonce: header("wechatpay-nonce") ?? "",
  signature: header("wechatpay-signature") ?? "",
  serial: header("wechatpay-serial") ?? "",
});

/** Whether WeChat Pay signed this body, within the last minutes. */
export function isSealed(publicKey: string, seal: WechatSeal, body: string, now: Date): boolean {
  const age = Math.abs(now.getTime() / 1000 - Number(seal.timestamp));
  if (!(age <= FRESH_SECONDS) || !seal.signature) return false;
  const verify = createVerify("RSA-SHA256").update(lines(seal.timestamp, seal.nonce, body));
  try {
    return verify.verify(publicKey, seal.signature, "base64");
  } catch {
    return false;
  }
}

export type WechatSecret = { ciphertext: string; nonce: string; associated_data?: string };

/** What a notification or a certificate carries. Throws when the key or the data were tampered with. */
export function opened(apiV3Key: string, secret: WechatSecret): string {
  const bytes = Buffer.from(secret.ciphertext, "base64");
  if (bytes.length <= TAG) throw new Error("ciphertext is too short");
  const cipher = createDecipheriv("aes-256-gcm", apiV3Key, secret.nonce);
  cipher.setAuthTag(bytes.subarray(-TAG));
  cipher.setAAD(Buffer.from(secret.associated_data ?? ""));
  return Buffer.concat([cipher.update(bytes.subarray(0, -TAG)), cipher.final()]).toString("utf8");
}
