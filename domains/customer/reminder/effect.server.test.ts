import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aDesk } from "../reservation/reservation.sample.ts";
import { sendLog } from "../send-log/send-log.contract.ts";
import { ruleEffect } from "./effect.contract.ts";
import { reminding } from "./reminder.sample.ts";

const TODAY = "2026-11-20";
const house = await testHouse();
house.setClock(`${TODAY}T10:00:00+08:00`);
const { pool } = house.database;

test("of 20 reminded bills 13 are paid within 7 days: 65.00%, read by store, and in the send log by rule", async () => {
  const at = await reminding(house, TODAY);
  const owed: number[] = [];
  for (let i = 0; i < 20; i++) owed.push((await at.debtor(`租客${i}`, 3)).billId);
  const id = await at.rule();
  await at.run("reminder.due");
  await pool.query("update outbox set state = 'sent', carrier_no = 'no' || id where source = 'rule'");
  await at.run("reminder.ends");
  const pay = (bills: readonly number[], day: string) =>
    pool.query(
      `with paid as (update bill set settled = amount where id = any($1) returning id, village_id, amount)
       insert into allocation (bill_id, bill_line_id, village_id, amount, date, kind)
       select p.id, l.id, p.village_id, p.amount, $2, 'deposit' from paid p join bill_line l on l.bill_id = p.id`,
      [bills, day],
    );
  await pay(owed.slice(0, 13), "2026-11-27");
  // too late to be this reminder's doing
  await pay(owed.slice(13, 15), "2026-11-28");
  house.setClock("2026-11-28T10:00:00+08:00");
  const { villageId } = at.store;
  const reader = await house.person({ permits: ["18.query"], villages: [villageId] });
  const { list } = await house.did(ruleEffect, { as: reader }, { query: {} });
  expect(list).toEqual([
    expect.objectContaining({ id, sent: 20, delivered: 20, failed: 0, bills: 20, paid: 13, paidRate: 0.65 }),
  ]);
  const log = await house.did(sendLog, { as: reader }, { query: { ruleId: id, pageSize: 50 } });
  expect(log.total).toBe(20);
  expect(log.list[0]).toMatchObject({ source: list[0]!.name, ruleId: id, taskId: null, state: "delivered" });
  expect(log.list[0]!.receipt).toMatch(/^no\d+$/);
  expect((await house.did(sendLog, { as: reader }, { query: { by: "push" } })).total).toBe(0);
  // who sees another store sees neither the rule nor what it sent
  const elsewhere = await house.person({ permits: ["18.query"], villages: [] });
  expect((await house.did(ruleEffect, { as: elsewhere }, { query: {} })).list).toEqual([]);
  expect((await house.did(sendLog, { as: elsewhere }, { query: {} })).total).toBe(0);
  // after 30 days it is no recent effect any more
  house.setClock("2026-12-21T10:00:00+08:00");
  const later = await house.did(ruleEffect, { as: reader }, { query: {} });
  expect(later.list[0]).toMatchObject({ sent: 0, bills: 0, paidRate: null });
});

test("a reservation is spoken of while it is held", async () => {
  house.setClock(`${TODAY}T10:00:00+08:00`);
  const at = await reminding(house, TODAY);
  const desk = await aDesk(house, { village: "预订店" });
  const { rows } = await pool.query<{ id: number }>(
    `with p as (insert into party (enterprise_id, kind, name, phone) values ($1, 'renter', '林晓', '13712345678') returning id)
     insert into reservation (number, enterprise_id, village_id, party_id, room_id, state, move_in_day, hold_until, rent,
       earnest_kind, earnest, owner_id, held_at, held_on)
     select 'YD1', $1, $2, p.id, $3, 'held', '2026-12-01', '2026-11-23', 300000, '定金', 0, $4, now(), '2026-11-20' from p returning id`,
    [house.enterpriseId, desk.villageId, desk.roomId, desk.clerk.operatorId],
  );
  const whole = await house.person({ superType: "1" });
  const id = await at.rule(
    {
      event: "reservationEnd",
      offsets: [-3],
      villageIds: [desk.villageId],
      templateIds: {
        sms: await at.template({
          event: "reservationEnd",
          body: "{姓名}您好，预订{预订编号}保留至{到期日}，还有{剩余天数}天",
        }),
      },
    },
    whole,
  );
  const { sample } = await at.preview(id, whole);
  expect(sample.map((s) => s.text)).toEqual(["林晓您好，预订YD1保留至2026-11-23，还有3天"]);
  await pool.query("update reservation set state = 'lapsed', ended_at = now() where id = $1", [rows[0]!.id]);
  expect((await at.preview(id, whole)).people).toBe(0);
});
