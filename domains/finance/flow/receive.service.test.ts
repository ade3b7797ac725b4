import { beforeAll, describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aBill, aContract, aLine, aParty, aStore, bookBalance } from "../bill/bill.sample.ts";
import { readBills } from "../bill/bills.queries.ts";
import { someAccounts, take } from "./flow.sample.ts";
import { allocateFlow, reverseFlow, takeBack, usePrepaid } from "./allocate.service.ts";
import { voidBills } from "../bill/bill.service.ts";

const house = await testHouse();
const { db, pool } = house.database;
const store = await aStore(house);
const accounts = await someAccounts(house, store);
const prepaid = async (partyId: number) =>
  (await db.selectFrom("partyBalance").select("balance").where("partyId", "=", partyId).executeTakeFirst())
    ?.balance ?? 0;
const bill = async (id: number) => (await readBills({ tx: db }, [id]))[0]!;

describe("张三's receipt of 6,350.00", () => {
  const month = { periodStart: "2026-03-10", periodEnd: "2026-04-09" };
  let partyId: number;
  let contractId: number;
  let depositBill: number;
  let rentBill: number;
  let made: Awaited<ReturnType<typeof take>>;

  beforeAll(async () => {
    house.setClock("2026-03-10T09:00:00+08:00");
    partyId = await aParty(house, "张三");
    contractId = await aContract(house, store, partyId, { start: "2026-03-10" });
    depositBill = await aBill(house, store, partyId, {
      contractId,
      title: "押金",
      dueDate: "2026-03-10",
      lines: [aLine("deposit", 300_000, { slices: [] })],
    });
    rentBill = await aBill(house, store, partyId, {
      contractId,
      dueDate: "2026-03-10",
      lines: [aLine("rent", 300_000, month), aLine("property", 10_000, month)],
    });
    const paidAt = "2026-03-10T08:30:00+08:00";
    made = await take(house, store, accounts, partyId, {
      amount: 635_000,
      paidAt,
      bills: [depositBill, rentBill],
    });
  });

  test("pays deposit, rent and property fee; 250.00 stays prepaid; the channel keeps 38.10", async () => {
    expect(made.preview.rows.map((r) => [r.subject, r.pay])).toEqual([
      ["押金", 300_000],
      ["租金", 300_000],
      ["物业费", 10_000],
    ]);
    expect(made.preview).toMatchObject({ paid: 610_000, toPrepaid: 25_000, fee: 3810, prepaidAfter: 25_000 });
    expect(
      await db.selectFrom("flow").selectAll().where("id", "=", made.id!).executeTakeFirst(),
    ).toMatchObject({
      amount: 635_000,
      fee: 3810,
      allocated: 610_000,
      unallocated: 25_000,
      state: "confirmed",
      paidOn: "2026-03-10",
    });
    expect(await bill(rentBill)).toMatchObject({ status: "paid", outstanding: 0, settled: 310_000 });
    expect(await prepaid(partyId)).toBe(25_000);
    expect(await bookBalance(house, "2203")).toBe(-25_000);
    expect(await bookBalance(house, "2241")).toBe(-300_000);
    expect(await bookBalance(house, "1012")).toBe(635_000 - 3810);
    expect(await bookBalance(house, "6602")).toBe(3810);
    // the WeChat account is the company's, so head office owes the store what came in
    expect(await bookBalance(house, "2299", store.villageId)).toBe(635_000 - 3810);
    const held = await db
      .selectFrom("depositBalance")
      .selectAll()
      .where("contractId", "=", contractId)
      .execute();
    expect(held.find((h) => h.kind === "deposit")!.held).toBe(300_000);
    const money = await db
      .selectFrom("contractMoney")
      .selectAll()
      .where("contractId", "=", contractId)
      .executeTakeFirst();
    expect(money).toMatchObject({ received: 610_000, outstanding: 0, depositHeld: 300_000, nextDueOn: null });
  });

  test("when reversed gives everything back and leaves the fee a cost", async () => {
    house.setClock("2026-03-12T09:00:00+08:00");
    await acting(house, (act) => reverseFlow(act, made.id!, "重复入账"));
    expect(await bill(rentBill)).toMatchObject({ status: "unpaid", outstanding: 310_000 });
    expect(await bill(depositBill)).toMatchObject({ outstanding: 300_000 });
    expect(await prepaid(partyId)).toBe(0);
    expect(await bookBalance(house, "2203")).toBe(0);
    expect(await bookBalance(house, "2241")).toBe(0);
    expect(await bookBalance(house, "1012")).toBe(-3810);
    const { rows } = await pool.query(
      "select event, date from journal_entry where source_type = 'flow' and source_id = $1 order by event",
      [made.id],
    );
    expect(rows).toEqual([
      { event: "E06", date: "2026-03-10" },
      { event: "E07", date: "2026-03-10" },
      { event: "E10", date: "2026-03-12" },
    ]);
    await expect(acting(house, (act) => reverseFlow(act, made.id!, "再冲一次"))).rejects.toThrow(
      "当前状态为“已冲销”，不能冲销",
    );
    await expect(house.database.owner.query("delete from allocation")).rejects.toThrow("append-only");
  });
});

