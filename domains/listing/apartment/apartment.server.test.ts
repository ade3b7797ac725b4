import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { roomOptions } from "../room/options.contract.ts";
import { deleteRoom, rooms } from "../room-acts/room.contract.ts";
import { aPng, sendFile } from "../../system/file/file.sample.ts";
import { addProduct } from "../product/product.contract.ts";
import { aProduct } from "../product/product.sample.ts";
import { aBuilding, aFlat, aLease, aVillage } from "../village/village.sample.ts";
import {
  addApartment,
  addApartments,
  changeRentMode,
  apartment,
  deleteApartment,
  editApartment,
  apartments,
  retireApartment,
} from "./apartment.contract.ts";

const house = await testHouse();
house.setClock("2026-11-20T10:00:00+08:00");
const { db, pool } = house.database;
const villageId = await aVillage(house);
const far = await aVillage(house);
const at = await aBuilding(house, villageId);
const elsewhere = await aBuilding(house, far);
const permits = ["6.add", "6.edit", "6.delete", "6.query", "6.get"];
const as = await house.person({ permits: [...permits, "#601"], villages: [villageId] });
const clerk = await house.person({ permits, villages: [villageId] });
const place = { buildingId: at.buildingId, unitId: at.unitId, floorId: at.floorIds.get(12)! };

const form = (more: object = {}) => ({
  ...place,
  name: "1201",
  rentMode: "shared" as const,
  grossArea: 89.5,
  bedrooms: 3,
  rooms: [
    { name: "A", area: 15, listPrice: 200_000, lowestPrice: 180_000 },
    { name: "B", area: 12.5, listPrice: 180_000 },
  ],
  ...more,
});
const { id, roomIds } = await house.did(addApartment, { as }, { body: form() });

