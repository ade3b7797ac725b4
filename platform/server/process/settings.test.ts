import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { keyFingerprint, makeKey, readKeys } from "../secrets/secret.ts";
import { readSettings, ROOT, settingsAsMarkdown } from "./settings.ts";

const wrong = (env: Record<string, string>) => {
  try {
    readSettings(env);
  } catch (error) {
    return (error as Error).message.split("\n");
  }
  return [];
};

test("nothing needs to be set", () => {
  const settings = readSettings({});
  expect(settings).toMatchObject({
    HOST: "127.0.0.1",
    PORT: 8080,
    TIME_ZONE: "Asia/Shanghai",
    FILE_STORE: "local",
  });
  expect(settings.DATA_DIR).toBe(path.join(ROOT, "data"));
  expect(settings.DATABASE_URL).toBeUndefined();
  expect(settings.ALLOW_PLAIN_HTTP).toBe(false);
});

test("an empty value counts as not set, and blanks around one are dropped", () => {
  expect(readSettings({ PORT: "", HOST: " 0.0.0.0 ", MODE: "demo" })).toMatchObject({
    PORT: 8080,
    HOST: "0.0.0.0",
  });
});

test("every wrong setting gets a sentence, all at once", () => {
  expect(
    wrong({ PORT: "99999", MODE: "test", TIME_ZONE: "Mars/Base", PUBLIC_URL: "ftp://x", POOL_SIZE: "1.5" }),
  ).toEqual([
    'MODE must be demo or production, not "test".',
    'PORT must be a number from 0 to 65535, not "99999".',
    'PUBLIC_URL must be an http or https address, not "ftp://x".',
    'POOL_SIZE must be a number from 2 to 500, not "1.5".',
    'TIME_ZONE must be a time zone such as Asia/Shanghai, not "Mars/Base".',
  ]);
});

test("a secret is never repeated in a message", () => {
  const said = wrong({ SECRET_KEY: "hunter2", DATABASE_URL: "mysql://root:hunter2@db/x" });
  expect(said).toContain("SECRET_KEY must be at least 32 characters.");
  expect(said.join()).not.toContain("hunter2");
});

test("a bucket needs all its settings", () => {
  expect(wrong({ FILE_STORE: "s3", S3_BUCKET: "files", S3_ENDPOINT: "https://s3.test" })).toEqual([
    "S3_ACCESS_KEY must be set when FILE_STORE is s3.",
    "S3_SECRET_KEY must be set when FILE_STORE is s3.",
  ]);
});

test("servers that share a database must share the key too", () => {
  const DATABASE_URL = "postgres://sams@db/sams";
  expect(wrong({ DATABASE_URL }).join()).toContain("SECRET_KEY must be set with DATABASE_URL");
  expect(wrong({ DATABASE_URL, MODE: "demo" })).toEqual([]);
  expect(wrong({ DATABASE_REPLICA_URL: DATABASE_URL }).join()).toContain("needs DATABASE_URL");
});

test("production does not listen to others without TLS unless told to", () => {
  const HOST = "0.0.0.0";
  expect(wrong({ HOST }).join()).toContain("ALLOW_PLAIN_HTTP=true");
  const ways: Record<string, string>[] = [
    { ALLOW_PLAIN_HTTP: "true" },
    { PUBLIC_URL: "https://a.test" },
    { TRUST_PROXY: "10.0.0.0/8" },
    { MODE: "demo" },
    { HOST: "::1" },
  ];
  for (const way of ways) expect(wrong({ HOST, ...way })).toEqual([]);
});

test("docs/settings.gen.md is current", () => {
  const page = fs.readFileSync(path.join(ROOT, "docs/settings.gen.md"), "utf8");
  expect(page, "run `npm run docs`").toBe(settingsAsMarkdown());
});

test("the secret key is made once, readable by its owner alone, and the same ever after", () => {
  const DATA_DIR = fs.mkdtempSync(path.join(os.tmpdir(), "secret-"));
  const own = { DATA_DIR, SECRET_KEY: undefined, SECRET_KEY_OLD: undefined };
  const first = makeKey(own);
  expect(first).toHaveLength(32);
  expect(fs.statSync(path.join(DATA_DIR, "secret.key")).mode & 0o777).toBe(0o600);
  expect(fs.readdirSync(DATA_DIR)).toEqual(["secret.key"]);
  expect(makeKey(own)).toEqual(first);
  const given = readKeys({ ...own, SECRET_KEY: "x".repeat(32) });
  expect(keyFingerprint(given.current!)).not.toBe(keyFingerprint(first));
  expect(given.old, "the file's key still reads").toEqual([first]);
  fs.rmSync(DATA_DIR, { recursive: true });
});
