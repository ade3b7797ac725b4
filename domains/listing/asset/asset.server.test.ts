import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { sendSheet, sheetBytes } from "../../system/import/import.sample.ts";
import { recordHistory } from "../../system/log/log.contract.ts";
import {
  addArea,
  areaImport,
  deleteArea,
  editArea,
  publicArea,
  publicAreas,
} from "../public-area/area.contract.ts";
import { rooms, deleteRoom } from "../room-acts/room.contract.ts";
import { aBuilding, aFlat, aVillage } from "../village/village.sample.ts";
import {
  addAsset,
  copyAssets,
  deleteAsset,
  editAsset,
  moveAssets,
  roomAsset,
  roomAssets,
  turnAsset,
  addAssetDic,
  deleteAssetDic,
  editAssetDic,
  listAssetDic,
} from "./asset.contract.ts";

const house = await testHouse();
house.setClock("2026-11-20T10:00:00+08:00");
const villageId = await aVillage(house);
const other = await aVillage(house);
const at = await aBuilding(house, villageId);
const [a, b] = await Promise.all(
  ["1201", "1202"].map(async (name) => (await aFlat(house, at, { name })).roomIds[0]!),
);
const far = (await aFlat(house, await aBuilding(house, other), { name: "501" })).roomIds[0]!;
const permits = [
  ...["query", "get", "add", "edit", "delete", "import"].map((action) => `6.${action}`),
  ...["query", "add", "edit", "delete"].map((action) => `117.${action}`),
  "3.get",
];
const as = await house.person({ permits, villages: [villageId] });
const stranger = await house.person({ permits, villages: [other] });

const word = async (more: object = {}) =>
  (
    await house.did(
      addAssetDic,
      { as },
      {
        body: {
          ...{ name: "双人床", category: "furniture", spec: "1.5m", unit: "张" },
          ...{ price: 120_000, damagePrice: 60_000, warrantyMonths: 24, ...more },
        } as never,
      },
    )
  ).id;
const bed = await word();
const lock = await word({ name: "智能门锁", category: "hardware", spec: "", needsSerial: true });
const add = (body: object) => house.ask(addAsset, { as }, { body: { assetDicId: bed, ...body } as never });
const made = async (body: object) =>
  (await house.did(addAsset, { as }, { body: { assetDicId: bed, ...body } as never })).id;
const listed = (query: object, who = as) => house.did(roomAssets, { as: who }, { query: query as never });
const dicRow = async (id: number) =>
  (await house.did(listAssetDic, { as }, { query: { ids: String(id) } as never })).list[0]!;

test("what the form leaves out comes from the dictionary; a new damage price counts from then on", async () => {
  const id = await made({ roomId: a, quantity: 2, purchasedOn: "2026-01-15" });
  const own = await made({ roomId: a, code: "BED-9", name: "儿童床", price: 99_900, damagePrice: 50_000 });
  const first = await house.did(roomAsset, { as }, { params: { id } });
  expect(first).toMatchObject({
    ...{ name: "双人床", price: 120_000, value: 240_000, damagePrice: 60_000, unit: "张" },
    ...{ warrantyTo: "2028-01-15", state: "inUse", quantity: 2 },
  });
  expect(first.code).toMatch(/^ZC20261120-/);
  const { sums } = await listed({ roomId: a });
  expect(sums).toEqual({ quantity: 3, value: 339_900, damageValue: 170_000 });
  const { version } = await dicRow(bed);
  await house.did(editAssetDic, { as }, { params: { id: bed }, body: { damagePrice: 80_000, version } });
  expect((await house.did(roomAsset, { as }, { params: { id } })).damagePrice).toBe(80_000);
  expect((await house.did(roomAsset, { as }, { params: { id: own } })).damagePrice).toBe(50_000);
  const list = await house.did(rooms, { as }, { query: { keyword: "1201" } as never });
  expect(list.list[0]!.assets).toBe(3);
});

test("a number is given once in the enterprise, and some kinds demand one for each piece", async () => {
  expect((await add({ roomId: b, code: "BED-9" })).body.fields).toEqual([
    { field: "code", msg: "编号已存在" },
  ]);
  expect((await add({ roomId: b, assetDicId: lock })).body.fields).toEqual([
    { field: "code", msg: "该类资产须登记编号" },
  ]);
  expect((await add({ roomId: b, assetDicId: lock, code: "L-1", quantity: 2 })).body.fields).toEqual([
    { field: "quantity", msg: "须登记编号的资产，每条数量为1" },
  ]);
  expect((await add({ quantity: 1 })).body.fields).toEqual([
    { field: "roomId", msg: "请选择房间或公共区域" },
  ]);
});

