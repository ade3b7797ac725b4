import { beforeAll, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { listSettlements } from "../../contract/settlement/settlement.contract.ts";
import { aSettler } from "../../contract/settlement/settlement.sample.ts";
import { someAccounts, take } from "../../finance/flow/flow.sample.ts";
import { aParty, aStore } from "../../finance/bill/bill.sample.ts";
import { listBankLines } from "../../finance/corporate/corporate.contract.ts";
import { aCompanyAccount } from "../../finance/corporate/corporate.sample.ts";
import { listRefunds } from "../../finance/refund/refund.contract.ts";
import { applying } from "../../finance/refund/refund.sample.ts";
import { workbenchTodo } from "./workbench.contract.ts";

const house = await testHouse();
const TODAY = "2026-08-05";
let villages: number[];
const permits = ["72.query", "97.query", "108.query", "108.add"];
const targetOf = (target: string) => Object.fromEntries(new URLSearchParams(target)) as never;
const todo = async (who: string[], stores = villages, query: object = {}) => {
  const as = await house.person({ permits: who, villages: stores });
  const { list } = await house.did(workbenchTodo, { as }, { query });
  return { as, kinds: new Map(list.map((row) => [row.key as string, row])) };
};

beforeAll(async () => {
  const settler = await aSettler(house);
  const [first, second] = [await settler.lease(), await settler.lease()];
  house.setClock(`${TODAY}T10:00:00+08:00`);
  const store = await aStore(house);
  villages = [settler.shop.villageId, store.villageId];
  await settler.asked(first.id, { effectiveOn: TODAY });
  await settler.asked(second.id, { effectiveOn: "2026-08-06" });

  const bank = await aCompanyAccount(house);
  await bank.came({ day: TODAY, amount: 1_200_000, name: "宏远" });

  const accounts = await someAccounts(house, store);
  const partyId = await aParty(house, "张三", { villageId: store.villageId });
  await take(house, store, accounts, partyId, { amount: 25_000, paidAt: `${TODAY}T09:00:00+08:00` });
  const { as } = await todo(permits);
  const of = { source: "prepaid" as const, sourceId: partyId, villageId: store.villageId, partyId };
  expect((await applying(house, as, { ...of, amount: 25_000 })).status).toBe(200);
}, 60_000);

test("who leaves today, transfers to be claimed, refunds to be paid: each count is the total of the list it opens", async () => {
  const { as, kinds } = await todo(permits);
  const [leavings, claims, refunds] = ["leavings", "claims", "refunds"].map((key) => kinds.get(key)!);
  expect(leavings).toMatchObject({ count: 1, done: 0 });
  expect(leavings!.top[0]).toMatchObject({ day: TODAY });
  const left = await house.did(listSettlements, { as }, { query: targetOf(leavings!.target) });
  expect(left.total).toBe(1);
  expect(leavings!.top[0]!.link).toBe(`/contract/SettleRoomApplicationPage?id=${left.list[0]!.id}`);

  expect(claims).toMatchObject({ count: 1, amountFen: 1_200_000 });
  expect(claims!.top[0]).toMatchObject({ title: "宏远", amountFen: 1_200_000 });
  const lines = await house.did(listBankLines, { as }, { query: targetOf(claims!.target) });
  expect([lines.total, lines.sums!.free]).toEqual([1, 1_200_000]);

  expect(refunds).toMatchObject({ count: 1, amountFen: 25_000 });
  const list = await house.did(listRefunds, { as }, { query: targetOf(refunds!.target) });
  expect([list.total, list.sums!.toPay]).toEqual([1, 25_000]);
});

test("of chosen stores alone, but for money that is no store's yet; without its permit a kind is not named", async () => {
  const [first, second] = villages as [number, number];
  const chosen = (await todo(permits, villages, { villageIds: String(first) })).kinds;
  expect(chosen.get("leavings")).toMatchObject({ count: 1 });
  expect(chosen.get("refunds")).toMatchObject({ count: 0 });
  expect(chosen.get("claims")).toMatchObject({ count: 1, target: "tab=unclaimed" });
  expect((await todo(permits, [second])).kinds.get("leavings")).toMatchObject({ count: 0 });
  const { kinds } = await todo(["1.query"]);
  for (const key of ["leavings", "claims", "refunds"]) expect(kinds.has(key)).toBe(false);
});
