import { describe, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { userInfo } from "../session/session.contract.ts";
import { addRole, deleteRole, editRole, getRole, listRoles, roleOptions } from "./role.contract.ts";

const house = await testHouse();
const { pool } = house.database;
const boss = await house.person({ superType: "1", name: "总经理" });
const admin = await house.person({
  permits: ["46.query", "46.get", "46.add", "46.edit", "46.delete", "54.query"],
  name: "管理员",
});
const BEYOND = { code: 403, message: "不能授予超出自身的权限" };
const body = (name: string, keys: string[] = ["54.query"], remark = "") => ({ name, keys, remark });

describe("a role", () => {
  test("has its pages and menus with its actions, and is found in the list with its figures", async () => {
    const { id } = await house.did(addRole, { as: admin }, { body: body("报修查看") });
    const role = await house.did(getRole, { as: admin }, { params: { id } });
    expect(role.keys.toSorted()).toEqual(["50", "54", "54.query"]);
    const { list } = await house.did(listRoles, { as: admin }, { query: { keyword: "报修查看" } });
    expect(list).toMatchObject([{ id, people: 0, functions: 1 }]);
    expect((await house.did(roleOptions, { as: admin }, { query: {} })).map((r) => r.name)).toContain(
      "报修查看",
    );
    const { rows } = await pool.query("select summary from business_log where kind = 'role'");
    expect(rows).toEqual([{ summary: "新增角色 报修查看，1 项功能" }]);
  });

  test("needs a name of its own and functions that exist", async () => {
    const twice = await house.ask(addRole, { as: admin }, { body: body("报修查看") });
    expect(twice.body.fields).toEqual([{ field: "name", msg: "角色名称已存在" }]);
    const short = await house.ask(addRole, { as: admin }, { body: body("甲") });
    expect(short.body.fields).toEqual([{ field: "name", msg: "角色名称长度为2到30个字" }]);
    const unknown = await house.ask(addRole, { as: admin }, { body: body("未知功能", ["54.fly"]) });
    expect(unknown.body.fields).toEqual([{ field: "keys", msg: "所选功能不存在，请刷新后重试" }]);
  });

  test("is not made of what its maker does not have, and may keep what it had", async () => {
    expect(
      (await house.ask(addRole, { as: admin }, { body: body("报修新增", ["54.add"]) })).body,
    ).toMatchObject(BEYOND);
    const { id } = await house.did(addRole, { as: boss }, { body: body("报修专员", ["54.query", "54.add"]) });
    const edit = (keys: string[], version: number, as: Person = admin) =>
      house.ask(editRole, { as }, { body: { id, version, ...body("报修专员", keys) } });
    expect((await edit(["54.query", "54.add", "54.delete"], 1)).body).toMatchObject(BEYOND);
    expect((await edit(["54.query", "54.add"], 1)).status).toBe(200);
    expect((await edit(["54.query"], 1)).body).toMatchObject({
      code: 409,
      message: "数据已被他人修改，请刷新后重试",
    });
  });

  test("loses nothing that its editor does not have, and what the editor has may be taken out", async () => {
    const { id } = await house.did(addRole, { as: boss }, { body: body("报修主管", ["54.query", "54.add"]) });
    const edit = (keys: string[], version: number, as: Person = admin) =>
      house.ask(editRole, { as }, { body: { id, version, ...body("报修主管", keys) } });
    expect((await edit(["54.query"], 1)).body).toMatchObject({
      code: 403,
      message: "不能收回超出自身的权限",
    });
    expect((await edit([], 1)).status).toBe(403);
    expect((await edit(["54.add"], 1)).status).toBe(200);
    const keys = async () => (await house.did(getRole, { as: boss }, { params: { id } })).keys.toSorted();
    expect(await keys()).toEqual(["50", "54", "54.add"]);
    expect((await edit([], 2, boss)).status).toBe(200);
    expect(await keys()).toEqual([]);
  });

  test("that one holds oneself cannot be made to give more", async () => {
    const { rows } = await pool.query<{ id: number; name: string; version: number }>(
      "select r.id, r.name, r.version from role r join operator_assignment a on a.role_id = r.id where a.operator_id = $1",
      [admin.operatorId],
    );
    const { id, version } = rows[0]!;
    const { keys } = await house.did(getRole, { as: admin }, { params: { id } });
    const more = await house.ask(
      editRole,
      { as: admin },
      { body: { id, version, ...body("自己的角色", [...keys, "#2601"]) } },
    );
    expect(more.body).toMatchObject(BEYOND);
  });

  test("changes what its people may do at their next call, and is not deleted while somebody has it", async () => {
    const person = await house.person({ permits: ["54.query"], name: "维修员" });
    const { rows } = await pool.query<{ role_id: number }>(
      "select role_id from operator_assignment where operator_id = $1",
      [person.operatorId],
    );
    const id = rows[0]!.role_id;
    const actions = async () =>
      (await house.did(userInfo, { as: person })).role.permissions.flatMap((p) =>
        (p.actionEntitySet ?? []).map((a) => `${p.permissionId}.${a.action}`),
      );
    expect(await actions()).toEqual(["54.query"]);
    await house.did(
      editRole,
      { as: boss },
      { body: { id, version: 1, ...body("维修员", ["54.query", "54.edit"]) } },
    );
    expect((await actions()).toSorted()).toEqual(["54.edit", "54.query"]);
    const used = await house.ask(deleteRole, { as: boss }, { params: { id } });
    expect(used.body).toMatchObject({ code: 409, message: "已被1名员工使用，不能删除" });
    await pool.query("delete from operator_assignment where role_id = $1", [id]);
    await house.did(deleteRole, { as: boss }, { params: { id } });
    expect((await house.ask(getRole, { as: boss }, { params: { id } })).status).toBe(404);
  });

  test("that approves is not deleted either, until somebody else does in its place", async () => {
    const { id } = await house.did(addRole, { as: boss }, { body: body("审批专员") });
    await pool.query(
      `with m as (insert into module (enterprise_id, module_type, name, fallback_operator_id)
          values ($1, 'refund', '退款审批', $2) returning id),
        p as (insert into process (module_id, order_num, name, is_default) select id, 1, '默认', true from m returning id)
       insert into node (process_id, order_num, name, by, role_id, mode)
         select id, 1, '审批专员', 'role', $3, 'any' from p`,
      [house.enterpriseId, boss.operatorId, id],
    );
    const refused = await house.ask(deleteRole, { as: boss }, { params: { id } });
    expect(refused.body).toMatchObject({
      code: 409,
      message: "审批流程由该角色审批，不能删除，请先在审批配置中更换",
    });
    await pool.query("delete from node where role_id = $1", [id]);
    expect((await house.ask(deleteRole, { as: boss }, { params: { id } })).status).toBe(200);
  });

  test("of another enterprise does not exist", async () => {
    const { rows } = await pool.query<{ id: number }>(
      `with e as (insert into enterprise (name) values ('别家公寓') returning id)
       insert into role (enterprise_id, name) select id, '别家角色' from e returning id`,
    );
    const { id } = rows[0]!;
    expect((await house.ask(getRole, { as: boss }, { params: { id } })).status).toBe(404);
    expect((await house.ask(deleteRole, { as: boss }, { params: { id } })).status).toBe(404);
    const all = await house.did(listRoles, { as: boss }, { query: { pageSize: 200 } });
    expect(all.list.map((r) => r.name)).not.toContain("别家角色");
  });
});
