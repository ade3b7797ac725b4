import { describe, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/house.sample.ts";
import { addVillage, village as getVillage, villages } from "../../listing/village/village.contract.ts";
import { userInfo } from "../session/session.contract.ts";
import { explainOperator } from "./explain.contract.ts";
import { aScopeOf } from "./operator.sample.ts";
import { addOperator } from "./operator.contract.ts";
import {
  disableOperator,
  editOperator,
  enableOperator,
  getOperator,
  removeAssignment,
  resetPassword,
  updateVerify,
} from "./people.contract.ts";

const house = await testHouse();
const { pool } = house.database;
const { here, there, departmentId } = await aScopeOf(house);
const boss = await house.person({ superType: "1", name: "总经理" });
const head = await house.person({
  permits: ["46.query", "46.get", "46.add", "46.edit", "46.enable", "46.disable", "6.query", "6.get"],
  villages: [here, there],
  name: "店长",
});

async function aRole(name: string, keys: string[]): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    "insert into role (enterprise_id, name) values ($1, $2) returning id",
    [house.enterpriseId, name],
  );
  for (const key of keys)
    await pool.query("insert into role_function (role_id, key) values ($1, $2)", [rows[0]!.id, key]);
  return rows[0]!.id;
}
const looking = await aRole("门店查看", ["6.query", "6.get"]);
const cashier = await aRole("出纳", ["102.add"]);
let serial = 0;
const added = async (more: object = {}) => {
  const n = String(++serial).padStart(4, "0");
  const { id } = await house.did(
    addOperator,
    { as: boss },
    {
      body: {
        account: `member${n}`,
        realName: "林小满",
        phone: `1380571${n}`,
        password: "abc123!",
        assignments: [{ departmentId, roleId: looking }],
        villageIds: [here, there],
        ...more,
      },
    },
  );
  return id;
};
const versionOf = async (id: number) =>
  (await pool.query<{ version: number }>("select version from operator where id = $1", [id])).rows[0]!
    .version;
/** A session of theirs, as after a log-in. */
async function signedIn(id: number): Promise<Person> {
  const { hashOf, newToken } = await import("../../../platform/server/session.ts");
  const token = newToken();
  await pool.query(
    "insert into login_session (operator_id, token_hash, expires_at) values ($1, $2, now() + interval '1 day')",
    [id, hashOf(token)],
  );
  return { operatorId: id, token };
}
const edited = async (as: Person, id: number, more: object) => {
  const now = await house.did(getOperator, { as: boss }, { params: { id } });
  const { account, realName, email, superType, allVillages, version } = now;
  const body = {
    account,
    realName,
    email,
    superType,
    allVillages,
    version,
    assignments: now.assignments.map((a) => ({ departmentId: a.departmentId, roleId: a.roleId })),
    villageIds: now.villages.map((v) => v.id),
    ...more,
  };
  return house.ask(editOperator, { as }, { params: { id }, body });
};

describe("what somebody may do", () => {
  test("is what the roles give: a button less, a call refused, and the explanation says what is missing", async () => {
    const id = await added();
    const person = await signedIn(id);
    const me = await house.did(userInfo, { as: person });
    expect(me.role.permissions).toEqual([
      { permissionId: 6, actionEntitySet: expect.arrayContaining([{ action: "query" }, { action: "get" }]) },
    ]);
    expect((await house.ask(villages, { as: person }, { query: {} })).status).toBe(200);
    expect((await house.ask(addVillage, { as: person }, { body: {} as never })).status).toBe(403);
    const why = (permissionId: string, more: object = {}) =>
      house.did(explainOperator, { as: head }, { params: { id }, query: { permissionId, ...more } });
    const missing = await why("6.add");
    expect(missing).toMatchObject({ allowed: false, roles: [] });
    expect(missing.steps.map((s) => s.text)).toContain("缺少 门店管理 · 新增（6.add），其角色都没有这项功能");
    expect(await why("54.add")).toMatchObject({ allowed: false, functionName: "报修管理 · 新增（54.add）" });
    const page = await why("6");
    expect(page.actions.filter((a) => a.ok).map((a) => a.name)).toEqual(["查询", "详情"]);
    expect(await why("6.query")).toMatchObject({
      allowed: true,
      roles: [{ id: looking, name: "门店查看", departmentName: "运营部" }],
    });
  });

  test("ends with a village at the next call, and the explanation names the village", async () => {
    const id = await added();
    const person = await signedIn(id);
    const see = () => house.ask(getVillage, { as: person }, { params: { id: there } });
    expect((await see()).status).toBe(200);
    expect((await edited(head, id, { villageIds: [here] })).status).toBe(200);
    expect((await see()).status).toBe(404);
    const why = await house.did(
      explainOperator,
      { as: head },
      { params: { id }, query: { permissionId: "6.get", recordKind: "village", recordId: there } },
    );
    expect(why.allowed).toBe(false);
    expect(why.steps.at(-1)!.text).toMatch(/不在该员工的门店范围内/);
    const outside = await house.person({ permits: ["46.get"], villages: [here] });
    const hidden = await house.ask(
      explainOperator,
      { as: outside },
      { params: { id }, query: { permissionId: "6.get", recordKind: "village", recordId: there } },
    );
    expect(hidden.status).toBe(404);
  });
});

