import { createHmac, randomBytes, randomUUID } from "node:crypto";

/*
 * Nuonuo open platform (诺诺开放平台): requests carry X-Nuonuo-Sign, HMAC-SHA1 in base64 over path, application, random number,
 * time and the body byte for byte ("签名算法" of its documentation).
 */
export type NuonuoApp = { appKey: string; appSecret: string };
type Asked = { endpoint: string; body: string; at: Date; senid?: string; nonce?: string };

/** `/open/v1/services` is signed as its parts from the last to the first. */
const placeOf = (endpoint: string): string => {
  const [p = "", l = "", a = ""] = new URL(endpoint).pathname.split("/").filter(Boolean);
  return `a=${a}&l=${l}&p=${p}`;
};

export const nuonuoSign = (
  app: NuonuoApp,
  place: string,
  { senid, nonce, timestamp, body }: { senid: string; nonce: string; timestamp: string; body: string },
): string =>
  createHmac("sha1", app.appSecret)
    .update(`${place}&k=${app.appKey}&i=${senid}&n=${nonce}&t=${timestamp}&f=${body}`)
    .digest("base64");

/** The address with what is signed beside the body, and the signature. */
export function nuonuoRequest(app: NuonuoApp, asked: Asked): { url: string; sign: string } {
  const senid = asked.senid ?? randomUUID().replaceAll("-", "");
  const nonce = asked.nonce ?? String(10_000_000 + (randomBytes(4).readUInt32BE() % 90_000_000));
  const timestamp = String(Math.floor(asked.at.getTime() / 1000));
  const sign = nuonuoSign(app, placeOf(asked.endpoint), { senid, nonce, timestamp, body: asked.body });
  const query = new URLSearchParams({ senid, nonce, timestamp, appkey: app.appKey });
  return { url: `${asked.endpoint}?${query}`, sign };
}