describe("a new flat", () => {
  test("has a room per name, each with its price", async () => {
    expect(roomIds).toHaveLength(2);
    const list = await house.did(rooms, { as }, { query: { apartmentId: id } });
    expect(
      list.list.map((r) => [r.fullName, r.kind, r.area, r.listPrice, r.lowestPrice, r.occupancy]),
    ).toEqual([
      ["滨江店·3栋·1单元·1201-A", "room", 15, 200_000, 180_000, "vacant"],
      ["滨江店·3栋·1单元·1201-B", "room", 12.5, 180_000, 180_000, "vacant"],
    ]);
    const seen = await house.did(apartment, { as: clerk }, { params: { id } });
    expect(seen).toMatchObject({ rentMode: "shared", grossArea: 89.5, villageName: "滨江店" });
    expect(seen.rooms[0]).not.toHaveProperty("lowestPrice");
  });

  test("let as a whole has one room called by its door; with wholeToo the whole stands above the beds", async () => {
    const whole = await house.did(
      addApartment,
      { as },
      { body: form({ name: "1202", rentMode: "whole", rooms: [] }) },
    );
    const both = await house.did(
      addApartment,
      { as },
      { body: form({ name: "1203", rentMode: "bed", wholeToo: true, whole: { listPrice: 500_000 } }) },
    );
    const of = async (apartmentId: number) =>
      (await house.did(rooms, { as }, { query: { apartmentId } })).list.map((r) => [
        r.name,
        r.kind,
        r.isLeaf,
        r.listPrice,
      ]);
    expect(await of(whole.id)).toEqual([["1202", "whole", true, null]]);
    expect(await of(both.id)).toEqual([
      ["1203", "whole", false, 500_000],
      ["A", "bed", true, 200_000],
      ["B", "bed", true, 180_000],
    ]);
  });

  test.each([
    [{ name: "12#01" }, "name", "名称不能包含特殊字符"],
    [{ grossArea: 12.345 }, "grossArea", "面积格式不正确"],
    [{ innerArea: 90 }, "innerArea", "套内面积不能大于建筑面积"],
    [{ rooms: [] }, "rooms", "请填写房间名"],
    [
      {
        rooms: [
          { name: "A", area: 10 },
          { name: "A", area: 10 },
        ],
      },
      "rooms",
      "房间名重复：A",
    ],
    [
      { rooms: [{ name: "一二三四五六七八九十一二三四五六七八九", area: 10 }] },
      "rooms.0.name",
      "房间名最多18个字符",
    ],
    [{ rooms: [{ name: "A", area: 10, listPrice: 1_000_000_000_000 }] }, "rooms.0.listPrice", "金额过大"],
    [
      { rooms: [{ name: "A", area: 10, listPrice: 100, lowestPrice: 101 }] },
      "lowestPrice",
      "底价不能高于标价",
    ],
    [{ orientation: "朝南南" }, "orientation", "朝向中没有“朝南南”"],
  ])("refuses %o", async (more, field, msg) => {
    const { status, body } = await house.ask(addApartment, { as }, { body: form({ name: "1299", ...more }) });
    expect([status, body.fields]).toEqual([400, [{ field, msg }]]);
  });

  test("gets its door once, however many press at once", async () => {
    const twice = await Promise.all(
      [1, 2].map(() => house.ask(addApartment, { as }, { body: form({ name: "1210" }) })),
    );
    expect(twice.map((a) => a.status).toSorted()).toEqual([200, 400]);
    expect(twice.find((a) => a.status === 400)!.body.fields).toEqual([
      { field: "name", msg: "同一楼栋单元下门牌已存在" },
    ]);
  });

  test("needs 601 to set a lowest price, and a floor of its own village", async () => {
    expect((await house.ask(addApartment, { as: clerk }, { body: form({ name: "1211" }) })).status).toBe(403);
    const there = {
      buildingId: elsewhere.buildingId,
      unitId: elsewhere.unitId,
      floorId: elsewhere.floorIds.get(1)!,
    };
    expect((await house.ask(addApartment, { as }, { body: form({ name: "1211", ...there }) })).status).toBe(
      404,
    );
    const mixed = form({ name: "1211", floorId: elsewhere.floorIds.get(1)! });
    expect((await house.ask(addApartment, { as }, { body: mixed })).status).toBe(404);
  });

  test("takes no product of other stores, made or divided anew", async () => {
    const head = await house.person({ permits: ["4.add"], villages: [far] });
    const made = await house.did(addProduct, { as: head }, { body: aProduct([far], { kind: "room" }) });
    const foreign = { rooms: [{ name: "A", area: 15, productId: made.id }] };
    const refused = [{ field: "productId", msg: "产品不适用于该门店" }];
    const flat = await house.ask(addApartment, { as }, { body: form({ name: "1231", ...foreign }) });
    expect(flat.body.fields).toEqual(refused);
    const { name: _, ...many } = form({ names: "1231,1232", ...foreign });
    expect((await house.ask(addApartments, { as }, { body: many as never })).body.fields).toEqual(refused);
    const whole = await aFlat(house, at, { name: "1233" });
    const body = {
      rentMode: "shared" as const,
      from: "2026-12-01",
      reason: "改合租",
      version: 1,
      ...foreign,
    };
    const divided = await house.ask(changeRentMode, { as }, { params: { id: whole.id }, body });
    expect(divided.body.fields).toEqual(refused);
  });

  test("follows the product of its rooms where no price is typed", async () => {
    const head = await house.person({ permits: ["4.add"], villages: [villageId] });
    const product = aProduct([villageId], {
      code: "CP02",
      name: "合租单间",
      kind: "room",
      listPrice: 210_000,
    });
    const made = await house.did(addProduct, { as: head }, { body: product });
    const two = [
      { name: "A", area: 15, productId: made.id },
      { name: "B", area: 12.5, productId: made.id, listPrice: 180_000 },
    ];
    const { roomIds: ids } = await house.did(
      addApartment,
      { as },
      { body: form({ name: "1241", rooms: two }) },
    );
    const { rows } = await pool.query(
      "select price_mode mode, p.list_price price from room r join room_price p on p.room_id = r.id where r.id = any($1) order by r.id",
      [ids],
    );
    expect(rows).toEqual([
      { mode: "follow", price: 210_000 },
      { mode: "own", price: 180_000 },
    ]);
  });

  test("can be made behind many doors at once, all or none", async () => {
    const { name: _, ...rest } = form();
    const one = await house.did(addApartments, { as }, { body: { ...rest, names: "1221，1222, 1223" } });
    expect(one.ids).toHaveLength(3);
    const again = await house.ask(addApartments, { as }, { body: { ...rest, names: "1224,1223" } });
    expect(again.body.fields).toEqual([{ field: "name", msg: "同一楼栋单元下门牌已存在" }]);
    expect((await house.did(apartments, { as }, { query: { keyword: "1224" } })).total).toBe(0);
    const empty = await house.ask(addApartments, { as }, { body: { ...rest, names: "1224,,1225" } });
    expect(empty.body.fields).toEqual([{ field: "names", msg: "门牌不能为空项" }]);
  });
});

test("a flat is found by what one of its rooms is: product, status, tag, or how it is said", async () => {
  const product = await house.did(
    addProduct,
    { as: await house.person({ permits: ["4.add", "#601"], villages: [villageId] }) },
    { body: aProduct([villageId], { code: "FLAT1", name: "合租次卧", kind: "room", facilities: [] }) },
  );
  const flat = await aFlat(house, at, { name: "1609", floor: 16, rooms: ["A", "B"] });
  const [a, b] = flat.roomIds as [number, number];
  await pool.query("update room set product_id = $2, tags = '{临江}' where id = $1", [a, product.id]);
  await pool.query(
    "insert into turnover (room_id, village_id, opened_day, source) values ($1, $2, '2026-11-19', 'manual')",
    [b, villageId],
  );
  const found = async (query: object) =>
    (await house.did(apartments, { as }, { query: { villageIds: [villageId], ...query } as never })).list.map(
      (row) => row.fullName.split("·").at(-1),
    );
  expect(await found({ productId: product.id })).toEqual(["1609"]);
  expect(await found({ tag: "临江" })).toEqual(["1609"]);
  expect(await found({ condition: "dirty" })).toEqual(["1609"]);
  expect(await found({ condition: "dirty", occupancy: "vacant" })).toEqual(["1609"]);
  // one room has to be both
  expect(await found({ condition: "dirty", tag: "临江" })).toEqual([]);
  expect(await found({ keyword: "临江" })).toEqual(["1609"]);
  const { rows } = await pool.query<{ pinyin: string }>("select pinyin from room where id = $1", [b]);
  expect(await found({ keyword: rows[0]!.pinyin })).toEqual(["1609"]);
  expect((await house.did(apartments, { as }, { query: { tag: "临江" } as never })).sums).toMatchObject({
    rooms: 2,
  });
});

