import { expect, test } from "vitest";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { sendPayLinks } from "../../finance/checkout/checkout.contract.ts";
import { aCheckout } from "../../finance/checkout/checkout.sample.ts";
import jobs from "../push/push.job.ts";
import { sendLog } from "./send-log.contract.ts";

const house = await testHouse({ settings: { PUBLIC_URL: "https://console.example.com" } });
const { cashier, store, newBill, partyId } = await aCheckout(house);

test("a payment link that went to a customer stands in the send log once, without its address", async () => {
  house.setClock("2026-03-02T10:02:00+08:00");
  await house.did(sendPayLinks, { as: cashier }, { body: { billIds: [await newBill("3月租金")] } });
  const { rows } = await house.database.pool.query<{ id: number }>(
    "select id::int from outbox where party_id = $1",
    [partyId],
  );
  const logged = jobs.find((j) => j.name === "push.logged")!;
  for (const key of ["first", "again"]) await perform(house, logged, { id: rows[0]!.id }, key);
  const clerk = await house.person({ permits: ["18.query"], villages: [store.villageId] });
  const { list } = await house.did(sendLog, { as: clerk }, { query: { partyId } as never });
  expect(list).toMatchObject([
    {
      partyName: "张三",
      source: "业务通知",
      channel: "sms",
      address: expect.stringContaining("****"),
      state: "handed",
    },
  ]);
  expect(list[0]!.body).toContain("••••••");
  expect(list[0]!.body).not.toContain("https://");
});
