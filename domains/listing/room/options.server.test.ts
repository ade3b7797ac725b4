import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { take } from "../occupancy/occupancy.service.ts";
import { villageOptions } from "../village/village.contract.ts";
import { aBuilding, acting, aFlat, aVillage } from "../village/village.sample.ts";
import { roomOptions } from "./options.contract.ts";
import { priceAt, setPrices } from "./room.service.ts";

const house = await testHouse();
house.setClock("2026-11-20T10:00:00+08:00");
const villageId = await aVillage(house);
const building = await aBuilding(house, villageId);
const whole = await aFlat(house, building, { name: "1203" });
const shared = await aFlat(house, building, {
  name: "1204",
  rooms: ["A", "B"],
  wholeToo: true,
});
const clerk = await house.person({ villages: [villageId], permits: ["6.query"] });

/** Blocks a room as an act of the house would. */
const block = (roomId: number, from: string, to: string | null) =>
  acting(house, async (act) => {
    const [number] = await act.numbers("FF");
    const row = await act.tx
      .insertInto("roomBlock")
      .values({ number: number!, villageId, reason: "fitOut", fromDay: from, toDay: to })
      .returning("id")
      .executeTakeFirstOrThrow();
    await take(act, [{ roomId, from, to, kind: "block", blockId: row.id }]);
    return number!;
  });

test("a village is an option for its manager and who has it in scope, for nobody else", async () => {
  const other = await aVillage(house);
  expect(await house.did(villageOptions, { as: clerk })).toMatchObject([
    { id: villageId, name: "滨江店", status: "preparing", districtName: "西湖区", pinyin: "bjd" },
  ]);
  const everywhere = await house.person({ superType: "1" });
  expect((await house.did(villageOptions, { as: everywhere })).map((v) => v.id)).toEqual([villageId, other]);
});

describe("room options", () => {
  test("name the place and tell the price", async () => {
    const rooms = await house.did(roomOptions, { as: clerk }, { query: { villageId } });
    expect(rooms.map((r) => r.fullName)).toEqual([
      "滨江店·3栋·1单元·1203",
      "滨江店·3栋·1单元·1204",
      "滨江店·3栋·1单元·1204-A",
      "滨江店·3栋·1单元·1204-B",
    ]);
    expect(rooms[0]).toMatchObject({
      id: whole.roomIds[0],
      apartmentId: whole.id,
      name: "1203",
      layout: "2室1厅1卫",
      area: 89.5,
      orientation: "南",
      floorName: "12F",
      floorNumber: 12,
      listPrice: 300_000,
      priceUnit: "month",
      free: true,
      why: null,
    });
    expect(rooms[0]).not.toHaveProperty("lowestPrice");
    const boss = await house.person({ villages: [villageId], permits: ["#601"] });
    expect((await house.did(roomOptions, { as: boss }, { query: { villageId } }))[0]).toMatchObject({
      lowestPrice: 300_000,
    });
  });

  test("are found by words of the name and by initials", async () => {
    const names = async (keyword: string) =>
      (await house.did(roomOptions, { as: clerk }, { query: { keyword } })).map((r) => r.name);
    expect(await names("3栋 1203")).toEqual(["1203"]);
    expect(await names("bjd")).toHaveLength(4);
    expect(await names("100%")).toEqual([]);
  });

  test("tell why a room is taken; a whole flat is taken with each of its rooms", async () => {
    const number = await block(shared.roomIds[1]!, "2026-12-01", "2026-12-31");
    const at = async (from: string, to: string) =>
      (await house.did(roomOptions, { as: clerk }, { query: { villageId, from, to } })).map((r) => r.why);
    const sentence = `2026-12-01 至 2026-12-31 装修中（${number}）`;
    expect(await at("2026-12-31", "2027-12-30")).toEqual([
      null,
      `滨江店·3栋·1单元·1204-A ${sentence}`,
      sentence,
      null,
    ]);
    expect(await at("2027-01-01", "2027-12-31")).toEqual([null, null, null, null]);
  });

  test("the first that are free are found beyond those that are taken, of a use alone where that is asked for", async () => {
    const query = { villageId, from: "2026-12-31", to: "2027-12-30", onlyFree: "1" as const };
    const ids = async (more: object) =>
      (await house.did(roomOptions, { as: clerk }, { query: { ...query, ...more } })).map((r) => r.id);
    const all = await ids({});
    expect(all).toHaveLength(2);
    expect(await ids({ limit: 2 })).toEqual(all);
    expect(await ids({ limit: 1 })).toEqual(all.slice(0, 1));
    expect([await ids({ use: "home" }), await ids({ use: "shop" })]).toEqual([all, []]);
  });

  test("the database lets nobody take the whole flat while one of its rooms is taken, in either order", async () => {
    await expect(block(shared.roomIds[0]!, "2026-12-15", null)).rejects.toMatchObject({
      code: "roomTaken",
      message: expect.stringContaining("1204-A 在 2026-12-01 至 2026-12-31 已被 FF"),
    });
    await block(shared.roomIds[0]!, "2027-02-01", "2027-02-28");
    await expect(block(shared.roomIds[2]!, "2027-02-28", "2027-03-01")).rejects.toMatchObject({
      code: "roomTaken",
    });
  });

  test("of another village do not exist", async () => {
    const far = await aVillage(house);
    const answer = await house.ask(roomOptions, { as: clerk }, { query: { villageId: far } });
    expect(answer).toMatchObject({ status: 404, body: { message: "记录不存在" } });
  });
});

test("the price at a day is the last one on or before it", async () => {
  const [roomId] = whole.roomIds;
  await acting(house, (act) =>
    setPrices(act, [
      {
        roomId: roomId!,
        effectiveDay: "2026-12-01",
        listPrice: 315_000,
        lowestPrice: 300_000,
        unit: "month",
        source: "manual",
      },
    ]),
  );
  const on = (day: string) =>
    acting(house, async (act) => (await priceAt(act, [roomId!], day)).get(roomId!)?.listPrice);
  expect([await on("2023-12-31"), await on("2026-11-30"), await on("2026-12-01")]).toEqual([
    undefined,
    300_000,
    315_000,
  ]);
});
