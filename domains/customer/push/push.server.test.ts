import http from "node:http";
import { beforeAll, describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { addPush, listPushes, listRecipients, previewPush, retryPush, submitPush } from "./push.contract.ts";
import { aStoreOf300, type Pushed } from "./push.sample.ts";

const house = await testHouse();
house.setClock("2026-11-20T10:00:00+08:00");
const { pool } = house.database;
let store: Pushed;
beforeAll(async () => {
  store = await aStoreOf300(house);
});

const outboxOf = async (id: number) =>
  (
    await pool.query<{ n: number; who: number }>(
      "select count(*)::int n, count(distinct recipient)::int who from outbox where source = 'push' and source_id = $1",
      [id],
    )
  ).rows[0]!;

test("300 renters, 12 without phone: 288 of three parts each are shown before and sent after", async () => {
  const preview = await house.did(previewPush, { as: store.clerk }, { body: store.typed() });
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
  const id = await store.submitted();
  expect(await store.seen(id)).toMatchObject({ state: "scheduled" });
  expect(await store.sent(id)).toMatchObject({
    state: "sent",
    recipients: 288,
    delivered: 288,
    skipped: 12,
    parts: 864,
  });
  expect(await outboxOf(id)).toEqual({ n: 288, who: 288 });
  // a second run finds nothing to do
  await store.run("push.send", { id });
  expect(await outboxOf(id)).toEqual({ n: 288, who: 288 });
  const told = await pool.query("select title from message where biz_type = 'pushTask' and biz_id = $1", [
    id,
  ]);
  expect(told.rows).toEqual([{ title: "推送已发送：停水通知" }]);
  const { sums } = await house.did(listPushes, { as: store.clerk }, { query: {} });
  expect(sums).toMatchObject({ recipients: 288, parts: 864 });
});

test("an unknown gap is named; known ones are filled for each", async () => {
  const refused = await house.ask(
    addPush,
    { as: store.clerk },
    { body: store.typed({ body: "{姓名}您好，{房号x}" }) },
  );
  expect(refused.body.fields).toEqual([{ field: "body", msg: "未知变量：{房号x}" }]);
  const { sample } = await house.did(
    previewPush,
    { as: store.clerk },
    { body: store.typed({ body: "{姓名}您好，欠费{欠费}元" }) },
  );
  expect(sample[0]!.text).toBe("租客1您好，欠费0.00元");
});

test("a server that dies in the middle sends the rest, and nobody twice", async () => {
  const id = await store.submitted();
  await store.run("push.due");
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
  await store.run("push.send", { id });
  expect(await store.seen(id)).toMatchObject({ state: "sent", delivered: 288, failed: 0 });
  expect(await outboxOf(id)).toEqual({ n: 288, who: 288 });
});

test("two servers that send at once send each message once", async () => {
  const id = await store.submitted();
  await store.run("push.due");
  await Promise.all([store.run("push.send", { id }), store.run("push.send", { id })]);
  await store.run("push.send", { id });
  expect(await store.seen(id)).toMatchObject({ state: "sent", delivered: 288 });
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
    const free = await store.made();
    const refused = await house.ask(
      submitPush,
      { as: store.clerk },
      { params: { id: free.id }, body: { version: free.version } },
    );
    expect(refused.body.fields?.[0]?.field).toBe("templateId");
    const { rows } = await pool.query<{ id: number }>(
      `insert into message_template (enterprise_id, name, channel, outside_id, body) values ($1, '停水', 'sms', 'SMS_9', '停水') returning id`,
      [house.enterpriseId],
    );
    const id = await store.submitted({ templateId: rows[0]!.id });
    expect(await store.sent(id)).toMatchObject({ state: "partly", delivered: 285, failed: 3, skipped: 12 });
    // what the provider refuses is not tried again by itself
    expect(asked).toHaveLength(288);
    const failed = await house.did(
      listRecipients,
      { as: store.clerk },
      { params: { id }, query: { state: "failed" } as never },
    );
    expect(failed.list.map((r) => r.reason)).toEqual(Array(3).fill("isv.MOBILE_NUMBER_ILLEGAL 号码异常"));
    refuses.clear();
    const { version } = await store.seen(id);
    await house.did(retryPush, { as: store.clerk }, { params: { id }, body: { version } });
    await store.run("push.send", { id });
    expect(asked).toHaveLength(291);
    expect(await store.seen(id)).toMatchObject({ state: "sent", delivered: 288, failed: 0 });
    Object.assign(house.settings, before);
    provider.close();
  });
});
