import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { houseDic } from "../../system/dic/dic.contract.ts";
import { apartments } from "../apartment/apartment.contract.ts";
import { rooms } from "../room-acts/room.contract.ts";
import { addChannel, channel } from "../channel/channel.contract.ts";
import { aChannel } from "../sync/sync.sample.ts";
import { aBuilding, aFlat, aVillage } from "../village/village.sample.ts";

const house = await testHouse();
house.setClock("2026-11-20T10:00:00+08:00");
const { pool } = house.database;
const villageId = await aVillage(house);
const at = await aBuilding(house, villageId);
const as = await house.person({
  permits: ["6.query", "58.query", "58.add", "58.edit", "58.delete", "67.add", "67.get", "67.edit"],
  villages: [villageId],
});
const named = async (group: "orientation" | "roomTag" | "blockNote" | "cleanList", name: string) =>
  (await house.did(houseDic.list, { as }, { query: { group, uses: "1", pageSize: 200 } })).list.find(
    (item) => item.name === name,
  )!;

test("a word is counted by what holds it, and each count is the total of the list behind it", async () => {
  const flats = [await aFlat(house, at, { name: "1601" }), await aFlat(house, at, { name: "1602" })];
  await pool.query("update apartment set orientation = '东北'");
  await pool.query("update room set orientation = '东北', tags = '{阳台}' where id = $1", [
    flats[0]!.roomIds[0],
  ]);
  await pool.query("update apartment set retired_day = '2026-11-01' where name = '1602'");
  const word = await named("orientation", "东北");
  expect(word).toMatchObject({ uses: 3, usedIn: { apartment: 2, room: 1 } });
  const query = { orientation: "东北", stock: "all" as const };
  expect((await house.did(apartments, { as }, { query })).total).toBe(2);
  expect((await house.did(rooms, { as }, { query })).total).toBe(1);
  expect((await named("roomTag", "阳台")).usedIn).toEqual({ room: 1 });
  expect((await house.did(rooms, { as }, { query: { tag: "阳台", stock: "all" } })).total).toBe(1);
  // nobody counts what a checklist of the day said
  expect(
    (await house.did(houseDic.list, { as }, { query: { group: "cleanList", uses: "1" } })).list[0],
  ).toMatchObject({
    uses: null,
    mapped: null,
  });
});

test("a code is given or typed, and fixed once the word is used", async () => {
  const { id } = await house.did(
    houseDic.add,
    { as },
    { body: { group: "orientation", name: "东南角", code: "SEC" } },
  );
  const twice = await house.ask(
    houseDic.add,
    { as },
    { body: { group: "orientation", name: "东南角二", code: "SEC" } },
  );
  expect(twice.body.fields).toEqual([{ field: "code", msg: "同一分组下编码已存在" }]);
  const odd = await house.ask(
    houseDic.add,
    { as },
    { body: { group: "orientation", name: "东南角三", code: "S-E" } },
  );
  expect(odd.body.fields).toEqual([{ field: "code", msg: "仅支持字母和数字" }]);
  const recode = async (code: string) =>
    house.ask(
      houseDic.edit,
      { as },
      { params: { id }, body: { code, version: (await named("orientation", "东南角")).version } },
    );
  expect((await recode("SEC2")).status).toBe(200);
  await pool.query("update apartment set orientation = '东南角' where name = '1601'");
  expect((await recode("SEC3")).body.fields).toEqual([{ field: "code", msg: "已被使用，编码不能修改" }]);
});

test("channels that call a word otherwise are counted, and renaming or merging keeps what they call it", async () => {
  const mapping = { orientation: { 东北: "NE", 北: "N" } };
  const { id } = await house.did(addChannel, { as }, { body: aChannel([villageId], { mapping }) });
  const { id: other } = await house.did(
    addChannel,
    { as },
    { body: aChannel([villageId], { name: "第二官网", mapping: { orientation: { 东北: "NE2" } } }) },
  );
  const northEast = await named("orientation", "东北");
  expect(northEast.mapped).toBe(2);
  expect((await named("orientation", "北")).mapped).toBe(1);
  expect((await named("orientation", "南")).mapped).toBe(0);
  await house.did(
    houseDic.edit,
    { as },
    { params: { id: northEast.id }, body: { name: "东北角", version: northEast.version } },
  );
  const named2 = async (channelId: number) =>
    (await house.did(channel, { as }, { params: { id: channelId } })).mapping.orientation;
  expect(await named2(id)).toEqual({ 东北角: "NE", 北: "N" });
  const [from, into] = [await named("orientation", "东北角"), await named("orientation", "北")];
  await house.did(
    houseDic.merge,
    { as },
    { params: { id: from.id }, body: { into: into.id, version: from.version } },
  );
  expect(await named2(id)).toEqual({ 北: "N" });
  expect(await named2(other)).toEqual({ 北: "NE2" });
});