test("damaged, repaired, lost: each only from where it stands, what is gone says why and counts no more", async () => {
  const id = await made({ roomId: b, code: "SOFA-1" });
  const turn = (act: string, version: number, reason?: string) =>
    house.ask(
      turnAsset,
      { as },
      { params: { id }, body: { act, version, ...(reason && { reason }) } as never },
    );
  expect((await turn("repair", 1)).body.message).toBe("当前状态为“在用”，不能恢复使用");
  expect((await turn("damage", 1, "床板断裂")).status).toBe(200);
  expect((await turn("repair", 2)).status).toBe(200);
  expect((await turn("lose", 3)).body.fields).toEqual([{ field: "reason", msg: "请填写原因（2-200字）" }]);
  expect((await turn("lose", 3, "退房时未见")).status).toBe(200);
  const gone = await house.did(roomAsset, { as }, { params: { id } });
  expect(gone).toMatchObject({ state: "lost", reason: "退房时未见", goneOn: "2026-11-20" });
  expect((await listed({ roomId: b })).sums?.quantity).toBe(0);
  expect((await turn("damage", 4)).body.message).toBe("当前状态为“丢失”，不能报损");
  const { list } = await house.did(
    recordHistory,
    { as },
    { params: { kind: "room", recordId: b }, query: {} },
  );
  expect(list[0]!.summary).toBe("报失：双人床 SOFA-1，退房时未见");
});

test("a sheet of areas is not taken back while something stands in one of them", async () => {
  const bytes = await sheetBytes("公共区域", [{ 名称: "健身房", 类型: "健身房" }]);
  const params = { id: await sendSheet(house, as, areaImport, villageId, bytes) };
  await house.did(areaImport.commit, { as }, { params, body: { version: 1 } });
  const { list } = await house.did(publicAreas, { as }, { query: { keyword: "健身房" } as never });
  const id = await made({ publicAreaId: list[0]!.id });
  const undo = () => house.ask(areaImport.undo, { as, key: randomUUID() }, { params, body: { version: 2 } });
  expect((await undo()).body.message).toBe("该批公共区域有 1 项资产，不能删除，请先移走");
  await house.did(deleteAsset, { as }, { params: { id }, query: { version: 1 } });
  expect((await undo()).body.data).toMatchObject({ removed: 1 });
});

test("a moved piece is removed here and stands there under its number, each naming the other", async () => {
  const areaId = (
    await house.did(addArea, { as }, { body: { villageId, name: "洗衣房", kindDic: "laundry" } as never })
  ).id;
  const id = await made({ roomId: a, assetDicId: lock, code: "L-77" });
  const body = { ids: [id], publicAreaId: areaId, reason: "公共区域使用" };
  const { ids } = await house.did(moveAssets, { as }, { body });
  const before = await house.did(roomAsset, { as }, { params: { id } });
  const after = await house.did(roomAsset, { as }, { params: { id: ids[0]! } });
  expect(before).toMatchObject({ state: "removed", movedTo: "洗衣房", reason: "公共区域使用" });
  expect(after).toMatchObject({ state: "inUse", code: "L-77", publicAreaId: areaId });
  expect(after.movedFrom).toContain("1201");
  expect((await house.ask(moveAssets, { as }, { body })).body.message).toContain("当前状态为“已移除”");
  const refused = await house.ask(deleteAsset, { as }, { params: { id: ids[0]! }, query: { version: 1 } });
  expect(refused.body.message).toBe("该资产有转移记录，不能删除，可改为移除");
  // the area holds it, so it stays where it is
  const area = await house.did(publicArea, { as }, { params: { id: areaId } });
  expect(area.assets).toBe(1);
  const del = await house.ask(deleteArea, { as }, { params: { id: areaId }, query: { version: 1 } });
  expect(del.body.message).toBe("该公共区域有 1 项资产，不能删除，可改为停用");
  const both = await house.person({ permits, villages: [villageId, other] });
  const move = { ...area, villageId: other, buildingId: null, floorId: null, pictures: [] };
  expect(
    (await house.ask(editArea, { as: both }, { params: { id: areaId }, body: move as never })).body.fields,
  ).toEqual([{ field: "villageId", msg: "区域内有资产记录，不能更换门店" }]);
});

