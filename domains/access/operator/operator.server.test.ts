import { describe, expect, test } from "vitest";
import { openBook } from "../../../platform/server/sheets/book.sample.ts";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { aScopeOf } from "./operator.sample.ts";
import {
  addOperator,
  listHolders,
  listManagers,
  listOperators,
  listSigners,
  operatorExport,
} from "./operator.contract.ts";

const house = await testHouse();
const { pool } = house.database;
const { here, there, departmentId } = await aScopeOf(house);
const admin = await house.person({
  permits: ["46.query", "46.add", "54.query"],
  villages: [here],
  name: "管理员",
});
const clerk = await house.person({ villages: [here], name: "店员甲" });

async function aRole(name: string, keys: string[]): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    "insert into role (enterprise_id, name) values ($1, $2) returning id",
    [house.enterpriseId, name],
  );
  for (const key of keys)
    await pool.query("insert into role_function (role_id, key) values ($1, $2)", [rows[0]!.id, key]);
  return rows[0]!.id;
}
const repairs = await aRole("报修查看", ["54", "54.query"]);
const money = await aRole("出纳", ["26.edit"]);
const body = (more: object = {}) => ({
  account: "Newbie01",
  realName: "林小满",
  phone: "13700001111",
  password: "Ruzhu2026!",
  assignments: [{ departmentId, roleId: repairs }],
  villageIds: [here],
  ...more,
});
const add = (as: Person, more: object = {}) => house.ask(addOperator, { as }, { body: body(more) });

describe("a new operator", () => {
  test("is written with a hash, must change the password, and is in the log", async () => {
    const { id } = await house.did(addOperator, { as: admin }, { body: body() });
    const { rows } = await pool.query("select * from operator where id = $1", [id]);
    expect(rows[0]).toMatchObject({
      account: "Newbie01",
      must_change_password: true,
      village_ids: [here],
      super_type: "",
    });
    expect(rows[0].password_hash).toMatch(/^\$argon2id\$/);
    const { rows: log } = await pool.query(
      "select summary, before, after::text from business_log where kind = 'operator'",
    );
    expect(log).toMatchObject([{ summary: "新增员工 林小满（Newbie01）" }]);
    expect(JSON.stringify(log)).not.toContain("Ruzhu2026!");
  });

  test("needs an account and a phone that nobody has, whatever the case", async () => {
    expect((await add(admin, { account: "NEWBIE01", phone: "13700002222" })).body.fields).toEqual([
      { field: "account", msg: "账号已存在" },
    ]);
    expect((await add(admin, { account: "Newbie02" })).body.fields).toEqual([
      { field: "phone", msg: "该手机号已被使用" },
    ]);
  });

  test.each([
    [{ account: "abcdef" }, "account", "请输入6-20位字母和数字组合"],
    [{ account: "a1" }, "account", "请输入6-20位字母和数字组合"],
    [{ realName: "R2D2" }, "realName", "姓名只能包含中文和字母"],
    [{ phone: "12345678901" }, "phone", "手机格式不正确！"],
    [{ password: "123" }, "password", "至少8位密码，区分大小写"],
    [{ password: "12345678" }, "password", "字母、数字和标点符号至少包含两种！"],
    [{ password: "a".repeat(20) + "1" }, "password", "密码长度不能超过20位！"],
    [{ assignments: [] }, "assignments", "请选择部门和角色"],
    [{ villageIds: [] }, "villageIds", "请选择门店"],
  ])("%j is refused under its field", async (wrong, field, msg) => {
    expect((await add(admin, wrong)).body).toMatchObject({ code: 400, fields: [{ field, msg }] });
  });

  test.each([
    ["a role with more than one's own", { assignments: [{ departmentId, roleId: money }] }],
    ["a village outside one's own", { villageIds: [there] }],
    ["all villages", { allVillages: true }],
    ["administration of the enterprise", { superType: "1" }],
    ["the platform", { superType: "0" }],
  ])("is not given %s", async (_what, more) => {
    const answer = await add(admin, { account: "Newbie03", phone: "13700003333", ...more });
    expect(answer.body).toMatchObject({ code: 403, message: "不能授予超出自身的权限" });
  });

  test("cannot be made by who lacks the function, nor in departments of others", async () => {
    expect((await add(clerk)).status).toBe(403);
    const { rows } = await pool.query<{ id: number }>(
      "with e as (insert into enterprise (name) values ('别家公寓') returning id) insert into department (enterprise_id, name) select id, '总部' from e returning id",
    );
    const foreign = [{ departmentId: rows[0]!.id, roleId: repairs }];
    expect(
      (await add(admin, { account: "Newbie04", phone: "13700004444", assignments: foreign })).status,
    ).toBe(404);
  });
});

