import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type Call, type Permit, call } from "../../kernel/call.ts";
import { testHouse } from "../../server/process/house.sample.ts";
import { CALLS } from "../specification/calls.ts";

const house = await testHouse();
const calls = house.served.map((s) => s.call);
const nobodys = await house.person({ name: "无权限" });
const name = (c: Call) => `${c.method} ${c.path}`;
const closed = calls.filter((c) => c.needs !== "public");
const permitsOf = (c: Call): Permit[] =>
  c.needs === "login" || c.needs === "public" ? [] : ([c.needs].flat() as Permit[]);
/** Somebody who may call it, and no more than that. */
const allowed = (c: Call) =>
  c.needs === "super" ? house.person({ superType: "0" }) : house.person({ permits: permitsOf(c) });

/** Sends anything at all to a call, the way a careless or hostile program would. */
const throwAt = (c: Call, how: { token?: string; url?: string; payload?: unknown; type?: string }) =>
  house.app.inject({
    method: c.method,
    url: how.url ?? c.path.replace(/:\w+/g, "999999999"),
    headers: {
      ...(how.token && { authorization: how.token }),
      "idempotency-key": randomUUID(),
      ...(how.payload !== undefined && { "content-type": how.type ?? "application/json" }),
    },
    ...(how.payload !== undefined && { payload: how.payload as string }),
  });

test("each call has one handler, a sentence and a known shape", () => {
  const names = calls.map(name);
  expect(names.filter((n, i) => names.indexOf(n) !== i)).toEqual([]);
  for (const c of calls) expect(c.summary, name(c)).toMatch(/[\u4e00-\u9fff]/);
  for (const c of calls.filter((each) => each.effect === "write" && each.needs !== "public"))
    expect(c.target, `${name(c)} writes and must say about what`).toBeTruthy();
});

test("every permit that a call needs stands in the table of functions", async () => {
  const { rows } = await house.database.pool.query<{ key: string }>("select key from function_node");
  const known = new Set(rows.map((r) => r.key));
  expect(
    calls.flatMap((c) =>
      permitsOf(c)
        .filter((p) => p !== "super" && !known.has(p))
        .map((p) => `${name(c)}: ${p}`),
    ),
  ).toEqual([]);
});

/** Calls of the specification whose areas are still to come; an area that is built takes its line away. */
const TO_COME: readonly RegExp[] = [
  /^\/system\/api\/v3\/memberLevel/,
  /^\/system\/api\/v3\/(\w*MiniProgramConfig\w*|miniProgramConfigStatus|editOrderNum)(\/|$)/,
  /^\/system\/api\/v4\/pageGraying\//,
  /^\/support\/api\/v3\/(evaluateTag|knowledge|cleanServiceConfig|inspection)(\/|$)/,
];
const written = (c: Call) => `${c.method} ${c.path.replace(/:(\w+)/g, "{$1}")}`;

test("every call of the specification that is built is served by its method and path", () => {
  const served = new Set(calls.map(written));
  const wanted = CALLS.map(([method, path]) => [`${method} ${path}`, path] as const);
  const awaited = (path: string) => TO_COME.some((area) => area.test(path));
  expect(wanted.filter(([at, path]) => !served.has(at) && !awaited(path)).map(([at]) => at)).toEqual([]);
  expect(wanted.filter(([at, path]) => served.has(at) && awaited(path)).map(([at]) => at)).toEqual([]);
});

test("a call of the specification needs a log-in exactly where it says so", () => {
  const needs = new Map(CALLS.map(([method, path, who]) => [`${method} ${path}`, who]));
  const fixed = calls.filter((c) => needs.has(written(c)));
  const wrong = fixed.filter((c) => (c.needs === "public") !== (needs.get(written(c)) === "public"));
  expect(wrong.map(name)).toEqual([]);
});

test("an export may take 300 s, a call that says nothing else 30 s", () => {
  const exports = calls.filter((c) => /export/i.test(c.path) && c.method === "GET");
  expect(exports.length).toBeGreaterThan(10);
  expect(exports.filter((c) => c.timeout !== 300_000).map(name)).toEqual([]);
  expect(call({ method: "GET", path: "/x", summary: "-", needs: "login", reply: z.null() }).timeout).toBe(
    30_000,
  );
});

describe.each(closed.map((c) => [name(c), c] as const))("%s", (_, c) => {
  test("refuses who is not signed in", async () => {
    expect((await throwAt(c, {})).statusCode).toBe(401);
    expect((await throwAt(c, { token: "x".repeat(43) })).statusCode).toBe(401);
  });

  test("answers garbage with a refusal, never with a failure", async () => {
    const { token } = await allowed(c);
    const urls = [
      c.path.replace(/:\w+/g, "0"),
      c.path.replace(/:\w+/g, "abc'%22--"),
      `${c.path.replace(/:\w+/g, "1")}?pageNo=-1&pageSize=99999&villageIds=a,b&sort=%27;&keyword=${"长".repeat(200)}`,
    ];
    const payloads =
      c.method === "GET" || c.method === "DELETE"
        ? [undefined]
        : ["null", "[]", '"x"', '{"id":{"$gt":1}}', "{", `{"a":${"[".repeat(500)}${"]".repeat(500)}}`];
    for (const url of urls)
      for (const payload of payloads) {
        const answer = await throwAt(c, { token, url, payload });
        expect(answer.statusCode, `${url} ${payload}: ${answer.body.slice(0, 200)}`).toBeLessThan(500);
      }
  });
});

test("every call that needs a function refuses who lacks it", async () => {
  for (const c of closed.filter((each) => permitsOf(each).length)) {
    const answer = await throwAt(c, { token: nobodys.token, ...(c.body && { payload: "{}" }) });
    expect(answer.statusCode, name(c)).toBe(403);
    expect(answer.json(), name(c)).toMatchObject({ code: 403, message: "没有权限执行此操作" });
  }
});

test("every refused write leaves one line in the operation log", async () => {
  const writes = closed.filter((c) => c.effect === "write" && permitsOf(c).length && !c.upload);
  for (const c of writes) {
    const answer = await throwAt(c, { token: nobodys.token, ...(c.body && { payload: "{}" }) });
    const { rows } = await house.database.pool.query(
      "select outcome, http_status from operation_log where request_id = $1",
      [answer.headers["x-request-id"]],
    );
    expect(rows, name(c)).toEqual([{ outcome: "refused", http_status: 403 }]);
  }
});