describe("nobody gives away what they do not have", () => {
  const BEYOND = { code: 403, message: "不能授予超出自身的权限" };
  test.each([
    [
      "a role with more",
      () => ({
        assignments: [
          { departmentId, roleId: looking },
          { departmentId, roleId: cashier },
        ],
      }),
    ],
    ["all villages", () => ({ allVillages: true })],
    ["the enterprise", () => ({ superType: "1" })],
    ["the platform", () => ({ superType: "0" })],
  ])("%s is refused to a head of store, for others and for themselves", async (_what, more) => {
    const id = await added();
    expect((await edited(head, id, more())).body).toMatchObject(BEYOND);
    const own = { ...more() } as { assignments?: object[] };
    const role = (
      await pool.query<{ role_id: number; department_id: number }>(
        "select role_id, department_id from operator_assignment where operator_id = $1",
        [head.operatorId],
      )
    ).rows[0]!;
    if (own.assignments)
      own.assignments = [
        { departmentId: role.department_id, roleId: role.role_id },
        { departmentId, roleId: cashier },
      ];
    await pool.query("update operator set account = 'head2026', phone = '13805719999' where id = $1", [
      head.operatorId,
    ]);
    expect((await edited(head, head.operatorId, own)).body).toMatchObject(BEYOND);
  });

  test("an administrator of an enterprise makes no other administrators", async () => {
    const id = await added();
    expect((await edited(boss, id, { superType: "1" })).body).toMatchObject(BEYOND);
  });

  test("who has more stays out of reach: no new password, no other phone, no way in", async () => {
    const above = await added({ assignments: [{ departmentId, roleId: cashier }] });
    const version = await versionOf(above);
    for (const id of [above, boss.operatorId])
      expect(
        (await house.ask(resetPassword, { as: head }, { params: { id }, body: { version } })).body,
      ).toMatchObject({ code: 403, message: "该员工的权限超出您的权限，不能操作" });
    expect((await edited(head, above, { phone: "13805718888" })).status).toBe(403);
    const { locked } = await house.did(getOperator, { as: head }, { params: { id: above } });
    expect(locked).toBe("该员工的权限超出您的权限，不能操作");
  });
});