describe("the list of people", () => {
  test("tells everybody whom there is to pick, and administrators the rest", async () => {
    const find = (as: Person) => house.did(listOperators, { as }, { query: { keyword: "林小满" } });
    expect((await find(clerk)).list).toMatchObject([
      {
        realName: "林小满",
        phone: "137****1111",
        departments: "运营部 / 报修查看",
        account: "",
        villageCount: 0,
      },
    ]);
    expect((await find(admin)).list).toMatchObject([{ account: "Newbie01", villageCount: 1, sessions: 0 }]);
    const byPhone = await house.did(listOperators, { as: clerk }, { query: { keyword: "13700001111" } });
    expect(byPhone.total).toBe(1);
  });

  test("stays within the enterprise and the villages of who asks", async () => {
    await pool.query(
      `insert into operator (enterprise_id, account, real_name, phone, password_hash)
       select id, 'other', '外人', '13999999999', '-' from enterprise where name = '别家公寓'`,
    );
    const all = await house.did(listOperators, { as: clerk }, { query: { pageSize: 200 } });
    expect(all.list.map((o) => o.realName)).not.toContain("外人");
    expect(all.total).toBe(all.list.length);
    const outside = await house.ask(listOperators, { as: clerk }, { query: { villageIds: String(there) } });
    expect(outside.status).toBe(404);
  });
});

test("the list is exported under the address that the specification names, in pages", async () => {
  const exporter = await house.person({ permits: ["46.export", "46.query"] });
  const answer = await house.app.inject({
    method: "GET",
    url: `${operatorExport.path}?columns=realName,phone,state&keyword=林小满&roleId=${repairs}`,
    headers: { authorization: exporter.token },
  });
  expect(operatorExport.path).toBe("/system/api/v3/operator/exportOperatorInfo");
  const [sheet] = await openBook(answer.rawPayload);
  expect(sheet!.values(1)[0]).toMatch(/^筛选：角色 报修查看；关键字 林小满　　/);
  expect(sheet!.values(3)).toEqual(["林小满", "137****1111", "启用"]);
  expect(sheet!.rows).toHaveLength(3);
});

describe("pickers", () => {
  test("name who holds a function in a village", async () => {
    const boss = await house.person({ superType: "1", name: "总经理" });
    const away = await house.person({ permits: ["54.query"], villages: [there], name: "别店" });
    const who = (permit: string) =>
      house.did(listHolders, { as: clerk }, { query: { permit, villageId: here } });
    const names = (await who("54.query")).map((o) => o.realName);
    for (const { account } of await who("54.query")) expect(account).not.toBe("");
    expect(names).toEqual(expect.arrayContaining(["林小满", "总经理", "管理员"]));
    expect(names).not.toContain("别店");
    expect(names).not.toContain("店员甲");
    expect([boss, away]).toHaveLength(2);
    const wrong = await house.ask(listHolders, { as: clerk }, { query: { permit: "54.query' or 1=1" } });
    expect(wrong.status).toBe(400);
  });

  test("name signers and managers of a village in scope, and nobody of one outside", async () => {
    const signer = await house.person({ permits: ["9.add"], villages: [here], name: "签约员" });
    const signing = () => house.did(listSigners, { as: clerk }, { query: { villageId: here } });
    expect((await signing()).map((o) => o.id)).not.toContain(signer.operatorId);
    await pool.query("update operator set verified = true where id = $1", [signer.operatorId]);
    const signers = await signing();
    expect(signers.map((o) => o.id)).toContain(signer.operatorId);
    expect(signers.map((o) => o.id)).not.toContain(clerk.operatorId);
    const { rows } = await pool.query<{ manager_id: number }>(
      "select manager_id from village where id = $1",
      [here],
    );
    await pool.query("update operator set village_ids = $2 where id = $1", [rows[0]!.manager_id, [here]]);
    const managers = await house.did(listManagers, { as: clerk }, { query: { villageId: here } });
    expect(managers.filter((o) => o.manages).map((o) => o.id)).toEqual([rows[0]!.manager_id]);
    expect(managers.map((o) => o.id)).toContain(clerk.operatorId);
    for (const call of [listSigners, listManagers])
      expect((await house.ask(call, { as: clerk }, { query: { villageId: there } })).status).toBe(404);
  });
});
