import { expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { addDays } from "../../../platform/kernel/day.ts";
import { listMessages } from "../../system/message/message.contract.ts";
import { aForm, aShop, signed } from "../contract/contract.sample.ts";
import jobs from "./expiry.job.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const shop = await aShop(house);
const keeper = await house.person({ permits: ["9.query"], villages: [shop.villageId], name: "管家" });
const contract = await signed(house, shop.clerk, aForm(shop), "2026-03-12");
const told = async (as: Person) => (await house.did(listMessages, { as }, { query: {} })).list;
const morningOf = async (day: string) => {
  house.setClock(`${day}T08:10:00+08:00`);
  await perform(house, jobs[0]!, {}, "morning");
};

test("60, 30, 15 and 7 days before its end a contract is told to its keeper, once each, and to nobody before", async () => {
  const { rows } = await house.database.pool.query<{ end_date: string; contract_no: string }>(
    "update contract set manager_operator_id = $2 where id = $1 returning end_date, contract_no",
    [contract.id, keeper.operatorId],
  );
  const { end_date: end, contract_no: no } = rows[0]!;
  await house.database.pool.query("update contract set state = 'effective' where id = $1", [contract.id]);
  await morningOf(addDays(end, -61));
  expect(await told(keeper)).toEqual([]);
  // on the 15th day before nobody was there to tell: it is made good on the next
  for (const days of [60, 59, 31, 30, 29, 14, 13, 7, 6]) await morningOf(addDays(end, -days));
  expect((await told(keeper)).map((m) => m.title)).toEqual(
    [7, 14, 30, 60].map((days) => `合同 ${no} 还有 ${days} 天到期`),
  );
  expect((await told(keeper))[0]).toMatchObject({ type: 3, bizType: "contract", bizId: contract.id });
});

test("who is known to leave is not asked about again", async () => {
  const { pool } = house.database;
  const { rows } = await pool.query<{ end_date: string }>(
    "update contract set end_date = end_date + 40 where id = $1 returning end_date",
    [contract.id],
  );
  await pool.query(
    "insert into renewal_follow (contract_id, intent, note, followed_at) values ($1, 'leaving', '已买房', now())",
    [contract.id],
  );
  const before = (await told(keeper)).length;
  await morningOf(addDays(rows[0]!.end_date, -30));
  expect((await told(keeper)).length).toBe(before);
  await pool.query("delete from renewal_follow");
});

test("without a keeper the store's manager is told", async () => {
  const { rows } = await house.database.pool.query<{ end_date: string; manager_id: number }>(
    `update contract c set manager_operator_id = null, end_date = end_date + 1 from village v
     where c.id = $1 and v.id = c.village_id returning c.end_date, v.manager_id`,
    [contract.id],
  );
  await morningOf(rows[0]!.end_date);
  const { rows: receipts } = await house.database.pool.query(
    `select r.operator_id, m.title from message m join message_receipt r on r.message_id = m.id
     where m.biz_id = $1 and m.title like '%今天到期'`,
    [contract.id],
  );
  expect(receipts).toMatchObject([{ operator_id: rows[0]!.manager_id }]);
});
