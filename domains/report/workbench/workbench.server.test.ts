import { describe, expect, test } from "vitest";
import { addDays } from "../../../platform/kernel/day.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aBill, aLine, aParty, aStore, type Store } from "../../finance/bill/bill.sample.ts";
import { someAccounts, take } from "../../finance/flow/flow.sample.ts";
import { setBilling } from "../../finance/setting/setting.service.ts";
import { aLease } from "../../listing/occupancy/occupancy.sample.ts";
import { aBuilding, aFlat } from "../../listing/village/village.sample.ts";
import { workbenchFigures, workbenchTodo, workbenchTrend, workbenchWeek } from "./workbench.contract.ts";

const house = await testHouse();
const { db } = house.database;
const TODAY = "2026-11-20"; // a Friday
const at = (time = "10:00:00") => house.setClock(`${TODAY}T${time}+08:00`);
at();
const [a, b, c] = [await aStore(house), await aStore(house), await aStore(house)];
for (const { villageId } of [a, b, c])
  await setBilling({ tx: db }, { enterpriseId: house.enterpriseId, villageId }, { lateFeeEnabled: false });

const ALL = ["1.query", "3.query", "9.query", "26.query", "99.query", "114.query"];
const manager = await house.person({ permits: ALL, villages: [a.villageId, b.villageId] });
const porter = await house.person({ permits: ["1.query", "3.query"], villages: [a.villageId] });
const todo = async (as = manager, villageIds?: number) => {
  const { list } = await house.did(
    workbenchTodo,
    { as },
    { query: villageIds ? { villageIds: String(villageIds) } : {} },
  );
  return Object.fromEntries(list.map((row) => [row.key, row]));
};

describe("overdue bills", async () => {
  const overdue = async (store: Store, n: number, amount: number) => {
    const partyId = await aParty(house, "赵思源");
    const ids: number[] = [];
    for (let i = 0; i < n; i++)
      ids.push(
        await aBill(house, store, partyId, {
          dueDate: addDays(TODAY, -1 - i),
          lines: [aLine("rent", amount)],
        }),
      );
    return { partyId, ids };
  };
  // 12 bills of 38,400.00 in two stores; those of the third, and what is due today, count nowhere
  const first = await overdue(a, 8, 300_000);
  await overdue(b, 4, 360_000);
  await overdue(c, 3, 999_900);
  await aBill(house, a, first.partyId, { dueDate: TODAY });

  test("twelve of 38,400.00; one of 3,000.00 is paid, and it is eleven of 35,400.00", async () => {
    const before = (await todo())["overdueBills"]!;
    expect(before).toMatchObject({ count: 12, amountFen: 3_840_000, lateCount: 12, lateDays: 8 });
    expect(before.target).toBe("tab=overdue&direction=receivable");
    expect(before.top).toHaveLength(5);
    expect(before.top[0]).toMatchObject({
      sub: "赵思源",
      late: 8,
      amountFen: 300_000,
      day: addDays(TODAY, -8),
    });
    expect(before.top[0]!.link).toBe(`/accountManage/BillListManage?id=${first.ids[7]}`);

    const accounts = await someAccounts(house, a);
    await take(house, a, accounts, first.partyId, {
      amount: 300_000,
      paidAt: `${TODAY}T09:00:00+08:00`,
      channel: "cash",
      bills: [first.ids[0]!],
    });
    expect((await todo())["overdueBills"]).toMatchObject({ count: 11, amountFen: 3_540_000 });
  });

  test("a store picks its own, and the list it opens is asked for the same store", async () => {
    expect((await todo(manager, b.villageId))["overdueBills"]).toMatchObject({
      count: 4,
      amountFen: 1_440_000,
      target: `tab=overdue&direction=receivable&villageIds=${b.villageId}`,
    });
    const other = await house.ask(
      workbenchTodo,
      { as: manager },
      { query: { villageIds: String(c.villageId) } },
    );
    expect([other.status, other.body.message]).toEqual([404, "记录不存在"]);
  });

  test("who may not see bills gets no such key and no such figure", async () => {
    expect(Object.keys(await todo(porter))).toEqual(["approvals", "returned", "holdingOver", "dirty"]);
    const { figures } = await house.did(workbenchFigures, { as: porter }, { query: {} });
    const { days } = await house.did(workbenchTrend, { as: porter }, { query: {} });
    expect(figures.map((f) => f.key)).toEqual(["occupancyRate", "vacant"]);
    expect(days.every((d) => d.collected === null)).toBe(true);
    expect((await house.did(workbenchWeek, { as: porter }, { query: {} })).kinds).toEqual([]);
  });

  test("the figures of the day tie to the reports: takings, and arrears against yesterday", async () => {
    const { figures } = await house.did(workbenchFigures, { as: manager }, { query: {} });
    const { days } = await house.did(workbenchTrend, { as: manager }, { query: {} });
    const figure = Object.fromEntries(figures.map((f) => [f.key, f]));
    expect(figure["collected"]).toMatchObject({ value: 300_000, before: 0 });
    // yesterday's ledger knew nothing of bills that were made today
    expect(figure["arrears"]).toMatchObject({ value: 3_540_000, before: 0 });
    expect(days).toHaveLength(30);
    expect(days.at(-1)).toMatchObject({ day: TODAY, collected: 300_000 });
    expect(days[0]).toMatchObject({ day: "2026-10-22", collected: 0, rate: null });
  });
});

