import { expect, test } from "vitest";
import { z } from "zod";
import { twoVillages } from "../../../domains/access/operator/operator.sample.ts";
import { aPng } from "../../../domains/system/file/file.sample.ts";
import { toldOf } from "../../../domains/system/message/message.sample.ts";
import { testHouse } from "../../server/process/house.sample.ts";
import { groupOf, paged, withId } from "./groups.ts";

const house = await testHouse();
const { good, everyOne } = groupOf(
  house,
  /^\/system\/api\/v3\/(message|announcement|upload|version)(\/|$)|^\/system\/api\/v[35]\/operationLog/,
);
const tell = toldOf(house);
const root = await house.person({ superType: "0", name: "平台" });
const clerk = await house.person({ permits: ["68.query", "68.get"] });
const changed = z.object({ changed: z.number().int() });

test("messages: listed, counted by status 0, on the bell with id, title and pushTime, read and deleted by ids", async () => {
  for (let i = 1; i <= 4; i++)
    await tell({ to: [clerk.operatorId], type: i < 4 ? 1 : 7, title: `第${i}条`, content: "请查看" });
  const as = clerk;
  const top = await good(
    "GET",
    "/system/api/v3/message/top",
    { as },
    z.array(
      z.object({ id: z.number(), title: z.string().min(1), pushTime: z.iso.datetime({ offset: true }) }),
    ),
  );
  expect(top.map((m) => m.title)).toEqual(["第4条", "第3条", "第2条", "第1条"]);
  const num = z.object({
    totalNum: z.number().int(),
    numList: z.array(z.object({ status: z.literal(0), num: z.number() })),
  });
  const count = () => good("GET", "/system/api/v3/message/num", { as }, num);
  const first = await count();
  expect(first.totalNum).toBe(4);
  expect(first.numList.filter((n) => n.num).map((n) => n.num)).toEqual([3, 1]);
  const row = z.object({ id: z.number(), title: z.string(), status: z.number() });
  const query = { pageNo: 1, pageSize: 10 };
  const { list, total } = await good("GET", "/system/api/v3/message", { as, query }, paged(row));
  expect([list.length, total]).toEqual([4, 4]);
  const [a, b, c, d] = top.map((m) => m.id);
  await good("GET", "/system/api/v3/message/detail", { as, query: { id: a! } }, row);
  const ids = (...some: unknown[]) => ({ as, query: { ids: some.join(",") } });
  await good("PUT", "/system/api/v3/message/read", ids(c, d), changed);
  expect((await count()).totalNum).toBe(2);
  await good("PUT", "/system/api/v3/message/allRead", { as, query: { type: 1 } }, changed);
  expect((await count()).totalNum).toBe(1);
  await good("PUT", "/system/api/v3/message/delete", ids(a, b), changed);
  expect((await count()).totalNum).toBe(0);
  const { total: left } = await good("GET", "/system/api/v3/message", { as, query }, paged(row));
  expect(left).toBe(2);
});

test("announcements: added, listed, changed, deleted", async () => {
  await twoVillages(house);
  const body = { title: "停水通知", audience: "all", content: "周六停水" };
  const as = root;
  const { id } = await good("POST", "/system/api/v3/announcement/add", { as, body }, withId);
  const rows = await good(
    "GET",
    "/system/api/v3/announcement/getList",
    { as: clerk },
    paged(z.object({ id: z.number(), title: z.string() })),
  );
  expect(rows.list[0]).toMatchObject({ id, title: "停水通知" });
  const params = { id };
  const next = { ...body, title: "停水改期", version: 1 };
  await good("PUT", "/system/api/v3/announcement/update/{id}", { as, params, body: next }, withId);
  await good("PUT", "/system/api/v3/announcement/delete/{id}", { as, params }, z.null());
});

test("a file is uploaded as multipart", async () => {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(aPng())], { type: "image/png" }), "房间.png");
  const kept = z.object({ id: z.number(), name: z.literal("房间.png"), type: z.literal("image/png") });
  await good("POST", "/system/api/v3/upload", { as: clerk, form }, kept);
});

test("version notes stand in data.list, and only the platform writes them", async () => {
  const note = {
    releaseTime: "2026-11-20 10:00:00",
    version: "v7.0.1",
    type: "新功能",
    module: "消息中心",
    content: "铃铛上线",
  };
  const path = "/system/api/v3/version";
  const { id } = await good("POST", path, { as: root, body: note }, withId);
  const body = { ...note, id, content: "铃铛与消息中心上线" };
  await good("PUT", path, { as: root, body }, withId);
  const fields = z.object({
    id: z.number(),
    releaseTime: z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    version: z.string(),
    type: z.string(),
    module: z.string(),
    content: z.string(),
  });
  const { list } = await good("GET", path, { as: clerk }, paged(fields));
  expect(list[0]).toEqual(body);
  for (const [method, url] of [
    ["POST", path],
    ["PUT", path],
    ["DELETE", `${path}/${id}`],
  ] as const) {
    const boss = await house.person({ superType: "1" });
    const headers = { authorization: boss.token };
    const refused = await house.app.inject({
      method,
      url,
      headers,
      ...(method !== "DELETE" && { payload: body }),
    });
    expect(refused.statusCode, `${method} by the head of an enterprise`).toBe(403);
  }
  await good("DELETE", `${path}/{id}`, { as: root, params: { id } }, z.null());
});

test("the operation log has one shape under v3 and v5, for the list and for one line", async () => {
  const row = z.looseObject({ id: z.number(), summary: z.string(), outcome: z.string(), ip: z.string() });
  const one = z.looseObject({ id: z.number(), method: z.string(), path: z.string(), requestId: z.string() });
  const query = { keyword: "新增版本说明", pageSize: 10 };
  const of = async (v: 3 | 5) => {
    const list = await good("GET", `/system/api/v${v}/operationLog`, { as: root, query }, paged(row));
    const params = { id: list.list[0]!.id };
    return [list, await good("GET", `/system/api/v${v}/operationLog/{id}`, { as: root, params }, one)];
  };
  expect(await of(5)).toEqual(await of(3));
});

everyOne();
