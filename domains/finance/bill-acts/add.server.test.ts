import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { explainBill, getBill } from "../bill-list/bill.contract.ts";
import { aBill, aContract, aParty } from "../bill/bill.sample.ts";
import { type Billed, aBilledStore } from "../bill/billed.sample.ts";
import * as acts from "./acts.contract.ts";

const house = await testHouse();
const { pool } = house.database;
let world: Billed;
beforeAll(async () => {
  world = await aBilledStore(house);
});

describe("a bill by hand", () => {
  const body = (more: object = {}) => ({
    villageId: world.store.villageId,
    partyId: world.partyId,
    roomId: world.store.roomId,
    title: "赔偿与保洁",
    dueDate: "2026-03-25",
    lines: [
      {
        feeSubjectId: subject,
        periodStart: "2026-03-20",
        periodEnd: "2026-03-20",
        quantity: "1.5",
        price: 12_345,
      },
    ],
    ...more,
  });
  let subject: number;
  beforeAll(async () => {
    const { rows } = await pool.query<{ id: number }>(
      "select id from fee_subject where code = 'cleaning' limit 1",
    );
    subject = rows[0]!.id;
  });

  test("takes quantity times price, tax by subject, and the village's late-fee terms", async () => {
    const { id } = await house.did(acts.addBill, { as: world.clerk }, { body: body() });
    // 123.45 × 1.5 = 185.175, half-up 185.18; tax 185.18 ÷ 1.06 × 6%
    const made = await house.did(getBill, { as: world.clerk }, { params: { id } });
    expect(made).toMatchObject({ amount: 18_518, graceDays: 3, lateFeeRate: "0.000500", source: "manual" });
    expect(made.lines[0]).toMatchObject({ tax: 1048, priced: "123.45 × 1.5" });
    expect((await house.did(explainBill, { as: world.clerk }, { params: { id } })).lines[0]!.diff).toBe(0);
  });

  test("of a contract takes the terms that the contract has agreed", async () => {
    const contractId = await aContract(house, world.store, world.partyId, { no: "HT20260101-000070" });
    await pool.query("update contract set terms = terms || $2 where id = $1", [
      contractId,
      { graceDays: 10, lateFeeDailyRate: "0.03", lateFeeCapPercent: 30 },
    ]);
    const { id } = await house.did(acts.addBill, { as: world.clerk }, { body: body({ contractId }) });
    expect(await house.did(getBill, { as: world.clerk }, { params: { id } })).toMatchObject({
      graceDays: 10,
      lateFeeRate: "0.000300",
      lateFeeCap: 0.3,
    });
  });

  test("is refused for another's customer, a foreign room, and a deposit without contract", async () => {
    const foreigner = await aParty(house, "外店客户", { villageId: world.other.villageId });
    expect(
      (
        await house.ask(
          acts.addBill,
          { as: world.clerk, key: "foreign-party" },
          { body: body({ partyId: foreigner }) },
        )
      ).status,
    ).toBe(404);
    const room = await house.ask(
      acts.addBill,
      { as: world.clerk, key: "foreign-room" },
      { body: body({ roomId: world.other.roomId }) },
    );
    expect(room.body.fields).toEqual([{ field: "roomId", msg: "房间不属于该门店" }]);
    const { rows } = await pool.query<{ id: number }>(
      "select id from fee_subject where code = 'deposit' limit 1",
    );
    const lines = [
      { feeSubjectId: rows[0]!.id, periodStart: "2026-03-20", periodEnd: "2026-03-20", price: 1 },
    ];
    const deposit = await house.ask(
      acts.addBill,
      { as: world.clerk, key: "loose-deposit" },
      { body: body({ lines }) },
    );
    expect(deposit.body.fields).toEqual([{ field: "lines.0.feeSubjectId", msg: "押金须选择合同" }]);
  });

  test("hangs on no contract that is not signed, or void, also where it is voided just now", async () => {
    const { db } = house.database;
    const number = "HT20260101-000007";
    const at = { as: world.clerk };
    const { id: contractId } = await db
      .selectFrom("contract")
      .select("id")
      .where("contractNo", "=", number)
      .executeTakeFirstOrThrow();
    const set = (tx: typeof db, state: string) =>
      tx.updateTable("contract").set({ state }).where("id", "=", contractId).execute();
    const add = async () => {
      const { body: said } = await house.ask(
        acts.addBill,
        { ...at, key: randomUUID() },
        { body: body({ contractId }) },
      );
      return said.fields ?? said.data;
    };
    const unsigned = [{ field: "contractId", msg: "合同未签署生效，不能新增账单" }];
    for (const state of ["draft", "approving", "signing"]) {
      await set(db, state);
      expect(await add()).toEqual(unsigned);
    }
    // nor do the records of other acts
    await expect(aBill(house, world.store, world.partyId, { contractId })).rejects.toThrow(
      "合同未生效或已作废",
    );
    await set(db, "effective");
    let added = add();
    expect(await added).toMatchObject({ billNo: expect.stringMatching(/^ZD/) });
    await db.transaction().execute(async (tx) => {
      await set(tx, "voided");
      added = add();
      const waits =
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await expect.poll(async () => (await pool.query(waits)).rowCount, { timeout: 10_000 }).toBe(1);
    });
    expect(await added).toEqual([{ field: "contractId", msg: "合同已作废，不能新增账单" }]);
    await set(db, "effective");
  });
});
