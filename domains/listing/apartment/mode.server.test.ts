import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aBuilding, aFlat, aLease, aVillage } from "../village/village.sample.ts";
import { apartment, apartments, changeRentMode, previewRentMode } from "./apartment.contract.ts";

const house = await testHouse();
house.setClock("2026-11-20T10:00:00+08:00");
const { pool } = house.database;
const villageId = await aVillage(house);
const at = await aBuilding(house, villageId);
const permits = ["6.edit", "6.query", "6.get"];
const as = await house.person({ permits, villages: [villageId] });

describe("a change of the rent mode", () => {
  test("shows before and keeps history: the last day has one room, the first of the new mode three", async () => {
    const flat = await aFlat(house, at, { name: "1701", floor: 17 });
    const body = {
      rentMode: "shared" as const,
      from: "2026-12-01",
      version: 1,
      rooms: ["A", "B", "C"].map((name) => ({ name, area: 20, listPrice: 150_000 })),
    };
    const told = await house.did(previewRentMode, { as }, { params: { id: flat.id }, body });
    expect([told.retire.map((r) => r.name), told.begin.map((r) => r.name)]).toEqual([
      ["1701"],
      ["A", "B", "C"],
    ]);
    expect((await house.did(apartment, { as }, { params: { id: flat.id } })).rooms).toHaveLength(1);
    await house.did(changeRentMode, { as }, { params: { id: flat.id }, body });
    const on = async (day: string) => {
      const { rows } = await pool.query(
        "select room_id from room_status_at($1, '2026-11-20', $2) s join room r on r.id = s.room_id where r.apartment_id = $3",
        [day, [villageId], flat.id],
      );
      return rows.length;
    };
    expect([await on("2026-11-30"), await on("2026-12-01")]).toEqual([1, 3]);
    expect((await house.did(apartments, { as }, { query: { keyword: "1701" } })).list[0]).toMatchObject({
      rentMode: "shared",
      rentModeFrom: "2026-12-01",
    });
    // neither the old room after the day nor a new one before it
    await expect(aLease(house, flat.roomIds[0]!, "2026-11-25", "2026-12-01")).rejects.toMatchObject({
      code: "roomTaken",
    });
    const now = await house.did(apartment, { as }, { params: { id: flat.id } });
    const a = now.rooms.find((r) => r.name === "A")!;
    await expect(aLease(house, a.id, "2026-11-25", "2026-12-31")).rejects.toMatchObject({
      code: "roomTaken",
    });
    await aLease(house, a.id, "2026-12-01", "2026-12-31");
  });

  test("is made once, whoever is quicker: the rooms of the other stand nowhere", async () => {
    const flat = await aFlat(house, at, { name: "1703", floor: 17 });
    const change = (from: string, names: string[]) =>
      house.ask(
        changeRentMode,
        { as },
        {
          params: { id: flat.id },
          body: {
            rentMode: "shared",
            from,
            version: 1,
            rooms: names.map((name) => ({ name, area: 20, listPrice: 150_000 })),
          },
        },
      );
    const answers = await Promise.all([change("2026-12-05", ["A", "B"]), change("2026-12-01", ["C", "D"])]);
    expect(answers.map((a) => a.status).toSorted()).toEqual([200, 409]);
    const { rows } = await pool.query(
      "select count(*)::int n from room where apartment_id = $1 and retired_day is null",
      [flat.id],
    );
    expect(rows).toEqual([{ n: 2 }]);
  });

  test("is refused while a room is let on or after the day, and needs 602 for a flat with a history", async () => {
    const flat = await aFlat(house, at, { name: "1702", floor: 17, rooms: ["A", "B"] });
    const { contractNo } = await aLease(house, flat.roomIds[0]!, "2026-11-01", "2027-03-14");
    const body = { rentMode: "whole" as const, from: "2026-12-01", version: 1 };
    expect((await house.ask(changeRentMode, { as }, { params: { id: flat.id }, body })).status).toBe(403);
    const senior = await house.person({ permits: [...permits, "#602"], villages: [villageId] });
    const change = (from: string) =>
      house.ask(changeRentMode, { as: senior }, { params: { id: flat.id }, body: { ...body, from } });
    expect((await change("2026-12-01")).body).toMatchObject({
      code: 409,
      message: `滨江店·3栋·1单元·1702-A 在 2026-11-01 至 2027-03-14 已被 ${contractNo} 占用，不能变更`,
    });
    expect((await change("2026-11-19")).body.fields).toEqual([{ field: "from", msg: "生效日不能早于今天" }]);
    expect((await change("2027-03-15")).status).toBe(200);
  });
});