test("a furnished room is copied as a whole, with numbers of its own; a room with assets is not deleted", async () => {
  const { id: target } = await aFlat(house, at, { name: "1203" });
  const [c] = (await house.did(rooms, { as }, { query: { apartmentId: target } as never })).list.map(
    (r) => r.id,
  );
  const { made: count } = await house.did(copyAssets, { as }, { body: { roomId: a, toRoomIds: [c!] } });
  expect(count).toBe(2);
  const { list } = await listed({ roomId: c });
  expect(list.map((x) => [x.name, x.quantity, x.state])).toEqual([
    ["双人床", 2, "inUse"],
    ["儿童床", 1, "inUse"],
  ]);
  expect(list.every((x) => x.code.startsWith("ZC"))).toBe(true);
  const refused = await house.ask(deleteRoom, { as }, { params: { id: c! }, query: { version: 1 } });
  expect(refused.body.message).toContain("2 项资产");
  const self = await house.ask(copyAssets, { as }, { body: { roomId: a, toRoomIds: [a!] } });
  expect(self.body.fields).toEqual([{ field: "toRoomIds", msg: "不能复制到自身" }]);
});

test("a room takes nothing any more from the day on which it left the stock", async () => {
  const room = (await aFlat(house, at, { name: "1204" })).roomIds[0]!;
  const retire = (day: string) =>
    house.database.pool.query("update room set retired_day = $1 where id = $2", [day, room]);
  await retire("2026-11-21");
  const id = await made({ roomId: b, code: "T-9" });
  expect((await add({ roomId: room })).status).toBe(200);
  await retire("2026-11-20");
  const refused = await Promise.all([
    add({ roomId: room }),
    house.ask(moveAssets, { as }, { body: { ids: [id], roomId: room, reason: "送去" } }),
    house.ask(copyAssets, { as }, { body: { roomId: a, toRoomIds: [room] } }),
  ]);
  for (const { body } of refused) expect(body.message).toMatch(/1204 已注销$/);
});

test("a wrong entry is corrected or taken back; a stale one is refused", async () => {
  const id = await made({ roomId: b, code: "T-1" });
  const body = { assetDicId: bed, code: "T-2", name: "大床", price: 130_000, version: 1 };
  await house.did(editAsset, { as }, { params: { id }, body });
  expect((await house.ask(editAsset, { as }, { params: { id }, body })).status).toBe(409);
  const { list } = await house.did(
    recordHistory,
    { as },
    { params: { kind: "roomAsset", recordId: id }, query: {} },
  );
  expect(list[0]!.summary).toBe("编号：T-1 → T-2；名称：双人床 → 大床；单价：1,200.00 → 1,300.00");
  await house.did(deleteAsset, { as }, { params: { id }, query: { version: 2 } });
  expect((await house.ask(roomAsset, { as }, { params: { id } })).status).toBe(404);
});

test("a used kind is switched off and not deleted; what stands keeps it, new pieces do not get it", async () => {
  const gone = await house.ask(deleteAssetDic, { as }, { params: { id: bed } });
  expect(gone.body.message).toBe("该字典项已被使用，只能停用");
  const before = await dicRow(bed);
  const off = { enabled: false, version: before.version };
  const closer = await house.person({ permits: ["117.query", "117.disable"] });
  const named = { ...off, name: "单人床" };
  for (const [who, body] of [
    [closer, named],
    [await house.person({ permits: ["117.query", "117.enable"] }), off],
  ] as const)
    expect((await house.ask(editAssetDic, { as: who }, { params: { id: bed }, body })).status).toBe(403);
  await house.did(editAssetDic, { as: closer }, { params: { id: bed }, body: off });
  expect(await dicRow(bed)).toMatchObject({ state: "off", spec: "1.5m", damagePrice: 80_000 });
  expect((await add({ roomId: b })).body.fields).toEqual([{ field: "assetDicId", msg: "该资产类别已停用" }]);
  const twice = await house.ask(
    addAssetDic,
    { as },
    { body: { name: "双人床", category: "furniture", spec: "1.5m", unit: "张", price: 1 } as never },
  );
  expect(twice.body.fields).toEqual([{ field: "name", msg: "同名同规格的资产已存在" }]);
});

test("of another store's assets nothing is seen, moved or counted", async () => {
  const [asset] = (await listed({ roomId: a })).list;
  const { id } = asset!;
  const answers = await Promise.all([
    house.ask(roomAsset, { as: stranger }, { params: { id } }),
    house.ask(turnAsset, { as: stranger }, { params: { id }, body: { act: "damage", version: 1 } as never }),
    house.ask(moveAssets, { as: stranger }, { body: { ids: [id], roomId: far, reason: "拿走" } }),
    house.ask(moveAssets, { as }, { body: { ids: [id], roomId: far, reason: "送去" } }),
    house.ask(copyAssets, { as: stranger }, { body: { roomId: a, toRoomIds: [far] } }),
    house.ask(addAsset, { as: stranger }, { body: { assetDicId: lock, code: "X", roomId: a } as never }),
  ]);
  for (const answer of answers) expect(answer.status).toBe(404);
  expect((await listed({}, stranger)).total).toBe(0);
  expect((await listed({ roomId: a }, stranger)).total).toBe(0);
});
