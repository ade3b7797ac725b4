import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { listOperators } from "../operator/operator.contract.ts";
import {
  addDepartment,
  deleteDepartment,
  departmentMenu,
  editDepartment,
  getDepartment,
  listDepartments,
} from "./department.contract.ts";

const house = await testHouse();
const { pool } = house.database;
const admin = await house.person({
  permits: ["46.query", "46.get", "46.add", "46.edit", "46.delete"],
  name: "管理员",
});
const add = (name: string, parentId?: number) =>
  house.did(addDepartment, { as: admin }, { body: { name, ...(parentId && { parentId }) } });

const { id: top } = await add("华东大区");
const { id: city } = await add("杭州公司", top);
const { id: shop } = await add("滨江门店", city);

describe("departments", () => {
  test("stand as a tree, and people below a department are found with it", async () => {
    await pool.query("update operator_assignment set department_id = $1 where operator_id = $2", [
      shop,
      admin.operatorId,
    ]);
    const tree = await house.did(departmentMenu, { as: admin }, { query: {} });
    const mine = tree.filter((d) => [top, city, shop].includes(d.id));
    expect(mine.map((d) => [d.name, d.depth, d.people, d.peopleBelow])).toEqual([
      ["华东大区", 0, 0, 1],
      ["杭州公司", 1, 0, 1],
      ["滨江门店", 2, 1, 1],
    ]);
    const { list } = await house.did(listOperators, { as: admin }, { query: { departmentId: top } });
    expect(list.map((o) => o.realName)).toEqual(["管理员"]);
    const flat = await house.did(listDepartments, { as: admin }, { query: { keyword: "滨江" } });
    expect(flat.list).toMatchObject([{ id: shop, parentName: "杭州公司" }]);
  });

  test("go neither below themselves nor beside one of the same name", async () => {
    const move = (id: number, name: string, parentId: number | null) =>
      house.ask(editDepartment, { as: admin }, { params: { id }, body: { name, parentId, version: 1 } });
    for (const parentId of [top, shop])
      expect((await move(top, "华东大区", parentId)).body.fields).toEqual([
        { field: "parentId", msg: "不能选择自身或下级部门" },
      ]);
    await add("萧山门店", city);
    expect((await move(shop, "萧山门店", city)).body.fields).toEqual([
      { field: "name", msg: "同级部门名称已存在" },
    ]);
    const led = await house.ask(
      editDepartment,
      { as: admin },
      {
        params: { id: shop },
        body: { name: "滨江门店", parentId: top, leaderId: admin.operatorId, version: 1 },
      },
    );
    expect(led.status).toBe(200);
    const after = await house.did(getDepartment, { as: admin }, { params: { id: shop } });
    expect(after).toMatchObject({ parentId: top, leaderName: "管理员" });
  });

  test("are deleted only when nobody and nothing is in them", async () => {
    for (const id of [top, shop])
      expect((await house.ask(deleteDepartment, { as: admin }, { params: { id } })).body).toMatchObject({
        code: 409,
        message: "部门下存在员工或下级部门，不能删除",
      });
    const { id } = await add("临时部门");
    await house.did(deleteDepartment, { as: admin }, { params: { id } });
    expect((await house.ask(getDepartment, { as: admin }, { params: { id } })).status).toBe(404);
  });

  test("of another enterprise do not exist", async () => {
    const { rows } = await pool.query<{ id: number }>(
      `with e as (insert into enterprise (name) values ('别家公寓') returning id)
       insert into department (enterprise_id, name) select id, '别家总部' from e returning id`,
    );
    const { id } = rows[0]!;
    expect((await house.ask(getDepartment, { as: admin }, { params: { id } })).status).toBe(404);
    expect((await house.ask(deleteDepartment, { as: admin }, { params: { id } })).status).toBe(404);
    expect(
      (await house.ask(addDepartment, { as: admin }, { body: { name: "插入部门", parentId: id } })).status,
    ).toBe(404);
    const found = await house.ask(listOperators, { as: admin }, { query: { departmentId: id } });
    expect(found.status).toBe(404);
  });
});
