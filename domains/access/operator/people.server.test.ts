import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { addVillage, village as getVillage, villages } from "../../listing/village/village.contract.ts";
import { userInfo } from "../session/session.contract.ts";
import { explainOperator } from "./explain.contract.ts";
import { addOperator, getOperator, resetPassword } from "./operator.contract.ts";
import { aStaff } from "./operator.sample.ts";

const house = await testHouse();
const { pool } = house.database;
const { here, there, departmentId, boss, head, looking, cashier, added, versionOf, signedIn, edited } =
  await aStaff(house);
const platform = await house.person({ superType: "0", name: "平台" });
const foreign = (
  await pool.query<{ id: number }>(
    `with e as (insert into enterprise (name) values ('别家公寓') returning id)
     insert into village (enterprise_id, code, name, mode, district_id, address, manager_id, phone, opening_day)
     select e.id, code, name, mode, district_id, address, manager_id, phone, opening_day from e, village v
     where v.id = $1 returning id`,
    [here],
  )
).rows[0]!.id;

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
    expect(missing.steps.map((s) => s.text)).toContain(
      "没有“门店管理 · 新增（6.add）”权限，所属角色均未包含",
    );
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

  test("is told apart: a store of one's own, every store, and one of another enterprise", async () => {
    const said = async (id: number, recordId: number) => {
      const query = { permissionId: "6.get", recordKind: "village" as const, recordId };
      const { steps } = await house.did(explainOperator, { as: platform }, { params: { id }, query });
      return steps.at(-1)!.text.replace(/^.*?，/, "");
    };
    expect(await said(await added(), here)).toBe("在该员工的门店范围内");
    const everywhere = await added({ allVillages: true, villageIds: [] });
    for (const id of [everywhere, boss.operatorId]) {
      expect(await said(id, here)).toBe("该员工的门店范围为全部");
      expect(await said(id, foreign)).toBe("不在该员工的企业内");
    }
    expect(await said(platform.operatorId, foreign)).toBe("平台管理员可见全部门店");
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

  test("a store of another enterprise is nobody's to give, not even for who runs the platform", async () => {
    const id = await added({ villageIds: [here] });
    expect((await edited(platform, id, { villageIds: [here, foreign] })).body).toMatchObject(BEYOND);
    expect((await edited(platform, id, { villageIds: [here, there] })).status).toBe(200);
    const body = {
      ...{ account: "newcomer01", realName: "外来", phone: "13805710000", password: "Ruzhu2026!" },
      ...{ assignments: [{ departmentId, roleId: looking }], villageIds: [foreign] },
    };
    expect((await house.ask(addOperator, { as: platform }, { body })).body).toMatchObject(BEYOND);
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
