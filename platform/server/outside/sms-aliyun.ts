import { createHash, createHmac, randomUUID } from "node:crypto";
import { Unavailable } from "./transient.ts";

/*
 * Alibaba Cloud SMS (dysmsapi, version 2017-05-25): action SendSms, signed by ACS3-HMAC-SHA256 ("request syntax and
 * signature method V3" of its documentation).
 */
const ALGORITHM = "ACS3-HMAC-SHA256";
const WAIT_MS = 10_000;

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const strict = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** Parameters as they stand in the address and under the signature: in order of their names. */
export const queryOf = (params: Readonly<Record<string, string>>): string =>
  Object.keys(params)
    .toSorted()
    .map((name) => `${strict(name)}=${strict(params[name]!)}`)
    .join("&");

type Asked = { host: string; action: string; version: string; query: string; at: Date; nonce: string };

/** The headers of a POST without a body, `authorization` among them. */
export function aliyunHeaders(
  { accessKey, secretKey }: { accessKey: string; secretKey: string },
  asked: Asked,
): Record<string, string> {
  const signed: Record<string, string> = {
    host: asked.host,
    "x-acs-action": asked.action,
    "x-acs-content-sha256": sha256(""),
    "x-acs-date": asked.at.toISOString().replace(/\.\d+/, ""),
    "x-acs-signature-nonce": asked.nonce,
    "x-acs-version": asked.version,
  };
  const names = Object.keys(signed).toSorted();
  const canonical = [
    "POST",
    "/",
    asked.query,
    ...names.map((name) => `${name}:${signed[name]}`),
    "",
    names.join(";"),
    sha256(""),
  ].join("\n");
  const signature = createHmac("sha256", secretKey)
    .update(`${ALGORITHM}\n${sha256(canonical)}`)
    .digest("hex");
  // the client sets `host` by itself
  const { host: _, ...sentAlong } = signed;
  return {
    ...sentAlong,
    authorization: `${ALGORITHM} Credential=${accessKey},SignedHeaders=${names.join(";")},Signature=${signature}`,
  };
}

type Account = { endpoint: string; accessKey: string; secretKey: string };
type Message = { phone: string; sign: string; template: string; params: Record<string, string> };

/** Sends one message; answers the provider's number of it. Throws with its reason otherwise. */
export async function sent(account: Account, { phone, sign, template, params }: Message): Promise<string> {
  const query = queryOf({
    PhoneNumbers: phone,
    SignName: sign,
    TemplateCode: template,
    TemplateParam: JSON.stringify(params),
  });
  const { host } = new URL(account.endpoint);
  const asked = {
    host,
    action: "SendSms",
    version: "2017-05-25",
    query,
    at: new Date(),
    nonce: randomUUID(),
  };
  const answer = await fetch(`${account.endpoint}/?${query}`, {
    method: "POST",
    headers: aliyunHeaders(account, asked),
    signal: AbortSignal.timeout(WAIT_MS),
  });
  if (answer.status >= 500) throw new Unavailable(`HTTP ${answer.status}`);
  const said = (await answer.json().catch(() => ({}))) as { Code?: string; Message?: string; BizId?: string };
  if (said.Code !== "OK") throw new Error(`${said.Code ?? answer.status} ${said.Message ?? ""}`.trim());
  return said.BizId ?? "";
}
