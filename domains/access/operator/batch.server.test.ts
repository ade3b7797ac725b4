import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { changeBatch, previewBatch } from "./batch.contract.ts";
import { aScopeOf, anOperator } from "./operator.sample.ts";
import { addRole } from "../role/role.contract.ts";

const house = await testHouse();
const { pool } = house.database;
const { here, there, departmentId } = await aScopeOf(house);
const boss = await house.person({ superType: "1", name: "总经理" });
const head = await house.person({ permits: ["46.query", "46.edit", "54.query"], villages: [here] });
const { id: repairs } = await house.did(
  addRole,
  { as: boss },
  { body: { name: "报修查看", keys: ["54.query"], remark: "" } },
);
const { id: money } = await house.did(
  addRole,
  { as: boss },
  { body: { name: "出纳", keys: ["102.add"], remark: "" } },
);
const at = (roleId: number) => ({ departmentId, roleId });
const one = await anOperator(house, { realName: "林小满", assignments: [at(repairs)], villageIds: [here] });
const two = await anOperator(house, { realName: "周子安", assignments: [at(repairs)], villageIds: [here] });
const rich = await anOperator(house, { realName: "郭晓东", assignments: [at(money)], villageIds: [here] });
const villagesOf = async (id: number) =>
  (await pool.query<{ village_ids: number[] }>("select village_ids from operator where id = $1", [id]))
    .rows[0]!.village_ids;

test("a change of many is shown first: who gains and loses what, and nothing is written", async () => {
  const body = {
    ids: [one.id, two.id],
    kind: "roles" as const,
    addRoles: [at(money)],
    removeRoles: [repairs],
  };
  const told = await house.did(previewBatch, { as: boss }, { body });
  expect(told[0]).toMatchObject({ realName: "林小满", why: null });
  expect(told[0]!.gains).toEqual(["角色 运营部 / 出纳", "功能1项：收支流水 新增"]);
  expect(told[0]!.loses).toEqual(["角色 运营部 / 报修查看", "功能1项：报修管理 查询"]);
  const { rows } = await pool.query("select role_id from operator_assignment where operator_id = $1", [
    one.id,
  ]);
  expect(rows).toEqual([{ role_id: repairs }]);
});

test("whoever can be changed is changed; of the others it is said why not", async () => {
  const body = { ids: [one.id, two.id, rich.id, boss.operatorId], kind: "villages" as const };
  const beyond = await house.did(changeBatch, { as: head }, { body: { ...body, addVillages: [there] } });
  expect(beyond.map((row) => [row.realName, row.why])).toEqual([
    ["总经理", "管理员拥有全部权限，无需调整"],
    ["林小满", "不能授予超出自身的权限"],
    ["周子安", "不能授予超出自身的权限"],
    ["郭晓东", "该员工的权限超出您的权限，不能操作"],
  ]);
  expect(await villagesOf(one.id)).toEqual([here]);
  const done = await house.did(changeBatch, { as: boss }, { body: { ...body, addVillages: [there] } });
  expect(done.filter((row) => !row.why).map((row) => row.realName)).toEqual(["林小满", "周子安", "郭晓东"]);
  expect(await villagesOf(one.id)).toEqual([here, there]);
  const none = await house.did(
    changeBatch,
    { as: boss },
    { body: { ...body, ids: [one.id], removeVillages: [here, there] } },
  );
  expect(none[0]!.why).toBe("至少保留一个门店");
});

test("copying makes others the same as one, and is in their log", async () => {
  const body = { ids: [two.id, rich.id], kind: "copy" as const, fromId: rich.id };
  const done = await house.did(changeBatch, { as: boss }, { body });
  expect(done.map((row) => row.why)).toEqual([null, "与来源员工相同"]);
  const { rows } = await pool.query("select role_id from operator_assignment where operator_id = $1", [
    two.id,
  ]);
  expect(rows).toEqual([{ role_id: money }]);
  const { rows: log } = await pool.query(
    "select summary from business_log where kind = 'operator' and record_id = $1 and action = '调整权限' order by id desc limit 1",
    [two.id],
  );
  expect(log[0].summary).toMatch(/^调整员工 周子安/);
});

test("nothing to change is refused, as are more than five hundred people", async () => {
  const empty = await house.ask(previewBatch, { as: boss }, { body: { ids: [one.id], kind: "villages" } });
  expect(empty.body.fields).toEqual([{ field: "addVillages", msg: "请选择要增加或移除的门店" }]);
  const many = {
    ids: Array.from({ length: 501 }, (_, i) => i + 1),
    kind: "villages" as const,
    addVillages: [here],
  };
  expect((await house.ask(previewBatch, { as: boss }, { body: many })).body.message).toBe("一次最多500人");
});

test("two batches over one person at once both count: what one takes away the other does not give back", async () => {
  const { id } = await anOperator(house, {
    realName: "何静",
    assignments: [at(repairs), at(money)],
    villageIds: [here, there],
  });
  const send = (body: object) =>
    house.did(changeBatch, { as: boss }, { body: { ids: [id], ...body } as never });
  const roles = (more: object) => send({ kind: "roles", addRoles: [], removeRoles: [], ...more });
  for (let round = 0; round < 5; round++) {
    await Promise.all([
      send({ kind: "villages", addVillages: [], removeVillages: [there] }),
      roles({ removeRoles: [money] }),
    ]);
    const { rows } = await pool.query(
      "select village_ids, (select array_agg(role_id) from operator_assignment where operator_id = $1) roles from operator where id = $1",
      [id],
    );
    expect(rows[0]).toEqual({ village_ids: [here], roles: [repairs] });
    await send({ kind: "villages", addVillages: [there], removeVillages: [] });
    await roles({ addRoles: [at(money)] });
  }
});
