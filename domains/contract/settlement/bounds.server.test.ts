import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { voidBatch } from "../../finance/bill-acts/acts.contract.ts";
import { listBills } from "../../finance/bill-list/bill.contract.ts";
import { SETTLING } from "../../finance/bill/bill.rules.ts";
import { take } from "../../finance/flow/flow.sample.ts";
import { aForm, aRenter, signed } from "../contract/contract.sample.ts";
import { getContract } from "../contract/detail.contract.ts";
import { voidContract } from "../signing/signing.contract.ts";
import { type SettleDraft, settlementActs } from "./settlement.contract.ts";

import { PERMITS, aSettler } from "./settlement.sample.ts";

const house = await testHouse();
const {
  shop,
  as,
  pool,
  accounts,
  CHARGES,
  subject,
  another,
  lease,
  draft,
  asked,
  preview,
  row,
  agreed,
  confirm,
  sound,
} = await aSettler(house);

describe("what a settlement cannot book is refused as it is typed", () => {
  test.each([
    ["a deposit is no deduction", { feeId: subject("deposit") }, "不能作为退房扣款的科目"],
    [
      "an amount that is not what they come to",
      { quantity: "3", price: 100, amount: 400 },
      "金额应等于数量 × 单价",
    ],
    ["a quantity that is none", { quantity: "-3", price: 100 }, "请输入正确的数量（最多8位整数、2位小数）"],
    ["a quantity without its price", { quantity: "3", price: null }, "数量和单价须同时填写"],
    [
      "a product beyond every bound",
      { quantity: "99999999.99", price: 9_999_999_999, amount: 9_999_999_999 },
      "金额应等于数量 × 单价",
    ],
  ])("%s", async (_, more, msg) => {
    const contract = await lease();
    house.setClock("2026-08-05T10:00:00+08:00");
    const { id } = await asked(contract.id);
    const typed = draft({ charges: [{ ...CHARGES[3]!, ...more }] });
    const weighed = await house.ask(
      settlementActs.preview,
      { as },
      { params: { id }, body: { draft: typed } },
    );
    expect(weighed.status).toBe(400);
    expect(JSON.stringify(weighed.body)).toContain(msg);
    const { version } = await row(id);
    const kept = await house.ask(
      settlementActs.edit,
      { as },
      { params: { id }, body: { ...typed, version } },
    );
    expect(kept.status).toBe(400);
  });

  test.each([
    ["before the tenant leaves", { settleOn: "2026-07-01" }, "结算日不能早于退房日"],
    ["in the future", { settleOn: "2026-12-01" }, "结算日不能晚于今天"],
    ["notice after leaving", { noticeOn: "2026-08-06" }, "通知日不能晚于退房日"],
  ])("a day %s", async (_, more, msg) => {
    const contract = await lease();
    house.setClock("2026-08-05T10:00:00+08:00");
    const refused = await house.ask(
      settlementActs.ask,
      { as },
      { body: { contractId: contract.id, ...draft(more) } },
    );
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain(msg);
  });

  test("deductions that add up beyond what a bill may hold are an obstacle, not a failure", async () => {
    const contract = await lease();
    house.setClock("2026-08-05T10:00:00+08:00");
    const most = { ...CHARGES[3]!, amount: 9_999_999_999 };
    const { id } = await asked(contract.id, { charges: [most, most] });
    const { obstacles, previewHash } = await preview(id);
    expect(obstacles.length).toBeGreaterThan(0);
    const { version } = await row(id);
    const refused = await house.ask(
      settlementActs.submit,
      { as },
      { params: { id }, body: { version, previewHash } },
    );
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.status).toBeLessThan(500);
  });
});

