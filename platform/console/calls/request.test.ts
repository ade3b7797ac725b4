import { afterEach, expect, test, vi } from "vitest";
import { Failure } from "./failure.ts";
import { address, sendWire } from "./request.ts";

vi.mock("../parts/toast.ts", () => ({ toast: vi.fn<() => void>() }));
vi.mock("../session/session.ts", () => ({
  token: () => "secret",
  leave: vi.fn<() => void>(),
  markTimeout: vi.fn<() => void>(),
}));
const { toast } = await import("../parts/toast.ts");
const { leave } = await import("../session/session.ts");

const call = { method: "GET" as const, path: "/bill" };
const answers = (...list: [status: number, body: unknown][]) => {
  const fetch = vi.fn<(at: string, init: RequestInit) => Promise<Response>>();
  for (const [status, body] of list)
    fetch.mockResolvedValueOnce(
      new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } }),
    );
  vi.stubGlobal("fetch", fetch);
  return fetch;
};
const reload = vi.fn<() => void>();
vi.stubGlobal("location", { reload });

afterEach(() => {
  vi.useRealTimers();
  vi.clearAllMocks();
});

test("an address has its parameters, comma lists, and nothing that is empty", () => {
  expect(address("/bill/:id", { id: 7 }, { ids: [3, 8], keyword: "", from: undefined, flag: false })).toBe(
    "/bill/7?ids=3%2C8&flag=false",
  );
  expect(address("/bill")).toBe("/bill");
});

test("the envelope is unwrapped, the token and the idempotency key go along", async () => {
  const fetch = answers([200, { code: 200, message: "ok", data: { id: 1 } }]);
  expect(await sendWire(call, {}, { idempotencyKey: "k" })).toEqual({ id: 1 });
  expect(fetch.mock.calls[0]?.[1].headers).toEqual({
    authorization: "Bearer secret",
    "idempotency-key": "k",
  });
});

test("a refusal keeps its sentence, fields, data and request id", async () => {
  answers([
    409,
    {
      code: 409,
      message: "房间已被占用",
      reason: "roomTaken",
      fields: [{ field: "roomId", msg: "已占用" }],
      data: { a: 1 },
      requestId: "r1",
    },
  ]);
  const failure = await sendWire(call).catch((e: unknown) => e as Failure);
  expect(failure).toBeInstanceOf(Failure);
  expect(failure).toMatchObject({
    code: "roomTaken",
    status: 409,
    message: "房间已被占用",
    requestId: "r1",
    data: { a: 1 },
    fields: [{ field: "roomId", msg: "已占用" }],
  });
});

test("without a sentence of the server's the status speaks", async () => {
  const text = async (status: number) => {
    answers([status, {}]);
    return ((await sendWire(call).catch((e: unknown) => e)) as Failure).message;
  };
  expect(await text(500)).toBe("服务器错误(500)");
  expect(await text(504)).toBe("网络超时(504)");
  expect(await text(418)).toBe("连接出错(418)");
  expect(await text(409)).toBe("连接出错(409)");
});

test("only the first 401 logs out, until a 200 arms the rule again", async () => {
  vi.useFakeTimers();
  const denied: [number, unknown] = [401, { code: 401, message: "x" }];
  answers(denied, denied, [200, { code: 200, data: 1 }], denied);
  const first = await sendWire(call).catch((e: unknown) => e as Failure);
  await sendWire(call).catch(() => undefined);
  expect(first).toMatchObject({ message: "未授权，请重新登录(401)" });
  const spoken = [
    ["未授权，请重新登录(401)", "error"],
    ["长时间未操作，请重新登录！", "error"],
  ];
  expect(vi.mocked(toast).mock.calls).toEqual(spoken);
  expect(leave).toHaveBeenCalledTimes(1);
  expect(reload).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1500);
  expect(reload).toHaveBeenCalledTimes(1);
  await sendWire(call);
  await sendWire(call).catch(() => undefined);
  expect(vi.mocked(toast).mock.calls).toEqual([...spoken, ...spoken]);
});

test("a call that came too soon is sent again when the server said, with the same key, and says that it waits", async () => {
  vi.useFakeTimers();
  const tooMany: [number, unknown] = [
    429,
    { code: 429, message: "操作过于频繁，请 40 秒后再试", reason: "tooMany", data: { retryAfter: 40 } },
  ];
  const fetch = answers(tooMany, [200, { code: 200, data: 7 }]);
  const answer = sendWire({ ...call, method: "POST" }, { body: {} }, { idempotencyKey: "k" });
  await vi.advanceTimersByTimeAsync(39_000);
  expect(fetch).toHaveBeenCalledTimes(1);
  expect(toast).toHaveBeenCalledWith("操作较多，40 秒后自动继续", "warning");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await answer).toBe(7);
  expect(
    fetch.mock.calls.map(([, init]) => (init.headers as Record<string, string>)["idempotency-key"]),
  ).toEqual(["k", "k"]);

  answers(tooMany, tooMany, tooMany, tooMany);
  const refused = sendWire(call).catch((e: unknown) => e as Failure);
  await vi.advanceTimersByTimeAsync(121_000);
  expect(await refused).toMatchObject({ status: 429, message: "操作过于频繁，请 40 秒后再试" });
});

test("who leaves the page does not wait for it", async () => {
  vi.useFakeTimers();
  const fetch = answers([429, { code: 429, message: "x", data: { retryAfter: 40 } }]);
  const leaving = new AbortController();
  const answer = sendWire(call, {}, { signal: leaving.signal }).catch(() => "left");
  await vi.advanceTimersByTimeAsync(1_000);
  leaving.abort();
  expect(await answer).toBe("left");
  expect(fetch).toHaveBeenCalledTimes(1);
});

test("what was under way when the session ended neither speaks again nor arms the rule", async () => {
  vi.useFakeTimers();
  const under: ((status: number) => void)[] = [];
  const fetch = () =>
    new Promise<Response>((resolve) => {
      under.push((status) =>
        resolve(
          new Response(JSON.stringify({ code: status, data: 1 }), {
            status,
            headers: { "content-type": "application/json" },
          }),
        ),
      );
    });
  answers([200, { code: 200, data: 1 }]);
  await sendWire(call);
  vi.stubGlobal("fetch", fetch);
  const sent = [1, 2, 3].map(() => sendWire(call).catch(() => undefined));
  for (const [k, status] of [401, 200, 401].entries()) {
    under[k]!(status);
    await sent[k];
  }
  expect(leave).toHaveBeenCalledTimes(1);
  expect(toast).toHaveBeenCalledTimes(2);
});
