import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { decideExamine, getExamine, listExamines } from "../../approval/examine/examine.contract.ts";
import { aModule, asking, otherwise } from "../../approval/module/module.sample.ts";
import {
  listRefunds,
  refundsByVillage,
  cancelRefund,
  confirmRefund,
  payoutFile,
  payRefunds,
  refundSources,
  revealAccount,
} from "../../finance/refund/refund.contract.ts";
import {
  APPLYING,
  applying,
  BANK,
  onRefund,
  refundOf,
  shownFor,
} from "../../finance/refund/refund.sample.ts";
import { aRefundDesk } from "./refund.sample.ts";
import { ledgerBreaks } from "../reservation/reservation.sample.ts";

const house = await testHouse({ poolSize: 12 });
const NOW = "2026-11-20T09:00:00+08:00";
house.setClock(NOW);
beforeEach(() => house.setClock(NOW));
const { desk, prepaidByCode, prepaid, paperOf } = await aRefundDesk(house);
const { clerk, boss, stranger, villageId } = desk;
const slip = () => paperOf(boss);

describe("prepaid money", () => {
  test("never more than is there: two at once, and the applications of others", async () => {
    const of = await prepaidByCode("4010");
    const sources = await house.did(refundSources, { as: clerk }, { query: { partyId: of.partyId } });
    expect(sources).toMatchObject([{ source: "prepaid", held: 100_000, available: 100_000 }]);
    expect((await applying(house, clerk, { ...of, amount: 100_001 })).body.fields).toEqual([
      { field: "amount", msg: "退款金额超过可退余额" },
    ]);
    // both look before either applies
    const asked = { ...of, amount: 60_000 };
    const shown = shownFor(house, clerk, asked);
    await shown;
    const both = await Promise.all([
      applying(house, clerk, asked, shown),
      applying(house, clerk, asked, shown),
    ]);
    expect(both.map((b) => b.status).toSorted()).toEqual([200, 409]);
    expect(await prepaid(of.partyId)).toBe(40_000);
    expect(await ledgerBreaks(house)).toEqual([]);
    const id = both.find((b) => b.status === 200)!.body.data.id;
    expect((await onRefund(house, boss, cancelRefund, id, { reason: "申请有误" })).status).toBe(200);
    expect(await prepaid(of.partyId)).toBe(100_000);
    expect(await ledgerBreaks(house)).toEqual([]);
  });

  test("part by part through the channel it came by", async () => {
    const of = await prepaidByCode("4011");
    const first = await applying(house, clerk, { ...of, amount: 30_000, route: "channel" });
    const second = await applying(house, clerk, { ...of, amount: 70_000, route: "channel" });
    const items = await Promise.all(
      [first, second].map(async ({ body }) => ({
        id: body.data.id,
        version: (await refundOf(house, boss, body.data.id)).version,
      })),
    );
    expect(await house.did(payRefunds, { as: boss, key: randomUUID() }, { body: { items } })).toEqual({
      paid: 2,
    });
    await house.deliver();
    const list = await house.did(listRefunds, { as: boss }, { query: { partyId: of.partyId } });
    expect(list.list.map((r) => r.state)).toEqual(["paid", "paid"]);
    expect(list.sums).toMatchObject({ amount: 100_000, paid: 100_000, toPay: 0 });
    expect(await prepaid(of.partyId)).toBe(0);
    expect(await ledgerBreaks(house)).toEqual([]);
  });

  test("to somebody else only with the relation and a paper; the account is masked, and looking at it is logged", async () => {
    const of = await prepaidByCode("4012");
    const other = { ...of, amount: 10_000, payeeName: "沈建国" };
    const no = await applying(house, clerk, other);
    expect(no.body.fields?.map((field) => field.field)).toEqual(["relation", "fileIds"]);
    const made = await applying(house, clerk, {
      ...other,
      relation: "父亲",
      fileIds: [await paperOf(clerk)],
    });
    const { id } = made.body.data;
    expect(await refundOf(house, boss, id)).toMatchObject({
      payeeName: "沈建国",
      payeeTail: "****4567",
      relation: "父亲",
    });
    expect((await house.ask(revealAccount, { as: stranger }, { params: { id } })).status).toBe(404);
    expect(await house.did(revealAccount, { as: boss }, { params: { id } })).toEqual({
      account: BANK.payeeAccount,
    });
    expect((await refundOf(house, boss, id)).log.map((l) => l.action)).toContain("查看收款账号");
  });

  test("a payment file holds whole accounts, once; then the bank's answer is confirmed", async () => {
    const of = await prepaidByCode("4013");
    const { id } = (await applying(house, clerk, { ...of, amount: 20_000 })).body.data;
    const { version } = await refundOf(house, boss, id);
    const filing = () => house.ask(payoutFile, { as: boss }, { body: { items: [{ id, version }] } });
    const file = await filing();
    expect(file.raw.toString("utf8")).toContain(`"\t${BANK.payeeAccount}",200.00`);
    expect((await refundOf(house, boss, id)).state).toBe("paying");
    expect((await filing()).status).toBe(409);
    const paying = { merchantAccountId: desk.accounts.bankTransfer, fileIds: [await slip()] };
    expect((await onRefund(house, boss, confirmRefund, id, paying)).status).toBe(200);
    expect((await refundOf(house, boss, id)).state).toBe("paid");
  });

  test("what was shown must still hold", async () => {
    const of = await prepaidByCode("4014");
    const stale = await applying(house, clerk, { ...of, amount: 20_000, previewHash: "before" });
    expect([stale.status, stale.body.reason]).toEqual([409, "previewChanged"]);
  });
});

