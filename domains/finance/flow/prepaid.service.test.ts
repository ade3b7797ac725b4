import { beforeAll, describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aBill, aLine, aParty, aStore } from "../bill/bill.sample.ts";
import { readBills } from "../bill/bills.queries.ts";
import { voidBills } from "../bill/bill.service.ts";
import { allocateFlow, takeBack } from "./allocate.service.ts";
import { someAccounts, take } from "./flow.sample.ts";
import { usePrepaid } from "./prepaid.service.ts";

const house = await testHouse();
const { db } = house.database;
const store = await aStore(house);
const accounts = await someAccounts(house, store);
const prepaid = async (partyId: number) =>
  (await db.selectFrom("partyBalance").select("balance").where("partyId", "=", partyId).executeTakeFirst())
    ?.balance ?? 0;
const bill = async (id: number) => (await readBills({ tx: db }, [id]))[0]!;

describe("prepaid money", () => {
  let partyId: number;
  let id: number;

  beforeAll(async () => {
    house.setClock("2026-05-01T09:00:00+08:00");
    partyId = await aParty(house, "王芳");
    await take(house, store, accounts, partyId, { amount: 100_000, paidAt: "2026-04-20T10:00:00+08:00" });
    await take(house, store, accounts, partyId, { amount: 50_000, paidAt: "2026-04-25T10:00:00+08:00" });
    id = await aBill(house, store, partyId, { dueDate: "2026-05-01", lines: [aLine("rent", 120_000)] });
  });

  test("is used overnight, the oldest flow first, and bears no late fee", async () => {
    house.setClock("2026-05-20T00:30:00+08:00");
    const used = await acting(house, (act) => usePrepaid(act, { villageId: store.villageId, partyId }));
    expect(used).toBe(120_000);
    expect(await bill(id)).toMatchObject({ status: "paid", amount: 120_000 });
    const flows = await db
      .selectFrom("flow")
      .select(["allocated", "unallocated"])
      .where("partyId", "=", partyId)
      .orderBy("id")
      .execute();
    expect(flows).toEqual([
      { allocated: 100_000, unallocated: 0 },
      { allocated: 20_000, unallocated: 30_000 },
    ]);
    expect(await prepaid(partyId)).toBe(30_000);
    expect(await acting(house, (act) => usePrepaid(act, { villageId: store.villageId, partyId }))).toBe(0);
  });

  test("goes with new money into one receipt, the older money first", async () => {
    const next = await aBill(house, store, partyId, {
      dueDate: "2026-05-20",
      lines: [aLine("rent", 70_000)],
    });
    const made = await take(house, store, accounts, partyId, {
      amount: 45_000,
      paidAt: "2026-05-20T00:20:00+08:00",
      bills: [next],
      usePrepaid: true,
    });
    expect(made.preview).toMatchObject({
      prepaidBefore: 30_000,
      prepaidUsed: 30_000,
      toPrepaid: 5_000,
      prepaidAfter: 5_000,
    });
    expect(await prepaid(partyId)).toBe(5_000);
  });
});

describe("an allocation", () => {
  let id: number;
  let flowId: number;
  let lineId: number;
  let partyId: number;

  beforeAll(async () => {
    house.setClock("2026-06-01T09:00:00+08:00");
    partyId = await aParty(house, "陈晨");
    id = await aBill(house, store, partyId, { dueDate: "2026-06-01", lines: [aLine("rent", 50_000)] });
    const paidAt = "2026-06-01T08:00:00+08:00";
    flowId = (await take(house, store, accounts, partyId, { amount: 80_000, paidAt })).id!;
    lineId = (await bill(id)).lines[0]!.id;
  });

  test("by hand never goes above what is owed or what is left", async () => {
    const pay = (amount: number) =>
      acting(house, (act) => allocateFlow(act, flowId, [{ billId: id, lineId, amount }]));
    await expect(pay(50_001)).rejects.toThrow("超过该费用的未收金额");
    await expect(pay(80_001)).rejects.toThrow("分配金额超过未分配余额");
    await pay(30_000);
    expect(await bill(id)).toMatchObject({ outstanding: 20_000, status: "partial" });
    await expect(acting(house, (act) => voidBills(act, [id], "作废"))).rejects.toThrow(
      "账单已收款，不能作废，请使用冲销或退款",
    );
  });

  test("that is undone gives the money back to the party and the debt back to the bill", async () => {
    const row = await db
      .selectFrom("allocation")
      .select("id")
      .where("billId", "=", id)
      .executeTakeFirstOrThrow();
    await acting(house, (act) => takeBack(act, flowId, row.id));
    expect(await bill(id)).toMatchObject({ outstanding: 50_000, settled: 0, status: "unpaid" });
    expect(await prepaid(partyId)).toBe(80_000);
    await expect(acting(house, (act) => takeBack(act, flowId, row.id))).rejects.toThrow("记录不存在");
  });
});
