import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { houseDic } from "../../system/dic/dic.contract.ts";
import { rowsOf } from "../../system/download/download.sample.ts";
import { getFile } from "../../system/file/file.contract.ts";
import { aPng, sendFile } from "../../system/file/file.sample.ts";
import { recordHistory } from "../../system/log/log.contract.ts";
import { deleteBuilding } from "../building/building.contract.ts";
import { sendFile as sendSheet, sheetBytes } from "../../system/import/import.sample.ts";
import { aBuilding, aVillage } from "../village/village.sample.ts";
import * as calls from "./area.contract.ts";

const house = await testHouse();
const [villageId, other] = [await aVillage(house), await aVillage(house)];
const at = await aBuilding(house, villageId);
const elsewhere = await aBuilding(house, other, "9栋");
const acts = ["query", "get", "add", "edit", "delete", "enable", "disable", "export", "import"];
const permits = [...acts.map((action) => `6.${action}`), "58.query", "58.edit", "4.query"];
const as = await house.person({ permits, villages: [villageId], name: "宋知远" });
const stranger = { as: await house.person({ permits, villages: [other] }) };

const corridor = (more: object = {}) => ({ villageId, name: "走廊", kindDic: "corridor", ...more });
const floor = (number: number) => at.floorIds.get(number)!;
const onFloor = (number: number) => ({ buildingId: at.buildingId, floorId: floor(number) });
const add = (body: object) => house.ask(calls.addArea, { as }, { body: body as never });
const made = async (body: object) => (await house.did(calls.addArea, { as }, { body: body as never })).id;
const listed = (query: object = {}) => house.did(calls.publicAreas, { as }, { query: query as never });

test("an export says its filter in the words of the page: records by name, words of a dictionary as they are called", async () => {
  const note = async (query: Record<string, string>) => {
    const headers = { authorization: as.token };
    const { rawPayload } = await house.app.inject({ url: calls.exportAreas.path, headers, query });
    return String((await rowsOf(rawPayload))[0]![0]).split("　　")[0];
  };
  const buildingId = String(at.buildingId);
  expect(await note({ buildingId, kind: "corridor", state: "enabled", keyword: "走" })).toBe(
    "筛选：楼栋 3栋；类型 走廊；状态 启用；关键字 走",
  );
  expect(await note({ buildingId: String(elsewhere.buildingId) })).toBe("筛选：楼栋 （不可见）");
});

test("a corridor is copied to the floors above, named after each", async () => {
  const params = { id: await made(corridor({ ...onFloor(3), area: 42.5, openHours: "全天" })) };
  const copy = (pattern: string, floorIds: number[]) =>
    house.ask(calls.copyArea, { as }, { params, body: { pattern, floorIds } });
  const copied = await copy("{名称} {楼层}", [6, 4, 5].map(floor));
  expect(copied.body.data.made.map((area) => area.name)).toEqual(["走廊 4F", "走廊 5F", "走廊 6F"]);
  const { list, sums } = await listed({ buildingId: at.buildingId });
  expect(list.map((a) => [a.name, a.place, a.kindName, a.area])).toEqual([
    ["走廊", "3栋·1单元·3F", "走廊", 42.5],
    ...[4, 5, 6].map((n) => [`走廊 ${n}F`, `3栋·1单元·${n}F`, "走廊", 42.5]),
  ]);
  expect(sums?.area).toBe(170);
  // once more is refused as a whole, and the place is named
  expect((await copy("{名称} {楼层}", [7, 6].map(floor))).body.fields).toEqual([
    { field: "pattern", msg: "3栋·1单元·6F：同一位置已存在同名公共区域“走廊 6F”" },
  ]);
  expect((await listed({ buildingId: at.buildingId })).total).toBe(4);
  expect((await copy("{名称}", [elsewhere.floorIds.get(2)!])).body.fields).toEqual([
    { field: "floorIds", msg: "只能复制到本门店的楼栋和楼层" },
  ]);
});

