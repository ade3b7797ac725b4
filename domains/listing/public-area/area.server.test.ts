import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { houseDic } from "../../system/dic/dic.contract.ts";
import { rowsOf } from "../../system/download/download.sample.ts";
import { aPng, sendFile } from "../../system/file/file.sample.ts";
import { recordHistory } from "../../system/log/log.contract.ts";
import { deleteBuilding } from "../building/building.contract.ts";
import { aBuilding, aVillage } from "../village/village.sample.ts";
import {
  addArea,
  copyArea,
  deleteArea,
  disableArea,
  editArea,
  enableArea,
  exportAreas,
  publicArea,
  publicAreas,
} from "./area.contract.ts";

const house = await testHouse();
const villageId = await aVillage(house);
const other = await aVillage(house);
const at = await aBuilding(house, villageId);
const elsewhere = await aBuilding(house, other, "9栋");
const permits = [
  ...["query", "get", "add", "edit", "delete", "enable", "disable"].map((action) => `6.${action}`),
  ...["58.query", "58.edit"],
];
const as = await house.person({ permits, villages: [villageId] });
const stranger = await house.person({ permits, villages: [other] });

const corridor = (more: object = {}) => ({ villageId, name: "走廊", kindDic: "corridor", ...more });
const onFloor = (number: number) => ({ buildingId: at.buildingId, floorId: at.floorIds.get(number)! });
const add = (body: object) => house.ask(addArea, { as }, { body: body as never });
const made = async (body: object) => (await house.did(addArea, { as }, { body: body as never })).id;
const seen = (id: number) => house.did(publicArea, { as }, { params: { id } });
const listed = (query: object = {}) => house.did(publicAreas, { as }, { query: query as never });

test("an export says its filter in the words of the page: records by name, words of a dictionary as they are called", async () => {
  const taking = await house.person({ permits: [...permits, "6.export", "4.query"], villages: [villageId] });
  const note = async (query: Record<string, string>) => {
    const { rawPayload } = await house.app.inject({
      url: exportAreas.path,
      headers: { authorization: taking.token },
      query,
    });
    return String((await rowsOf(rawPayload))[0]![0]).split("　　")[0];
  };
  const buildingId = String(at.buildingId);
  expect(await note({ buildingId, kind: "corridor", state: "enabled", keyword: "走" })).toBe(
    "筛选：楼栋 3栋；类型 走廊；状态 启用；关键字 走",
  );
  expect(await note({ buildingId: String(elsewhere.buildingId) })).toBe("筛选：楼栋 （不可见）");
});

test("a corridor is copied to the floors above, named after each", async () => {
  const id = await made(corridor({ ...onFloor(3), area: 42.5, openHours: "全天" }));
  const floorIds = [6, 4, 5].map((n) => at.floorIds.get(n)!);
  const copied = await house.did(
    copyArea,
    { as },
    { params: { id }, body: { pattern: "{名称} {楼层}", floorIds } },
  );
  expect(copied.made.map((area) => area.name)).toEqual(["走廊 4F", "走廊 5F", "走廊 6F"]);
  const { list, sums } = await listed({ buildingId: at.buildingId });
  expect(list.map((a) => [a.name, a.place, a.kindName, a.area])).toEqual([
    ["走廊", "3栋·1单元·3F", "走廊", 42.5],
    ["走廊 4F", "3栋·1单元·4F", "走廊", 42.5],
    ["走廊 5F", "3栋·1单元·5F", "走廊", 42.5],
    ["走廊 6F", "3栋·1单元·6F", "走廊", 42.5],
  ]);
  expect(sums?.area).toBe(170);
  // once more is refused as a whole, and the place is named
  const again = await house.ask(
    copyArea,
    { as },
    {
      params: { id },
      body: { pattern: "{名称} {楼层}", floorIds: [at.floorIds.get(7)!, at.floorIds.get(6)!] },
    },
  );
  expect(again.body.fields).toEqual([
    { field: "pattern", msg: "3栋·1单元·6F：同一位置已存在同名公共区域“走廊 6F”" },
  ]);
  expect((await listed({ buildingId: at.buildingId })).total).toBe(4);
  const away = await house.ask(
    copyArea,
    { as },
    { params: { id }, body: { pattern: "{名称}", floorIds: [elsewhere.floorIds.get(2)!] } },
  );
  expect(away.body.fields).toEqual([{ field: "floorIds", msg: "只能复制到本门店的楼栋和楼层" }]);
});