describe("李四's rent of 2,800.00", () => {
  let partyId: number;
  let id: number;

  beforeAll(async () => {
    house.setClock("2026-03-01T09:00:00+08:00");
    partyId = await aParty(house, "李四");
    id = await aBill(house, store, partyId, { lines: [aLine("rent", 280_000)] });
  });

  test("part paid on 26 March freezes 22 days of late fee, 30.80 with 0.44 tax", async () => {
    house.setClock("2026-03-26T15:00:00+08:00");
    await take(house, store, accounts, partyId, {
      amount: 150_000,
      channel: "cash",
      paidAt: "2026-03-26T14:00:00+08:00",
      bills: [id],
    });
    const now = await bill(id);
    expect(now).toMatchObject({ amount: 283_080, settled: 150_000, outstanding: 133_080, status: "partial" });
    expect(now.lines[1]).toMatchObject({ kind: "lateFee", amount: 3080, tax: 44, settled: 0 });
    expect(await bookBalance(house, "6052")).toBe(-3036);
  });

  test("paid with 1,330.80 on 10 April leaves 9.75 frozen and unpaid", async () => {
    house.setClock("2026-04-10T15:00:00+08:00");
    const made = await take(house, store, accounts, partyId, {
      amount: 133_080,
      channel: "cash",
      paidAt: "2026-04-10T14:00:00+08:00",
      bills: [id],
    });
    expect(made.preview.frozen).toEqual([{ billId: id, billNo: (await bill(id)).billNo, amount: 975 }]);
    const now = await bill(id);
    expect(now).toMatchObject({ outstanding: 975, status: "partial" });
    expect(now.lines.map((l) => [l.kind, l.amount, l.outstanding])).toEqual([
      ["normal", 280_000, 0],
      ["lateFee", 3080, 0],
      ["lateFee", 975, 975],
    ]);
  });

  test("money that came earlier lowers the fee that is not paid", async () => {
    const early = await aBill(house, store, partyId, {
      dueDate: "2026-04-01",
      lines: [aLine("rent", 100_000)],
    });
    house.setClock("2026-04-30T15:00:00+08:00");
    await take(house, store, accounts, partyId, {
      amount: 20_000,
      channel: "cash",
      paidAt: "2026-04-30T10:00:00+08:00",
      bills: [early],
    });
    // 26 days of 1,000.00
    expect((await bill(early)).lines[1]).toMatchObject({ amount: 1300 });
    await take(house, store, accounts, partyId, {
      amount: 50_000,
      channel: "cash",
      paidAt: "2026-04-10T10:00:00+08:00",
      bills: [early],
    });
    // 6 days of 1,000.00, 20 days of 500.00: 3.00 + 5.00
    const now = await bill(early);
    expect(now.lines.filter((l) => l.kind === "lateFee").map((l) => l.amount)).toEqual([1300, -500]);
    expect(now.outstanding).toBe(100_000 - 70_000 + 800);
  });
});

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