test("each mistake in the form is told under its field", async () => {
  const wrong = async (more: object, field: string, msg: string) =>
    expect((await add(corridor({ name: "门厅", ...more }))).body.fields).toEqual([{ field, msg }]);
  await wrong({ name: "" }, "name", "请输入公共区域名称");
  await wrong({ name: "123" }, "name", "名称不能为纯数字");
  await wrong({ floorId: floor(1) }, "buildingId", "请先选择楼栋");
  await wrong({ buildingId: elsewhere.buildingId }, "buildingId", "楼栋不在所选门店");
  await wrong({ ...onFloor(2), floorId: elsewhere.floorIds.get(2)! }, "floorId", "楼层不在所选楼栋");
  await wrong({ kindDic: "pool" }, "kindDic", "公共区域类型中没有“pool”");
  await wrong({ area: 0 }, "area", "面积格式不正确");
  await made(corridor({ name: "屋顶花园", kindDic: "roof" }));
  await wrong({ name: "屋顶花园", kindDic: "roof" }, "name", "同一位置已存在同名公共区域");
  // elsewhere the same name is free
  expect((await add(corridor({ name: "屋顶花园", ...onFloor(18) }))).status).toBe(200);
});

test("it is changed, switched off and on, and every step stands in its log", async () => {
  const sent = await sendFile(house, as, { name: "gym.png", bytes: aPng() }, "image10M");
  const pictures = [sent.body.data.id];
  const id = await made(corridor({ name: "健身房", kindDic: "gym", capacity: 20, pictures }));
  const params = { id };
  const first = await house.did(calls.publicArea, { as }, { params });
  expect(first).toMatchObject({ place: "全店", kindName: "健身房", pictures, assets: 0 });
  const body = { ...corridor({ name: "健身中心", kindDic: "gym", ...onFloor(1) }), version: first.version };
  const edit = () => house.ask(calls.editArea, { as }, { params, body });
  expect((await edit()).status).toBe(200);
  expect((await edit()).body.message).toBe("数据已被他人修改，请刷新后重试");
  // the picture that was taken away opens for nobody any more
  expect((await house.ask(getFile, { as }, { params: { id: pictures[0]! } })).status).toBe(404);
  const turn = (call: typeof calls.enableArea, version: number) =>
    house.ask(call, { as }, { params, body: { version } });
  expect((await turn(calls.disableArea, 2)).status).toBe(200);
  expect((await turn(calls.disableArea, 3)).body.message).toBe("当前状态为“停用”，不能停用");
  expect((await listed({ state: "disabled" })).list.map((a) => a.name)).toEqual(["健身中心"]);
  expect((await turn(calls.enableArea, 3)).status).toBe(200);
  const of = { params: { kind: "publicArea", recordId: id }, query: {} };
  expect((await house.did(recordHistory, { as }, of)).list.map((entry) => entry.summary)).toEqual([
    "启用公共区域",
    "停用公共区域",
    "名称：健身房 → 健身中心；位置：全店 → 3栋·1单元·1F；容纳人数：20 → 空；图片：1 张 → 0 张",
    "新增公共区域 健身房",
  ]);
  await house.did(calls.deleteArea, { as }, { params, query: { version: 4 } });
  expect((await house.ask(calls.publicArea, { as }, { params })).status).toBe(404);
});

test("a building with areas is not deleted, and a word of their kind counts and merges them", async () => {
  const building = { params: { id: at.buildingId }, query: { version: 1 } };
  const hanging = await house.ask(deleteBuilding, { as }, building);
  expect(hanging.status).toBe(409);
  expect(hanging.body.message).toContain("个公共区域");
  await made(corridor({ name: "小储藏间", kindDic: "store" }));
  const query = { group: "areaKind", uses: "1", pageSize: 200 } as const;
  const words = await house.did(houseDic.list, { as }, { query });
  expect(words.list.find((word) => word.code === "store")?.uses).toBe(1);
});

