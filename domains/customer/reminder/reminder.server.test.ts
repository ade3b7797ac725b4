import { beforeAll, describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aVillage } from "../../listing/village/village.sample.ts";
import { reminding } from "./reminder.sample.ts";

const TODAY = "2026-11-20";
const house = await testHouse();
house.setClock(`${TODAY}T10:00:00+08:00`);
const { pool } = house.database;
let at: Awaited<ReturnType<typeof reminding>>;
beforeAll(async () => {
  at = await reminding(house, TODAY);
  for (let i = 0; i < 12; i++) await at.debtor(`租客${i}`, 3);
  // on other days: nobody's turn
  await at.debtor("早", 2);
  await at.debtor("晚", 4);
});

test("a rule for T+3 lists 12 payers; 12 messages are sent, a second run sends none", async () => {
  const id = await at.rule();
  const before = await at.preview(id);
  expect(before).toMatchObject({
    people: 12,
    messages: 12,
    skipped: [],
    ran: false,
    at: "09:00",
    moved: false,
  });
  expect(before.sample).toHaveLength(12);
  expect(before.sample[0]).toMatchObject({ name: "租客0", day: "后 3 天", channel: "sms" });
  expect(before.sample[0]!.text).toMatch(/^租客0您好，.+有1笔账单共1,500\.00元已逾期3天，请尽快缴纳。$/);
  expect(before.sample[0]!.address).toMatch(/^139\*{4}\d{4}$/);
  await at.run("reminder.due");
  expect(await at.sent(id)).toEqual({ n: 12, who: 12 });
  await at.run("reminder.due");
  expect(await at.sent(id)).toEqual({ n: 12, who: 12 });
  expect(await at.preview(id)).toMatchObject({ people: 0, ran: true, sentToday: 12 });
  // nor after somebody has changed or switched it
  await pool.query("update reminder_rule set ran_on = null");
  await at.run("reminder.due");
  expect(await at.sent(id)).toEqual({ n: 12, who: 12 });
  await pool.query("update reminder_rule set enabled = false");
});

test("two servers at once send each message once", async () => {
  const id = await at.rule();
  await Promise.all([at.run("reminder.due"), at.run("reminder.due")]);
  expect(await at.sent(id)).toEqual({ n: 12, who: 12 });
  await pool.query("update reminder_rule set enabled = false");
});

test("what a dead server had not sent is sent by the next, and nothing twice", async () => {
  const id = await at.rule();
  await at.run("reminder.due");
  // as if it had died after seven
  await pool.query(
    `with gone as (delete from push_recipient where id in
       (select id from push_recipient where rule_id = $1 order by id desc limit 5) returning outbox_id)
     delete from outbox where id in (select outbox_id from gone)`,
    [id],
  );
  await pool.query("update reminder_rule set ran_on = null where id = $1", [id]);
  expect(await at.preview(id)).toMatchObject({ people: 5, sentToday: 7 });
  await at.run("reminder.due");
  expect(await at.sent(id)).toEqual({ n: 12, who: 12 });
  await pool.query("update reminder_rule set enabled = false");
});

describe("quiet hours", () => {
  test("before its time and at night a rule waits", async () => {
    const id = await at.rule({ sendAt: "22:00" });
    expect(await at.preview(id)).toMatchObject({ at: "08:30", moved: true });
    for (const clock of ["08:29", "21:00", "23:50"]) {
      house.setClock(`${TODAY}T${clock}:00+08:00`);
      await at.run("reminder.due");
      expect(await at.sent(id)).toEqual({ n: 0, who: 0 });
    }
    house.setClock(`${TODAY}T08:30:00+08:00`);
    await at.run("reminder.due");
    expect(await at.sent(id)).toEqual({ n: 12, who: 12 });
    house.setClock(`${TODAY}T10:00:00+08:00`);
    await pool.query("update reminder_rule set enabled = false");
  });
});

test("each store has quiet hours of its own; what waits for them goes later in the day", async () => {
  const other = await aVillage(house);
  await pool.query(
    "update village_setting set quiet_from = '20:00', quiet_to = '11:00' where village_id = $1",
    [other],
  );
  const moved = await at.debtor("别店", 3);
  await pool.query("update bill set village_id = $2 where id = $1", [moved.billId, other]);
  const whole = await house.person({ superType: "1" });
  const id = await at.rule({ villageIds: [at.store.villageId, other] }, whole);
  expect(await at.preview(id, whole)).toMatchObject({ people: 13, at: "09:00", moved: true });
  await at.run("reminder.due");
  expect(await at.sent(id)).toEqual({ n: 12, who: 12 });
  house.setClock(`${TODAY}T11:00:00+08:00`);
  await at.run("reminder.due");
  expect(await at.sent(id)).toEqual({ n: 13, who: 13 });
  expect(await at.preview(id, whole)).toMatchObject({ ran: true, people: 0 });
  house.setClock(`${TODAY}T10:00:00+08:00`);
  await pool.query("update reminder_rule set enabled = false");
});

test("a rule that is off sends nothing", async () => {
  const id = await at.rule();
  await pool.query("update reminder_rule set enabled = false where id = $1", [id]);
  await at.run("reminder.due");
  expect(await at.sent(id)).toEqual({ n: 0, who: 0 });
});

test("the end of each is written down", async () => {
  const id = await at.rule();
  await at.run("reminder.due");
  await pool.query(
    `update outbox o set state = case when n = 1 then 'failed' else 'sent' end, error = case when n = 1 then '号码异常' else '' end
     from (select id, row_number() over (order by id) n from outbox where source_id = $1 and source = 'rule') x where x.id = o.id`,
    [id],
  );
  await at.run("reminder.ends");
  const { rows } = await pool.query<{ state: string; n: number }>(
    "select state, count(*)::int n from push_recipient where rule_id = $1 group by 1 order by 1",
    [id],
  );
  expect(rows).toEqual([
    { state: "delivered", n: 11 },
    { state: "failed", n: 1 },
  ]);
  await pool.query("update reminder_rule set enabled = false");
});
