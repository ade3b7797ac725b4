import { connect } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { login, userInfo } from "../../../domains/access/session/session.contract.ts";
import { villageOptions } from "../../../domains/listing/village/village.contract.ts";
import { topMessages } from "../../../domains/system/message/message.contract.ts";
import { addVersion } from "../../../domains/system/version/version.contract.ts";
import { testHouse } from "../../server/process/house.sample.ts";

/** Headers, addresses and bodies that no browser of ours sends. What one call does with them is in http.test.ts. */
const house = await testHouse();
const root = await house.person({ superType: "0" });
const { pool } = house.database;
const wrong = { account: "nobody2026", password: "a".repeat(64) };
const lineOf = async (requestId: unknown) =>
  (await pool.query("select * from operation_log where request_id = $1", [requestId])).rows[0];

describe("a header", () => {
  test.each([
    ["10,000 letters", "a".repeat(10_000)],
    ["a script", "<script>alert(1)</script>"],
    ["no address", "999.1.1.1"],
    ["a statement", "1.1.1.1'; drop table operator; --"],
  ])("x-forwarded-for of %s is not taken for an address", async (_what, value) => {
    const headers = { "x-forwarded-for": value };
    const answer = await house.app.inject({ method: "POST", url: login.path, payload: wrong, headers });
    expect(answer.statusCode).toBe(400);
    expect(await lineOf(answer.headers["x-request-id"])).toMatchObject({
      ip: "127.0.0.1",
      outcome: "refused",
    });
  });

  test("x-request-id, host and user-agent choose nothing: neither number, brand nor length of the log", async () => {
    const headers = {
      "x-request-id": "mine",
      "request-id": "mine",
      host: `evil.example"><script>`,
      "user-agent": "u".repeat(12_000),
    };
    const answer = await house.app.inject({ method: "POST", url: login.path, payload: wrong, headers });
    expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
    expect((await lineOf(answer.headers["x-request-id"])).user_agent).toHaveLength(300);
    const page = await house.app.inject({ url: "/system/api/v3/brand/current", headers });
    expect(page.body).not.toContain("evil.example");
  });

  test("an idempotency key of 10,000 letters is refused where one counts, and nothing elsewhere", async () => {
    const note = {
      releaseTime: "2026-11-20 10:00:00",
      version: "v1",
      type: "新功能",
      module: "消息",
      content: "上线",
    };
    const how = { as: root, key: "k".repeat(10_000) };
    expect((await house.ask(addVersion, how, { body: note })).status).toBe(200);
    const money = house.served.map((s) => s.call).filter((c) => c.money && !c.upload);
    for (const c of money) {
      const url = c.path.replace(/:\w+/g, "1");
      const headers = { authorization: root.token, "idempotency-key": how.key };
      const { statusCode } = await house.app.inject({ method: c.method, url, payload: {}, headers });
      expect(statusCode, c.path).toBeLessThan(500);
    }
  });
});

describe("from a foreign page", () => {
  const evil = { origin: "https://evil.example", cookie: `hzsk_token=${root.token}` };

  test("no call is answered by the cookie, and no answer may be read", async () => {
    for (const { call: c } of house.served.filter((s) => s.call.needs !== "public")) {
      const url = c.path.replace(/:\w+/g, "1");
      const answer = await house.app.inject({ method: c.method, url, headers: evil });
      expect(answer.statusCode, `${c.method} ${url}`).toBe(401);
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    }
  });

  test("a preflight is not answered, so nothing with a header of its own is sent", async () => {
    for (const path of [login.path, userInfo.path, addVersion.path]) {
      const answer = await house.app.inject({
        method: "OPTIONS",
        url: path,
        headers: {
          ...evil,
          "access-control-request-method": "POST",
          "access-control-request-headers": "authorization",
        },
      });
      expect(answer.statusCode).toBe(404);
      expect(Object.keys(answer.headers).filter((h) => h.startsWith("access-control"))).toEqual([]);
    }
  });

  test("a form cannot speak to a call: it has no way to send JSON", async () => {
    for (const type of [
      "application/x-www-form-urlencoded",
      "text/plain",
      "multipart/form-data; boundary=x",
    ]) {
      const payload = JSON.stringify(wrong);
      const headers = { "content-type": type, ...evil };
      const answer = await house.app.inject({ method: "POST", url: login.path, payload, headers });
      expect([400, 415], type).toContain(answer.statusCode);
      expect(answer.json().message, type).not.toBe("账号或密码错误");
    }
  });
});

