import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { listOperators } from "../operator/operator.contract.ts";
import { listRoles } from "../role/role.contract.ts";
import { userInfo } from "../session/session.contract.ts";
import {
  addFunction,
  deleteFunction,
  disableFunction,
  editFunction,
  enableFunction,
  getFunction,
  listFunctions,
  moveFunction,
  ownFunctions,
} from "./function.contract.ts";

const house = await testHouse();
const { pool } = house.database;
const boss = await house.person({ superType: "0", name: "平台" });
const holder = await house.person({ permits: ["88", "88.query", "46.query", "6.query"], name: "使用者" });
const idOf = async (key: string) =>
  (await pool.query<{ id: number }>("select id from function_node where key = $1", [key])).rows[0]!.id;
const known = async (key: string) => {
  const id = await idOf(key);
  return house.did(getFunction, { as: boss }, { params: { id } });
};
const edit = async (key: string, more: object) => {
  const { id, name, icon, orderNum, hidden, remark, version } = await known(key);
  return house.ask(
    editFunction,
    { as: boss },
    { body: { id, name, icon: icon as "", orderNum, hidden, remark, version, ...more } },
  );
};
const switchTo = async (key: string, on: boolean) => {
  const { id, version } = await known(key);
  const call = on ? enableFunction : disableFunction;
  return house.ask(call, { as: boss }, { params: { id }, body: { version } });
};
const menuOf = async (as: Person) => (await house.did(userInfo, { as })).menu;
const codesOf = async (as: Person) => (await house.did(userInfo, { as })).secFuncList.map((f) => f.id);

describe("what people make of the menus", () => {
  test("is nothing at first", async () => {
    expect(await menuOf(boss)).toEqual([]);
    const tree = await house.did(listFunctions, { as: boss }, { query: {} });
    expect(tree.slice(0, 2).map((n) => [n.name, n.level])).toEqual([
      ["工作台", "1"],
      ["新增", "3"],
    ]);
  });

  test("a new name, the first place and a hidden page reach everybody", async () => {
    expect((await edit("122", { name: "家政服务" })).status).toBe(200);
    const id = await idOf("121");
    const place = async () =>
      (await house.did(listFunctions, { as: boss }, { query: { level: "1" } })).findIndex(
        (n) => n.key === "121",
      );
    for (let at = await place(); at > 1; at--)
      await house.did(moveFunction, { as: boss }, { params: { id }, body: { by: -1 } });
    const first = await house.ask(moveFunction, { as: boss }, { params: { id }, body: { by: -1 } });
    expect(first.body.message).toBe("工作台固定在最前");
    expect((await edit("88", { hidden: true })).status).toBe(200);
    const menu = await menuOf(holder);
    const entry = (code: number) => menu.find((m) => m.code === code);
    expect(entry(122)).toMatchObject({ releasedName: "保洁服务", name: "家政服务" });
    expect(entry(88)).toMatchObject({ hidden: true });
    expect(entry(121)!.place).toBeLessThan(entry(2)!.place!);
    // hidden is not forbidden
    expect(await codesOf(holder)).toContain(88);
    expect((await edit("46", { hidden: true })).status).toBe(200);
    expect((await house.ask(listRoles, { as: holder }, { query: {} })).status).toBe(200);
  });

  test("a disabled function is nobody's at the next call, with everything below it", async () => {
    expect((await house.ask(listOperators, { as: holder }, { query: {} })).status).toBe(200);
    expect((await house.ask(listRoles, { as: holder }, { query: {} })).status).toBe(200);
    expect((await switchTo("46.query", false)).status).toBe(200);
    for (const as of [holder, boss])
      expect((await house.ask(listRoles, { as }, { query: {} })).status).toBe(403);
    expect((await switchTo("46.query", true)).status).toBe(200);
    for (const as of [holder, boss])
      expect((await house.ask(listRoles, { as }, { query: {} })).status).toBe(200);
    expect((await switchTo("46", false)).status).toBe(200);
    expect((await house.ask(listRoles, { as: holder }, { query: {} })).status).toBe(403);
    expect(await codesOf(holder)).toEqual(expect.arrayContaining([88, 6]));
    expect(await codesOf(holder)).not.toContain(46);
    expect((await switchTo("46", true)).status).toBe(200);
    expect((await switchTo("44", false)).status).toBe(200);
    expect(await codesOf(holder)).not.toContain(88);
    expect((await switchTo("44", true)).status).toBe(200);
  });

  test("never locks everybody out", async () => {
    for (const key of ["45", "56", "56.enable"])
      expect((await switchTo(key, false)).body.message).toBe("停用后将无人能再管理菜单，不能停用");
    expect((await switchTo("1", false)).body.message).toBe("登录后默认打开工作台，不能停用");
  });
});

