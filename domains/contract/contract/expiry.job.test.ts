import { expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { addDays } from "../../../platform/kernel/day.ts";
import { listMessages } from "../../system/message/message.contract.ts";
import { aForm, aShop, signed } from "./contract.sample.ts";
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

test("a contract in its last 30 days is told to its keeper once, and to nobody before", async () => {
  const { rows } = await house.database.pool.query<{ end_date: string; contract_no: string }>(
    "update contract set manager_operator_id = $2 where id = $1 returning end_date, contract_no",
    [contract.id, keeper.operatorId],
  );
  const { end_date: end, contract_no: no } = rows[0]!;
  await house.database.pool.query("update contract set state = 'effective' where id = $1", [contract.id]);
  await morningOf(addDays(end, -31));
  expect(await told(keeper)).toEqual([]);
  await morningOf(addDays(end, -30));
  await morningOf(addDays(end, -29));
  expect(await told(keeper)).toMatchObject([
    { type: 3, title: `合同 ${no} 还有 30 天到期`, bizType: "contract", bizId: contract.id },
  ]);
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