describe("an address", () => {
  test.each([
    "/../../etc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/..%5c..%5cwindows/win.ini",
    "/....//....//etc/passwd",
    "/server.ts",
    "/package.json",
    "/.git/config",
    "/data/secret.key",
    "/sams/..%2f..%2fserver.ts",
    "/sams/brand/..%2f..%2fpackage.json",
    "/sams/%00",
    "/openapi.json/../server.ts",
  ])("%s leads to no file", async (url) => {
    const answer = await house.app.inject({ url });
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    expect(answer.statusCode).toBeLessThan(500);
    expect(answer.body).not.toMatch(/root:|import |"dependencies"|\[core\]/);
  });

  test.each([
    "..%2f..%2fsecret.key",
    "1%2f..%2f2",
    "1e3",
    "0x1",
    "-1",
    "1.5",
    "９",
    "1%00",
    "%27",
    "9".repeat(30),
  ])("%s is the id of no file", async (id) => {
    const headers = { authorization: root.token };
    const answer = await house.app.inject({ url: `/system/api/v3/file/${id}`, headers });
    expect([400, 404]).toContain(answer.statusCode);
  });

  test("with the same filter twice, or a filter as a list or an object, is refused or read as one", async () => {
    for (const query of [
      "?keyword=a&keyword=b",
      "?keyword[]=a",
      "?keyword[$ne]=1",
      "?__proto__[x]=1",
      `?${"a=1&".repeat(3000)}`,
    ]) {
      const headers = { authorization: root.token };
      const { statusCode } = await house.app.inject({ url: villageOptions.path + query, headers });
      expect(statusCode, query.slice(0, 40)).toBeLessThan(500);
    }
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});

describe("on the wire", () => {
  let port: number;
  beforeAll(async () => {
    await house.app.listen({ host: "127.0.0.1", port: 0 });
    ({ port } = house.app.server.address() as { port: number });
  });
  const raw = (text: string) =>
    new Promise<string>((resolve, reject) => {
      let answer = "";
      const socket = connect(port, "127.0.0.1", () => socket.write(text));
      socket.on("data", (part) => (answer += String(part))).on("error", reject);
      socket.on("close", () => resolve(answer));
    });
  const get = (...lines: string[]) =>
    raw(`GET ${topMessages.path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${lines.join("\r\n")}\r\n\r\n`);

  test("headers beyond 16 KB, with line breaks or of a second request are refused; the server goes on", async () => {
    expect(await get(`x: ${"a".repeat(20_000)}`)).toMatch(/^HTTP\/1.1 431/);
    expect(await get("x-forwarded-for: 1.1.1.1\rset-cookie: a=1")).toMatch(/^HTTP\/1.1 400/);
    expect(await get("content-length: 5", "content-length: 6")).toMatch(/^HTTP\/1.1 400/);
    expect(await get("transfer-encoding: chunked", "content-length: 5")).toMatch(/^HTTP\/1.1 400/);
    const fine = await get(`authorization: ${root.token}`);
    expect(fine).toMatch(/^HTTP\/1.1 200/);
    expect(fine).not.toMatch(/^set-cookie/im);
  });
});

test("no answer of any call sets a cookie, may be framed, guessed at or kept", async () => {
  for (const { call: c } of house.served) {
    const { headers } = await house.app.inject({ method: c.method, url: c.path.replace(/:\w+/g, "1") });
    expect(headers["set-cookie"], c.path).toBeUndefined();
    expect(headers, c.path).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "cache-control": "no-store",
    });
  }
});
