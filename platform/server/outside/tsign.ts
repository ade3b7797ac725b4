import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/*
 * e签宝 open platform, API v3: a request is signed with HMAC-SHA256 by the secret of the application over seven parts
 * ("请求签名鉴权方式" of its documentation), a notification over its time, the values of its query and its body
 * ("回调通知签名验签").
 */
const ACCEPT = "*/*";
const JSON_TYPE = "application/json; charset=UTF-8";
/** Milliseconds that a notification may be old: a copy that is sent again later is worth nothing. */
const FRESH_MS = 15 * 60_000;

export type TsignApp = { appId: string; secret: string };

export const md5Of = (bytes: Buffer | string): string => createHash("md5").update(bytes).digest("base64");

/** The headers of a request. `path` is the address after the host, its query in the order of names and not encoded. */
export function tsignHeaders(
  { appId, secret }: TsignApp,
  asked: { method: "GET" | "POST"; path: string; body: string; at: Date },
): Record<string, string> {
  const md5 = asked.body && md5Of(asked.body);
  // the fifth part is a date that is not sent, the sixth further headers, of which there are none
  const message = [asked.method, ACCEPT, md5, JSON_TYPE, "", asked.path].join("\n");
  return {
    accept: ACCEPT,
    "content-type": JSON_TYPE,
    ...(md5 && { "content-md5": md5 }),
    "x-tsign-open-app-id": appId,
    "x-tsign-open-auth-mode": "Signature",
    "x-tsign-open-ca-timestamp": String(asked.at.getTime()),
    "x-tsign-open-ca-signature": createHmac("sha256", secret).update(message).digest("base64"),
  };
}

/** What a notification says of itself. */
export type TsignSeal = { appId: string; timestamp: string; signature: string };

export const tsignSealOf = (header: (name: string) => string | undefined): TsignSeal => ({
  appId: header("x-tsign-open-app-id") ?? "",
  timestamp: header("x-tsign-open-timestamp") ?? "",
  signature: header("x-tsign-open-signature") ?? "",
});

/** Whether the provider signed this notification to the application, within the last minutes. */
export function isTsigned(
  { appId, secret }: TsignApp,
  seal: TsignSeal,
  sent: { query: Readonly<Record<string, string>>; body: string },
  now: Date,
): boolean {
  const age = Math.abs(now.getTime() - Number(seal.timestamp));
  if (seal.appId !== appId || !/^\d{13}$/.test(seal.timestamp) || age > FRESH_MS) return false;
  const values = Object.keys(sent.query)
    .toSorted()
    .map((name) => sent.query[name])
    .join("");
  const right = createHmac("sha256", secret).update(`${seal.timestamp}${values}${sent.body}`).digest();
  const given = Buffer.from(seal.signature, "hex");
  return given.length === right.length && timingSafeEqual(given, right);
}
