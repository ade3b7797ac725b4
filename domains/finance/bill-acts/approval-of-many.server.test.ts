import { beforeAll, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aModule, asking, from, otherwise } from "../../approval/module/module.sample.ts";
import { type Approved, anApprovedStore } from "./approval.sample.ts";
import { getBill, listBills } from "../bill-list/bill.contract.ts";
import { previewReduce, reduceBatch } from "./acts.contract.ts";
import * as acts from "./acts.contract.ts";

const house = await testHouse();
let world: Approved;
beforeAll(async () => {
  world = await anApprovedStore(house);
});

test("of a batch what needs no approval is void at once; the rest waits and is left out of the next reduction", async () => {
  const ids = [await world.bill(50_000), await world.bill(120_000)];
  const sent = { body: { ids, reason: "重复生成" } };
  expect(await house.did(acts.voidBatch, { as: world.clerk }, sent)).toEqual({ count: 1, waiting: 1 });
  expect([await world.statusOf(ids[0]!), await world.statusOf(ids[1]!)]).toEqual(["void", "unpaid"]);
  const how = { ids: [ids[1]!], mode: "percent" as const, percent: "5" };
  const { rows } = await house.did(previewReduce, { as: world.clerk }, { body: how });
  expect(rows[0]!.refusal).toBe("审批中，不能修改");
  const list = await house.did(
    listBills,
    { as: world.clerk },
    { query: { tag: "approving", villageIds: String(world.store.villageId) } },
  );
  expect(list.list.map((b) => b.id)).toEqual([ids[1]]);
});

test("an adjustment above the amount waits with its fen, and is laid on the bill as it was seen", async () => {
  await aModule(house, world.admin, {
    moduleType: "billAdjust",
    name: "减免审批",
    villageIds: [world.store.villageId],
    fallback: world.fallback,
    processes: [from(10_000, asking("店长", [world.manager])), otherwise()],
  });
  const id = await world.bill(300_000);
  const { lines } = await house.did(getBill, { as: world.clerk }, { params: { id } });
  const changes = [{ lineId: lines[0]!.id, mode: "percent" as const, percent: "10" }];
  const { hash } = await house.did(
    acts.previewAdjust,
    { as: world.clerk },
    { params: { id }, body: { changes } },
  );
  const body = { changes, reason: "维修补偿", previewHash: hash };
  const { examineId } = await house.did(acts.adjustBill, { as: world.clerk }, { params: { id }, body });
  const seen = await world.examine(examineId, world.manager);
  expect(seen.preview[0]!.rows).toEqual([["租金", 300_000, -30_000, 270_000]]);
  expect(seen.obstacle).toBeNull();
  await world.decide(examineId, world.manager, "approve");
  const after = await house.did(getBill, { as: world.clerk }, { params: { id } });
  expect(after).toMatchObject({ adjusted: -30_000, outstanding: 270_000, frozen: null });
  expect(after.lines[1]).toMatchObject({ kind: "adjust", reason: "维修补偿" });

  const [small, large] = [await world.bill(50_000), await world.bill(200_000)];
  const how = { ids: [small, large], mode: "percent" as const, percent: "10" };
  const preview = await house.did(previewReduce, { as: world.clerk }, { body: how });
  const reduced = await house.did(
    reduceBatch,
    { as: world.clerk },
    { body: { ...how, reason: "停水补偿", previewHash: preview.hash } },
  );
  expect(reduced).toEqual({ count: 1, waiting: 1 });
  expect((await house.did(getBill, { as: world.clerk }, { params: { id: small } })).adjusted).toBe(-5_000);
  expect((await house.did(getBill, { as: world.clerk }, { params: { id: large } })).adjusted).toBe(0);
});
