import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { addApartment, apartment, editApartment, apartments } from "../apartment/apartment.contract.ts";
import { addBuilding, editBuilding } from "../building/building.contract.ts";
import { rooms } from "../room-acts/room.contract.ts";
import { aBuilding, aFlat, aVillage } from "../village/village.sample.ts";
import { addProduct, product } from "../product/product.contract.ts";
import { aProduct } from "../product/product.sample.ts";
import { facilityDic, houseDic } from "../../system/dic/dic.contract.ts";
import { facilitiesOf } from "./house.contract.ts";

const house = await testHouse();
house.setClock("2026-11-20T10:00:00+08:00");
const { pool } = house.database;
const villageId = await aVillage(house);
const other = await aVillage(house);
const at = await aBuilding(house, villageId);
const permits = [
  ...["6.add", "6.edit", "6.query", "6.get"],
  ...["58.query", "58.add", "58.edit", "58.delete", "58.enable", "58.disable", "58.export"],
  ...["124.add", "124.edit"],
] as const;
const as = await house.person({ permits: [...permits], villages: [villageId] });
const clerk = await house.person({ permits: ["6.add", "6.get"], villages: [villageId] });

const words = (group: string, query: object = {}) =>
  house.did(houseDic.list, { as }, { query: { group, uses: "1", pageSize: 200, ...query } });
const named = async (group: string, name: string) =>
  (await words(group)).list.find((item) => item.name === name)!;
const flat = (name: string, more: object = {}) => ({
  buildingId: at.buildingId,
  unitId: at.unitId,
  floorId: at.floorIds.get(12)!,
  name,
  rentMode: "whole" as const,
  grossArea: 60,
  rooms: [{ name, area: 60 }],
  ...more,
});

test("an enterprise begins with the words of the product, in order, and each group is counted", async () => {
  const { list, total } = await words("orientation");
  expect(total).toBe(10);
  expect(list.slice(0, 3).map((item) => [item.name, item.code, item.uses])).toEqual([
    ["东", "E", 0],
    ["南", "S", 0],
    ["西", "W", 0],
  ]);
  expect(await house.did(houseDic.counts, { as }, { query: {} })).toMatchObject({
    orientation: 10,
    decoration: 4,
  });
});

test("a word that was switched off stays on old flats, and new ones may not take it", async () => {
  const { id } = await house.did(addApartment, { as }, { body: flat("1201", { orientation: "东北" }) });
  const item = await named("orientation", "东北");
  // the flat and its room
  expect(item.uses).toBe(2);
  await house.did(
    houseDic.edit,
    { as },
    { params: { id: item.id }, body: { enabled: false, version: item.version } },
  );
  const seen = await house.did(apartment, { as }, { params: { id } });
  expect(seen.orientation).toBe("东北");
  const refused = await house.ask(addApartment, { as }, { body: flat("1202", { orientation: "东北" }) });
  expect(refused.body).toMatchObject({
    code: 400,
    fields: [{ field: "orientation", msg: "朝向中没有“东北”" }],
  });
  // the old flat keeps it through an edit
  const { fullName: _, rooms: __, ...fields } = seen;
  const kept = await house.ask(
    editApartment,
    { as },
    { params: { id }, body: { ...fields, remark: "改" } as never },
  );
  expect(kept.status).toBe(200);
  const gone = await house.ask(houseDic.remove, { as }, { params: { id: item.id } });
  expect(gone.body).toMatchObject({ code: 409, message: "该字典项已被使用，只能停用" });
});

test("merging moves every use and removes the word; renaming takes the records along", async () => {
  for (const name of ["阳台小", "安静"])
    await house.did(houseDic.add, { as }, { body: { group: "roomTag", name } });
  const roomId = await aFlat(house, at, { name: "1301" }).then((made) => made.roomIds[0]!);
  await pool.query("update room set tags = '{阳台小,安静,阳台}' where id = $1", [roomId]);
  for (let n = 0; n < 36; n++) {
    const more = await aFlat(house, at, { name: `14${String(n).padStart(2, "0")}` });
    await pool.query("update room set tags = '{阳台小}' where id = $1", [more.roomIds[0]]);
  }
  const [from, into] = [await named("roomTag", "阳台小"), await named("roomTag", "阳台")];
  expect(from.uses).toBe(37);
  const { moved } = await house.did(
    houseDic.merge,
    { as },
    { params: { id: from.id }, body: { into: into.id, version: from.version } },
  );
  expect(moved).toBe(37);
  expect(await named("roomTag", "阳台小")).toBeUndefined();
  const tags = await pool.query("select tags from room where id = $1", [roomId]);
  expect(tags.rows[0].tags).toEqual(["阳台", "安静"]);
  const calm = await named("roomTag", "安静");
  await house.did(
    houseDic.edit,
    { as },
    { params: { id: calm.id }, body: { name: "清静", version: calm.version } },
  );
  const { list } = await house.did(rooms, { as }, { query: { tag: "清静" } as never });
  expect(list.map((r) => r.id)).toEqual([roomId]);
});

