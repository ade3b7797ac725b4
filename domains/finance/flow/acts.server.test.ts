import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aBill, aContract, aLine } from "../bill/bill.sample.ts";
import * as acts from "./acts.contract.ts";
import { aCounter } from "./counter.sample.ts";
import { getFlow } from "./flow.contract.ts";

const house = await testHouse();
house.setClock("2026-03-20T10:00:00+08:00");
const at = await aCounter(house);
const { store, accounts, second, stranger, partyId, receipt, refused } = at;
const aRent = (fen: number, more: object = {}) =>
  aBill(house, store, partyId, { dueDate: "2026-03-20", lines: [aLine("rent", fen)], ...more });
const flowOf = (id: number) => house.did(getFlow, { as: second }, { params: { id } });
const no = (message: string) => ({ status: 409, message });

describe("what a flow pays", () => {
  test("is laid out within what is left and owed, and taken back", async () => {
    const bill = await aRent(50_000);
    const { id } = await at.taken(await receipt([], 80_000));
    const params = { id: id! };
    const lineId = (await at.bill(bill)).lines[0]!.id;
    const pay = (amount: number) => ({ params, body: { wants: [{ billId: bill, lineId, amount }] } });
    expect(await refused(acts.allocateFlow, second, pay(80_001))).toEqual(no("分配金额超过未分配余额"));
    expect(await refused(acts.allocateFlow, second, pay(50_001))).toEqual(no("超过该费用的未收金额"));
    await house.did(acts.allocateFlow, { as: second }, pay(50_000));
    const [paid] = (await flowOf(params.id)).allocations;
    expect(paid).toMatchObject({ amount: 50_000, undone: false });
    const undo = { params: { ...params, allocationId: paid!.id } };
    await house.did(acts.undoAllocation, { as: second }, undo);
    expect(await at.bill(bill)).toMatchObject({ outstanding: 50_000 });
    expect((await refused(acts.undoAllocation, second, undo)).status).toBe(404);
    expect((await flowOf(params.id)).log.map((l) => l.action)).toEqual(["撤销分配", "分配", "收款"]);
  });

  test("cannot be taken back when the deposit it paid is gone", async () => {
    const contractId = await aContract(house, store, partyId);
    const lines = [aLine("deposit", 100_000, { slices: [] })];
    const bill = await aBill(house, store, partyId, {
      contractId,
      title: "押金",
      dueDate: "2026-03-20",
      lines,
    });
    const { id } = await at.taken(await receipt([bill], 100_000));
    await house.database.pool.query("update deposit_balance set held = 0 where contract_id = $1", [
      contractId,
    ]);
    const { version } = await flowOf(id!);
    const body = { reason: "重复入账", version };
    expect(await refused(acts.reverseFlow, second, { params: { id: id! }, body })).toEqual(
      no("押金已使用或已退，不能撤销该分配"),
    );
    expect(await flowOf(id!)).toMatchObject({ state: "confirmed", allocated: 100_000 });
  });

  test("falls with the flow; refunded money cannot be reversed, nor a flow twice", async () => {
    const bill = await aRent(20_000);
    const { id } = await at.taken(await receipt([bill], 20_000));
    const params = { id: id! };
    const reverse = (version: number) => ({ params, body: { reason: "重复入账", version } });
    const { version } = await flowOf(params.id);
    expect((await refused(acts.reverseFlow, second, reverse(version + 1))).message).toBe(
      "数据已被他人修改，请刷新后重试",
    );
    await house.did(acts.reverseFlow, { as: second }, reverse(version));
    expect(await at.bill(bill)).toMatchObject({ outstanding: 20_000 });
    expect(await refused(acts.reverseFlow, second, reverse((await flowOf(params.id)).version))).toEqual(
      no("当前状态为“已冲销”，不能冲销"),
    );
    const back = await at.taken(await receipt([], 5_000));
    await house.database.pool.query("update flow set refunded = 1000 where id = $1", [back.id]);
    const sent = { params: { id: back.id! }, body: { reason: "退款", version: 1 } };
    expect(await refused(acts.reverseFlow, second, sent)).toEqual(no("该流水的款项已退款，不能冲销"));
  });
});

test("no act on a flow reaches into another's store", async () => {
  const { id } = await at.taken(await receipt([], 1_000));
  const params = { id: id! };
  for (const answer of [
    await refused(getFlow, stranger, { params }),
    await refused(acts.previewConfirm, stranger, { params }),
    await refused(acts.confirmFlow, stranger, { params, body: {} }),
    await refused(acts.rejectFlow, stranger, { params, body: { reason: "驳回" } }),
    await refused(acts.reverseFlow, stranger, { params, body: { reason: "冲销", version: 1 } }),
    await refused(acts.allocateFlow, stranger, {
      params,
      body: { wants: [{ billId: 1, lineId: 1, amount: 1 }] },
    }),
    await refused(acts.undoAllocation, stranger, { params: { ...params, allocationId: 1 } }),
    await refused(acts.confirmBatch, stranger, { body: { ids: [params.id] } }),
    await refused(acts.addFlow, stranger, {
      body: {
        villageId: store.villageId,
        partyId,
        amount: 100,
        channel: "cash",
        merchantAccountId: accounts.cash,
        paidAt: "2026-03-18T09:00:00+08:00",
        fileIds: [1],
      },
    }),
  ])
    expect(answer).toEqual({ status: 404, message: "记录不存在" });
});
