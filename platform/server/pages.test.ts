import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import fastify from "fastify";
import { afterAll, describe, expect, test } from "vitest";
import { brandOf, serveBrand } from "./brand.ts";
import { servePages } from "./pages.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "pages-"));
mkdirSync(path.join(folder, "assets"));
writeFileSync(path.join(folder, "assets/app-1.js"), "1");
writeFileSync(
  path.join(folder, "index.html"),
  '<title>x</title><link rel="icon" href="/y"><script nonce="__NONCE__"></script>',
);
const app = fastify();
await serveBrand(app, "brand04");
await servePages(app, folder, { ...(await brandOf("brand04")), productTitle: "<b>" });
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

test("a brand that nobody knows stops the start, with the names of those there are", async () => {
  await expect(async () => serveBrand(fastify(), "acme")).rejects.toThrow(
    /BRAND names no brand: acme. There are brand01, .*, default\./,
  );
});
