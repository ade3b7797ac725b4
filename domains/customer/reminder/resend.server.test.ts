import { beforeEach, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aVillage } from "../../listing/village/village.sample.ts";
import { resendMessage, sendLog } from "../send-log/send-log.contract.ts";
import { reminding } from "./reminder.sample.ts";

const TODAY = "2026-11-20";
const house = await testHouse();
const { pool } = house.database;
house.setClock(`${TODAY}T10:00:00+08:00`);
const at = await reminding(house, TODAY);
const { villageId } = at.store;
const clerk = await house.person({ permits: ["18.query", "18.edit"], villages: [villageId] });
const reader = await house.person({ permits: ["18.query"], villages: [villageId] });
const stranger = await house.person({ permits: ["18.query", "18.edit"], villages: [await aVillage(house)] });
const owing = await at.debtor("沈知夏", 3);
let rule = 0;

beforeEach(async () => {
  house.setClock(`${TODAY}T10:00:00+08:00`);
  await pool.query("update reminder_rule set enabled = false");
  rule = await at.rule();
  await at.run("reminder.due");
  await ends("failed");
});
const ends = async (state: "failed" | "sent") => {
  await pool.query("update outbox set state = $2, error = $3 where source = 'rule' and source_id = $1", [
    rule,
    state,
    state === "failed" ? "号码异常" : "",
  ]);
  await at.run("reminder.ends");
};
const line = async () =>
  (await house.did(sendLog, { as: clerk }, { query: { ruleId: rule } as never })).list[0]!;
const again = async (as = clerk) => house.ask(resendMessage, { as }, { params: { id: (await line()).id } });
const posted = async () =>
  (
    await pool.query<{ recipient: string; due: string | null }>(
      "select recipient, due_at due from outbox where source = 'rule' and source_id = $1 order by id",
      [rule],
    )
  ).rows;

test("a failed reminder goes out once more, however often it is pressed at once", async () => {
  expect(await line()).toMatchObject({ state: "failed", receipt: "号码异常", tries: 1 });
  const { id } = await line();
  const press = () => house.ask(resendMessage, { as: clerk }, { params: { id } });
  const answers = await Promise.all([press(), press(), press()]);
  expect(answers.map((a) => a.status).toSorted()).toEqual([200, 409, 409]);
  expect(await posted()).toHaveLength(2);
  expect(await line()).toMatchObject({ state: "handed", tries: 2 });
  await pool.query("update outbox set state = 'sent' where source_id = $1 and state = 'queued'", [rule]);
  await at.run("reminder.ends");
  expect(await line()).toMatchObject({ state: "delivered", tries: 2 });
  expect((await again()).body.message).toBe("只有发送失败的消息可以重发");
});

test("it goes to the number of today, outside the quiet hours of the store", async () => {
  await pool.query("update party set phone = '13900001111' where id = $1", [owing.partyId]);
  house.setClock(`${TODAY}T22:00:00+08:00`);
  const answer = await again();
  expect(answer.body.data).toEqual({ at: "2026-11-21T00:30:00.000Z" });
  const [, second] = await posted();
  expect(second).toMatchObject({ recipient: "13900001111" });
  expect(new Date(second!.due!).toISOString()).toBe("2026-11-21T00:30:00.000Z");
});

test("nobody is reminded of what is settled, or who wants to hear nothing", async () => {
  await pool.query("insert into push_opt_out (enterprise_id, address_hash, at) values ($1, $2, now())", [
    house.enterpriseId,
    house.cipher.hash("13900001111"),
  ]);
  expect((await again()).body.message).toBe("该客户已退订，不能发送");
  await pool.query("delete from push_opt_out");
  await pool.query("update reminder_line set record_id = 0 where rule_id = $1", [rule]);
  expect((await again()).body.message).toBe("提醒的事项已经结清或结束，不必重发");
  expect(await posted()).toHaveLength(1);
});

test("who has no number or address any more is not written to, and it says which is missing", async () => {
  await pool.query("update party set phone = '' where id = $1", [owing.partyId]);
  expect((await again()).body.message).toBe("该客户没有手机号");
  await pool.query(
    "insert into renter (id, enterprise_id, home_village_id, email) values ($1, $2, $3, 'shen@example.com')",
    [owing.partyId, house.enterpriseId, villageId],
  );
  rule = await at.rule({
    channels: ["email"],
    templateIds: { email: await at.template({ channel: "email" }) },
  });
  await at.run("reminder.due");
  await ends("failed");
  await pool.query("update renter set email = '' where id = $1", [owing.partyId]);
  expect((await again()).body.message).toBe("该客户没有邮箱");
  await pool.query("update renter set email = 'shen@example.com' where id = $1", [owing.partyId]);
  expect((await again()).status).toBe(200);
  await pool.query("update party set phone = '13900001111' where id = $1", [owing.partyId]);
});

test("who may not write sends nothing, and another store's message is not there", async () => {
  expect((await again(reader)).status).toBe(403);
  expect((await again(stranger)).status).toBe(404);
});
