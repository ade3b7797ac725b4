import http from "node:http";
import { beforeAll, describe, expect, test } from "vitest";
import { perform } from "../../../platform/server/jobs.ts";
import { testHouse, type Person } from "../../../platform/server/house.sample.ts";
import { asking, aModule, otherwise } from "../../approval/module/module.sample.ts";
import { decideExamine, getExamine, listExamines } from "../../approval/examine/examine.contract.ts";
import { aVillage } from "../../listing/village/village.sample.ts";
import pushJobs from "./push.job.ts";
import {
  addPush,
  cancelPush,
  getPush,
  listPushes,
  listRecipients,
  optOut,
  previewPush,
  retryPush,
  sendLog,
  submitPush,
} from "./push.contract.ts";

const house = await testHouse();
house.setClock("2026-11-20T10:00:00+08:00");
const { pool } = house.database;
const PERMITS = ["18.query", "18.get", "18.add", "18.edit", "18.delete", "18.export"] as const;
let village: number, clerk: Person;

/** So many renters of a store; the last ones have no phone. */
async function people(villageId: number, count: number, without = 0): Promise<void> {
  await pool.query(
    `with made as (insert into party (enterprise_id, kind, name, phone)
       select $1, 'renter', '租客' || n, case when n > $3 then '' else '13' || lpad((700000000 + $4::int * 1000 + n)::text, 9, '0') end
       from generate_series(1, $2) n returning id, enterprise_id),
     renters as (insert into renter (id, enterprise_id, home_village_id) select id, enterprise_id, $4 from made)
     insert into party_village (village_id, party_id, because, first_day) select $4, id, 'home', '2026-01-01' from made`,
    [house.enterpriseId, count, count - without, villageId],
  );
}
beforeAll(async () => {
  village = await aVillage(house);
  await people(village, 300, 12);
  clerk = await house.person({ permits: [...PERMITS], villages: [village], name: "周敏" });
});

const run = async (name: string, data: Record<string, unknown> = {}) =>
  perform(
    house,
    pushJobs.find((j) => j.name === name)!,
    data,
    "test",
  );
const TEXT =
  "您好，本小区将于周六上午九点至十二点进行二次供水水箱清洗，期间停止供水，请提前储水，谢谢配合。".padEnd(
    150,
    "。",
  );
const typed = (more: object = {}) => ({
  title: "停水通知",
  category: "notice" as const,
  channels: ["sms" as const],
  body: TEXT,
  kind: "renter" as const,
  villageIds: [village],
  ...more,
});
const made = async (more: object = {}, as = clerk) => {
  const { id } = await house.did(addPush, { as }, { body: typed(more) });
  return house.did(getPush, { as }, { params: { id } });
};
const seen = (id: number, as = clerk) => house.did(getPush, { as }, { params: { id } });
const submitted = async (more: object = {}) => {
  const task = await made(more);
  await house.did(submitPush, { as: clerk }, { params: { id: task.id }, body: { version: task.version } });
  return task.id;
};
const sent = async (id: number) => {
  await run("push.due");
  await run("push.send", { id });
  return seen(id);
};
const outboxOf = async (id: number) =>
  (
    await pool.query<{ n: number; who: number }>(
      "select count(*)::int n, count(distinct recipient)::int who from outbox where source = 'push' and source_id = $1",
      [id],
    )
  ).rows[0]!;

test("300 renters, 12 without phone: 288 of three parts each are shown before and sent after", async () => {
  const preview = await house.did(previewPush, { as: clerk }, { body: typed() });
  expect(preview).toMatchObject({
    people: 288,
    messages: 288,
    parts: 864,
    skipped: [{ reason: "无手机号", count: 12 }],
    movedTo: null,
    keptHere: ["sms", "email"],
  });
  expect(preview.sample).toHaveLength(20);
  expect(preview.sample[0]!.address).toMatch(/^\d{3}\*{4}\d{4}$/);
  const id = await submitted();
  expect(await seen(id)).toMatchObject({ state: "scheduled" });
  expect(await sent(id)).toMatchObject({
    state: "sent",
    recipients: 288,
    delivered: 288,
    skipped: 12,
    parts: 864,
  });
  expect(await outboxOf(id)).toEqual({ n: 288, who: 288 });
  // a second run finds nothing to do
  await run("push.send", { id });
  expect(await outboxOf(id)).toEqual({ n: 288, who: 288 });
  const told = await pool.query("select title from message where biz_type = 'pushTask' and biz_id = $1", [
    id,
  ]);
  expect(told.rows).toEqual([{ title: "推送已发送：停水通知" }]);
  const { sums } = await house.did(listPushes, { as: clerk }, { query: {} });
  expect(sums).toMatchObject({ recipients: 288, parts: 864 });
});

