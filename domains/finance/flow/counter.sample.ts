import type { Person, TestHouse } from "../../../platform/server/house.sample.ts";
import { getBill } from "../bill/bill.contract.ts";
import { aParty, aStore, type Store } from "../bill/bill.sample.ts";
import { someAccounts, type Accounts } from "./flow.sample.ts";

export type Counter = {
  store: Store;
  accounts: Accounts;
  cashier: Person;
  /** Another of the same store, who may confirm. */
  second: Person;
  /** The same permits in another store. */
  stranger: Person;
  partyId: number;
  /** A receipt in cash for all open lines of some bills. */
  receipt: <M extends object>(billIds: number[], amount: number, more?: M) => Promise<Receipt & M>;
};
type Receipt = {
  villageId: number;
  partyId: number;
  amount: number;
  channel: "cash";
  merchantAccountId: number;
  paidAt: string;
  wants: { billId: number; lineId: number }[];
};

/** A store's counter on 20 March 2026 with two people, a customer and its accounts. */
export async function aCounter(house: TestHouse): Promise<Counter> {
  house.setClock("2026-03-20T10:00:00+08:00");
  const permits = "26.get 102.query 102.get 102.add #10201 #10202 #10203".split(" ");
  const store = await aStore(house);
  const accounts = await someAccounts(house, store);
  const villages = [store.villageId];
  const cashier = await house.person({ permits, villages, name: "陈收银" });
  const second = await house.person({ permits, villages, name: "周财务" });
  const stranger = await house.person({ permits, villages: [(await aStore(house)).villageId] });
  const partyId = await aParty(house, "张三", { villageId: store.villageId });
  const receipt: Counter["receipt"] = async (billIds, amount, more) => {
    const bills = await Promise.all(
      billIds.map((id) => house.did(getBill, { as: cashier }, { params: { id } })),
    );
    return {
      villageId: store.villageId,
      partyId,
      amount,
      channel: "cash" as const,
      merchantAccountId: accounts.cash,
      paidAt: "2026-03-20T09:00:00+08:00",
      wants: bills.flatMap((b) => b.lines.map((l) => ({ billId: b.id, lineId: l.id }))),
      ...more!,
    };
  };
  return { store, accounts, cashier, second, stranger, partyId, receipt };
}