test("a sheet of areas says what is wrong in each row, comes in whole and is taken back whole", async () => {
  const sheet = async (...rows: Record<string, string>[]) => {
    const sent = await sendSheet(house, as, calls.areaImport.check, await sheetBytes("公共区域", rows), {
      villageId,
    });
    return house.did(calls.areaImport.get, { as }, { params: { id: sent.id } });
  };
  const row = (位置: string, 名称: string, more = {}) => ({ 位置, 名称, 类型: "走廊", ...more });
  await made(corridor({ name: "北走廊", ...onFloor(9) }));
  await house.database.db
    .updateTable("floor")
    .set({ name: "夹层" })
    .where("id", "in", [floor(16), floor(17)])
    .execute();
  // of one name in two buildings they are told apart by the building
  const beside = await aBuilding(house, villageId, "5栋");
  const wrong = await sheet(
    row("3栋·1单元·9F", "北走廊"),
    row("3栋·1单元·99F", "南走廊", { 负责人: "无名" }),
    row("3栋·1单元·9F", "南走廊", { 类型: "泳池", 面积: "０" }),
    row("", "花园"),
    row("全店", "花园", { 容纳人数: "1001" }),
    ...["0x10", "1e3", "1,5"].map((面积, i) => row("", `库房${i}室`, { 面积 })),
    row("3栋·1单元·夹层", "东走廊"),
  );
  expect(wrong.errors.map((e) => [e.row, e.header, e.msg])).toEqual([
    [2, "名称", "同一位置已存在同名公共区域"],
    [3, "位置", "该门店没有“3栋·1单元·99F”，请按列表中的位置填写"],
    [3, "负责人", "没有在职员工“无名”，有同名的请填手机号"],
    [4, "类型", expect.stringContaining("类型应为：")],
    [4, "面积", "面积格式不正确"],
    [6, "容纳人数", expect.stringContaining("1000")],
    ...[7, 8, 9].map((line) => [line, "面积", "面积格式不正确"]),
    [10, "位置", "该门店有 2 个“3栋·1单元·夹层”，请先修改楼层名加以区分"],
  ]);
  const { id, version } = await sheet(
    row("3栋·1单元·9F", "南走廊", { 面积: "４２.5", 负责人: "宋知远" }),
    row("3栋", "门厅", { 开放时间: "全天" }),
    row("", "花园", { 容纳人数: "50" }),
    row("5栋·1单元·9F", "南走廊"),
  );
  const params = { id };
  await house.did(calls.areaImport.commit, { as }, { params, body: { version } });
  const { list } = await listed({ keyword: "南走廊" });
  expect(list).toMatchObject([
    { place: "3栋·1单元·9F", area: 42.5, managerName: "宋知远" },
    { place: "5栋·1单元·9F", floorId: beside.floorIds.get(9) },
  ]);
  expect((await listed({ keyword: "花园" })).list.map((a) => [a.name, a.place, a.capacity])).toContainEqual([
    "花园",
    "全店",
    50,
  ]);
  const undone = { params, body: { version: version + 1 } };
  expect((await house.ask(calls.areaImport.undo, { ...stranger, key: randomUUID() }, undone)).status).toBe(
    404,
  );
  expect((await house.did(calls.areaImport.undo, { as }, undone)).removed).toBe(4);
  expect((await listed({ keyword: "南走廊" })).total).toBe(0);
});

test("of another store's areas nothing is seen, changed or counted", async () => {
  const params = { id: await made(corridor({ name: "洗衣房", kindDic: "laundry" })) };
  const asks = [
    house.ask(calls.publicArea, stranger, { params }),
    house.ask(calls.disableArea, stranger, { params, body: { version: 1 } }),
    house.ask(calls.deleteArea, stranger, { params, query: { version: 1 } }),
    house.ask(calls.addArea, stranger, { body: corridor({ name: "门厅" }) as never }),
    house.ask(calls.publicAreas, stranger, { query: { villageIds: String(villageId) } as never }),
  ];
  for (const answer of await Promise.all(asks)) expect(answer.status).toBe(404);
  expect((await house.did(calls.publicAreas, stranger, { query: {} as never })).total).toBe(0);
});
