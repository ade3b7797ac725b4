import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { localFiles, type FileStore } from "./files.ts";
import { s3Files, sha256, signed } from "./s3.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "files-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** As small as a service can be that keeps objects and believes only what is signed. */
const objects = new Map<string, Buffer>();
const troubles: number[] = [];
const keys = { region: "eu-test-1", accessKey: "AK", secretKey: "SK" };
const bodyOf = async (request: IncomingMessage) => Buffer.concat(await Array.fromAsync(request));
const answerTo = async (request: IncomingMessage, answer: ServerResponse) => {
  const body = await bodyOf(request);
  const url = new URL(request.url!, `http://${request.headers.host}`);
  const at = String(request.headers["x-amz-date"]).replace(
    /^(....)(..)(..)T(..)(..)(..)Z$/,
    "$1-$2-$3T$4:$5:$6Z",
  );
  const right = signed({
    method: request.method!,
    url,
    payload: createHash("sha256").update(body).digest("hex"),
    at: new Date(at),
    ...keys,
  });
  const trouble = troubles.shift();
  if (trouble) return answer.writeHead(trouble).end();
  if (request.headers.authorization !== right.authorization) return answer.writeHead(403).end();
  if (request.method === "PUT") objects.set(url.pathname, body);
  const known = objects.get(url.pathname);
  if (request.method === "DELETE") objects.delete(url.pathname);
  answer.writeHead(known ? 200 : 404).end(request.method === "GET" ? known : undefined);
};
const service = createServer((request, answer) => void answerTo(request, answer));
await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
afterAll(() => service.close());
const settings = {
  S3_ENDPOINT: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
  S3_BUCKET: "files",
  S3_REGION: "eu-test-1",
  S3_ACCESS_KEY: "AK",
  S3_SECRET_KEY: "SK",
};

describe.each<[string, FileStore]>([
  ["a folder", localFiles(folder)],
  ["a bucket", s3Files(settings, 1)],
])("in %s", (_name, files) => {
  test("bytes come back as they were given, until they are removed", async () => {
    const bytes = Buffer.from("青禾公寓");
    const kept = await files.put(bytes);
    expect(kept).toMatchObject({ size: 12, sha256: sha256(bytes) });
    expect(await files.get(kept.key)).toEqual(bytes);
    await files.remove(kept.key);
    await expect(files.get(kept.key)).rejects.toThrow();
    await expect(files.open(kept.key)).rejects.toThrow();
    await files.remove(kept.key);
  });

  test("so does a stream that is larger than one chunk", async () => {
    const chunk = Buffer.alloc(100_000, "租");
    const kept = await files.put(
      (async function* () {
        for (let i = 0; i < 12; i++) yield chunk;
      })(),
    );
    const all = Buffer.concat(await Array.fromAsync(await files.open(kept.key)));
    expect(kept).toMatchObject({ size: 1_200_000, sha256: sha256(all) });
  });

  test("a stream that breaks leaves nothing behind", async () => {
    const before = objects.size;
    const broken = (async function* () {
      yield Buffer.from("half");
      throw new Error("the disk is full");
    })();
    await expect(files.put(broken)).rejects.toThrow("the disk is full");
    expect(objects.size).toBe(before);
    expect(readdirSync(folder, { recursive: true }).filter((n) => String(n).endsWith(".part"))).toEqual([]);
  });

  test.each(["../secret.key", "aa/../../secret.key", "/etc/passwd", "aa/x%2f..", ""])(
    "%j is no key",
    async (key) => {
      await expect(files.get(key)).rejects.toThrow("not a file key");
      await expect(files.open(key)).rejects.toThrow("not a file key");
      await expect(files.remove(key)).rejects.toThrow("not a file key");
    },
  );
});

test("a file in the folder is its owner's alone", async () => {
  const { key } = await localFiles(folder).put(Buffer.from("x"));
  expect(statSync(path.join(folder, key)).mode & 0o777).toBe(0o600);
});

test("a bucket that stumbles is asked again, one that refuses is not", async () => {
  const files = s3Files(settings, 1);
  troubles.push(500, 503);
  const { key } = await files.put(Buffer.from("x"));
  expect((await files.get(key)).toString()).toBe("x");
  await expect(s3Files({ ...settings, S3_SECRET_KEY: "wrong" }, 1).put(Buffer.from("x"))).rejects.toThrow(
    "403",
  );
  troubles.push(500, 500, 500);
  await expect(files.get(key)).rejects.toThrow("500");
});

describe("signatures match the examples that AWS publishes", () => {
  const bucket = "https://examplebucket.s3.amazonaws.com";
  const published = {
    at: new Date("2013-05-24T00:00:00Z"),
    region: "us-east-1",
    accessKey: "AKIAIOSFODNN7EXAMPLE",
    secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  };
  test.each([
    [
      "GET object",
      { method: "GET", url: `${bucket}/test.txt`, headers: { range: "bytes=0-9" }, body: "" },
      "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
    ],
    [
      "PUT object",
      {
        method: "PUT",
        url: `${bucket}/test%24file.text`,
        headers: { date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
        body: "Welcome to Amazon S3.",
      },
      "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
    ],
    [
      "GET bucket lifecycle",
      { method: "GET", url: `${bucket}/?lifecycle`, headers: {}, body: "" },
      "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
    ],
    [
      "list objects",
      { method: "GET", url: `${bucket}/?max-keys=2&prefix=J`, headers: {}, body: "" },
      "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
    ],
  ])("%s", (_name, { method, url, headers, body }, signature) => {
    const sent = signed({ method, url: new URL(url), headers, payload: sha256(body), ...published });
    expect(sent.authorization).toContain(`Signature=${signature}`);
  });
});
