import { expect, test } from "vitest";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import sendJobs from "../../access/sms/sms.job.ts";
import { reminding } from "./reminder.sample.ts";

const TODAY = "2026-11-20";
const house = await testHouse();
house.setClock(`${TODAY}T20:58:00+08:00`);
const at = await reminding(house, TODAY);

test("what quiet hours overtake of a long batch goes when they are over", async () => {
  for (const name of ["沈知夏", "陆星野", "江晚", "温言"]) await at.debtor(name, 3);
  const rule = await at.rule();
  Object.assign(house.settings, {
    SMS_DRIVER: "aliyun",
    SMS_ENDPOINT: "http://127.0.0.1:9",
    SMS_ACCESS_KEY: "k",
    SMS_SECRET_KEY: "s",
    SMS_SIGN: "智慧公寓",
    SMS_CODE_TEMPLATE: "SMS_1",
    SMS_PER_MINUTE: 1,
  });
  await at.run("reminder.due");
  const { rows } = await house.database.pool.query<{ due: string }>(
    "select to_char(due_at at time zone 'Asia/Shanghai', 'DD HH24:MI') due from outbox where source_id = $1 order by id",
    [rule],
  );
  expect(rows.map(({ due }) => due)).toEqual(["20 20:58", "20 20:59", "21 08:30", "21 08:31"]);
});

test("what was due before quiet hours and did not go, as no server ran, waits for the morning", async () => {
  const { pool } = house.database;
  const due = sendJobs.find((job) => job.name === "outbox.due")!;
  const waiting = async () =>
    (
      await pool.query<{ n: number }>(
        "select count(*)::int n from outbox where source = 'rule' and due_at is not null",
      )
    ).rows[0]!.n;
  const all = await waiting();
  house.setClock(`${TODAY}T23:40:00+08:00`);
  await perform(house, due, {}, "night");
  expect(await waiting()).toBe(all);
  house.setClock("2026-11-21T08:30:00+08:00");
  await perform(house, due, {}, "morning");
  expect(await waiting()).toBe(1);
});
