import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aBuilding, aFlat, aVillage } from "../village/village.sample.ts";
import { roomPrices, setRoomPrice } from "./room-price.contract.ts";
import { room } from "../room-acts/room.contract.ts";

const house = await testHouse();
house.setClock("2026-11-20T10:00:00+08:00");
const { pool } = house.database;
const villageId = await aVillage(house);
const permits = ["6.edit", "6.get"];
const as = await house.person({ permits: [...permits, "#601"], villages: [villageId] });
const clerk = await house.person({ permits, villages: [villageId] });
const flat = await aFlat(house, await aBuilding(house, villageId), { rooms: ["A", "B"] });
const [a, b] = flat.roomIds as [number, number];

const lastLog = async () => {
  const { rows } = await pool.query(
    "select action, summary from business_log where kind = 'room' and record_id = $1 order by id desc limit 1",
    [a],
  );
  return rows[0];
};

describe("a price", () => {
  test("counts from its day, is kept as history and makes the room's price its own", async () => {
    await house.did(
      setRoomPrice,
      { as },
      { params: { id: a }, body: { listPrice: 315_000, lowestPrice: 300_000, effectiveDay: "2026-12-01" } },
    );
    const history = await house.did(roomPrices, { as }, { params: { id: a } });
    expect(history.map((p) => [p.effectiveDay, p.listPrice, p.lowestPrice, p.source, p.current])).toEqual([
      ["2026-12-01", 315_000, 300_000, "manual", false],
      ["2024-01-01", 300_000, 300_000, "manual", true],
    ]);
    expect((await house.did(room, { as }, { params: { id: a } })).listPrice).toBe(300_000);
    house.setClock("2026-12-01T00:30:00+08:00");
    expect((await house.did(room, { as }, { params: { id: a } })).listPrice).toBe(315_000);
    house.setClock("2026-11-20T10:00:00+08:00");
    expect(await lastLog()).toEqual({
      action: "改价",
      summary: "改价，2026-12-01 起：3,000.00 元/月 → 3,150.00 元/月",
    });
  });

  test("is refused in the past, below its lowest, and its lowest for who may not see it", async () => {
    const set = (body: object, who = as) =>
      house.ask(
        setRoomPrice,
        { as: who },
        { params: { id: a }, body: { listPrice: 300_000, effectiveDay: "2026-11-20", ...body } },
      );
    expect((await set({ effectiveDay: "2026-11-19" })).body.fields).toEqual([
      { field: "effectiveDay", msg: "生效日期不能早于今天" },
    ]);
    expect((await set({ lowestPrice: 300_001 })).body.fields).toEqual([
      { field: "lowestPrice", msg: "底价不能高于标价" },
    ]);
    expect((await set({ listPrice: 0 })).body.fields).toEqual([{ field: "listPrice", msg: "金额必须大于0" }]);
    expect((await set({ lowestPrice: 1 }, clerk)).status).toBe(403);
    // without 601 the lowest price stays, but never above the list price
    await house.did(
      setRoomPrice,
      { as: clerk },
      { params: { id: b }, body: { listPrice: 280_000, effectiveDay: "2026-11-20" } },
    );
    expect((await house.did(room, { as }, { params: { id: b } })).lowestPrice).toBe(280_000);
    expect(await house.did(room, { as: clerk }, { params: { id: b } })).not.toHaveProperty("lowestPrice");
  });

  test("in another unit keeps the share of its lowest price, for who may not see that", async () => {
    const set = (body: object, who = as) =>
      house.did(
        setRoomPrice,
        { as: who },
        { params: { id: b }, body: { listPrice: 300_000, effectiveDay: "2026-11-21", ...body } },
      );
    const newest = async () => (await house.did(roomPrices, { as }, { params: { id: b } }))[0];
    await set({ lowestPrice: 270_000 });
    await set({ listPrice: 11_000, unit: "day" }, clerk);
    expect(await newest()).toMatchObject({ listPrice: 11_000, lowestPrice: 9_900, unit: "day" });
    await set({ listPrice: 310_000 }, clerk);
    expect(await newest()).toMatchObject({ listPrice: 310_000, lowestPrice: 279_000, unit: "month" });
  });
});
