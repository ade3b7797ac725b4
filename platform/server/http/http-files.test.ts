import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { call } from "../../kernel/call.ts";
import { httpOver } from "./http.sample.ts";
import { serve, serveRead } from "../pipeline/serve.ts";

const sent = call({
  method: "POST",
  path: "/x/upload",
  summary: "测试",
  needs: "public",
  target: "x",
  upload: { maxBytes: 1000, maxFiles: 2 },
  reply: z.number(),
});
const large = call({
  method: "POST",
  path: "/x/large",
  summary: "测试",
  needs: "public",
  target: "x",
  upload: { maxBytes: 30 * 2 ** 20, maxFiles: 1 },
  reply: z.number(),
});
const named = call({
  method: "GET",
  path: "/x/file",
  summary: "测试",
  needs: "public",
  query: z.object({ name: z.string(), stream: z.string().optional() }),
});
const { app, port, post } = await httpOver([
  serve(sent, async (_act, { files }) => files.length),
  serve(large, async (_act, { files }) => files.length),
  serveRead(named, async (_read, { query }) => ({
    name: query.name,
    type: "text/html",
    body: query.stream
      ? (async function* () {
          yield Buffer.from("a");
          throw new Error("the disk is gone");
        })()
      : "<p>",
  })),
]);

describe("files", () => {
  const part = (name: string, bytes: Buffer) =>
    Buffer.concat([
      Buffer.from(
        `--x\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: image/png\r\n\r\n`,
      ),
      bytes,
      Buffer.from("\r\n"),
    ]);
  const send = (...parts: Buffer[]) =>
    post(sent, Buffer.concat([...parts, Buffer.from("--x--\r\n")]), "multipart/form-data; boundary=x");

  test("within the limits arrive", async () => {
    expect((await send(part("a", Buffer.alloc(1000)), part("b", Buffer.alloc(1)))).json()).toMatchObject({
      data: 2,
    });
  });

  test.each([
    ["one byte too large", [part("a", Buffer.alloc(1001))], 413],
    ["too many", [part("a", Buffer.alloc(1)), part("b", Buffer.alloc(1)), part("c", Buffer.alloc(1))], 400],
  ])("that are %s are refused", async (_what, parts, status) => {
    const answer = await send(...parts);
    expect(answer.statusCode).toBe(status);
  });

  test("of 200 MB are refused before they are sent", async () => {
    const sending = request({
      port,
      path: large.path,
      method: "POST",
      headers: {
        "content-type": "multipart/form-data; boundary=x",
        "content-length": 200 * 2 ** 20,
        "idempotency-key": randomUUID(),
      },
    });
    sending.write(part("a", Buffer.alloc(1000)));
    const [answer] = (await once(sending, "response")) as [IncomingMessage];
    expect(answer.statusCode).toBe(413);
    expect(await json(answer)).toMatchObject({ message: "文件大小不能超过30M" });
    sending.destroy();
  });

  test.each([
    ["JSON where files belong", "{}", "application/json", 400],
    ["no boundary", "x", "multipart/form-data", 400],
    [
      "a body that ends in the middle",
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
      "multipart/form-data; boundary=x",
      400,
    ],
    [
      "a field named as a prototype",
      '--x\r\ncontent-disposition: form-data; name="__proto__"\r\n\r\n1\r\n--x--\r\n',
      "multipart/form-data; boundary=x",
      400,
    ],
  ])("%s is refused", async (_what, payload, type, status) => {
    const answer = await post(sent, payload, type);
    expect(answer.statusCode, answer.body).toBe(status);
    expect(answer.json()).toMatchObject({ code: status });
  });
});

describe("a file as an answer", () => {
  test("cannot smuggle headers in with its name", async () => {
    const name = 'a"\r\nset-cookie: x=1\r\n\u202e.html; filename=b.exe';
    const { headers, statusCode } = await app.inject({ method: "GET", url: named.path, query: { name } });
    expect(statusCode).toBe(200);
    expect(headers["set-cookie"]).toBeUndefined();
    expect(headers["content-disposition"]).toMatch(/^attachment; filename\*=UTF-8''[\w%.!~*()-]+$/);
    const lone = await app.inject({ method: "GET", url: `${named.path}?name=%F0%9F%98` });
    expect(lone.statusCode).toBeLessThan(500);
  });

  test("that breaks on the way ends the connection instead of looking whole", async () => {
    const answer = fetch(`http://127.0.0.1:${port}${named.path}?name=a&stream=1`).then((r) => r.text());
    await expect(answer).rejects.toThrow();
    const next = await app.inject({ method: "GET", url: `${named.path}?name=a` });
    expect(next.statusCode, "the server lives on").toBe(200);
  });
});
