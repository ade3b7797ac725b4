import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/house.sample.ts";
import { aPng, sendFile } from "../../system/file/file.sample.ts";
import { getBill } from "../bill/bill.contract.ts";
import { aBill, aLine, bookBalance } from "../bill/bill.sample.ts";
import * as acts from "./acts.contract.ts";
import { aCounter, type Counter } from "./counter.sample.ts";
import { getFlow } from "./flow.contract.ts";
import { take } from "./flow.sample.ts";
import { previewFlow, receiveFlow } from "./receive.contract.ts";

const house = await testHouse();
let at: Counter;
beforeAll(async () => {
  at = await aCounter(house);
});

describe("a channel that needs a second person", () => {
  test("waits, is confirmed by another, and then pays what it was booked for", async () => {
    const id = await aBill(house, at.store, at.partyId, {
      dueDate: "2026-03-20",
      lines: [aLine("rent", 70_000)],
    });
    const body = await at.receipt([id], 70_000, {
      channel: "bankTransfer",
      merchantAccountId: at.accounts.bankTransfer,
    });
    const { hash } = await house.did(previewFlow, { as: at.cashier }, { body });
    const made = await house.did(receiveFlow, { as: at.cashier }, { body: { ...body, previewHash: hash } });
    expect(made.state).toBe("pending");
    expect(await bookBalance(house, "1002")).toBe(0);
    const params = { id: made.id! };
    const own = await house.ask(
      acts.confirmFlow,
      { as: at.cashier, key: randomUUID() },
      { params, body: {} },
    );
    expect([own.status, own.body.message]).toEqual([409, "录入人不能确认自己的流水"]);
    await house.did(acts.confirmFlow, { as: at.second }, { params, body: {} });
    expect(await bookBalance(house, "1002")).toBe(70_000);
    expect(await house.did(getBill, { as: at.cashier }, { params: { id } })).toMatchObject({
      status: "paid",
    });
    const again = await house.ask(
      acts.confirmFlow,
      { as: at.second, key: randomUUID() },
      { params, body: {} },
    );
    expect([again.status, again.body.message]).toEqual([409, "流水已确认"]);
  });

  test("shows the new preview when the bill was paid meanwhile; confirmed by its hash the money stays prepaid", async () => {
    const id = await aBill(house, at.store, at.partyId, {
      dueDate: "2026-03-20",
      lines: [aLine("rent", 30_000)],
    });
    const body = await at.receipt([id], 30_000, {
      channel: "bankTransfer",
      merchantAccountId: at.accounts.bankTransfer,
    });
    const { hash } = await house.did(previewFlow, { as: at.cashier }, { body });
    const made = await house.did(receiveFlow, { as: at.cashier }, { body: { ...body, previewHash: hash } });
    await take(house, at.store, at.accounts, at.partyId, {
      amount: 30_000,
      channel: "cash",
      paidAt: "2026-03-20T09:30:00+08:00",
      bills: [id],
    });
    const params = { id: made.id! };
    const asked = await house.ask(
      acts.confirmFlow,
      { as: at.second, key: randomUUID() },
      { params, body: {} },
    );
    expect(asked.status).toBe(409);
    const fresh = await house.did(acts.previewConfirm, { as: at.second }, { params });
    expect(asked.body.data).toMatchObject({ hash: fresh.hash, paid: 0, toPrepaid: 30_000 });
    await house.did(acts.confirmFlow, { as: at.second }, { params, body: { previewHash: fresh.hash } });
    expect(await house.did(getFlow, { as: at.second }, { params })).toMatchObject({
      state: "confirmed",
      unallocated: 30_000,
    });
  });

  test("a flow booked afterwards needs papers and the channel's number, and moves nothing when rejected", async () => {
    const body = {
      villageId: at.store.villageId,
      partyId: at.partyId,
      amount: 12_000,
      channel: "wechat" as const,
      merchantAccountId: at.accounts.wechat,
      paidAt: "2026-03-18T09:00:00+08:00",
    };
    const bare = await house.ask(
      acts.addFlow,
      { as: at.cashier, key: randomUUID() },
      { body: { ...body, fileIds: [] } },
    );
    expect(bare.body.fields).toEqual([{ field: "fileIds", msg: "请上传附件" }]);
    const { body: sent } = await sendFile(house, at.cashier, { name: "回单.png", bytes: aPng() });
    const withFile = { ...body, fileIds: [sent.data.id] };
    const noNumber = await house.ask(acts.addFlow, { as: at.cashier, key: randomUUID() }, { body: withFile });
    expect(noNumber.body.fields).toEqual([{ field: "channelTradeNo", msg: "请输入渠道流水号" }]);
    const made = await house.did(
      acts.addFlow,
      { as: at.cashier },
      { body: { ...withFile, channelTradeNo: "4200001" } },
    );
    const twice = await house.ask(
      acts.addFlow,
      { as: at.cashier, key: randomUUID() },
      { body: { ...withFile, channelTradeNo: "4200001" } },
    );
    expect(twice.body.fields).toEqual([
      { field: "channelTradeNo", msg: `该渠道流水号已存在：${made.flowNo}` },
    ]);
    const params = { id: made.id };
    expect((await house.did(getFlow, { as: at.second }, { params })).files).toHaveLength(1);
    const before = await bookBalance(house, "1012");
    await house.did(acts.rejectFlow, { as: at.second }, { params, body: { reason: "未到账" } });
    expect(await bookBalance(house, "1012")).toBe(before);
    expect(await house.did(getFlow, { as: at.second }, { params })).toMatchObject({
      state: "rejected",
      reverseReason: "未到账",
    });
  });
});
