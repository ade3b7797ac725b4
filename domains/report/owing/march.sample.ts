import type { TestHouse } from "../../../platform/server/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aBill, aContract, aLine, aParty, aStore, type Store } from "../../finance/bill/bill.sample.ts";
import { issueDue } from "../../finance/bill/bill.service.ts";
import { writeOffBill } from "../../finance/bill/writeoff.service.ts";
import { someAccounts, take } from "../../finance/flow/flow.sample.ts";
import { setBilling } from "../../finance/setting/setting.service.ts";

export type March = {
  a: Store;
  b: Store;
  people: Record<"li" | "wang" | "hong" | "zhao" | "zhang" | "zhou" | "sun", number>;
};

const at = (house: TestHouse, day: string) => house.setClock(`${day}T10:00:00+08:00`);
const paidAt = (day: string) => `${day}T09:30:00+08:00`;

/**
 * March 2026 of two stores, day by day through the services of the money side. Bank receipts are booked at the counter,
 * so they stand under 银行转账. Ends on the morning of the last day.
 */
export async function aMarch(house: TestHouse): Promise<March> {
  const { db } = house.database;
  at(house, "2026-01-05");
  const [a, b] = [await aStore(house), await aStore(house)];
  for (const { villageId } of [a, b])
    await setBilling(
      { tx: db },
      { enterpriseId: house.enterpriseId, villageId },
      { confirmChannels: [], writeOffMinDays: 60 },
    );
  const [atA, atB] = [await someAccounts(house, a), await someAccounts(house, b)];
  const people = {
    wang: await aParty(house, "王五", { phone: "13900000005" }),
    li: await aParty(house, "李四", { phone: "13900000004" }),
    sun: await aParty(house, "孙七"),
    hong: await aParty(house, "宏远商贸", { kind: "merchant" }),
    zhao: await aParty(house, "赵六"),
    zhang: await aParty(house, "张三"),
    zhou: await aParty(house, "周八"),
  };
  const owed = await aBill(house, a, people.wang, {
    dueDate: "2026-01-05",
    lines: [aLine("rent", 50_000)],
    periodEnd: "2026-01-31",
  });
  const deposit = async (store: Store, partyId: number, amount: number, day: string) => {
    at(house, day);
    const contractId = await aContract(house, store, partyId);
    const bill = await aBill(house, store, partyId, {
      contractId,
      title: "押金",
      dueDate: day,
      lines: [aLine("deposit", amount, { slices: [] })],
    });
    return { contractId, bill };
  };
  const rent = (
    store: Store,
    partyId: number,
    amount: number,
    dueDate: string,
    contractId: number | null = null,
  ) => aBill(house, store, partyId, { contractId, dueDate, lines: [aLine("rent", amount)] });

  const li = await deposit(a, people.li, 280_000, "2026-02-01");
  await take(house, a, atA, people.li, {
    amount: 280_000,
    paidAt: paidAt("2026-02-01"),
    channel: "cash",
    bills: [li.bill],
  });
  const march = await rent(a, people.li, 280_000, "2026-03-01", li.contractId);
  const sun = await deposit(b, people.sun, 310_000, "2026-02-20");
  const sunRent = await rent(b, people.sun, 310_000, "2026-02-20", sun.contractId);
  await take(house, b, atB, people.sun, {
    amount: 620_000,
    paidAt: paidAt("2026-02-20"),
    bills: [sun.bill, sunRent],
  });

  at(house, "2026-03-01");
  await acting(house, (act) => issueDue(act));
  at(house, "2026-03-05");
  const shop = await rent(b, people.hong, 1_000_000, "2026-03-05");
  const flat = await rent(a, people.zhao, 150_000, "2026-03-05");
  at(house, "2026-03-08");
  await take(house, b, atB, people.hong, {
    amount: 1_000_000,
    paidAt: paidAt("2026-03-08"),
    channel: "bankTransfer",
    bills: [shop],
  });
  await take(house, a, atA, people.zhao, {
    amount: 150_000,
    paidAt: paidAt("2026-03-08"),
    channel: "bankTransfer",
    bills: [flat],
  });

  const zhang = await deposit(a, people.zhang, 300_000, "2026-03-10");
  const first = await aBill(house, a, people.zhang, {
    contractId: zhang.contractId,
    dueDate: "2026-03-10",
    lines: [aLine("rent", 300_000), aLine("property", 10_000)],
  });
  await take(house, a, atA, people.zhang, {
    amount: 635_000,
    paidAt: paidAt("2026-03-10"),
    bills: [zhang.bill, first],
  });

  at(house, "2026-03-12");
  const zhou = await rent(a, people.zhou, 200_000, "2026-03-12");
  await take(house, a, atA, people.zhou, {
    amount: 200_000,
    paidAt: paidAt("2026-03-12"),
    channel: "pos",
    bills: [zhou],
  });
  at(house, "2026-03-20");
  await acting(house, (act) => writeOffBill(act, owed, "无法收回"));
  at(house, "2026-03-25");
  await setBilling(
    { tx: db },
    { enterpriseId: house.enterpriseId, villageId: a.villageId },
    { issueLeadDays: 7 },
  );
  await rent(a, people.li, 280_000, "2026-04-01", li.contractId);
  at(house, "2026-03-26");
  await take(house, a, atA, people.li, {
    amount: 150_000,
    paidAt: paidAt("2026-03-26"),
    channel: "cash",
    bills: [march],
  });
  at(house, "2026-03-31");
  return { a, b, people };
}
