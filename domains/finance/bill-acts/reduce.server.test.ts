import { beforeAll, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { getBill } from "../bill-list/bill.contract.ts";
import { aBill, aLine } from "../bill/bill.sample.ts";
import { type Billed, aBilledStore } from "../bill/billed.sample.ts";
import { adjustBill, previewAdjust, previewReduce, reduceBatch } from "./acts.contract.ts";

const house = await testHouse();
let world: Billed;
beforeAll(async () => {
  world = await aBilledStore(house);
});

const look = (body: object, as = world.clerk) => house.did(previewReduce, { as }, { body: body as never });
const read = (id: number) => house.did(getBill, { as: world.clerk }, { params: { id } });
const someBills = async () => [
  await aBill(house, world.store, world.partyId, {
    lines: [aLine("rent", 300_000), aLine("property", 20_000)],
  }),
  await aBill(house, world.store, world.partyId, { lines: [aLine("rent", 100_000)] }),
];

test("five percent off some bills: each before and after, the refused ones with why, done as it was shown", async () => {
  const two = await someBills();
  const ids = [...two, world.ids["paid"]!, world.ids["gone"]!];
  const how = { mode: "percent" as const, percent: "5" };
  const preview = await look({ ids, ...how });
  expect(preview.rows.map((row) => [row.before, row.change, row.after, row.refusal])).toEqual([
    [300_000, 0, 300_000, "账单没有未收金额，不能调整"],
    [300_000, 0, 300_000, "账单已作废，不能调整"],
    [320_000, -16_000, 304_000, null],
    [100_000, -5_000, 95_000, null],
  ]);
  expect(preview).toMatchObject({ count: 2, before: 420_000, change: -21_000, after: 399_000 });

  const body = { ids: two, ...how, reason: "整栋停水补偿", previewHash: preview.hash };
  const sent = { as: world.clerk, key: "five-percent-off" };
  expect((await house.ask(reduceBatch, sent, { body })).body.data).toEqual({ count: 2, waiting: 0 });
  // the same press again moves nothing
  expect((await house.ask(reduceBatch, sent, { body })).status).toBe(200);
  const [first, second] = [await read(two[0]!), await read(two[1]!)];
  expect([first.adjusted, first.outstanding]).toEqual([-16_000, 304_000]);
  expect([second.adjusted, second.outstanding]).toEqual([-5_000, 95_000]);
  expect(first.lines.filter((l) => l.kind === "adjust").map((l) => [l.subject, l.amount])).toEqual([
    ["租金", -15_000],
    ["物业费", -1_000],
  ]);
  expect(first.log[0]!.summary).toBe("批量减免 租金、物业费 3,200.00 → 3,040.00：整栋停水补偿");

  const stale = await house.ask(reduceBatch, { as: world.clerk, key: "five-again" }, { body });
  expect([stale.status, stale.body.message]).toEqual([409, "账单试算已变化，请核对后重新确认"]);
});

test("an amount off every bill, of one fee alone; nothing happens when one of them refuses", async () => {
  const two = await someBills();
  const { lines } = await read(two[0]!);
  const property = lines.find((l) => l.subject === "物业费")!;
  const of = { mode: "minus" as const, value: 8_000, feeSubjectId: property.feeSubjectId };
  const preview = await look({ ids: two, ...of });
  expect(preview.rows.map((row) => [row.subjects, row.change, row.refusal])).toEqual([
    ["物业费", -8_000, null],
    ["", 0, "没有这项费用"],
  ]);
  const all = { ids: two, ...of, reason: "电梯停运", previewHash: preview.hash };
  expect((await house.ask(reduceBatch, { as: world.clerk, key: "both-or-none" }, { body: all })).status).toBe(
    409,
  );
  expect((await read(two[0]!)).adjusted).toBe(0);
  await house.did(reduceBatch, { as: world.clerk }, { body: { ...all, ids: [two[0]!] } });
  expect((await read(two[0]!)).lines.find((l) => l.id === property.id)).toMatchObject({
    adjusted: -8_000,
    outstanding: 12_000,
  });
  const more = await look({ ids: [two[0]!], mode: "minus", value: 999_999_00 });
  expect(more.rows[0]!.refusal).toBe("减免金额不能大于费用金额");
});

test("a late fee is not lowered with many others, also where it is named: that has a code of its own", async () => {
  const id = await aBill(house, world.store, world.partyId, { lines: [aLine("rent", 100_000)] });
  const params = { id };
  const changes = [{ lineId: null, mode: "minus" as const, value: 300 }];
  const { hash } = await house.did(previewAdjust, { as: world.clerk }, { params, body: { changes } });
  const waiver = { changes, reason: "首次逾期减免", previewHash: hash };
  await house.did(adjustBill, { as: world.clerk }, { params, body: waiver });
  const { feeSubjectId } = (await read(id)).lines.find((l) => l.kind === "lateFee")!;
  const named = await look({ ids: [id], mode: "minus", value: 100, feeSubjectId });
  expect(named.rows.map((row) => row.refusal)).toEqual(["没有这项费用"]);
  const all = await look({ ids: [id], mode: "percent", percent: "10" });
  expect(all.rows.map((row) => [row.subjects, row.change])).toEqual([["租金", -10_000]]);
});

test("needs its own code, sees no other store's bills, and says what is missing under its field", async () => {
  const ids = [world.ids["late"]!];
  const how = { mode: "percent", percent: "5" };
  expect(
    (await house.ask(previewReduce, { as: world.stranger }, { body: { ids, ...how } as never })).status,
  ).toBe(404);
  const reader = await house.person({ permits: ["26.query", "26.edit"], villages: [world.store.villageId] });
  expect((await house.ask(previewReduce, { as: reader }, { body: { ids, ...how } as never })).status).toBe(
    403,
  );
  const wrong = await house.ask(
    previewReduce,
    { as: world.clerk },
    { body: { ids, mode: "minus" } as never },
  );
  expect(wrong.body.fields).toEqual([{ field: "value", msg: "请输入减少金额" }]);
});