test("an unknown gap is named; known ones are filled for each", async () => {
  const refused = await house.ask(addPush, { as: clerk }, { body: typed({ body: "{姓名}您好，{房号x}" }) });
  expect(refused.body.fields).toEqual([{ field: "body", msg: "未知变量：{房号x}" }]);
  const { sample } = await house.did(
    previewPush,
    { as: clerk },
    { body: typed({ body: "{姓名}您好，欠费{欠费}元" }) },
  );
  expect(sample[0]!.text).toBe("租客1您好，欠费0.00元");
});

test("a server that dies in the middle sends the rest, and nobody twice", async () => {
  const id = await submitted();
  await run("push.due");
  // as after 100: the next hundred lie in the outbox, one of them was being sent
  await pool.query(
    `with chosen as (select r.id, r.task_id, row_number() over (order by r.id) n from push_recipient r where task_id = $1 and state = 'queued'),
     put as (insert into outbox (channel, recipient, template, body, source, source_id, once_key, state)
       select 'sms', '1370000' || lpad(n::text, 4, '0'), 'text', '', 'push', $1, 'push.' || id || '.0',
         case when n <= 100 then 'sent' when n = 101 then 'sending' else 'queued' end from chosen where n <= 200
       returning id, once_key)
     update push_recipient r set state = case when s.n <= 100 then 'delivered' else 'handed' end, outbox_id = p.id
     from chosen s join put p on p.once_key = 'push.' || s.id || '.0' where r.id = s.id`,
    [id],
  );
  await run("push.send", { id });
  expect(await seen(id)).toMatchObject({ state: "sent", delivered: 288, failed: 0 });
  expect(await outboxOf(id)).toEqual({ n: 288, who: 288 });
});

test("two servers that send at once send each message once", async () => {
  const id = await submitted();
  await run("push.due");
  await Promise.all([run("push.send", { id }), run("push.send", { id })]);
  await run("push.send", { id });
  expect(await seen(id)).toMatchObject({ state: "sent", delivered: 288 });
  expect(await outboxOf(id)).toEqual({ n: 288, who: 288 });
});

describe("with a provider that refuses three numbers", () => {
  const asked: string[] = [];
  const refuses = new Set<string>();
  const provider = http.createServer((request, reply) => {
    const phone = new URL(request.url!, "http://x").searchParams.get("PhoneNumbers")!;
    asked.push(phone);
    const no = refuses.has(phone);
    reply.end(
      JSON.stringify(
        no ? { Code: "isv.MOBILE_NUMBER_ILLEGAL", Message: "号码异常" } : { Code: "OK", BizId: phone },
      ),
    );
  });

  test("285 arrive, 3 fail and are sent again alone", async () => {
    await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
    const { port } = provider.address() as { port: number };
    const before = { ...house.settings };
    Object.assign(house.settings, {
      SMS_DRIVER: "aliyun",
      SMS_ENDPOINT: `http://127.0.0.1:${port}`,
      SMS_ACCESS_KEY: "k",
      SMS_SECRET_KEY: "s",
      SMS_SIGN: "智慧公寓",
      SMS_CODE_TEMPLATE: "SMS_1",
      SMS_PER_MINUTE: 100_000,
    });
    const phones = await pool.query<{ phone: string }>(
      "select phone from party where phone <> '' and kind = 'renter' order by id limit 3",
    );
    for (const { phone } of phones.rows) refuses.add(phone);
    const free = await made();
    const refused = await house.ask(
      submitPush,
      { as: clerk },
      { params: { id: free.id }, body: { version: free.version } },
    );
    expect(refused.body.fields?.[0]?.field).toBe("templateId");
    const { rows } = await pool.query<{ id: number }>(
      `insert into message_template (enterprise_id, name, channel, outside_id, body) values ($1, '停水', 'sms', 'SMS_9', '停水') returning id`,
      [house.enterpriseId],
    );
    const id = await submitted({ templateId: rows[0]!.id });
    expect(await sent(id)).toMatchObject({ state: "partly", delivered: 285, failed: 3, skipped: 12 });
    // what the provider refuses is not tried again by itself
    expect(asked).toHaveLength(288);
    const failed = await house.did(
      listRecipients,
      { as: clerk },
      { params: { id }, query: { state: "failed" } as never },
    );
    expect(failed.list.map((r) => r.reason)).toEqual(Array(3).fill("isv.MOBILE_NUMBER_ILLEGAL 号码异常"));
    refuses.clear();
    const { version } = await seen(id);
    await house.did(retryPush, { as: clerk }, { params: { id }, body: { version } });
    await run("push.send", { id });
    expect(asked).toHaveLength(291);
    expect(await seen(id)).toMatchObject({ state: "sent", delivered: 288, failed: 0 });
    Object.assign(house.settings, before);
    provider.close();
  });
});

