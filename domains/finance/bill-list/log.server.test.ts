import { beforeAll, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { listBusiness, recordHistory } from "../../system/log/log.contract.ts";
import { type Billed, aBilledStore } from "../bill/billed.sample.ts";
import { voidBill } from "../bill-acts/acts.contract.ts";
import { getBill } from "./bill.contract.ts";

const house = await testHouse();
let world: Billed;
beforeAll(async () => {
  world = await aBilledStore(house);
});

test("a bill that is voided has one line with its number, old and new state and the reason; a refused one has none", async () => {
  const { clerk, ids, store } = world;
  const auditor = await house.person({ permits: ["130.query"], villages: [store.villageId] });
  const today = { from: "2000-01-01", to: "2099-12-31" };
  const voided = async (number: string) =>
    (await house.did(listBusiness, { as: auditor }, { query: { ...today, number, action: "作废" } })).list;
  const { billNo: no } = await house.did(getBill, { as: clerk }, { params: { id: ids["gone"]! } });
  const lines = await voided(no);
  expect(lines).toMatchObject([
    {
      kindTitle: "账单",
      number: no,
      summary: "作废账单：录入错误",
      before: { status: "待支付" },
      after: { status: "作废", reason: "录入错误" },
    },
  ]);
  const timeline = await house.did(
    recordHistory,
    { as: clerk },
    { params: { kind: "bill", recordId: ids["gone"]! }, query: {} },
  );
  expect(timeline.list.find((l) => l.action === "作废")?.id, "the same line on the bill's page").toBe(
    lines[0]!.id,
  );

  const paid = await house.did(getBill, { as: clerk }, { params: { id: ids["paid"]! } });
  const refused = await house.ask(
    voidBill,
    { as: clerk, key: "void-the-paid" },
    { params: { id: ids["paid"]! }, body: { reason: "录入错误", version: paid.version } },
  );
  expect(refused.status).toBe(409);
  expect(await voided(paid.billNo)).toEqual([]);
});
