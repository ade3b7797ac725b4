import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { call, type Call } from "../../kernel/call.ts";
import { testHouse } from "../process/house.sample.ts";
import { httpOver } from "./http.sample.ts";
import { serve, type Served } from "../pipeline/serve.ts";

const simple = { method: "POST", summary: "测试", needs: "public", target: "x" } as const;
const echo = call({
  ...simple,
  path: "/x/echo",
  body: z.object({ n: z.number() }),
  reply: z.object({ n: z.number() }),
});
const slow = call({ ...simple, path: "/x/guess", perMinute: 3, reply: z.null() });
const broken = call({ ...simple, path: "/x/broken", reply: z.null() });
const served: Served[] = [
  serve(echo, async (_act, { body }) => body),
  serve(slow, async () => null),
  serve(broken, async () => {
    throw new Error("select secret from inside");
  }),
];
const { app, logged, port, post } = await httpOver(served);

/** What a client can write that no library would; it waits for the answer. */
const raw = (text: string) =>
  new Promise<string>((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (part) => (answer += String(part))).on("error", reject);
    socket.on("close", () => resolve(answer));
  });

describe("every answer", () => {
  test("carries the headers that keep browsers from guessing, framing and keeping", async () => {
    const { headers } = await post(echo, '{"n":1}');
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "no-store",
      "x-request-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(headers["x-powered-by"]).toBeUndefined();
    expect(headers["access-control-allow-origin"], "no foreign page reads an answer").toBeUndefined();
  });

  test("asks browsers to come by TLS alone where a believed proxy or the setting says that they do", async () => {
    const over = async (to: typeof app, proto: string, remoteAddress = "127.0.0.1") =>
      (await to.inject({ url: "/x", headers: { "x-forwarded-proto": proto }, remoteAddress })).headers[
        "strict-transport-security"
      ];
    expect(await over(app, "https")).toBe("max-age=31536000");
    expect(await over(app, "http")).toBeUndefined();
    expect(await over(app, "https", "203.0.113.9"), "anybody can write a header").toBeUndefined();
    const { app: behind } = await testHouse({ settings: { PUBLIC_URL: "https://console.example.com" } });
    expect(await over(behind, "http")).toBe("max-age=31536000");
  });

  test("to an unknown address or method is JSON with 404", async () => {
    for (const [method, url] of [
      ["GET", "/room/api/v3/nothing"],
      ["DELETE", "/x/echo"],
      ["GET", "/x/%ff"],
      ["GET", "/x/..%2f..%2fetc/passwd"],
      ["GET", "/.env"],
    ] as const) {
      const answer = await app.inject({ method, url });
      expect(answer.statusCode, url).toBeGreaterThanOrEqual(400);
      expect(answer.statusCode, url).toBeLessThan(405);
      expect(answer.json(), url).toMatchObject({
        code: answer.statusCode,
        data: null,
        requestId: expect.any(String),
      });
    }
  });

  test("to a bug is neutral; the cause stands in the log with the same request id", async () => {
    const answer = await post(broken, "{}");
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toMatchObject({ code: 500, message: "请求出现错误，请稍后再试" });
    expect(answer.body).not.toContain("secret");
    const line = logged.find((l) => l.includes("select secret"));
    expect(line).toContain(answer.json().requestId);
  });
});

describe("a body", () => {
  test.each([
    ["cut short", '{"n":', "application/json", 400],
    ["no JSON at all", "n=1", "application/json", 400],
    ["empty", "", "application/json", 400],
    ["of the wrong kind", "[1]", "application/json", 400],
    ["with a prototype in it", '{"n":1,"__proto__":{"admin":true}}', "application/json", 400],
    [
      "with a constructor in it",
      '{"n":1,"constructor":{"prototype":{"admin":true}}}',
      "application/json",
      400,
    ],
    ["as a form", "n=1", "application/x-www-form-urlencoded", 415],
    ["as plain text", '{"n":1}', "text/plain", 400],
    ["of no known type", "x", "application/x-java", 415],
    ["that is a number too large", '{"n":1e999}', "application/json", 400],
  ])("%s is refused", async (_what, payload, type, status) => {
    const answer = await post(echo, payload, type);
    expect(answer.json()).toMatchObject({ code: status, reason: "invalid" });
    expect(answer.statusCode).toBe(status);
  });

  test("above 2 MB is refused with 413, one that lies about its length too", async () => {
    const answer = await post(echo, JSON.stringify({ n: 1, x: "a".repeat(2 ** 21) }));
    expect(answer.statusCode).toBe(413);
    expect(answer.json()).toMatchObject({ code: 413, message: "上传内容过大" });
    const head =
      "POST /x/echo HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\nconnection: close\r\n";
    expect(await raw(`${head}content-length: 99999999999\r\n\r\n{}`)).toMatch(/^HTTP\/1.1 413/);
    expect(await raw(`${head}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 400/,
    );
  });

  test("thousands deep breaks nothing", async () => {
    const deep = `{"n":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    expect((await post(echo, deep)).statusCode).toBe(400);
  });
});

describe("too many requests", () => {
  test("of a call that is tempting to guess at get 429, other calls and addresses do not", async () => {
    const from = (remoteAddress: string, to: Call = slow) =>
      app.inject({ method: "POST", url: to.path, payload: { n: 1 }, remoteAddress });
    for (let i = 0; i < 3; i++) expect((await from("10.0.0.1")).statusCode).toBe(200);
    const answer = await from("10.0.0.1");
    expect(answer.statusCode).toBe(429);
    const { retryAfter } = answer.json<{ data: { retryAfter: number } }>().data;
    expect(retryAfter).toBeGreaterThan(50);
    expect(answer.json()).toMatchObject({ code: 429, message: `操作过于频繁，请 ${retryAfter} 秒后再试` });
    expect(answer.headers["retry-after"]).toBe(String(retryAfter));
    expect((await from("10.0.0.1", echo)).statusCode).toBe(200);
    expect((await from("10.0.0.2")).statusCode).toBe(200);
  });

  test("are counted by the real address: a stranger's X-Forwarded-For is not believed", async () => {
    const answers: number[] = [];
    for (let i = 0; i < 5; i++) {
      const headers = { "x-forwarded-for": `1.2.3.${i}` };
      const how = {
        method: "POST",
        url: slow.path,
        payload: {},
        remoteAddress: "10.9.9.9",
        headers,
      } as const;
      answers.push((await app.inject(how)).statusCode);
    }
    expect(answers).toEqual([200, 200, 200, 429, 429]);
  });
});

test("addresses are logged without what was asked", async () => {
  await app.inject({ method: "GET", url: "/x/nothing?phone=13800001111" });
  expect(logged.join("")).not.toContain("13800001111");
});
