import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { type Person, testHouse } from "../../../platform/server/process/house.sample.ts";
import { aModule, asking, otherwise } from "../../approval/module/module.sample.ts";
import { getBill } from "../bill-list/bill.contract.ts";
import { aBill } from "../bill/bill.sample.ts";
import { someAccounts, take } from "../flow/flow.sample.ts";
import { setBilling } from "../setting/setting.service.ts";
import * as acts from "./acts.contract.ts";
import { type Approved, anApprovedStore } from "./approval.sample.ts";

const house = await testHouse({ poolSize: 6 });
let world: Approved;
beforeAll(async () => {
  world = await anApprovedStore(house);
  for (const moduleType of ["lateFeeWaiver", "writeOff"])
    await aModule(house, world.admin, {
      moduleType,
      name: moduleType,
      villageIds: [world.store.villageId],
      fallback: world.fallback,
      processes: [otherwise(asking("店长", [world.manager]))],
    });
  await setBilling({ tx: house.database.db }, { enterpriseId: house.enterpriseId }, { writeOffMinDays: 10 });
});
const aLate = () => aBill(house, world.store, world.partyId);
const billOf = (id: number) => house.did(getBill, { as: world.clerk }, { params: { id } });

/** Its late fee down by an amount, as the form sends it. */
async function waive(id: number, changes: object[], as: Person = world.clerk) {
  const body = { changes };
  const preview = await house.ask(acts.previewAdjust, { as }, { params: { id }, body: body as never });
  const previewHash = preview.body.data?.hash ?? "-";
  return house.ask(
    acts.adjustBill,
    { as, key: randomUUID() },
    { params: { id }, body: { ...body, reason: "首次逾期", previewHash } as never },
  );
}
const half = [{ lineId: null, mode: "percent", percent: "50" }];

test("a waiver of late fee waits by itself, freezes the bill, and takes off what was agreed", async () => {
  const id = await aLate();
  const before = await billOf(id);
  expect(before.lateFee).toBeGreaterThan(0);
  const { examineId } = (await waive(id, half)).body.data;
  expect(await world.examine(examineId, world.manager)).toMatchObject({
    state: "approving",
    title: `滞纳金减免 ${before.billNo}`,
  });
  expect((await waive(id, half)).body.message).toBe("审批中，不能修改");
  expect((await world.decide(examineId, world.manager, "approve")).status).toBe(200);
  const after = await billOf(id);
  const fee = after.lines.find((line) => line.kind === "lateFee")!;
  expect(fee.amount + fee.adjusted).toBe(before.lateFee - Math.round(before.lateFee / 2));
});

test("refused, it stays as it is; a charge beside it is lowered by itself, under its own authority", async () => {
  const id = await aLate();
  const { examineId } = (await waive(id, half)).body.data;
  expect((await world.decide(examineId, world.manager, "reject", { comment: "不减" })).status).toBe(200);
  const bill = await billOf(id);
  expect(bill.lines.filter((line) => line.kind === "lateFee")).toEqual([]);
  const rent = { lineId: bill.lines[0]!.id, mode: "minus", value: 100 };
  expect((await waive(id, [rent, ...half])).body.message).toBe("滞纳金请与其他费用分开减免");
  const only = await house.person({ permits: ["26.get", "#2601"], villages: [world.store.villageId] });
  expect((await waive(id, half, only)).status).toBe(403);
  const waiver = await house.person({ permits: ["26.get", "#2604"], villages: [world.store.villageId] });
  expect((await waive(id, [rent], waiver)).status).toBe(403);
  expect((await waive(id, [rent], only)).body.data).toMatchObject({ examineId: null });
});

test("a waiver only takes away: neither the fee that has grown nor one that is written down becomes more", async () => {
  const id = await aLate();
  const more = (lineId: number | null) => waive(id, [{ lineId, mode: "plus", value: 100 }]);
  const refused = [{ field: "changes.0.mode", msg: "滞纳金只能减免，不能增加" }];
  expect((await more(null)).body.fields).toEqual(refused);
  const { examineId } = (await waive(id, half)).body.data;
  expect((await world.decide(examineId, world.manager, "approve")).status).toBe(200);
  const fee = (await billOf(id)).lines.find((line) => line.kind === "lateFee")!;
  expect((await more(fee.id)).body.fields).toEqual(refused);
});

test("a fee below the amount from which any is charged is none to waive, tried or agreed to", async () => {
  const least = (lateFeeMin: number) =>
    setBilling({ tx: house.database.db }, { enterpriseId: house.enterpriseId }, { lateFeeMin });
  const id = await aLate();
  const { examineId } = (await waive(id, half)).body.data;
  await least((await billOf(id)).lateFee + 1);
  const none = [{ field: "changes.0.lineId", msg: "滞纳金未到起计金额，不会入账，无需减免" }];
  const late = await world.decide(examineId, world.manager, "approve");
  expect([late.status, late.body.fields]).toEqual([400, none]);
  expect((await world.decide(examineId, world.manager, "reject", { comment: "不减" })).status).toBe(200);
  const tried = await house.ask(
    acts.previewAdjust,
    { as: world.clerk },
    { params: { id }, body: { changes: half } as never },
  );
  expect([tried.status, tried.body.fields]).toEqual([400, none]);
  expect((await waive(id, half)).body.fields).toEqual(none);
  await least(0);
});

test("a write-off waits, is done with the yes, and is refused where the bill was paid meanwhile", async () => {
  const write = async (id: number) =>
    house.ask(
      acts.writeOff,
      { as: world.clerk, key: randomUUID() },
      { params: { id }, body: { reason: "失联", version: (await billOf(id)).version } },
    );
  house.setClock("2026-04-20T10:00:00+08:00");
  const id = await aLate();
  const { examineId } = (await write(id)).body.data;
  expect(await billOf(id)).toMatchObject({ status: "unpaid", writtenOff: 0 });
  expect((await write(id)).body.message).toBe("审批中，不能修改");
  expect((await world.decide(examineId, world.manager, "approve")).status).toBe(200);
  expect(await billOf(id)).toMatchObject({ status: "paid", writtenOff: 300_000 });

  const paid = await aLate();
  const asked = (await write(paid)).body.data;
  await take(house, world.store, await someAccounts(house, world.store), world.partyId, {
    amount: 400_000,
    channel: "cash",
    paidAt: "2026-04-20T09:00:00+08:00",
    bills: [paid],
  });
  const late = await world.decide(asked.examineId, world.manager, "approve");
  expect([late.status, late.body.message]).toEqual([409, "账单没有未收金额"]);
  const young = await aBill(house, world.store, world.partyId, { dueDate: "2026-04-15" });
  expect((await write(young)).body.message).toMatch(/^账单未满足核销条件/);
});
