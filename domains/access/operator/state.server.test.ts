import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { userInfo } from "../session/session.contract.ts";
import {
  disableOperator,
  enableOperator,
  getOperator,
  removeAssignment,
  resetPassword,
  updateVerify,
} from "./operator.contract.ts";
import { aStaff } from "./operator.sample.ts";

const house = await testHouse();
const { pool } = house.database;
const { here, departmentId, boss, head, looking, cashier, added, versionOf, signedIn, edited } =
  await aStaff(house);

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

  test("of an enterprise that is not open yet is not let in before it is", async () => {
    const platform = await house.person({ superType: "0", name: "平台" });
    const { rows } = await pool.query<{ id: number; enterprise_id: number }>(
      `with e as (insert into enterprise (name, enabled) values ('待开通公寓', false) returning id)
       insert into operator (enterprise_id, account, real_name, phone, password_hash, super_type, state)
       select id, 'waiting01', '店主', '13999990001', '-', '1', 'disabled' from e returning id, enterprise_id`,
    );
    const { id, enterprise_id } = rows[0]!;
    const enable = () =>
      house.ask(enableOperator, { as: platform }, { params: { id }, body: { version: 1 } });
    expect((await enable()).body.message).toBe("企业尚未开通，请在“注册申请”中启用");
    await pool.query("update enterprise set enabled = true where id = $1", [enterprise_id]);
    // administrators need no role
    expect((await enable()).status).toBe(200);
  });

  test("of one's own takes no other phone and no other password by an edit", async () => {
    await pool.query("update operator set account = 'boss2026', phone = '13805716666' where id = $1", [
      boss.operatorId,
    ]);
    const own = async (more: object) =>
      (await edited(boss, boss.operatorId, { assignments: [{ departmentId, roleId: looking }], ...more }))
        .body;
    expect((await own({ phone: "13805716667" })).fields).toEqual([
      { field: "phone", msg: "不能在此修改自己的手机号，请在右上角修改手机号" },
    ]);
    expect((await own({ password: "Ruzhu2027!" })).fields).toEqual([
      { field: "password", msg: "不能在此修改自己的密码，请在右上角修改密码" },
    ]);
    expect((await own({ phone: "13805716666", email: "boss@example.com" })).code).toBe(200);
    const { rows } = await pool.query("select email, must_change_password from operator where id = $1", [
      boss.operatorId,
    ]);
    expect(rows).toEqual([{ email: "boss@example.com", must_change_password: false }]);
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
    expect(weak.body.fields).toEqual([{ field: "password", msg: "至少8位密码，区分大小写" }]);
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
