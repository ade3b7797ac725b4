import { beforeAll, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { asking, aModule, otherwise } from "../../approval/module/module.sample.ts";
import {
  decideExamine,
  getExamine,
  listExamines,
  submitExamine,
} from "../../approval/examine/examine.contract.ts";
import { aVillage } from "../../listing/village/village.sample.ts";
import { recordHistory } from "../../system/log/log.contract.ts";
import {
  cancelPush,
  getPush,
  listRecipients,
  optOut,
  previewPush,
  retryPush,
  submitPush,
} from "./push.contract.ts";
import { aStoreOf300, people, WRITES, type Pushed } from "./push.sample.ts";
import { sendLog } from "../send-log/send-log.contract.ts";

const house = await testHouse();
house.setClock("2026-11-20T10:00:00+08:00");
let store: Pushed;
beforeAll(async () => {
  store = await aStoreOf300(house);
});

test("reminders and advertising wait for the morning, notices do not", async () => {
  house.setClock("2026-11-20T22:00:00+08:00");
  const at = async (category: "notice" | "reminder" | "marketing") =>
    (await house.did(previewPush, { as: store.clerk }, { body: store.typed({ category }) })).movedTo;
  expect([await at("notice"), await at("reminder"), await at("marketing")]).toEqual([
    null,
    "2026-11-21 08:30",
    "2026-11-21 08:30",
  ]);
  const id = await store.submitted({ category: "reminder" });
  await store.run("push.due");
  expect(await store.seen(id)).toMatchObject({ state: "scheduled", sendAt: "2026-11-21T00:30:00.000Z" });
  house.setClock("2026-11-21T08:31:00+08:00");
  expect(await store.sent(id)).toMatchObject({ state: "sent", delivered: 288 });
  house.setClock("2026-11-20T10:00:00+08:00");
});

test("a store chooses its own quiet hours; of several stores the last to wake counts", async () => {
  const late = await aVillage(house);
  await house.database.pool.query(
    "update village_setting set quiet_from = '20:00', quiet_to = '10:30' where village_id = $1",
    [late],
  );
  const clerk = await house.person({ permits: [...WRITES], villages: [store.village, late] });
  const body = store.typed({ category: "reminder", villageIds: [store.village, late] });
  const movedTo = async () => (await house.did(previewPush, { as: clerk }, { body })).movedTo;
  expect(await movedTo()).toBe("2026-11-20 10:30");
  house.setClock("2026-11-20T20:15:00+08:00");
  expect(await movedTo()).toBe("2026-11-21 10:30");
  house.setClock("2026-11-20T10:00:00+08:00");
});

test("what is being sent when quiet hours begin goes on in the morning, and so does what is sent again at night", async () => {
  house.setClock("2026-11-20T20:59:00+08:00");
  const id = await store.submitted({ category: "reminder" });
  await store.run("push.due");
  house.setClock("2026-11-20T21:01:00+08:00");
  await store.run("push.send", { id });
  expect(await store.seen(id)).toMatchObject({ state: "sending", delivered: 0 });
  house.setClock("2026-11-21T08:30:00+08:00");
  await store.run("push.send", { id });
  expect(await store.seen(id)).toMatchObject({ state: "sent", delivered: 288 });

  await house.database.pool.query(
    "update push_recipient set state = 'failed' where id = (select min(id) from push_recipient where task_id = $1 and state = 'delivered')",
    [id],
  );
  await house.database.pool.query(
    "update push_task set state = 'partly', failed = 1, delivered = 287 where id = $1",
    [id],
  );
  house.setClock("2026-11-21T22:00:00+08:00");
  const { version } = await store.seen(id);
  await house.did(retryPush, { as: store.clerk }, { params: { id }, body: { version } });
  await store.run("push.send", { id });
  expect(await store.seen(id)).toMatchObject({ state: "sending", delivered: 287 });
  const log = await house.did(
    recordHistory,
    { as: store.clerk },
    { params: { kind: "pushTask", recordId: id }, query: {} },
  );
  expect(log.list[0]!.summary).toMatch(/失败的 1 条，避开免打扰时段，将于 2026-11-22 08:30 发送$/);
  house.setClock("2026-11-22T08:30:00+08:00");
  await store.run("push.send", { id });
  expect(await store.seen(id)).toMatchObject({ state: "sent", delivered: 288 });
  house.setClock("2026-11-20T10:00:00+08:00");
});

test("advertising says the way out, leaves out who took it, and needs a word where one is configured", async () => {
  const first = await store.submitted({ category: "marketing", body: "周末看房有礼" });
  await store.sent(first);
  const { list } = await house.did(
    listRecipients,
    { as: store.clerk },
    { params: { id: first }, query: { pageSize: 10 } },
  );
  expect(list[0]!.body).toBe("周末看房有礼 拒收请回复R");
  await house.did(optOut, { as: store.clerk }, { params: { id: list[0]!.id } });
  const preview = await house.did(
    previewPush,
    { as: store.clerk },
    { body: store.typed({ category: "marketing", body: "周末看房有礼" }) },
  );
  expect(preview.people).toBe(287);
  expect(preview.skipped).toContainEqual({ reason: "已退订", count: 1 });
  // a notice reaches them all the same
  expect((await house.did(previewPush, { as: store.clerk }, { body: store.typed() })).people).toBe(288);

  const boss = await house.person({ villages: [store.village], name: "陈嘉禾", permits: ["18.query"] });
  const admin = await house.person({ superType: "1", name: "许承锦" });
  await aModule(house, admin, {
    moduleType: "pushTask",
    name: "营销审批",
    villageIds: [store.village],
    fallback: boss,
    processes: [otherwise(asking("店长", [boss]))],
  });
  const id = await store.submitted({ category: "marketing", body: "周末看房有礼" });
  expect(await store.seen(id)).toMatchObject({ state: "approving" });
  const waiting = await house.did(listExamines, { as: boss }, { query: { box: "mine" } });
  const examine = waiting.list.find((e) => e.targetId === id)!;
  const paper = await house.did(getExamine, { as: boss }, { params: { id: examine.id } });
  expect(paper.preview[0]!.rows).toEqual([["周末看房有礼 拒收请回复R"]]);
  expect(paper.keyFacts).toContainEqual(["对象", "287 人"]);
  const { version } = paper;
  const body = { decision: "approve" as const, comment: "", version };
  await house.did(decideExamine, { as: boss, key: "push-approved-1" }, { params: { id: examine.id }, body });
  expect(await store.sent(id)).toMatchObject({ state: "sent", delivered: 287 });

  // what was to go in the afternoon and is approved at night waits for the morning
  const later = await store.submitted({
    category: "marketing",
    body: "周末看房有礼",
    at: "2026-11-20T07:00:00.000Z",
  });
  const late = await house.did(listExamines, { as: boss }, { query: { box: "mine" } });
  const night = { id: late.list.find((e) => e.targetId === later)!.id };
  house.setClock("2026-11-20T22:00:00+08:00");
  const seenLate = await house.did(getExamine, { as: boss }, { params: night });
  const yes = { decision: "approve" as const, comment: "", version: seenLate.version };
  await house.did(decideExamine, { as: boss, key: "push-approved-2" }, { params: night, body: yes });
  expect(await store.seen(later)).toMatchObject({ state: "scheduled", sendAt: "2026-11-21T00:30:00.000Z" });
  house.setClock("2026-11-20T10:00:00+08:00");

  // what was rejected is a draft at once: it is handed in anew as it is then, never from the old approval
  const other = await store.submitted({ category: "marketing", body: "周末看房有礼" });
  const box = await house.did(listExamines, { as: boss }, { query: { box: "mine" } });
  const params = { id: box.list.find((e) => e.targetId === other)!.id };
  const asked = await house.did(getExamine, { as: boss }, { params });
  const no = { decision: "reject" as const, comment: "换个时间", version: asked.version };
  await house.did(decideExamine, { as: boss }, { params, body: no });
  expect(await store.seen(other)).toMatchObject({ state: "draft" });
  const seen = await house.did(getExamine, { as: store.clerk }, { params });
  const again = { params, body: { version: seen.version } };
  const refused = await house.ask(submitExamine, { as: store.clerk, key: "push-again-0001" }, again);
  expect([refused.status, refused.body.message]).toEqual([
    409,
    expect.stringContaining("已不在待审批状态，请在推送中重新提交"),
  ]);
});

test("more than 500 need authority for it; other stores' people and tasks are not there", async () => {
  const big = await aVillage(house);
  await people(house, big, 501);
  const small = await house.person({ permits: [...WRITES], villages: [big] });
  const group = await house.person({ permits: [...WRITES, "#1801"], villages: [big] });
  const task = await store.made({ villageIds: [big] }, small);
  const sentBy = (as: Person) =>
    house.ask(submitPush, { as }, { params: { id: task.id }, body: { version: task.version } });
  expect(await sentBy(small)).toMatchObject({
    status: 403,
    body: { message: "本次推送 501 人，超过500人需有群发权限" },
  });
  expect((await sentBy(group)).status).toBe(200);

  expect((await house.ask(getPush, { as: store.clerk }, { params: { id: task.id } })).status).toBe(404);
  expect(
    (await house.ask(previewPush, { as: store.clerk }, { body: store.typed({ villageIds: [big] }) })).status,
  ).toBe(404);
  const log = await house.did(sendLog, { as: small }, { query: {} });
  expect(log.total).toBe(0);
  const { version } = await store.seen(task.id, group);
  const gone = await house.ask(
    cancelPush,
    { as: store.clerk },
    { params: { id: task.id }, body: { version } },
  );
  expect(gone.status).toBe(404);
  await house.did(cancelPush, { as: group }, { params: { id: task.id }, body: { version } });
  expect(await store.seen(task.id, group)).toMatchObject({ state: "cancelled" });
});