test("each mistake in the form is told under its field", async () => {
  const wrong = async (more: object) => (await add(corridor({ name: "门厅", ...more }))).body.fields;
  expect(await wrong({ name: "" })).toEqual([{ field: "name", msg: "请输入公共区域名称" }]);
  expect(await wrong({ name: "123" })).toEqual([{ field: "name", msg: "名称不能为纯数字" }]);
  expect(await wrong({ floorId: at.floorIds.get(1)! })).toEqual([
    { field: "buildingId", msg: "请先选择楼栋" },
  ]);
  expect(await wrong({ buildingId: elsewhere.buildingId })).toEqual([
    { field: "buildingId", msg: "楼栋不在所选门店" },
  ]);
  expect(await wrong({ ...onFloor(2), floorId: elsewhere.floorIds.get(2)! })).toEqual([
    { field: "floorId", msg: "楼层不在所选楼栋" },
  ]);
  expect(await wrong({ kindDic: "pool" })).toEqual([{ field: "kindDic", msg: "公共区域类型中没有“pool”" }]);
  expect(await wrong({ area: 0 })).toEqual([{ field: "area", msg: "面积格式不正确" }]);
  await made(corridor({ name: "屋顶花园", kindDic: "roof" }));
  expect((await add(corridor({ name: "屋顶花园", kindDic: "roof" }))).body.fields).toEqual([
    { field: "name", msg: "同一位置已存在同名公共区域" },
  ]);
  // elsewhere the same name is free
  expect((await add(corridor({ name: "屋顶花园", ...onFloor(18) }))).status).toBe(200);
});

test("it is changed, switched off and on, and every step stands in its log", async () => {
  const sent = await sendFile(house, as, { name: "gym.png", bytes: aPng() }, "image10M");
  const fileId = sent.body.data.id;
  const id = await made(corridor({ name: "健身房", kindDic: "gym", capacity: 20, pictures: [fileId] }));
  const first = await seen(id);
  expect(first).toMatchObject({ place: "全店", kindName: "健身房", pictures: [fileId], assets: 0 });
  const body = { ...corridor({ name: "健身中心", kindDic: "gym", ...onFloor(1) }), version: first.version };
  await house.did(editArea, { as }, { params: { id }, body });
  expect((await house.ask(editArea, { as }, { params: { id }, body })).body.message).toBe(
    "数据已被他人修改，请刷新后重试",
  );
  const off = { params: { id }, body: { version: 2 } };
  await house.did(disableArea, { as }, off);
  expect((await house.ask(disableArea, { as }, { params: { id }, body: { version: 3 } })).body.message).toBe(
    "当前状态为“停用”，不能停用",
  );
  expect((await listed({ state: "disabled" })).list.map((a) => a.name)).toEqual(["健身中心"]);
  await house.did(enableArea, { as }, { params: { id }, body: { version: 3 } });
  const { list } = await house.did(
    recordHistory,
    { as },
    { params: { kind: "publicArea", recordId: id }, query: {} },
  );
  expect(list.map((entry) => entry.summary)).toEqual([
    "启用公共区域",
    "停用公共区域",
    "名称：健身房 → 健身中心；位置：全店 → 3栋·1单元·1F；容纳人数：20 → 空；图片：1 张 → 0 张",
    "新增公共区域 健身房",
  ]);
  await house.did(deleteArea, { as }, { params: { id }, query: { version: 4 } });
  expect((await house.ask(publicArea, { as }, { params: { id } })).status).toBe(404);
});

test("a building with areas is not deleted, and a word of their kind counts and merges them", async () => {
  const hanging = await house.ask(
    deleteBuilding,
    { as },
    { params: { id: at.buildingId }, query: { version: 1 } },
  );
  expect(hanging.status).toBe(409);
  expect(hanging.body.message).toContain("个公共区域");
  await made(corridor({ name: "小储藏间", kindDic: "store" }));
  const words = await house.did(
    houseDic.list,
    { as },
    { query: { group: "areaKind", uses: "1", pageSize: 200 } },
  );
  expect(words.list.find((word) => word.code === "store")?.uses).toBe(1);
});

test("of another store's areas nothing is seen, changed or counted", async () => {
  const id = await made(corridor({ name: "洗衣房", kindDic: "laundry" }));
  const asks = [
    house.ask(publicArea, { as: stranger }, { params: { id } }),
    house.ask(disableArea, { as: stranger }, { params: { id }, body: { version: 1 } }),
    house.ask(deleteArea, { as: stranger }, { params: { id }, query: { version: 1 } }),
    house.ask(addArea, { as: stranger }, { body: corridor({ name: "门厅" }) as never }),
    house.ask(publicAreas, { as: stranger }, { query: { villageIds: String(villageId) } as never }),
  ];
  for (const answer of await Promise.all(asks)) expect(answer.status).toBe(404);
  expect((await house.did(publicAreas, { as: stranger }, { query: {} as never })).total).toBe(0);
});