test("lists show how much of a flat is let, and sums cover the filter", async () => {
  const flat = await aFlat(house, at, { name: "1501", floor: 15, rooms: ["A", "B", "C"] });
  await aLease(house, flat.roomIds[0]!, "2026-11-01", "2027-10-31");
  const list = await house.did(apartments, { as }, { query: { floorId: at.floorIds.get(15)! } });
  expect(list).toMatchObject({ total: 1, sums: { rooms: 3, listPrice: 900_000, grossArea: 89.5 } });
  expect(list.list[0]).toMatchObject({
    fullName: "滨江店·3栋·1单元·1501",
    layout: "2室1厅1卫",
    letRooms: 1,
    rooms: 3,
    occupancyText: "部分在租 1/3",
    listPrice: 900_000,
    missing: ["图片", "产品"],
    complete: 0.5,
  });
  // with pictures and prices it still lacks the product of one of its rooms
  const file = (await sendFile(house, as, { name: "a.png", bytes: aPng() }, "image10M")).body.data.id;
  await pool.query("insert into room_picture (room_id, file_id) select unnest($1::bigint[]), $2::bigint", [
    flat.roomIds,
    file,
  ]);
  const lacking = async () =>
    (
      await house.did(apartments, { as }, { query: { floorId: at.floorIds.get(15)!, incomplete: "1" } })
    ).list.map((row) => row.missing);
  expect(await lacking()).toEqual([["产品"]]);
  await pool.query("update room set product_id = (select max(id) from product) where id = any($1)", [
    flat.roomIds,
  ]);
  expect(await lacking()).toEqual([]);
  const foreign = await house.person({ permits, villages: [far] });
  expect((await house.did(apartments, { as: foreign }, { query: {} })).total).toBe(0);
  expect((await house.ask(apartment, { as: foreign }, { params: { id: flat.id } })).status).toBe(404);
  expect(
    (await house.ask(apartments, { as: foreign }, { query: { villageIds: `${villageId}` } })).status,
  ).toBe(404);
});

test("an edit renames the rooms and refuses a stale version", async () => {
  const flat = await aFlat(house, at, { name: "1601", floor: 16 });
  const { rentMode: _, rooms: __, ...facts } = form({ name: "1608", floorId: at.floorIds.get(16)! });
  const body = { ...facts, version: 1 };
  await house.did(editApartment, { as }, { params: { id: flat.id }, body });
  const [room] = await house.did(roomOptions, { as }, { query: { ids: String(flat.roomIds[0]) } });
  expect(room).toMatchObject({ name: "1608", fullName: "滨江店·3栋·1单元·1608" });
  expect((await house.ask(editApartment, { as }, { params: { id: flat.id }, body })).status).toBe(409);
  const { rows } = await pool.query(
    "select summary from business_log where kind = 'apartment' and record_id = $1 and action = '修改'",
    [flat.id],
  );
  expect(rows[0].summary).toContain("门牌：1601 → 1608");
});

test("a flat with a history is retired, not deleted; its door is free for another", async () => {
  const flat = await aFlat(house, at, { name: "1801", floor: 18 });
  await aLease(house, flat.roomIds[0]!, "2026-01-01", "2026-11-30");
  const remove = (target: number) =>
    house.ask(deleteApartment, { as }, { params: { id: target }, query: { version: 1 } });
  expect((await remove(flat.id)).body.message).toMatch(
    /^该房源有 .*1 条占用记录.*，不能删除，可改为停用或注销$/,
  );
  expect(
    (await house.ask(deleteRoom, { as }, { params: { id: flat.roomIds[0]! }, query: { version: 1 } })).status,
  ).toBe(409);
  const retire = (day: string) =>
    house.ask(
      retireApartment,
      { as },
      { params: { id: flat.id }, body: { day, reason: "上游退租", version: 1 } },
    );
  expect((await retire("2026-11-30")).body.message).toContain("占用，不能注销");
  expect((await retire("2026-12-01")).status).toBe(200);
  const next = await aFlat(house, at, { name: "1801", floor: 18 });
  expect((await remove(next.id)).status).toBe(200);
  expect(await db.selectFrom("room").select("id").where("apartmentId", "=", next.id).execute()).toEqual([]);
});
