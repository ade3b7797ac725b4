import { openAsBlob } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { checkedKey, newKey, writeDown, type Content, type FileStore } from "./files.ts";
import type { Settings } from "../process/settings.ts";
import { createHash, createHmac } from "node:crypto";

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
export const sha256 = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex");

type Signing = {
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

type S3Settings = Pick<
  Settings,
  "S3_ENDPOINT" | "S3_BUCKET" | "S3_REGION" | "S3_ACCESS_KEY" | "S3_SECRET_KEY"
>;

const TRIES = 3;
const TIMEOUT_MS = 120_000;
const NOTHING = sha256("");

/** A bucket of any service that speaks S3, addressed by path. */
export function s3Files(settings: S3Settings, pause = 300): FileStore {
  const { S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY, S3_SECRET_KEY } = settings;

  async function send(method: string, key: string, payload = NOTHING, body?: Blob | Uint8Array) {
    const url = new URL(`${S3_ENDPOINT}/${S3_BUCKET}/${checkedKey(key)}`);
    for (let attempt = 1; ; attempt++) {
      const headers = signed({
        method,
        url,
        payload,
        at: new Date(),
        region: S3_REGION,
        accessKey: S3_ACCESS_KEY ?? "",
        secretKey: S3_SECRET_KEY ?? "",
      });
      const answer = await fetch(url, {
        method,
        headers,
        ...(body && { body: body as BodyInit }),
        redirect: "error",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }).catch((error: unknown) => error as Error);
      if (!(answer instanceof Error) && (answer.ok || (method === "DELETE" && answer.status === 404)))
        return answer;
      // what the service refused once it refuses again; only its own faults pass
      const passing = answer instanceof Error || answer.status >= 500 || answer.status === 429;
      if (!passing || attempt === TRIES)
        throw new Error(
          `The file store refused ${method} ${key}: ${answer instanceof Error ? answer.message : answer.status}.`,
          { cause: answer },
        );
      if (!(answer instanceof Error)) await answer.body?.cancel();
      await new Promise((resolve) => setTimeout(resolve, pause * 2 ** attempt));
    }
  }

  /** The signature covers the whole body, so a stream is written down first. */
  async function putStream(key: string, content: AsyncIterable<Uint8Array>) {
    const folder = await mkdtemp(path.join(os.tmpdir(), "sams-s3-"));
    try {
      const place = path.join(folder, "body");
      const what = await writeDown(content, place);
      await send("PUT", key, what.sha256, await openAsBlob(place));
      return what;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  return {
    put: async (content: Content) => {
      const key = newKey();
      if (!(content instanceof Uint8Array)) return { key, ...(await putStream(key, content)) };
      const hash = sha256(content);
      await send("PUT", key, hash, content);
      return { key, sha256: hash, size: content.length };
    },
    get: async (key) => Buffer.from(await (await send("GET", key)).arrayBuffer()),
    open: async (key) => (await send("GET", key)).body as AsyncIterable<Uint8Array>,
    remove: async (key) => {
      await send("DELETE", key);
    },
  };
}
