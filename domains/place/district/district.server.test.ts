import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aDistrict, aVillage } from "../../listing/village/village.sample.ts";
import { addDistrict, deleteDistrict, districts, editDistrict } from "./district.contract.ts";

const house = await testHouse();
const head = await house.person({ permits: ["6.add", "6.edit", "6.delete"] });
const districtId = await aDistrict(house);
await aVillage(house);

test("districts form a tree of at most three levels and stay while a village lies in them", async () => {
  const as = head;
  const city = await house.did(addDistrict, { as }, { body: { name: "杭州市", level: "city" } });
  const area = await house.did(
    addDistrict,
    { as },
    { body: { name: "滨江区", level: "area", parentId: city.id } },
  );
  const twice = await house.ask(
    addDistrict,
    { as },
    { body: { name: "滨江区", level: "area", parentId: city.id } },
  );
  expect(twice.body.fields).toEqual([{ field: "name", msg: "同级下区域名称已存在" }]);
  const wrong = await house.ask(
    addDistrict,
    { as },
    { body: { name: "某市", level: "city", parentId: area.id } },
  );
  expect(wrong.body.fields).toEqual([{ field: "level", msg: "下级区域的级别须小于上级区域" }]);
  await house.did(
    editDistrict,
    { as },
    { params: { id: area.id }, body: { name: "滨江", level: "area", parentId: city.id, version: 1 } },
  );
  expect((await house.did(districts, { as })).map((d) => [d.name, d.villages])).toEqual([
    ["杭州市", 0],
    ["滨江", 0],
    ["西湖区", 1],
  ]);
  const remove = (target: number, version = 1) =>
    house.ask(deleteDistrict, { as }, { params: { id: target }, query: { version } });
  expect((await remove(districtId)).body.message).toBe("该区域下有门店，不能删除");
  expect((await remove(city.id)).body.message).toBe("该区域下有下级区域，不能删除");
  expect((await remove(area.id, 1)).status).toBe(409);
  expect((await remove(area.id, 2)).status).toBe(200);
});
