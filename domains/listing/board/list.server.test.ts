import { noCounts } from "../status/overview.queries.ts";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { rowsOf } from "../../system/download/download.sample.ts";
import { addBlock } from "../block/block.contract.ts";
import { aLease } from "../occupancy/occupancy.sample.ts";
import { aBuilding, acting, aFlat, aVillage, type BuildingMade } from "../village/village.sample.ts";
import { roomCalendar } from "./board.contract.ts";
import { exportRoomStatus, listRoomStatus } from "./list.contract.ts";
import { boardSummary } from "../status/overview.contract.ts";
import { statusColumns } from "../status/status.service.ts";

const house = await testHouse();
const { db } = house.database;
let villageId: number, clerk: Person, at: BuildingMade, room: number;
let door = 0;

beforeAll(async () => {
  house.setClock("2026-11-20T10:00:00+08:00");
  villageId = await aVillage(house);
  at = await aBuilding(house, villageId);
  clerk = await house.person({
    permits: ["3.query", "3.get", "3.edit", "3.export", "16.query"],
    villages: [villageId],
  });
});
beforeEach(async () => {
  room = (await aFlat(house, at, { name: `12${String(++door).padStart(2, "0")}` })).roomIds[0]!;
});

test("the calendar holds every bar that touches its days, and no more than 92 days", async () => {
  await aLease(house, { villageId, roomId: room, start: "2026-12-10", end: "2027-12-09", handoverOn: null });
  await house.did(
    addBlock,
    { as: clerk },
    { body: { roomIds: [room], reason: "fitOut", fromDay: "2026-11-25", toDay: "2026-12-09" } },
  );
  const { bars } = await house.did(
    roomCalendar,
    { as: clerk },
    { query: { villageId, from: "2026-12-01", to: "2027-02-28" } },
  );
  expect(bars.filter((b) => b.roomId === room).map((b) => [b.kind, b.label, b.from, b.to])).toEqual([
    ["block", "装修", "2026-11-25", "2026-12-09"],
    ["lease", "李沐阳", "2026-12-10", "2027-12-09"],
  ]);
  const long = await house.ask(
    roomCalendar,
    { as: clerk },
    { query: { villageId, from: "2026-12-01", to: "2027-03-03" } },
  );
  expect(long.body.message).toBe("一次最多查询 92 天");
});

test("the table has the board's rooms, filtered, and leaves as a workbook", async () => {
  await aLease(house, { villageId, roomId: room });
  const query = { villageId, roomIds: String(room) };
  const { list, total } = await house.did(
    listRoomStatus,
    { as: clerk },
    { query: { ...query, occ: "occupied" } },
  );
  expect([total, list[0]]).toMatchObject([
    1,
    {
      id: room,
      building: "3栋",
      floor: "12F",
      layout: "2室1厅1卫",
      occupancy: "occupied",
      partyName: "李沐阳",
    },
  ]);
  expect((await house.did(listRoomStatus, { as: clerk }, { query: { ...query, occ: "vacant" } })).total).toBe(
    0,
  );
  const floor = (floors: string) => house.did(listRoomStatus, { as: clerk }, { query: { ...query, floors } });
  expect([(await floor("12,13")).total, (await floor("7")).total]).toEqual([1, 0]);
  await aFlat(house, at, { name: "0701", floor: 7 });
  const sorted = await house.did(
    listRoomStatus,
    { as: clerk },
    { query: { villageId, sort: "rentFen", order: "desc" } },
  );
  expect(sorted.list.map((r) => r.rentFen !== null).lastIndexOf(true)).toBeLessThan(
    sorted.list.findIndex((r) => r.rentFen === null),
  );
  const named = { villageId, keyword: `3栋${list[0]!.name}` };
  expect((await house.did(listRoomStatus, { as: clerk }, { query: named })).list.map((r) => r.id)).toEqual([
    room,
  ]);
  const file = await house.ask(exportRoomStatus, { as: clerk }, {
    query: { ...query, columns: "name,occupancy,partyName", usage: "盘点" },
  } as never);
  expect((await rowsOf(file.raw)).some((r) => r.includes("在租") && r.includes("李沐阳"))).toBe(true);
});

test("a back-dated block rebuilds the days it touches", async () => {
  const day = "2026-11-12";
  const rentable = async () =>
    (await house.did(boardSummary, { as: clerk }, { query: { day } })).list[0]!.base;
  const before = await rentable();
  await db
    .insertInto("villageDay")
    .values({ villageId, day, ...noCounts(), base: 999 })
    .execute();
  expect(await rentable()).toBe(999);
  await house.did(
    addBlock,
    { as: clerk },
    { body: { roomIds: [room], reason: "maintenance", fromDay: "2026-11-10" } },
  );
  await house.jobs.deliver(house);
  expect(await rentable()).toBe(before - 1);
});

test("status columns for lists of rooms, in scope only", async () => {
  const lease = await aLease(house, { villageId, roomId: room, end: "2026-12-10" });
  const who = { villages: [villageId] };
  const columns = await acting(house, (act) => statusColumns(act, [room]), who);
  expect(columns.get(room)).toMatchObject({
    occupancy: "expiring",
    condition: "rentable",
    flags: [],
    tenant: "李沐阳",
    until: "2026-12-10",
    contractId: lease.id,
    vacantDays: null,
  });
  expect((await acting(house, (act) => statusColumns(act, [room]), { villages: [] })).size).toBe(0);
});
