import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aBill, aLine, aParty } from "../bill/bill.sample.ts";
import { aCounter } from "../flow/flow.sample.ts";
import * as calls from "./corporate.contract.ts";
import { aCompanyAccount, claiming } from "./corporate.sample.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const counter = await aCounter(house);
const { store } = counter;
const admin = await house.person({ superType: "1", name: "财务" });
const finance = { as: admin };

test("suggestions: by number, by who paid before, by name, by amount; the surest first", async () => {
  const company = await aCompanyAccount(house);
  const partyId = await aParty(house, "云栖科技", { villageId: store.villageId });
  const billId = await aBill(house, store, partyId, {
    dueDate: "2026-03-10",
    lines: [aLine("rent", 123_456)],
  });
  const { billNo } = await house.database.db
    .selectFrom("bill")
    .select("billNo")
    .where("id", "=", billId)
    .executeTakeFirstOrThrow();
  const hint = async (of: object) => {
    const id = await company.came({ day: "2026-03-11", amount: 1, ...of });
    const [best] = await house.did(calls.suggestLine, finance, { params: { id } });
    return best && [best.partyName, best.reason, best.score, best.bills.map((b) => b.id)];
  };
  expect(await hint({ summary: `房租${billNo.toLowerCase()}` })).toEqual([
    "云栖科技",
    "附言有账单号或合同号",
    100,
    [],
  ]);
  expect(await hint({ name: "云栖科技", amount: 123_456 })).toEqual([
    "云栖科技",
    "户名一致，金额等于账单",
    90,
    [billId],
  ]);
  expect(await hint({ name: "某个人", amount: 123_456 })).toEqual(["云栖科技", "金额等于账单", 60, [billId]]);
  expect(await hint({ name: "某个人", amount: 77 })).toBeUndefined();
  const second = await aBill(house, store, partyId, {
    dueDate: "2026-03-12",
    lines: [aLine("rent", 50_000)],
  });
  expect(await hint({ amount: 173_456 })).toEqual(["云栖科技", "金额等于多笔账单之和", 50, [billId, second]]);
  const learnt = await company.came({
    day: "2026-03-11",
    amount: 1000,
    name: "老板本人",
    account: "6222020000001111222",
  });
  await claiming(house, admin, {
    lineId: learnt,
    villageId: store.villageId,
    partyId,
    amount: 1000,
    fileIds: [await counter.paper(admin)],
  });
  expect(await hint({ account: "6222020000001111222", name: "老板本人" })).toEqual([
    "云栖科技",
    "付款账号曾认领",
    95,
    [],
  ]);
  expect(await hint({ name: "老板本人" })).toEqual(["云栖科技", "付款户名曾认领", 85, []]);
});