describe("rooms and contracts", async () => {
  const building = await aBuilding(house, b.villageId, "5栋");
  const room = async (name: string) => (await aFlat(house, building, { name })).roomIds[0]!;
  const lease = async (name: string, given: object) =>
    aLease(house, { villageId: b.villageId, roomId: await room(name), ...given });
  await lease("501", { start: "2026-01-01", end: "2026-12-31" });
  await lease("502", { start: "2026-01-01", end: "2026-12-20" });
  await lease("503", { start: "2025-11-10", end: "2026-11-09", state: "expired" });
  await lease("504", { start: TODAY, handoverOn: null });
  await lease("505", { start: TODAY, handoverOn: TODAY });
  await lease("506", { start: "2026-11-22", handoverOn: null, signedOn: TODAY });
  await db
    .insertInto("turnover")
    .values({ roomId: await room("507"), villageId: b.villageId, openedDay: "2026-11-15", source: "manual" })
    .execute();
  const query = { villageIds: String(b.villageId) };

  test("each kind counts what it says, with the first of them", async () => {
    const kinds = await todo(manager, b.villageId);
    expect(kinds["expiring"]).toMatchObject({ count: 1, lateCount: 0 });
    expect(kinds["expiring"]!.top[0]).toMatchObject({ day: "2026-12-20" });
    expect(kinds["holdingOver"]).toMatchObject({ count: 1, lateCount: 1, lateDays: 11 });
    expect(kinds["holdingOver"]!.top[0]!.title).toContain("503");
    expect(kinds["moveIns"]).toMatchObject({
      count: 1,
      done: 1,
      target: `flag=toMoveIn&startFrom=${TODAY}&startTo=${TODAY}&villageIds=${b.villageId}`,
    });
    expect(kinds["dirty"]).toMatchObject({ count: 1, lateCount: 1, lateDays: 5 });
    expect(kinds["signing"]).toMatchObject({ count: 0, top: [] });
    expect(Object.keys(kinds)).not.toContain("expiringCompany");
  });

  test("let rooms over rooms that count; signed and moved in today", async () => {
    const { figures } = await house.did(workbenchFigures, { as: manager }, { query });
    const { rooms, days } = await house.did(workbenchTrend, { as: manager }, { query });
    const figure = Object.fromEntries(figures.map((f) => [f.key, f]));
    // eight rooms: 503 is held over and let, 506 starts on Sunday, 507 and the store's first room are empty
    expect(figure["occupancyRate"]!.value).toBeCloseTo(5 / 8);
    expect(figure["vacant"]).toMatchObject({ value: 3, of: 8 });
    expect(figure["newContracts"]).toMatchObject({ value: 1 });
    expect(figure["movedIn"]).toMatchObject({ value: 1, of: 2 });
    expect(days.at(-1)!.rate).toBeCloseTo(5 / 8);
    expect(Object.fromEntries(rooms!.map((r) => [r.occupancy, r.count]))).toEqual({
      occupied: 2,
      expiring: 1,
      leaving: 0,
      holdingOver: 1,
      toMoveIn: 2,
      reserved: 0,
      vacant: 2,
    });
  });

  test("the week from Monday: who comes and whose contract ends", async () => {
    const week = await house.did(workbenchWeek, { as: manager }, { query });
    expect([week.from, week.to]).toEqual(["2026-11-16", "2026-11-22"]);
    expect(week.cells.map((x) => [x.kind, x.day, x.count])).toEqual([
      ["moveIns", TODAY, 2],
      ["moveIns", "2026-11-22", 1],
    ]);
    const ends = await house.did(workbenchWeek, { as: manager }, { query: { ...query, from: "2026-12-16" } });
    expect(ends.cells).toMatchObject([{ kind: "ends", day: "2026-12-20", count: 1 }]);
  });

  test("another store's rooms and contracts count nowhere", async () => {
    const { figures } = await house.did(workbenchFigures, { as: porter }, { query: {} });
    expect(figures.find((f) => f.key === "vacant")).toMatchObject({ value: 1, of: 1 });
    expect((await todo(porter))["holdingOver"]).toMatchObject({ count: 0 });
  });
});