describe("an account", () => {
  test("that is disabled is out at the next call; nobody disables themselves", async () => {
    const id = await added();
    const person = await signedIn(id);
    const version = await versionOf(id);
    const stale = await house.ask(
      disableOperator,
      { as: head },
      { params: { id }, body: { version: version + 5 } },
    );
    expect(stale.body).toMatchObject({ code: 409, message: "数据已被他人修改，请刷新后重试" });
    await house.did(disableOperator, { as: head }, { params: { id }, body: { version } });
    expect((await house.ask(userInfo, { as: person })).status).toBe(401);
    const again = await house.ask(
      disableOperator,
      { as: head },
      { params: { id }, body: { version: version + 1 } },
    );
    expect(again.body.message).toBe("当前状态为“停用”，不能停用");
    await house.did(enableOperator, { as: head }, { params: { id }, body: { version: version + 1 } });
    // the old session stays ended
    expect((await house.ask(userInfo, { as: person })).status).toBe(401);
    const own = await house.ask(
      disableOperator,
      { as: head },
      { params: { id: head.operatorId }, body: { version: await versionOf(head.operatorId) } },
    );
    expect(own.body.message).toBe("不能停用自己");
  });

  test("of the last platform administrator is not disabled, nor is it made an ordinary one", async () => {
    const first = await house.person({ superType: "0", name: "平台甲" });
    const second = await house.person({ superType: "0", name: "平台乙" });
    const off = async (id: number) =>
      house.ask(disableOperator, { as: first }, { params: { id }, body: { version: await versionOf(id) } });
    expect((await off(second.operatorId)).status).toBe(200);
    await pool.query("update operator set account = 'pingtai01', phone = '13805717777' where id = $1", [
      first.operatorId,
    ]);
    const lowered = await edited(first, first.operatorId, {
      superType: "",
      assignments: [{ departmentId, roleId: looking }],
      villageIds: [here],
    });
    expect(lowered.body).toMatchObject({ code: 409, message: "至少保留一名启用的平台管理员" });
  });

  test("gets a one-time password that must be changed, and every session ends", async () => {
    const id = await added();
    const person = await signedIn(id);
    const { password } = await house.did(
      resetPassword,
      { as: head },
      { params: { id }, body: { version: await versionOf(id) } },
    );
    expect(password).toMatch(/^[A-Z][a-z]{6}[2-9]{4}$/);
    expect((await house.ask(userInfo, { as: person })).status).toBe(401);
    const { rows } = await pool.query("select must_change_password from operator where id = $1", [id]);
    expect(rows).toEqual([{ must_change_password: true }]);
    const { rows: logs } = await pool.query<{ all: string }>(
      "select string_agg(to_json(l)::text, '') as all from (select * from operation_log) l union all select string_agg(to_json(b)::text, '') from business_log b",
    );
    for (const { all } of logs) expect(all).not.toContain(password);
  });

  test("loses a role, and with the last one its way in", async () => {
    const id = await added({
      assignments: [
        { departmentId, roleId: looking },
        { departmentId, roleId: cashier },
      ],
    });
    const person = await signedIn(id);
    const take = (roleId: number) =>
      house.ask(removeAssignment, { as: boss }, { params: { id, roleId, depid: departmentId } });
    expect((await take(cashier)).body.data).toMatchObject({ state: "active" });
    expect((await house.ask(userInfo, { as: person })).status).toBe(200);
    expect((await take(cashier)).status).toBe(404);
    expect((await take(looking)).body.data).toMatchObject({ state: "disabled" });
    expect((await house.ask(userInfo, { as: person })).status).toBe(401);
    const enabled = await house.ask(
      enableOperator,
      { as: boss },
      { params: { id }, body: { version: await versionOf(id) } },
    );
    expect(enabled.body.message).toBe("员工没有部门和角色，请先编辑分配");
  });

  test("keeps phone and password that an edit leaves empty, and shows the phone masked", async () => {
    const id = await added();
    const before = (await pool.query("select phone, password_hash from operator where id = $1", [id]))
      .rows[0];
    expect((await edited(head, id, { realName: "林大满", phone: "", password: "" })).status).toBe(200);
    const after = (await pool.query("select phone, password_hash from operator where id = $1", [id])).rows[0];
    expect(after).toEqual(before);
    const shown = await house.did(getOperator, { as: head }, { params: { id } });
    expect(shown).toMatchObject({ realName: "林大满", phone: `138****${before.phone.slice(-4)}` });
    const weak = await edited(head, id, { password: "123" });
    expect(weak.body.fields).toEqual([{ field: "password", msg: "至少6位密码，区分大小写" }]);
    await house.did(updateVerify, { as: head }, { body: { id, verified: true, version: shown.version } });
    expect((await house.did(getOperator, { as: head }, { params: { id } })).verified).toBe(true);
  });

  test("of another enterprise does not exist", async () => {
    const { rows } = await pool.query<{ id: number }>(
      `with e as (insert into enterprise (name) values ('别家公寓') returning id)
       insert into operator (enterprise_id, account, real_name, phone, password_hash)
       select id, 'stranger1', '外人', '13999990000', '-' from e returning id`,
    );
    const { id } = rows[0]!;
    for (const as of [head, boss]) {
      expect((await house.ask(getOperator, { as }, { params: { id } })).status).toBe(404);
      const body = { version: 1 };
      expect((await house.ask(disableOperator, { as }, { params: { id }, body })).status).toBe(404);
      expect((await house.ask(resetPassword, { as }, { params: { id }, body })).status).toBe(404);
    }
  });
});