describe("what else is under way", () => {
  test("who has the keys did not fail to move in: neither asked for, nor confirmed where they came since", async () => {
    const contract = await lease();
    const never = draft({ effectiveOn: "2026-03-14", endReason: "notMovedIn", noticeOn: null, charges: [] });
    house.setClock("2026-03-20T10:00:00+08:00");
    const { id } = await asked(contract.id, never);
    const moved = (on: string | null) =>
      house.database.pool.query("update contract set handover_on = $2 where id = $1", [contract.id, on]);
    expect((await preview(id)).obstacles).toEqual([]);
    await moved("2026-03-20");
    const msg = "已办理入住，不能按未入住退房";
    expect((await preview(id)).obstacles).toEqual([{ code: "notAllowed", msg }]);
    const { version } = await row(id);
    const body = { ...never, reason: "租客未到", version };
    const kept = await house.ask(settlementActs.edit, { as }, { params: { id }, body });
    expect([kept.status, kept.body.fields]).toEqual([400, [{ field: "endReason", msg }]]);
  });

  test("two clerks ask for the same leaving at once: one is asked for", async () => {
    const contract = await lease();
    house.setClock("2026-08-05T10:00:00+08:00");
    const body = { contractId: contract.id, ...draft() };
    const both = await Promise.all([1, 2].map(() => house.ask(settlementActs.ask, { as }, { body })));
    expect(both.map((b) => b.status).toSorted()).toEqual([200, 409]);
    expect(both.find((b) => b.status === 409)!.body.reason).toBe("actOpen");
  });

  test("a payment against a confirmation: whoever is second sees what the first did", async () => {
    for (let i = 0; i < 4; i++) {
      const contract = await lease({ cycleMonths: 1 }, 4);
      house.setClock("2026-08-05T10:00:00+08:00");
      const ready = await agreed(contract.id);
      const { rows } = await pool.query<{ id: string; outstanding: string }>(
        "select id, outstanding from bill where contract_id = $1 and outstanding > 0 order by due_date limit 1",
        [contract.id],
      );
      const [paid, settled] = await Promise.allSettled([
        take(house, shop as never, accounts, contract.partyId, {
          amount: Number(rows[0]!.outstanding),
          paidAt: "2026-08-05T09:00:00+08:00",
          bills: [Number(rows[0]!.id)],
          channel: "cash",
        }),
        confirm(ready),
      ]);
      const answer = settled.status === "fulfilled" ? settled.value : undefined;
      expect(answer).toBeDefined();
      if (answer!.status !== 200) {
        expect(answer!.body.reason).toBe("previewChanged");
        expect(paid.status).toBe("fulfilled");
        expect((await row(ready.id)).state).toBe("confirming");
      }
      expect(await sound()).toEqual([]);
    }
  });

  test("a contract that is being settled is not voided", async () => {
    house.setClock("2026-03-12T10:00:00+08:00");
    const roomId = await another();
    const partyId = await aRenter(house, shop.villageId);
    const contract = await signed(house, as, aForm({ ...shop, roomId, partyId }), "2026-03-12");
    await asked(contract.id, { effectiveOn: "2026-03-20", noticeOn: undefined, charges: [] });
    const { version } = await house.did(getContract, { as }, { params: { id: contract.id } });
    const refused = await house.ask(
      voidContract,
      { as, key: randomUUID() },
      { params: { id: contract.id }, body: { version, reason: "录错了" } },
    );
    expect(refused).toMatchObject({ status: 409, body: { reason: "actOpen" } });
  });

  test("it is not taken back once the room is let to another", async () => {
    const contract = await lease();
    house.setClock("2026-08-05T10:00:00+08:00");
    const ready = await agreed(contract.id);
    expect((await confirm(ready)).status).toBe(200);
    const { refundId } = await row(ready.id);
    expect(refundId).not.toBeNull();
    const partyId = await aRenter(house, shop.villageId);
    const next = aForm(
      { ...shop, roomId: contract.roomId, partyId },
      { start: "2026-08-10", basis: "actual" },
    );
    await signed(house, as, next, "2026-08-05");
    const { version } = await row(ready.id);
    const undone = await house.ask(
      settlementActs.undo,
      { as, key: randomUUID() },
      { params: { id: ready.id }, body: { version, reason: "租客改变主意" } },
    );
    expect(undone.status).toBe(409);
    expect((await row(ready.id)).state).toBe("toPay");
    expect(await sound()).toEqual([]);
  });

  test("a clerk works on a settlement whose penalty a manager has set, and the penalty stays", async () => {
    const contract = await lease();
    house.setClock("2026-08-05T10:00:00+08:00");
    const { id } = await asked(contract.id, { penalty: 0, penaltyReason: "协商免除" });
    const clerk = await house.person({ permits: PERMITS, villages: [shop.villageId] });
    const edit = async (more: Partial<SettleDraft>) =>
      house.ask(
        settlementActs.edit,
        { as: clerk },
        { params: { id }, body: { ...draft(more), version: (await row(id)).version } },
      );
    const kept = await edit({ penalty: 0, penaltyReason: "协商免除", charges: [] });
    expect(kept.status).toBe(200);
    expect((await row(id)).draft).toMatchObject({ penalty: 0, charges: [] });
    expect((await edit({ penalty: 100, penaltyReason: "协商免除" })).status).toBe(403);
  });
});

test("of many bills that are voided together, the one whose contract is being settled is named", async () => {
  const biller = await house.person({ permits: ["26.query", "#2602"], villages: [shop.villageId] });
  const open = async (contractId: number) =>
    (await house.did(listBills, { as: biller }, { query: { contractId } as never })).list.find(
      (bill) => bill.outstanding > 0,
    )!;
  const [leaving, staying] = [await lease({ cycleMonths: 1 }, 4), await lease({ cycleMonths: 1 }, 4)];
  house.setClock("2026-08-05T10:00:00+08:00");
  await agreed(leaving.id);
  const [due, other] = [await open(leaving.id), await open(staying.id)];
  const body = { ids: [other.id, due.id], reason: "重复录入" };
  const voided = await house.ask(voidBatch, { as: biller, key: randomUUID() }, { body });
  expect([voided.status, voided.body.message]).toEqual([409, `${due.billNo}：${SETTLING}`]);
});
