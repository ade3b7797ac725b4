import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { aLease } from "../occupancy/occupancy.sample.ts";
import { freeRooms, startLeaving } from "../occupancy/occupancy.service.ts";
import { openTurnovers } from "../turnover/turnover.service.ts";
import { aBuilding, acting, aFlat, aVillage, type BuildingMade } from "../village/village.sample.ts";
import { boardChanges, roomBoard, roomCalendar } from "../board/board.contract.ts";
import { exportRoomStatus, listRoomStatus } from "../board/list.contract.ts";
import { roomDetail } from "./detail.contract.ts";
import { roomTimeline } from "../status/overview.contract.ts";

const house = await testHouse();
const { db } = house.database;
let villageId: number, clerk: Person, stranger: Person, at: BuildingMade, room: number;
let door = 0;

beforeAll(async () => {
  house.setClock("2026-11-20T10:00:00+08:00");
  villageId = await aVillage(house);
  at = await aBuilding(house, villageId);
  clerk = await house.person({
    permits: ["3.query", "3.get", "3.edit", "3.export", "16.query"],
    villages: [villageId],
  });
  stranger = await house.person({
    permits: ["3.query", "3.get", "3.export"],
    villages: [await aVillage(house)],
  });
});
beforeEach(async () => {
  room = (await aFlat(house, at, { name: `12${String(++door).padStart(2, "0")}` })).roomIds[0]!;
});
const detail = (day?: string) =>
  house.did(roomDetail, { as: clerk }, { params: { roomId: room }, query: day ? { day } : {} });

describe("the room's drawer", () => {
  test("says of each chip why it is so, with the record behind it", async () => {
    const lease = await aLease(house, { villageId, roomId: room, start: "2025-12-01", end: "2026-11-30" });
    await db
      .insertInto("bill")
      .values({
        billNo: "ZD20261020-000011",
        villageId,
        contractId: lease.id,
        roomId: room,
        partyId: lease.partyId,
        title: "水电",
        dueDate: "2026-10-27",
        issueDate: "2026-10-20",
        issuedAt: "2026-10-20T00:00:00Z",
        source: "meter",
        amount: 331_46,
      })
      .execute();
    const seen = await detail();
    expect(seen.occupancy).toMatchObject({
      value: "expiring",
      reason: { text: "至 2026-11-30，剩 10 天，未续租", link: { kind: "contract", number: lease.no } },
    });
    expect(seen.condition).toMatchObject({
      value: "rentable",
      reason: { text: "无封房，无待保洁", link: null },
    });
    expect(seen.flags).toMatchObject([
      {
        value: "arrears",
        reason: { text: "水电 331.46，逾期 24 天", link: { number: "ZD20261020-000011" } },
      },
    ]);
    expect(seen.contract).toMatchObject({
      partyName: "李沐阳",
      rentFen: 300_000,
      payText: "押一付一",
      arrearsFen: 331_46,
    });
    expect(seen.contract!.phone).toMatch(/^139\*{4}\d{4}$/);
    expect(seen.lowestPriceFen).toBeNull();
  });

  test("counts the loss of an empty room by its list price", async () => {
    await aLease(house, {
      villageId,
      roomId: room,
      start: "2025-11-01",
      end: "2026-10-31",
      leaveDate: "2026-10-31",
      state: "ended",
    });
    expect(await detail()).toMatchObject({
      contract: null,
      vacant: { since: "2026-11-01", days: 19, lossFen: 190_000 },
    });
    expect((await detail("2026-10-31")).occupancy).toMatchObject({ value: "expiring" });
  });

  test("opens a room that has no status of its own, too", async () => {
    const { roomIds } = await aFlat(house, at, { name: "0901", floor: 9, rooms: ["A", "B"], wholeToo: true });
    room = roomIds[0]!;
    expect(await detail()).toMatchObject({ isLeaf: false, occupancy: null, condition: null, flags: [] });
    await db.updateTable("room").set({ retiredDay: "2026-11-01" }).where("id", "=", roomIds[1]!).execute();
    room = roomIds[1]!;
    expect(await detail()).toMatchObject({ occupancy: null, retiredDay: "2026-11-01", version: 1 });
    expect((await detail("2026-10-31")).occupancy?.value).toBe("vacant");
  });

  test("from notice to clean room: each step shows, and the timeline keeps it", async () => {
    const lease = await aLease(house, { villageId, roomId: room, start: "2025-12-01", end: "2026-11-30" });
    await acting(house, (act) => startLeaving(act, { contractId: lease.id }), { villages: [villageId] });
    expect((await detail()).occupancy?.value).toBe("leaving");
    await db
      .updateTable("contract")
      .set({ leaveDate: "2026-11-19", state: "terminated" })
      .where("id", "=", lease.id)
      .execute();
    await db
      .updateTable("occupancyRow")
      .set({ period: "[2025-12-01,2026-11-20)" })
      .where("contractId", "=", lease.id)
      .execute();
    // long enough ago that boards are not told of it for safety's sake any more
    await house.database.pool.query("update room_change set at = now() - interval '61 seconds'");
    const { seq } = await house.did(roomBoard, { as: clerk }, { query: { villageId } });
    const rooms = await acting(house, (act) => freeRooms(act, { contractId: lease.id }));
    const told = await house.did(boardChanges, { as: clerk }, { query: { villageId, since: seq } });
    expect(told.rows.map((row) => row[0])).toEqual([room]);
    await acting(house, (act) => openTurnovers(act, rooms, { source: "settlement", sourceId: lease.id }));
    const seen = await detail();
    expect([seen.occupancy?.value, seen.condition?.value, seen.flags.map((f) => f.value)]).toEqual([
      "vacant",
      "dirty",
      ["unsettled"],
    ]);
    expect(seen.turnover).toMatchObject({ openedDay: "2026-11-20" });
    const bars = await house.did(
      roomTimeline,
      { as: clerk },
      { params: { id: room }, query: { from: "2025-11-01", to: "2026-12-31" } },
    );
    expect(bars.map((b) => [b.kind, b.from, b.to])).toEqual([
      ["lease", "2025-12-01", "2026-11-19"],
      ["turnover", "2026-11-20", null],
    ]);
  });
});

test("a room of another village is not there", async () => {
  const asked = await Promise.all([
    house.ask(roomDetail, { as: stranger }, { params: { roomId: room }, query: {} }),
    house.ask(
      roomTimeline,
      { as: stranger },
      { params: { id: room }, query: { from: "2026-01-01", to: "2026-12-31" } },
    ),
    house.ask(roomCalendar, { as: stranger }, { query: { villageId, from: "2026-12-01", to: "2026-12-31" } }),
    house.ask(listRoomStatus, { as: stranger }, { query: { villageId } }),
    house.ask(exportRoomStatus, { as: stranger }, { query: { villageId, usage: "盘点" } } as never),
  ]);
  for (const { status, body } of asked) expect([status, body.message]).toEqual([404, "记录不存在"]);
});
