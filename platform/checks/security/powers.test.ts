import { beforeAll, expect, test } from "vitest";
import {
  addFunction,
  editFunction,
  listFunctions,
} from "../../../domains/access/function/function.contract.ts";
import { changeBatch } from "../../../domains/access/operator/batch.contract.ts";
import {
  addOperator,
  disableOperator,
  removeAssignment,
  resetPassword,
  unlockOperator,
  updateVerify,
  viewAs,
} from "../../../domains/access/operator/operator.contract.ts";
import { aStaff } from "../../../domains/access/operator/operator.sample.ts";
import { addRole, editRole, getRole } from "../../../domains/access/role/role.contract.ts";
import { type Person, testHouse } from "../../server/process/house.sample.ts";

/** Nobody climbs: by no call of people, roles and functions does somebody end with more than they had. */
const house = await testHouse();
const { pool } = house.database;
let staff: Awaited<ReturnType<typeof aStaff>>;
let climber: Person;
let far: number;
beforeAll(async () => {
  staff = await aStaff(house);
  const id = await staff.added({ villageIds: [staff.here] });
  climber = await staff.signedIn(id);
  const { rows } = await pool.query<{ id: number }>(
    "insert into role (enterprise_id, name) values ($1, '店长助理') returning id",
    [house.enterpriseId],
  );
  const keys = ["46.query", "46.get", "46.add", "46.edit", "46.enable", "46.disable", "6.query", "6.get"];
  for (const key of keys)
    await pool.query("insert into role_function (role_id, key) values ($1, $2)", [rows[0]!.id, key]);
  await pool.query("delete from operator_assignment where operator_id = $1", [id]);
  await pool.query(
    "insert into operator_assignment (operator_id, department_id, role_id) values ($1, $2, $3)",
    [id, staff.departmentId, rows[0]!.id],
  );
  far = staff.there;
});

const powers = async (id = climber.operatorId) => {
  const { rows } = await pool.query(
    `select o.super_type, o.all_villages, o.village_ids, o.enterprise_id, o.state,
       (select array_agg(f.key order by f.key) from operator_assignment a join role_function f on f.role_id = a.role_id
        where a.operator_id = o.id) keys from operator o where id = $1`,
    [id],
  );
  return rows[0];
};
const person = (more: object = {}) => ({
  account: `climber${Math.random().toString(36).slice(2, 8)}1`,
  realName: "林小满",
  phone: `137${String(Math.floor(Math.random() * 1e8)).padStart(8, "0")}`,
  password: "Ruzhu2026!",
  assignments: [{ departmentId: staff.departmentId, roleId: staff.looking }],
  villageIds: [staff.here],
  ...more,
});
const REFUSED = { status: 403, body: { code: 403 } };

test.each([
  ["another village", () => ({ villageIds: [staff.here, far] })],
  ["all villages", () => ({ allVillages: true, villageIds: [] })],
  ["the type of a head", () => ({ superType: "1" })],
  ["the type of the platform", () => ({ superType: "0" })],
  [
    "a role with more",
    () => ({ assignments: [{ departmentId: staff.departmentId, roleId: staff.cashier }] }),
  ],
])("nobody gives %s to oneself, or to somebody new", async (_what, more) => {
  const before = await powers();
  expect(await staff.edited(climber, climber.operatorId, more())).toMatchObject(REFUSED);
  expect(await house.ask(addOperator, { as: climber }, { body: person(more()) })).toMatchObject(REFUSED);
  expect(await powers()).toEqual(before);
});

test("no role is made, and none grows, with what its maker lacks; a head gets beyond it as little as a clerk", async () => {
  const make = (as: Person, keys: string[]) =>
    house.ask(addRole, { as }, { body: { name: `角色${Date.now() % 1e6}甲`, remark: "", keys } });
  for (const key of ["102.add", "#2602", "6.delete", "46.delete"])
    expect(await make(climber, [key]), key).toMatchObject(REFUSED);
  expect((await make(climber, ["super"])).status).toBe(400);
  expect((await make(staff.boss, ["super"])).status).toBe(400);
  const { rows } = await pool.query<{ id: number }>("select id from role where name = '店长助理'");
  const params = { id: rows[0]!.id };
  const { keys, version, name } = await house.did(getRole, { as: climber }, { params });
  const grown = { ...params, name, remark: "", keys: [...keys, "102.add"], version };
  expect(await house.ask(editRole, { as: climber }, { body: grown })).toMatchObject(REFUSED);
  expect((await powers()).keys).not.toContain("102.add");
});