describe("who sees them", () => {
  test("nobody outside the store; the stores' rows add up to the whole", async () => {
    const all = await house.did(listRefunds, { as: boss }, { query: {} });
    expect(all.total).toBe(5);
    expect((await house.did(listRefunds, { as: stranger }, { query: {} })).total).toBe(0);
    const villages = await house.did(refundsByVillage, { as: boss }, { query: {} });
    expect(villages.list.length).toBe(1);
    expect(villages.list[0]).toMatchObject({
      applied: all.total,
      amount: all.sums!.amount,
      paid: all.sums!.paid,
    });
    expect(villages.sums).toMatchObject({ applied: all.total, toPay: all.sums!.toPay });
    const some = await house.did(listRefunds, { as: boss }, { query: { keyword: "4567", tab: "paid" } });
    expect(some.list.every((r) => r.payeeTail === "****4567")).toBe(true);
  });
});

describe("approval", () => {
  test("where a process says so it waits, holds nothing back, and is owed with the last approval", async () => {
    const admin = await house.person({ superType: "1", name: "许承锦" });
    const chief = await house.person({ villages: [villageId], permits: APPLYING, name: "罗佳宁" });
    await aModule(house, admin, {
      moduleType: "refund",
      name: "退款审批",
      villageIds: [villageId],
      fallback: admin,
      processes: [otherwise(asking("财务", [chief]))],
    });
    const of = await prepaidByCode("4020");
    const first = await applying(house, clerk, { ...of, amount: 60_000 });
    expect(first.body.data.waiting).toMatch(/^SP/);
    const { id } = first.body.data;
    expect((await refundOf(house, boss, id)).state).toBe("approving");
    expect(await prepaid(of.partyId)).toBe(100_000);
    expect((await applying(house, clerk, { ...of, amount: 60_000 })).body.fields).toEqual([
      { field: "amount", msg: "退款金额超过可退余额" },
    ]);
    expect((await onRefund(house, clerk, cancelRefund, id, { reason: "不退了" })).body.message).toBe(
      "审批中，不能修改",
    );
    const decide = async (decision: "approve" | "reject") => {
      const { list } = await house.did(listExamines, { as: chief }, { query: {} });
      const examine = await house.did(getExamine, { as: chief }, { params: { id: list[0]!.id } });
      expect(examine.title).toMatch(/^退款 TK/);
      await house.did(
        decideExamine,
        { as: chief, key: randomUUID() },
        {
          params: { id: examine.id },
          body: { decision, version: examine.version, comment: "按账核对" } as never,
        },
      );
      await house.deliver();
    };
    await decide("approve");
    expect((await refundOf(house, boss, id)).state).toBe("toPay");
    expect(await prepaid(of.partyId)).toBe(40_000);
    const second = (await applying(house, clerk, { ...of, amount: 40_000 })).body.data.id;
    await decide("reject");
    expect(await refundOf(house, boss, second)).toMatchObject({ state: "rejected", endReason: "审批未通过" });
    expect(await prepaid(of.partyId)).toBe(40_000);
    expect(await ledgerBreaks(house)).toEqual([]);
  });
});
