import { describe, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { getFile } from "../../system/file/file.contract.ts";
import { aPng, sendFile } from "../../system/file/file.sample.ts";
import {
  addFloor,
  deleteFloor,
  editFloor,
  floors,
  addUnit,
  deleteUnit,
  editUnit,
  units,
  addBuilding,
  building,
  buildings,
  buildingTree,
  deleteBuilding,
  editBuilding,
} from "./building.contract.ts";
import { roomOptions } from "../room/options.contract.ts";
import { aVillage } from "../village/village.sample.ts";
import { generate, previewGenerate } from "../generate/generate.contract.ts";

const house = await testHouse();
const villageId = await aVillage(house);
const scattered = await aVillage(house, { mode: "scattered" });
const permits = ["6.add", "6.edit", "6.delete", "6.query", "6.get"];
const as = await house.person({ permits, villages: [villageId, scattered] });
const stranger = await house.person({ permits });

const form = (more: object = {}) => ({
  villageId,
  buildings: "1栋，2栋，3栋",
  units: 2,
  floorFrom: 1,
  floorTo: 18,
  skip: [4, 14],
  perFloor: 4,
  pattern: "{floor}{no:2}",
  rentMode: "whole" as const,
  bedrooms: 1,
  halls: 1,
  baths: 1,
  grossArea: 45.5,
  listPrice: 300_000,
  ...more,
});

describe("generating a village", () => {
  test("shows 384 flats before and makes them in one go", async () => {
    const counts = { buildings: 3, units: 6, floors: 96, apartments: 384, rooms: 384, skipped: 0 };
    const preview = await house.did(previewGenerate, { as }, { body: form() });
    expect(preview).toMatchObject({ ...counts, existing: [] });
    expect(preview.sample[0]!.units[1]!.floors[0]).toEqual({
      name: "1F",
      doors: ["101", "102", "103", "104"],
    });
    expect(await house.did(buildingTree, { as }, { query: { villageId } })).toEqual([]);

    expect(await house.did(generate, { as }, { body: form() })).toEqual(counts);
    const tree = await house.did(buildingTree, { as }, { query: { villageId } });
    expect(tree.map((b) => [b.name, b.floorsAbove, b.apartments, b.units.map((u) => u.rooms)])).toEqual([
      ["1栋", 18, 128, [64, 64]],
      ["2栋", 18, 128, [64, 64]],
      ["3栋", 18, 128, [64, 64]],
    ]);
    const rooms = await house.did(roomOptions, { as }, { query: { villageId, limit: 500 } });
    expect(rooms).toHaveLength(384);
    expect(rooms.at(-1)).toMatchObject({
      fullName: "滨江店·3栋·2单元·1804",
      listPrice: 300_000,
      capacity: 2,
    });
    // 2 comes before 10: people walk floors, they do not spell them
    expect(
      rooms
        .slice(0, 9)
        .map((r) => r.name)
        .join(),
    ).toBe("101,102,103,104,201,202,203,204,301");
  });

  test("refuses flats that exist, or leaves them alone when told to", async () => {
    const more = form({ perFloor: 5 });
    const refused = await house.ask(generate, { as }, { body: more });
    expect([refused.status, refused.body.message]).toEqual([
      409,
      "已存在 384 套房源：1栋·1单元·101、1栋·1单元·102、1栋·1单元·103、1栋·1单元·104、1栋·1单元·201",
    ]);
    const made = await house.did(generate, { as }, { body: { ...more, existing: "skip" } });
    expect(made).toEqual({ buildings: 0, units: 0, floors: 0, apartments: 96, rooms: 96, skipped: 384 });
  });

  test("pressed twice at once makes one village", async () => {
    const body = form({ buildings: "9栋", rentMode: "shared", roomNames: "A，B", wholeToo: true });
    const answers = await Promise.all([1, 2].map(() => house.ask(generate, { as }, { body })));
    expect(answers.map((a) => a.status).toSorted()).toEqual([200, 400]);
    expect(answers.find((a) => a.status === 200)!.body.data).toMatchObject({ apartments: 128, rooms: 384 });
    expect(answers.find((a) => a.status === 400)!.body.fields).toEqual([
      { field: "name", msg: "同一门店下楼栋名已存在" },
    ]);
  });

  test.each([
    [{ roomNames: "A,,B", rentMode: "shared" as const }, "roomNames", "房间名不能为空项"],
    [{ roomNames: "A,A", rentMode: "bed" as const }, "roomNames", "房间名重复：A"],
    [{ pattern: "{no}" }, "pattern", "门牌规则会产生重复门牌：1"],
    [{ floorTo: 30 }, "floorTo", "1栋 共地上 18 层、地下 0 层"],
    [{ listPrice: 0.5 }, "listPrice", "请输入正确的金额（最多两位小数）"],
    [{ grossArea: 0 }, "grossArea", "面积格式不正确"],
  ])("refuses %o", async (more, field, msg) => {
    const { status, body } = await house.ask(generate, { as }, { body: form(more) });
    expect([status, body.fields]).toEqual([400, [{ field, msg }]]);
  });

  test("keeps the lowest price to those who may set it, and other villages out of reach", async () => {
    expect((await house.ask(generate, { as }, { body: form({ lowestPrice: 280_000 }) })).status).toBe(403);
    expect((await house.ask(generate, { as: stranger }, { body: form() })).status).toBe(404);
  });
});

test("a building of a scattered village says where it lies", async () => {
  const body = { villageId: scattered, name: "5栋", floorsAbove: 6 };
  expect((await house.ask(addBuilding, { as }, { body })).body.fields).toEqual([
    { field: "communityName", msg: "小区长度为2到30个字" },
  ]);
  const placed = { ...body, communityName: "绿城花园", address: "文三路 100 号" };
  const { id } = await house.did(addBuilding, { as }, { body: placed });
  expect(await house.did(building, { as }, { params: { id } })).toMatchObject({ communityName: "绿城花园" });
  expect((await house.ask(building, { as: stranger }, { params: { id } })).status).toBe(404);
  expect((await house.ask(addBuilding, { as }, { body: placed })).body.fields).toEqual([
    { field: "name", msg: "同一门店下楼栋名已存在" },
  ]);
  const list = await house.did(buildings, { as }, { query: { villageIds: String(scattered) } });
  expect(list).toMatchObject({ total: 1, list: [{ id, apartments: 0 }] });
});

test("the plan of a floor opens for colleagues of the store; a stranger's cannot be taken", async () => {
  const { id } = await house.did(addBuilding, { as }, { body: { villageId, name: "20栋", floorsAbove: 3 } });
  const colleague = await house.person({ permits: ["6.get"], villages: [villageId] });
  const uploaded = async (by: Person) =>
    (await sendFile(house, by, { name: "a.png", bytes: aPng() }, "image10M")).body.data.id;
  const foreign = await uploaded(colleague);
  const add = (planFileId: number) =>
    house.ask(addFloor, { as }, { body: { buildingId: id, number: 1, planFileId } });
  expect([(await add(foreign)).status, (await add(999_999)).status]).toEqual([404, 404]);
  const [first, second] = [await uploaded(as), await uploaded(as)];
  const made = await add(first);
  expect(made.status).toBe(200);
  const change = { number: 1, planFileId: second, version: 1 };
  await house.did(editFloor, { as }, { params: { id: made.body.data!.id }, body: change });
  const opened = async (file: number, by: Person) =>
    (await house.ask(getFile, { as: by }, { params: { id: file } })).status;
  expect([await opened(first, colleague), await opened(second, colleague)]).toEqual([200, 200]);
  expect(await opened(second, stranger)).toBe(404);
});

test("units and floors can be added, renamed and removed while nothing hangs on them", async () => {
  const { id } = await house.did(addBuilding, { as }, { body: { villageId, name: "10栋", floorsAbove: 3 } });
  const unit = await house.did(addUnit, { as }, { body: { buildingId: id, name: "A" } });
  const twice = await house.ask(addUnit, { as }, { body: { buildingId: id, name: "A" } });
  expect(twice.body.fields).toEqual([{ field: "name", msg: "同一楼栋下单元名已存在" }]);
  const floor = await house.did(addFloor, { as }, { body: { buildingId: id, unitId: unit.id, number: 3 } });
  const high = await house.ask(addFloor, { as }, { body: { buildingId: id, unitId: unit.id, number: 4 } });
  expect(high.body.fields).toEqual([{ field: "number", msg: "楼栋共地上 3 层、地下 0 层" }]);
  const lower = { villageId, name: "10栋", floorsAbove: 2, version: 1 };
  expect((await house.ask(editBuilding, { as }, { params: { id }, body: lower })).body.fields).toEqual([
    { field: "floorsAbove", msg: "已有 3 层，地上层数不能小于 3" },
  ]);
  expect((await house.did(floors, { as }, { query: { buildingId: id } })).list).toMatchObject([
    { name: "3F" },
  ]);
  expect((await house.did(units, { as }, { query: { buildingId: id } })).total).toBe(1);

  const remove = { params: { id }, query: { version: 1 } };
  const refused = await house.ask(deleteBuilding, { as }, remove);
  expect(refused.body.message).toBe("该楼栋有 1 个楼层、1 个单元，不能删除，请先删除其中的单元、楼层和房源");
  await house.did(editUnit, { as }, { params: { id: unit.id }, body: { name: "甲", version: 1 } });
  await house.did(editFloor, { as }, { params: { id: floor.id }, body: { number: 2, version: 1 } });
  expect(
    (await house.ask(deleteUnit, { as: stranger }, { params: { id: unit.id }, query: { version: 2 } }))
      .status,
  ).toBe(404);
  await house.did(deleteFloor, { as }, { params: { id: floor.id }, query: { version: 2 } });
  await house.did(deleteUnit, { as }, { params: { id: unit.id }, query: { version: 2 } });
  await house.did(deleteBuilding, { as }, remove);
});

test("a renamed unit renames its rooms and moves them to their place", async () => {
  const [first] = await house.did(buildingTree, { as }, { query: { villageId } });
  const unit = first!.units[0]!;
  const body = { name: "甲单元", sort: 5, version: unit.version };
  await house.did(editUnit, { as }, { params: { id: unit.id }, body });
  const rooms = await house.did(
    roomOptions,
    { as },
    { query: { villageId, buildingId: first!.id, limit: 500 } },
  );
  expect(rooms[0]!.fullName).toBe("滨江店·1栋·2单元·101");
  expect(rooms.at(-1)!.fullName).toBe("滨江店·1栋·甲单元·1805");
});
