import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import fastify from "fastify";
import { afterAll, describe, expect, test } from "vitest";
import { brandOf, serveBrands } from "../pipeline/brand.ts";
import { servePages } from "./pages.ts";
import { readSettings } from "../process/settings.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "pages-"));
mkdirSync(path.join(folder, "assets"));
writeFileSync(path.join(folder, "assets/app-1.js"), "1");
writeFileSync(
  path.join(folder, "index.html"),
  '<title>x</title><link rel="icon" href="/y"><script nonce="__NONCE__"></script>',
);
const app = fastify();
const settings = readSettings({ BRAND: "brand04", BRAND_HOSTS: "Five.example.com=brand05" });
const brandAt = await serveBrands(app, settings);
const odd = { ...(await brandOf("brand04")), productTitle: "<b>" };
await servePages(app, folder, (host) => (brandAt(host).key === "brand04" ? odd : brandAt(host)));
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

describe("the page", () => {
  test("comes for every address of the console, in its brand, under a policy with a fresh nonce", async () => {
    const [one, two] = await Promise.all(
      ["/sams/", "/sams/contract/x"].map((url) => app.inject({ method: "GET", url })),
    );
    const nonce = /nonce="([^"]+)"/.exec(one!.body)![1]!;
    expect(two!.body).not.toContain(nonce);
    expect(one!.body).toContain("<title>&#60;b&#62;</title>");
    expect(one!.body).toContain('href="/sams/brand/brand04-favicon.svg"');
    const policy = String(one!.headers["content-security-policy"]);
    expect(policy).toContain(`'nonce-${nonce}'`);
    expect(policy).toMatch(/script-src 'self'(;| 'nonce)/);
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(one!.headers["cache-control"]).toBe("no-cache");
  });

  test("keeps the files of a build for good, and does not stand in for one that is gone", async () => {
    const known = await app.inject({ method: "GET", url: "/sams/assets/app-1.js" });
    expect(known.headers["cache-control"]).toContain("immutable");
    const gone = await app.inject({ method: "GET", url: "/sams/assets/app-0.js" });
    expect(gone.statusCode).toBe(404);
    const out = await app.inject({ method: "GET", url: "/sams/assets/..%2f..%2f..%2fetc/passwd" });
    expect(out.statusCode).toBeGreaterThanOrEqual(400);
  });

  test("is that of the build on the disk, also where it came after the start", async () => {
    const page = () => app.inject({ method: "GET", url: "/sams/contract/x" });
    const file = path.join(folder, "index.html");
    const before = readFileSync(file, "utf8");
    writeFileSync(path.join(folder, "assets/app-2.js"), "2");
    writeFileSync(file, `${before}<script src="/sams/assets/app-2.js"></script>`);
    utimesSync(file, new Date(), new Date(Date.now() + 5000));
    expect((await page()).body).toContain("app-2.js");
    const script = await app.inject({ method: "GET", url: "/sams/assets/app-2.js?x" });
    expect([script.statusCode, script.body]).toEqual([200, "2"]);
    expect(script.headers["cache-control"]).toContain("immutable");
    // while the next one is being made there is none, and the last stays
    rmSync(file);
    expect((await page()).body).toContain("app-2.js");
  });
});

test("pictures of the brand cannot run anything", async () => {
  const { headers, statusCode } = await app.inject({
    method: "GET",
    url: "/sams/brand/brand04-logo.svg",
  });
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({ "content-type": "image/svg+xml" });
  expect(headers["content-security-policy"]).toContain("sandbox");
});

test("whoever comes by another host name sees the brand of that name", async () => {
  const at = (host: string) => app.inject({ method: "GET", url: "/sams/", headers: { host } });
  expect((await at("five.example.com:8080")).body).toContain("<title>城市公寓</title>");
  for (const other of ["four.example.com", "constructor", "__proto__", ""])
    expect((await at(other)).body, other).toContain("brand04-favicon.svg");
});

test("a brand that nobody knows stops the start, with the names of those there are", async () => {
  const unknown = readSettings({ BRAND: "acme" });
  await expect(async () => serveBrands(fastify(), unknown)).rejects.toThrow(
    /BRAND names no brand: acme. There are brand01, .*, default\./,
  );
});