test("reminders and advertising wait for the morning, notices do not", async () => {
  house.setClock("2026-11-20T22:00:00+08:00");
  const at = async (category: "notice" | "reminder" | "marketing") =>
    (await house.did(previewPush, { as: clerk }, { body: typed({ category }) })).movedTo;
  expect([await at("notice"), await at("reminder"), await at("marketing")]).toEqual([
    null,
    "2026-11-21 08:30",
    "2026-11-21 08:30",
  ]);
  const id = await submitted({ category: "reminder" });
  await run("push.due");
  expect(await seen(id)).toMatchObject({ state: "scheduled", sendAt: "2026-11-21T00:30:00.000Z" });
  house.setClock("2026-11-21T08:31:00+08:00");
  expect(await sent(id)).toMatchObject({ state: "sent", delivered: 288 });
  house.setClock("2026-11-20T10:00:00+08:00");
});

test("advertising says the way out, leaves out who took it, and needs a word where one is configured", async () => {
  const first = await submitted({ category: "marketing", body: "周末看房有礼" });
  await sent(first);
  const { list } = await house.did(
    listRecipients,
    { as: clerk },
    { params: { id: first }, query: { pageSize: 10 } },
  );
  expect(list[0]!.body).toBe("周末看房有礼 拒收请回复R");
  await house.did(optOut, { as: clerk }, { params: { id: list[0]!.id } });
  const preview = await house.did(
    previewPush,
    { as: clerk },
    { body: typed({ category: "marketing", body: "周末看房有礼" }) },
  );
  expect(preview.people).toBe(287);
  expect(preview.skipped).toContainEqual({ reason: "已退订", count: 1 });
  // a notice reaches them all the same
  expect((await house.did(previewPush, { as: clerk }, { body: typed() })).people).toBe(288);

  const boss = await house.person({ villages: [village], name: "陈嘉禾", permits: ["18.query"] });
  const admin = await house.person({ superType: "1", name: "许承锦" });
  await aModule(house, admin, {
    moduleType: "pushTask",
    name: "营销审批",
    villageIds: [village],
    fallback: boss,
    processes: [otherwise(asking("店长", [boss]))],
  });
  const id = await submitted({ category: "marketing", body: "周末看房有礼" });
  expect(await seen(id)).toMatchObject({ state: "approving" });
  const waiting = await house.did(listExamines, { as: boss }, { query: { box: "mine" } });
  const examine = waiting.list.find((e) => e.targetId === id)!;
  const paper = await house.did(getExamine, { as: boss }, { params: { id: examine.id } });
  expect(paper.preview[0]!.rows).toEqual([["周末看房有礼 拒收请回复R"]]);
  expect(paper.keyFacts).toContainEqual(["对象", "287 人"]);
  const { version } = paper;
  const body = { decision: "approve" as const, comment: "", version };
  await house.did(decideExamine, { as: boss, key: "push-approved-1" }, { params: { id: examine.id }, body });
  expect(await sent(id)).toMatchObject({ state: "sent", delivered: 287 });
});

test("more than 500 need authority for it; other stores' people and tasks are not there", async () => {
  const big = await aVillage(house);
  await people(big, 501);
  const small = await house.person({ permits: [...PERMITS], villages: [big] });
  const group = await house.person({ permits: [...PERMITS, "#1801"], villages: [big] });
  const task = await made({ villageIds: [big] }, small);
  const sentBy = (as: Person) =>
    house.ask(submitPush, { as }, { params: { id: task.id }, body: { version: task.version } });
  expect(await sentBy(small)).toMatchObject({
    status: 403,
    body: { message: "本次推送 501 人，超过500人需有群发权限" },
  });
  expect((await sentBy(group)).status).toBe(200);

  expect((await house.ask(getPush, { as: clerk }, { params: { id: task.id } })).status).toBe(404);
  expect((await house.ask(previewPush, { as: clerk }, { body: typed({ villageIds: [big] }) })).status).toBe(
    404,
  );
  const log = await house.did(sendLog, { as: small }, { query: {} });
  expect(log.total).toBe(0);
  const { version } = await seen(task.id, group);
  const gone = await house.ask(cancelPush, { as: clerk }, { params: { id: task.id }, body: { version } });
  expect(gone.status).toBe(404);
  await house.did(cancelPush, { as: group }, { params: { id: task.id }, body: { version } });
  expect(await seen(task.id, group)).toMatchObject({ state: "cancelled" });
});
