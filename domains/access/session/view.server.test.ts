import { describe, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { anOperator, aScopeOf } from "../operator/operator.sample.ts";
import { disableOperator, viewAs } from "../operator/operator.contract.ts";
import { addDepartment, departmentMenu } from "../department/department.contract.ts";
import { addRole } from "../role/role.contract.ts";
import { endSession, listSessions, logout, userInfo } from "./session.contract.ts";

const house = await testHouse();
const { pool } = house.database;
const { here, departmentId } = await aScopeOf(house);
const boss = await house.person({ superType: "1", name: "总经理" });
const { id: roleId } = await house.did(
  addRole,
  { as: boss },
  { body: { name: "部门管理", keys: ["46.query", "46.add"], remark: "" } },
);
const clerk = await anOperator(house, {
  realName: "林小满",
  assignments: [{ departmentId, roleId }],
  villageIds: [here],
});
const viewing = async (as: Person = boss): Promise<Person> => {
  const { token } = await house.did(viewAs, { as }, { params: { id: clerk.id } });
  return { operatorId: clerk.id, token };
};

describe("looking on as somebody", () => {
  test("shows what they see, is marked, and refuses to change anything", async () => {
    const view = await viewing();
    const me = await house.did(userInfo, { as: view });
    expect(me).toMatchObject({ name: "林小满", villageCount: 1, viewAs: { by: "总经理" } });
    expect(me.secFuncList).toEqual([{ id: 46 }]);
    expect((await house.ask(departmentMenu, { as: view }, { query: {} })).status).toBe(200);
    const refused = await house.ask(addDepartment, { as: view }, { body: { name: "新部门" } });
    expect(refused.body).toMatchObject({
      code: 403,
      message: "正在以林小满的身份查看，只能浏览，不能修改数据",
    });
    const { rows } = await pool.query(
      "select operator_id, operator_name, outcome from operation_log where summary = '新增部门'",
    );
    expect(rows).toEqual([
      { operator_id: boss.operatorId, operator_name: "总经理（查看林小满）", outcome: "refused" },
    ]);
    expect((await house.did(userInfo, { as: boss })).viewAs).toBeNull();
  });

  test("ends when it is ended, after half an hour, and with the right of who looks on", async () => {
    const first = await viewing();
    await house.did(logout, { as: first });
    expect((await house.ask(userInfo, { as: first })).status).toBe(401);
    const { rows } = await pool.query<{ minutes: number }>(
      "select extract(epoch from expires_at - created_at)::int / 60 minutes from login_session where view_by is not null limit 1",
    );
    expect(rows[0]!.minutes).toBe(30);
    const chief = await house.person({ superType: "1", name: "副总" });
    const second = await viewing(chief);
    expect((await house.ask(userInfo, { as: second })).status).toBe(200);
    await house.did(
      disableOperator,
      { as: boss },
      { params: { id: chief.operatorId }, body: { version: 1 } },
    );
    expect((await house.ask(userInfo, { as: second })).status).toBe(401);
  });

  test("is for administrators, and not upwards", async () => {
    const head = await house.person({ permits: ["46.get"], villages: [here] });
    const platform = await house.person({ superType: "0", name: "平台" });
    const as = (by: Person, id: number) => house.ask(viewAs, { as: by }, { params: { id } });
    expect((await as(head, clerk.id)).body).toMatchObject({
      code: 403,
      message: "只有管理员可以以他人身份查看",
    });
    expect((await as(boss, platform.operatorId)).status).toBe(403);
    expect((await as(boss, boss.operatorId)).body.message).toBe("不能以自己的身份查看");
    const view = await viewing();
    expect((await as(view, head.operatorId)).status).toBe(403);
  });
});

describe("sessions", () => {
  test("are one's own, or everybody's for who may look at people, and end at once", async () => {
    const person = await house.person({ permits: ["54.query"], name: "维修员" });
    const own = await house.did(listSessions, { as: person }, { query: {} });
    expect(own.list).toMatchObject([{ operatorId: person.operatorId, mine: true }]);
    expect(own.list[0]!.lastSeenAt).not.toBeNull();
    const others = await house.ask(listSessions, { as: person }, { query: { operatorId: boss.operatorId } });
    expect(others.status).toBe(403);
    const watcher = await house.person({ permits: ["46.get"] });
    const { list } = await house.did(listSessions, { as: watcher }, { query: { keyword: "维修员" } });
    expect(list).toHaveLength(1);
    const end = (as: Person) => house.ask(endSession, { as }, { params: { id: list[0]!.id } });
    expect((await end(watcher)).status).toBe(403);
    expect((await end(await house.person({ permits: ["54.query"] }))).status).toBe(404);
    expect((await end(boss)).status).toBe(200);
    expect((await house.ask(userInfo, { as: person })).status).toBe(401);
    expect((await end(boss)).status).toBe(404);
  });

  test("of somebody above oneself are not ended, one's own are", async () => {
    const manager = await house.person({ permits: ["46.get", "46.edit", "54.query"], name: "店长" });
    const sessionOf = async ({ operatorId }: Person) =>
      (await pool.query<{ id: number }>("select id from login_session where operator_id = $1", [operatorId]))
        .rows[0]!.id;
    const end = async (as: Person, of: Person) =>
      house.ask(endSession, { as }, { params: { id: await sessionOf(of) } });
    const finance = await house.person({ permits: ["54.query", "102.add"], name: "财务" });
    for (const above of [boss, finance]) {
      expect((await end(manager, above)).body).toMatchObject({
        code: 403,
        message: "该员工的权限超出您的权限，不能操作",
      });
      expect((await house.ask(userInfo, { as: above })).status).toBe(200);
    }
    const clerk = await house.person({ permits: ["54.query"], name: "前台" });
    expect((await end(manager, clerk)).status).toBe(200);
    expect((await house.ask(userInfo, { as: clerk })).status).toBe(401);
    expect((await end(manager, manager)).status).toBe(200);
  });

  test("of another enterprise are not seen and not ended", async () => {
    const { rows } = await pool.query<{ id: number }>(
      `with e as (insert into enterprise (name) values ('别家公寓') returning id),
       o as (insert into operator (enterprise_id, account, real_name, phone, password_hash)
         select id, 'stranger1', '外人', '13999990000', '-' from e returning id)
       insert into login_session (operator_id, token_hash, expires_at)
       select id, '\\x00', now() + interval '1 day' from o returning id`,
    );
    const all = await house.did(listSessions, { as: boss }, { query: { pageSize: 200 } });
    expect(all.list.map((s) => s.realName)).not.toContain("外人");
    expect((await house.ask(endSession, { as: boss }, { params: { id: rows[0]!.id } })).status).toBe(404);
  });
});
