import { openAsBlob } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { checkedKey, newKey, writeDown, type Content, type FileStore } from "./files.ts";
import type { Settings } from "../process/settings.ts";
import { sha256, signed } from "./sigv4.ts";

export type S3Settings = Pick<
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