test("many at once are given no more than one by one", async () => {
  const before = await powers();
  const change = (more: object) =>
    house.ask(changeBatch, { as: climber }, { body: { ids: [climber.operatorId], ...more } as never });
  const cashier = { departmentId: staff.departmentId, roleId: staff.cashier };
  await change({ kind: "villages", addVillages: [far] });
  await change({ kind: "roles", addRoles: [cashier] });
  await change({ kind: "copy", fromId: staff.boss.operatorId });
  await change({ kind: "copy", fromId: staff.head.operatorId });
  expect(await powers()).toEqual(before);
});

test("nobody acts on the account of somebody above: no password, lock, role or view of theirs", async () => {
  const id = await staff.added();
  await pool.query("update operator set super_type = '1' where id = $1", [id]);
  const body = { version: await staff.versionOf(id) };
  const as = climber;
  const params = { id };
  const before = await powers(id);
  const tries = [
    await house.ask(resetPassword, { as }, { params, body }),
    await house.ask(disableOperator, { as }, { params, body }),
    await house.ask(viewAs, { as }, { params }),
    await house.ask(updateVerify, { as }, { body: { id, verified: true, ...body } }),
    await house.ask(unlockOperator, { as }, { params: { id: staff.head.operatorId } }),
    await house.ask(
      removeAssignment,
      { as },
      {
        params: { id: staff.head.operatorId, roleId: staff.looking, depid: staff.departmentId },
      },
    ),
    await staff.edited(as, id, { password: "Mine2027!" }),
  ];
  expect(tries.map((t) => t.status)).toEqual([403, 403, 403, 403, 403, 403, 403]);
  expect(await powers(id)).toEqual(before);
  const ids = tries.map((t) => t.headers["x-request-id"]);
  const { rows } = await pool.query(
    "select outcome, http_status, operator_id from operation_log where request_id = any($1)",
    [ids],
  );
  expect(rows).toHaveLength(7);
  for (const row of rows)
    expect(row).toEqual({ outcome: "refused", http_status: 403, operator_id: as.operatorId });
});

test("menus and functions change by nobody without their own function, whoever they are else", async () => {
  const menu = (await house.did(listFunctions, { as: climber }, { query: {} }))[0]!;
  const link = {
    level: "2" as const,
    parentId: menu.id,
    name: "帮助",
    permissionId: 990_001,
    path: "https://a.cn",
  };
  expect((await house.ask(addFunction, { as: climber }, { body: { ...link, remark: "" } })).status).toBe(403);
  const body = {
    id: menu.id,
    name: "改名",
    icon: "",
    orderNum: 1,
    hidden: true,
    remark: "",
    version: menu.version,
  };
  expect((await house.ask(editFunction, { as: climber }, { body: body as never })).status).toBe(403);
});

test("what no form sends is not taken: id, enterprise, hash, state, verification", async () => {
  const more = {
    id: 999_999,
    enterpriseId: 999,
    passwordHash: "$argon2id$x",
    state: "disabled",
    verified: true,
    mustChangePassword: false,
    createdBy: 1,
    constructor: 1,
  };
  const { body } = await house.ask(addOperator, { as: climber }, { body: person(more) as never });
  expect(body.code).toBe(200);
  const { rows } = await pool.query("select * from operator where id = $1", [body.data.id]);
  expect(rows[0]).toMatchObject({ enterprise_id: house.enterpriseId, state: "active", verified: false });
  expect(rows[0].id).not.toBe(999_999);
  expect(rows[0].password_hash).toMatch(/^\$argon2id\$v=/);
  await staff.edited(climber, climber.operatorId, {
    enterpriseId: 999,
    state: "disabled",
    password_hash: "x",
  });
  expect(await powers()).toMatchObject({
    enterprise_id: house.enterpriseId,
    state: "active",
    super_type: "",
  });
});