describe("a function of one's own", () => {
  const add = async (body: object) =>
    house.ask(addFunction, { as: boss }, { body: { name: "合作商城", ...body } as never });

  test("is a link below a menu, seen by who holds it", async () => {
    const parentId = await idOf("121");
    const link = { level: "2", parentId, path: "https://mall.example.com/", permissionId: 90001 };
    expect((await add({ ...link, path: "javascript:alert(1)" })).body.fields).toEqual([
      { field: "path", msg: "请输入以 http:// 或 https:// 开头的地址" },
    ]);
    expect((await add({ ...link, permissionId: 88 })).body.fields).toEqual([
      { field: "permissionId", msg: "权限编码已存在" },
    ]);
    expect((await add({ ...link, permissionId: 1_000_000 })).status).toBe(400);
    expect((await add(link)).status).toBe(200);
    expect((await menuOf(boss)).find((m) => m.code === 90001)).toMatchObject({
      href: "https://mall.example.com/",
      parentCode: 121,
    });
    expect((await menuOf(holder)).find((m) => m.code === 90001)).toBeUndefined();
  });

  test("is an authority code below a page, deleted only while no role has it", async () => {
    const made = await add({ level: "3", parentId: await idOf("54"), permissionId: 5499, name: "加急派单" });
    const { id } = made.body.data as { id: number };
    const gone = () => house.ask(deleteFunction, { as: boss }, { query: { id, version: 1 } });
    const { rows } = await pool.query<{ role_id: number }>(
      "insert into role_function (role_id, key) select role_id, '#5499' from operator_assignment where operator_id = $1 returning role_id",
      [holder.operatorId],
    );
    expect((await gone()).body.message).toBe("已被1个角色使用，不能删除，可停用");
    await pool.query("delete from role_function where role_id = $1 and key = '#5499'", [rows[0]!.role_id]);
    expect((await gone()).status).toBe(200);
  });

  test("what came with the release stays: its path, its code, itself", async () => {
    const { id, version } = await known("88");
    const gone = await house.ask(deleteFunction, { as: boss }, { query: { id, version } });
    expect(gone.body.message).toBe("系统内置功能不能删除");
    expect((await edit("88", { path: "https://elsewhere.example.com" })).body.fields).toEqual([
      { field: "path", msg: "系统内置功能的路径不能修改" },
    ]);
    expect((await edit("88", { name: "房" })).body.fields).toEqual([
      { field: "name", msg: "名称长度为2到20个字" },
    ]);
    expect((await edit("88", { version: 999 })).status).toBe(409);
  });
});

test("a filter shows what matches and the way to it; everybody is told what they hold", async () => {
  const tree = await house.did(listFunctions, { as: boss }, { query: { keyword: "5401" } });
  expect(tree.map((n) => [n.key, n.matches])).toEqual([
    ["50", false],
    ["54", false],
    ["#5401", true],
  ]);
  const used = await house.did(listFunctions, { as: boss }, { query: { keyword: "88.query" } });
  expect(used.map((n) => [n.key, n.roles])).toEqual([
    ["44", 1],
    ["88", 1],
    ["88.query", 1],
  ]);
  const own = await house.did(ownFunctions, { as: holder });
  expect(own.map((n) => n.key).toSorted()).toEqual(["46.query", "6.query", "88", "88.query"]);
});

test("where several enterprises share the menus, only the platform changes them", async () => {
  const admin = await house.person({ superType: "1" });
  const { id } = await known("88");
  const move = () => house.ask(moveFunction, { as: admin }, { params: { id }, body: { by: 1 } });
  expect((await move()).status).toBe(200);
  await pool.query("insert into enterprise (name) values ('别家公寓')");
  expect((await move()).body).toMatchObject({
    code: 403,
    message: "菜单由多家企业共用，请由平台管理员修改",
  });
});

describe("the whole tree", () => {
  const sent = (encoding: string) =>
    house.app.inject({
      url: listFunctions.path,
      headers: { authorization: holder.token, "accept-encoding": encoding },
    });
  const countsOf = async (key: string) =>
    (await house.did(listFunctions, { as: holder }, { query: {} })).find((n) => n.key === key)?.roles;

  test("is sent as small as the asking side reads it, and says the same in each form", async () => {
    const [plain, gzip, br] = [await sent("identity"), await sent("gzip"), await sent("gzip, br")];
    expect([plain, gzip, br].map((a) => a.headers["content-encoding"])).toEqual([undefined, "gzip", "br"]);
    const text = plain.body;
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(text);
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(text);
    expect(br.rawPayload.length).toBeLessThan(text.length / 10);
  });

  test("is as of now for whoever asks: after a change of a function, of a role, and when a role is gone", async () => {
    const before = await countsOf("31.query");
    const { operatorId } = await house.person({ permits: ["31.query"] });
    expect(await countsOf("31.query")).toBe(before! + 1);
    const { rows } = await pool.query<{ role_id: number }>(
      "select role_id from operator_assignment where operator_id = $1",
      [operatorId],
    );
    await pool.query("delete from operator_assignment where operator_id = $1", [operatorId]);
    await pool.query("delete from role where id = $1", [rows[0]!.role_id]);
    expect(await countsOf("31.query")).toBe(before);
    expect((await edit("31", { name: "抄表" })).status).toBe(200);
    const names = async () =>
      (await house.did(listFunctions, { as: holder }, { query: {} })).find((n) => n.key === "31")?.name;
    expect(await names()).toBe("抄表");
  });

  test("of another enterprise counts its own roles, that of the platform counts them all", async () => {
    const countFor = async (as: Person) =>
      (await house.did(listFunctions, { as }, { query: {} })).find((n) => n.key === "88.query")!.roles;
    const [all, ours] = [await countFor(boss), await countFor(holder)];
    expect(ours).toBeGreaterThan(0);
    const { rows } = await pool.query<{ id: number }>(
      "insert into enterprise (name) values ('别家') returning id",
    );
    const guest = await house.person({ permits: ["46.query"] });
    await pool.query("update operator set enterprise_id = $1 where id = $2", [rows[0]!.id, guest.operatorId]);
    expect(await countFor(guest)).toBe(0);
    await pool.query(
      `with r as (insert into role (enterprise_id, name) values ($1, '别家角色') returning id)
       insert into role_function (role_id, key) select id, '88.query' from r`,
      [rows[0]!.id],
    );
    expect([await countFor(guest), await countFor(holder), await countFor(boss)]).toEqual([1, ours, all + 1]);
  });
});