test("the same name twice, a stale version and a stale order are refused; codes are given and kept", async () => {
  const add = (name: string) => house.ask(houseDic.add, { as }, { body: { group: "decoration", name } });
  const answers = await Promise.all([add("原木"), add("原木")]);
  expect(answers.map((a) => a.status).toSorted()).toEqual([200, 400]);
  expect(answers.find((a) => a.status === 400)!.body.fields).toEqual([
    { field: "name", msg: "同一分组下名称已存在" },
  ]);
  const item = await named("decoration", "原木");
  expect(item.code).toMatch(/^N\d+$/);
  const body = { name: "原木风", version: item.version };
  expect((await house.ask(houseDic.edit, { as }, { params: { id: item.id }, body })).status).toBe(200);
  expect((await house.ask(houseDic.edit, { as }, { params: { id: item.id }, body })).status).toBe(409);
  expect((await named("decoration", "原木风")).code).toBe(item.code);
  const was = (await words("decoration")).list.map((w) => w.id);
  const ids = was.toReversed();
  const order = () => house.ask(houseDic.order, { as }, { body: { group: "decoration", was, ids } });
  expect((await order()).status).toBe(200);
  expect((await words("decoration")).list.map((w) => w.id)).toEqual(ids);
  expect((await order()).body).toMatchObject({ code: 409, data: ids });
});

test("what belongs to the product is neither deleted nor merged; who lacks the action is refused", async () => {
  const hall = await named("areaKind", "大堂");
  expect((await house.ask(houseDic.remove, { as }, { params: { id: hall.id } })).body.message).toBe(
    "系统内置项不能删除，可改名或停用",
  );
  const body = { name: "x", version: 1 };
  expect((await house.ask(houseDic.edit, { as: clerk }, { params: { id: hall.id }, body })).status).toBe(403);
  const opener = await house.person({ permits: ["58.enable"] });
  const off = { enabled: false, version: hall.version };
  expect(
    (await house.ask(houseDic.edit, { as: opener }, { params: { id: hall.id }, body: off })).status,
  ).toBe(403);
});

test("a switch leaves everything else of a word as it is, and takes the action for it alone", async () => {
  await house.did(houseDic.add, { as }, { body: { group: "roomTag", name: "朝花园", colour: "green" } });
  const item = await named("roomTag", "朝花园");
  const closer = await house.person({ permits: ["58.disable"] });
  const off = { enabled: false, version: item.version };
  await house.did(houseDic.edit, { as: closer }, { params: { id: item.id }, body: off });
  expect(await named("roomTag", "朝花园")).toMatchObject({ state: "off", colour: "green" });
});

test("a facility of one village is not offered in another", async () => {
  await house.did(facilityDic.add, { as }, { body: { group: "room", name: "壁炉", villageIds: [other] } });
  const both = await house.person({ permits: [], villages: [villageId, other] });
  const at2 = (id: number) => house.did(facilitiesOf, { as: both }, { query: { villageId: id } });
  const names = async (id: number) => (await at2(id)).filter((f) => f.scope === "room").map((f) => f.name);
  expect(await names(other)).toContain("壁炉");
  expect(await names(villageId)).not.toContain("壁炉");
  const refused = await house.ask(
    addApartment,
    { as },
    { body: flat("1501", { facilities: ["空调", "壁炉"] }) },
  );
  expect(refused.body.fields).toEqual([{ field: "facilities", msg: "房间设施中没有“壁炉”" }]);
  expect((await house.ask(facilitiesOf, { as: clerk }, { query: { villageId: other } })).status).toBe(404);
});

