import { createHash, createHmac } from "node:crypto";

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
export const sha256 = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex");

export type Signing = {
  method: string;
  url: URL;
  /** Names in lower case; all of them are signed. */
  headers?: Record<string, string>;
  /** SHA-256 of the body, hex. */
  payload: string;
  at: Date;
  region: string;
  accessKey: string;
  secretKey: string;
};

const strict = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

function canonicalQuery(url: URL): string {
  const pairs = [...url.searchParams].map(([name, value]) => `${strict(name)}=${strict(value)}`);
  return pairs.toSorted().join("&");
}

/** The headers that a request to S3 must carry: AWS Signature Version 4, single chunk. */
export function signed(request: Signing): Record<string, string> {
  const moment = request.at.toISOString().replace(/[-:]|\.\d+/g, "");
  const day = moment.slice(0, 8);
  const sent: Record<string, string> = {
    ...request.headers,
    "x-amz-content-sha256": request.payload,
    "x-amz-date": moment,
  };
  // the client sets `host` by itself; it is signed, not sent twice
  const all = Object.entries({ ...sent, host: request.url.host }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const names = all.map(([name]) => name).join(";");
  const canonical = [
    request.method,
    request.url.pathname,
    canonicalQuery(request.url),
    ...all.map(([name, value]) => `${name}:${value.trim()}`),
    "",
    names,
    request.payload,
  ].join("\n");
  const scope = `${day}/${request.region}/s3/aws4_request`;
  const key = hmac(hmac(hmac(hmac(`AWS4${request.secretKey}`, day), request.region), "s3"), "aws4_request");
  const signature = hmac(key, ["AWS4-HMAC-SHA256", moment, scope, sha256(canonical)].join("\n"));
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${request.accessKey}/${scope},SignedHeaders=${names},Signature=${signature.toString("hex")}`,
  };
}
