import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { someAccounts, take } from "../flow/flow.sample.ts";
import { voidBill } from "../bill-acts/acts.contract.ts";
import { aBill, aContract, aLine, aParty, aStore, type Store } from "./bill.sample.ts";

export type Billed = {
  store: Store;
  other: Store;
  /** Holds every permit of the bill page in `store`. */
  clerk: Person;
  /** The same in `other`. */
  stranger: Person;
  partyId: number;
  /** late, due, plan, paid, gone: one bill of each standing on 20 March 2026. */
  ids: Record<string, number>;
};

/** A store with a bill of every standing, somebody who works there and somebody who does not. */
export async function aBilledStore(house: TestHouse): Promise<Billed> {
  house.setClock("2026-03-20T10:00:00+08:00");
  const [store, other] = [await aStore(house), await aStore(house)];
  const permits = "26.query 26.get 26.add 26.edit #2601 #2602 #2603 #2604".split(" ");
  const clerk = await house.person({ permits, villages: [store.villageId] });
  const stranger = await house.person({ permits, villages: [other.villageId] });
  const accounts = await someAccounts(house, store);
  const partyId = await aParty(house, "李四", { phone: "13900001111", villageId: store.villageId });
  const contractId = await aContract(house, store, partyId, { no: "HT20260101-000007" });
  const ids: Record<string, number> = {};
  const bill = async (name: string, more: Parameters<typeof aBill>[3]) => {
    ids[name] = await aBill(house, store, partyId, { contractId, ...more });
  };
  await bill("late", { dueDate: "2026-03-01", lines: [aLine("rent", 280_000), aLine("property", 20_000)] });
  await bill("due", { dueDate: "2026-03-20", lines: [aLine("property", 10_000)] });
  await bill("plan", { dueDate: "2026-04-01" });
  await bill("paid", { dueDate: "2026-02-01" });
  await bill("gone", { dueDate: "2026-03-05" });
  const paidAt = "2026-02-01T10:00:00+08:00";
  await take(house, store, accounts, partyId, {
    amount: 400_000,
    channel: "cash",
    paidAt,
    bills: [ids["paid"]!],
  });
  const sent = { params: { id: ids["gone"]! }, body: { reason: "录入错误", version: 1 } };
  await house.did(voidBill, { as: clerk }, sent);
  return { store, other, clerk, stranger, partyId, ids };
}
