import { expect, test } from "vitest";
import { addDays } from "../../../platform/kernel/day.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { listContracts } from "../../contract/contract/contract.contract.ts";
import { listBills } from "../../finance/bill-list/bill.contract.ts";
import { aBill, aLine, aParty, aStore } from "../../finance/bill/bill.sample.ts";
import { aLease } from "../../listing/occupancy/occupancy.sample.ts";
import { listRoomStatus } from "../../listing/board/list.contract.ts";
import { aBuilding, aFlat } from "../../listing/village/village.sample.ts";
import { owingReport } from "../owing/owing.contract.ts";
import { aLead } from "../../customer/lead/lead.sample.ts";
import { listLeads } from "../../customer/lead/lead.contract.ts";
import { boardSummary } from "../../listing/status/overview.contract.ts";
import { figureOf } from "../indicator/figure.rules.ts";
import { workbenchFigures, workbenchTodo } from "./workbench.contract.ts";

const house = await testHouse();
const { db } = house.database;
const TODAY = "2026-11-20";
house.setClock(`${TODAY}T10:00:00+08:00`);
const store = await aStore(house);
const { villageId } = store;
const villageIds = String(villageId);
const as = await house.person({
  permits: ["3.query", "9.query", "26.query", "114.query", "1.query"],
  villages: [villageId],
});
const building = await aBuilding(house, villageId, "5栋");
const room = async (name: string) => (await aFlat(house, building, { name })).roomIds[0]!;
const lease = async (name: string, given: object) =>
  aLease(house, { villageId, roomId: await room(name), ...given });

const partyId = await aParty(house);
for (const [due, amount] of [
  [-40, 1_000],
  [-1, 2_000],
  [0, 4_000],
  [5, 8_000],
] as const)
  await aBill(house, store, partyId, { dueDate: addDays(TODAY, due), lines: [aLine("rent", amount)] });
await lease("501", { start: "2026-01-01", end: "2026-12-20" });
await lease("502", { start: "2026-01-01", end: "2026-12-21" });
await lease("503", { start: "2025-11-10", end: "2026-11-09", state: "expired" });
await lease("504", { start: TODAY, handoverOn: null });
await lease("505", { start: TODAY, handoverOn: TODAY });
await lease("506", { start: addDays(TODAY, -1), handoverOn: null });
await lease("507", { start: addDays(TODAY, 9), signedOn: null });
for (const name of ["508", "509"])
  await db
    .insertInto("turnover")
    .values({ roomId: await room(name), villageId, openedDay: "2026-11-15", source: "manual" })
    .execute();

const todo = async () => {
  const { list } = await house.did(workbenchTodo, { as }, { query: { villageIds } });
  return new Map(list.map((row) => [row.key, row]));
};
const targetOf = (target: string) => Object.fromEntries(new URLSearchParams(target)) as never;

test("each count is the total of the list it opens, and the sum is that list's sum", async () => {
  const kinds = await todo();
  const bills = kinds.get("overdueBills")!;
  const list = await house.did(listBills, { as }, { query: targetOf(bills.target) });
  expect([bills.count, bills.amountFen]).toEqual([2, 3_000]);
  expect([list.total, list.sums!.outstanding]).toEqual([bills.count, bills.amountFen]);

  for (const [key, count] of [
    ["expiring", 1],
    ["moveIns", 1],
    ["signing", 1],
  ] as const) {
    const { target, count: counted } = kinds.get(key)!;
    expect(counted, key).toBe(count);
    expect((await house.did(listContracts, { as }, { query: targetOf(target) })).total, key).toBe(counted);
  }
  for (const [key, count] of [
    ["holdingOver", 1],
    ["dirty", 2],
  ] as const) {
    const { target, count: counted } = kinds.get(key)!;
    expect(counted, key).toBe(count);
    const query = { ...(targetOf(target) as object), villageId: villageIds } as never;
    expect((await house.did(listRoomStatus, { as }, { query })).total, key).toBe(counted);
  }
});

test("arrears on the workbench are the total of the arrears report and of the overdue bills", async () => {
  const { figures } = await house.did(workbenchFigures, { as }, { query: { villageIds } });
  const arrears = figures.find((f) => f.key === "arrears")!.value;
  expect(arrears).toBe(3_000);
  expect((await house.did(owingReport, { as }, { query: { villageIds } })).sums!.owed).toBe(arrears);
  expect((await todo()).get("overdueBills")!.amountFen).toBe(arrears);
});

test("the empty rooms and the new leads of today open as many as they say", async () => {
  const consultant = await house.person({
    permits: ["3.query", "15.query", "15.add", "#1502"],
    villages: [villageId],
  });
  for (let n = 0; n < 3; n++) await aLead(house, consultant, villageId);
  const { figures } = await house.did(workbenchFigures, { as: consultant }, { query: { villageIds } });
  const value = (key: string) => figures.find((f) => f.key === key)!.value;
  const queryOf = (key: "vacant" | "newLeads") => ({ villageIds, ...figureOf(key).query?.(TODAY) }) as never;
  const leads = await house.did(listLeads, { as: consultant }, { query: queryOf("newLeads") });
  expect([value("newLeads"), leads.total]).toEqual([3, 3]);

  const query = { ...(queryOf("vacant") as object), villageId: villageIds } as never;
  const rooms = await house.did(listRoomStatus, { as: consultant }, { query });
  const { sums } = await house.did(boardSummary, { as: consultant }, { query: { villageIds } });
  expect(rooms.total).toBe(value("vacant"));
  expect(sums.base - sums.let).toBe(value("vacant"));
  // a room that is promised counts as empty until its lease begins
  expect(rooms.list.map((r) => r.occupancy)).toContain("reserved");
});

test("the contracts signed today open by kind, each list with as many as its part of the figure", async () => {
  await lease("601", { start: addDays(TODAY, 1), signedOn: TODAY, handoverOn: null });
  const company = await lease("602", { start: addDays(TODAY, 1), signedOn: TODAY, handoverOn: null });
  const firmId = await aParty(house, "样板商贸有限公司", { kind: "company" });
  await db
    .updateTable("contract")
    .set({ kind: "company", partyId: firmId })
    .where("id", "=", company.id)
    .execute();
  // one that was signed today and is void already is no new contract
  const gone = await lease("603", { start: addDays(TODAY, 1), signedOn: TODAY, handoverOn: null });
  await db.updateTable("contract").set({ state: "voided" }).where("id", "=", gone.id).execute();
  const signer = await house.person({ permits: ["9.query", "11.query"], villages: [villageId] });
  const { figures } = await house.did(workbenchFigures, { as: signer }, { query: { villageIds } });
  const { value, kinds } = figures.find((f) => f.key === "newContracts")!;
  expect([value, kinds]).toEqual([
    2,
    [
      { kind: "renter", count: 1 },
      { kind: "company", count: 1 },
    ],
  ]);
  for (const { kind, count } of kinds!) {
    const query = { villageIds, kind, ...figureOf("newContracts").query?.(TODAY) } as never;
    expect((await house.did(listContracts, { as: signer }, { query })).total, kind).toBe(count);
  }
});