test("a facility of one store is offered there only, also to products", async () => {
  const { id } = await house.did(
    facilityDic.add,
    { as },
    { body: { group: "room", name: "新风系统", icon: "wind", villageIds: [villageId] } },
  );
  const both = await house.person({ permits: ["4.add", "4.edit", "4.get"], villages: [villageId, other] });
  const offeredIn = async (where: number) =>
    (await house.did(facilitiesOf, { as: both }, { query: { villageId: where } })).find((f) => f.id === id);
  expect(await offeredIn(villageId)).toMatchObject({ scope: "room", name: "新风系统", icon: "wind" });
  expect(await offeredIn(other)).toBeUndefined();
  const made = (villageIds: number[], code: string) =>
    house.ask(
      addProduct,
      { as: both },
      { body: aProduct(villageIds, { code, name: `产品${code}`, facilities: ["新风系统"] }) },
    );
  expect((await made([villageId], "FA")).status).toBe(200);
  for (const villageIds of [[other], [villageId, other]])
    expect((await made(villageIds, "FB")).body.fields).toEqual([
      { field: "facilities", msg: "房间设施中没有“新风系统”" },
    ]);
});

test("ownership, marks of the layout and the kind of a building are words of the dictionary", async () => {
  const { id } = await house.did(
    addApartment,
    { as },
    { body: flat("1290", { source: "leased", layoutTags: ["一居", "复式"] }) },
  );
  const seen = async () => house.did(apartment, { as }, { params: { id } });
  expect(await seen()).toMatchObject({ source: "leased", sourceName: "承租", layoutTags: ["一居", "复式"] });
  // the meaning stays when the word is another
  const leased = await named("source", "承租");
  expect(leased).toMatchObject({ code: "leased", uses: 1, builtIn: true });
  await house.did(
    houseDic.edit,
    { as },
    { params: { id: leased.id }, body: { name: "租入", version: leased.version } },
  );
  expect(await seen()).toMatchObject({ source: "leased", sourceName: "租入" });
  const { list } = await house.did(apartments, { as }, { query: { source: "leased" } });
  expect(list.map((a) => [a.id, a.source])).toEqual([[id, "租入"]]);

  await house.did(houseDic.add, { as }, { body: { group: "source", name: "合作" } });
  const { code } = await named("source", "合作");
  expect((await house.ask(addApartment, { as }, { body: flat("1291", { source: code }) })).status).toBe(200);
  const wrong = await house.ask(addApartment, { as }, { body: flat("1292", { source: "stolen" }) });
  expect(wrong.body.fields).toEqual([{ field: "source", msg: "产权来源中没有“stolen”" }]);

  const tower = { villageId, name: "9栋", kind: "塔楼", floorsAbove: 18 };
  const made = await house.did(addBuilding, { as }, { body: tower });
  expect(await named("buildingKind", "塔楼")).toMatchObject({ uses: 1 });
  const odd = await house.ask(
    editBuilding,
    { as },
    { params: { id: made.id }, body: { ...tower, kind: "城堡", version: 1 } },
  );
  expect(odd.body.fields).toEqual([{ field: "kind", msg: "楼栋类型中没有“城堡”" }]);
  // merged, the flats take the other word
  const [from, into] = [await named("layoutTag", "一居"), await named("layoutTag", "两居")];
  const { moved } = await house.did(
    houseDic.merge,
    { as },
    { params: { id: from.id }, body: { into: into.id, version: from.version } },
  );
  expect([moved, (await seen()).layoutTags]).toEqual([1, ["两居", "复式"]]);
});

test("a facility is counted and renamed in products too", async () => {
  const head = await house.person({ superType: "1" });
  await house.did(facilityDic.add, { as: head }, { body: { group: "room", name: "洗碗机" } });
  const body = aProduct([villageId], { code: "DISH", name: "带洗碗机", facilities: ["洗碗机"] });
  const { id } = await house.did(addProduct, { as: head }, { body });
  const { list } = await house.did(
    facilityDic.list,
    { as: head },
    { query: { group: "room", uses: "1", pageSize: 200 } },
  );
  const word = list.find((item) => item.name === "洗碗机")!;
  expect(word.usedIn).toEqual({ product: 1 });
  const gone = await house.ask(facilityDic.remove, { as: head }, { params: { id: word.id } });
  expect(gone.body.message).toBe("该字典项已被使用，只能停用");
  await house.did(
    facilityDic.edit,
    { as: head },
    { params: { id: word.id }, body: { name: "嵌入式洗碗机", version: word.version } },
  );
  const seen = await house.did(product, { as: head }, { params: { id } });
  expect([seen.facilities, seen.version]).toEqual([["嵌入式洗碗机"], 2]);
});
