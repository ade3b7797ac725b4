import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { houseDic, houseDicImport as imported } from "../../system/dic/dic.contract.ts";
import { sendSheet, sheetBytes } from "../../system/import/import.sample.ts";
import { aBuilding, aFlat, aVillage } from "../village/village.sample.ts";

const house = await testHouse();
house.setClock("2026-11-20T10:00:00+08:00");
const { pool } = house.database;
const villageId = await aVillage(house);
const permits = ["58.query", "58.add", "58.edit", "58.delete", "58.import"] as const;
const as = await house.person({ permits: [...permits], villages: [villageId] });
const colleague = await house.person({ permits: [...permits], villages: [villageId] });
const clerk = await house.person({ permits: ["58.query", "58.add"], villages: [villageId] });

const send = async (lines: Record<string, string>[], who = as) => {
  const id = await sendSheet(house, who, imported, undefined, await sheetBytes("字典项", lines));
  return house.did(imported.get, { as: who }, { params: { id } });
};
const commit = ({ id, version }: { id: number; version: number }, who = as) =>
  house.ask(imported.commit, { as: who, key: randomUUID() }, { params: { id }, body: { version } });
const undo = (id: number, version: number, who = as) =>
  house.ask(imported.undo, { as: who, key: randomUUID() }, { params: { id }, body: { version } });
const named = async (group: string, name: string) =>
  (
    await house.did(houseDic.list, { as }, { query: { group: group as never, uses: "1", pageSize: 200 } })
  ).list.find((item) => item.name === name);

test("every wrong cell is named, and no word is made", async () => {
  const batch = await send([
    { 分组: "房间标签", 名称: "近地铁口", 颜色: "绿" },
    { 分组: "星座", 名称: "处女座" },
    { 分组: "朝向", 名称: "东北" },
    { 分组: "房间标签", 名称: "近地铁口" },
    { 分组: "朝向", 名称: "东偏南", 颜色: "绿" },
    { 分组: "朝向", 名称: "一二三四五六七八九十一二三四五六七八九十一" },
    { 分组: "朝向", 名称: "西偏北", 编码: "E" },
    { 分组: "保洁清单", 名称: "擦窗", 须拍照: "要" },
    { 名称: "无组" },
  ]);
  expect(batch).toMatchObject({ state: "failed", rowCount: 9 });
  expect(batch.errors.map((e) => [e.row, e.header, e.msg])).toEqual(
    expect.arrayContaining([
      [3, "分组", expect.stringContaining("分组应为：户型标签、朝向")],
      [4, "名称", "同一分组下名称已存在"],
      [5, "名称", "与第 2 行重复"],
      [6, "颜色", "该分组没有这一项，请留空"],
      [7, "名称", "名称长度为1到20个字"],
      [8, "编码", "同一分组下编码已存在"],
      [9, "须拍照", "须拍照应为：是、否"],
    ]),
  );
  expect(batch.errors.map((e) => e.row)).toContain(10);
  expect((await commit(batch)).status).toBe(409);
  expect(await named("roomTag", "近地铁口")).toBeUndefined();
});

test("a right file is taken whole at the end of its groups; one batch however often it is pressed", async () => {
  const batch = await send([
    { 分组: "房间标签", 名称: "临湖", 颜色: "绿", 编码: "LAKE" },
    { 分组: "房间标签", 名称: "临小河" },
    { 分组: "保洁清单", 名称: "擦踢脚线", 提示: "含门后", 须拍照: "是" },
  ]);
  expect(batch).toMatchObject({ state: "ready", errorCount: 0 });
  const both = await Promise.all([commit(batch), commit(batch)]);
  expect(both.map((a) => a.status).toSorted()).toEqual([200, 409]);
  expect(await named("roomTag", "临湖")).toMatchObject({ colour: "green", code: "LAKE", uses: 0 });
  expect(await named("roomTag", "临小河")).toMatchObject({
    colour: "grey",
    code: expect.stringMatching(/^N\d+$/),
  });
  expect(await named("cleanList", "擦踢脚线")).toMatchObject({ hint: "含门后", photo: true });
  const again = await sendSheet(
    house,
    as,
    imported,
    undefined,
    await sheetBytes("字典项", [{ 分组: "房间标签", 名称: "临湖二" }]),
  );
  expect(again).toBeGreaterThan(batch.id);
  const { list } = await house.did(imported.list, { as: colleague }, { query: {} });
  expect(list.map((b) => b.state)).toEqual(expect.arrayContaining(["done", "ready", "failed"]));
});

test("a batch goes back as long as no record uses one of its words, also by a colleague", async () => {
  const at = await aBuilding(house, villageId);
  const { roomIds } = await aFlat(house, at, { name: "1501" });
  await pool.query("update room set tags = '{临湖}' where id = $1", [roomIds[0]]);
  const { list } = await house.did(imported.list, { as }, { query: {} });
  const done = list.find((b) => b.state === "done")!;
  expect((await undo(done.id, done.version)).body).toMatchObject({
    code: 409,
    message: "1 个字典项已被使用，不能撤销：临湖（1 处）",
  });
  await pool.query("update room set tags = '{}' where id = $1", [roomIds[0]]);
  expect((await undo(done.id, done.version, clerk)).status).toBe(403);
  expect((await undo(done.id, done.version, colleague)).body.data).toMatchObject({ removed: 3 });
  expect(await named("roomTag", "临湖")).toBeUndefined();
});

test("a batch of another enterprise is not there", async () => {
  const batch = await send([{ 分组: "朝向", 名称: "南偏西" }]);
  await pool.query(
    `with e as (insert into enterprise (name) values ('别家公寓') returning id)
     update dic_import set enterprise_id = (select id from e) where id = $1`,
    [batch.id],
  );
  const seen = await house.ask(imported.get, { as }, { params: { id: batch.id } });
  expect(seen.status).toBe(404);
  expect((await commit(batch)).status).toBe(404);
});
