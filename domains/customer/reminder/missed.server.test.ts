import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { reminding } from "./reminder.sample.ts";

const TODAY = "2026-11-20";
const house = await testHouse();
house.setClock(`${TODAY}T10:00:00+08:00`);
const { pool } = house.database;
const at = await reminding(house, TODAY);
await at.debtor("今天", 3);
await at.debtor("昨天", 4);
await at.debtor("前天", 5);
await at.debtor("太早", 7);
const ranOn = (id: number, day: string | null) =>
  pool.query("update reminder_rule set ran_on = $2 where id = $1", [id, day]);
const said = async (id: number) =>
  (
    await pool.query<{ name: string; days: number; body: string }>(
      `select p.name, l.days, r.body from reminder_line l join push_recipient r on r.id = l.recipient_id
       join party p on p.id = l.party_id where l.rule_id = $1 order by l.recipient_id`,
      [id],
    )
  ).rows;
const off = () => pool.query("update reminder_rule set enabled = false");

test("what a day without a server would have said is said the next, once, with the days of today", async () => {
  const id = await at.rule();
  await ranOn(id, "2026-11-18");
  expect(await at.preview(id)).toMatchObject({ people: 2, messages: 2 });
  await Promise.all([at.run("reminder.due"), at.run("reminder.due")]);
  const lines = await said(id);
  expect(lines.map((l) => [l.name, l.days])).toEqual([
    ["今天", 3],
    ["昨天", 3],
  ]);
  expect(lines[1]!.body).toContain("已逾期4天");
  await ranOn(id, "2026-11-18");
  await at.run("reminder.due");
  expect(await at.sent(id)).toEqual({ n: 2, who: 2 });
  await off();
});

test("no more than three days are made good, and a rule that was just switched on has missed none", async () => {
  const late = await at.rule();
  await ranOn(late, "2026-10-01");
  const fresh = await at.rule();
  await at.run("reminder.due");
  expect((await said(late)).map((l) => l.name)).toEqual(["今天", "昨天", "前天"]);
  expect((await said(fresh)).map((l) => l.name)).toEqual(["今天"]);
  await off();
});

test("nobody is woken for it", async () => {
  const id = await at.rule();
  await ranOn(id, "2026-11-18");
  house.setClock(`${TODAY}T06:00:00+08:00`);
  await at.run("reminder.due");
  expect(await at.sent(id)).toEqual({ n: 0, who: 0 });
  house.setClock(`${TODAY}T10:00:00+08:00`);
  await at.run("reminder.due");
  expect(await at.sent(id)).toEqual({ n: 2, who: 2 });
  await off();
});
