import { beforeAll, describe, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import {
  indicatorRoles,
  indicatorRules,
  indicators,
  resetRoleIndicators,
  setIndicatorRule,
  setRoleIndicators,
} from "./indicator.contract.ts";
import { SHOWN_CODES, type ShownCode } from "./indicator.rules.ts";

const house = await testHouse();
const { pool } = house.database;
let chief: Person, manager: Person, role: number, named: string;

/** The role that somebody was given with their permits. */
const roleOf = async (person: Person) =>
  (
    await pool.query<{ id: number; name: string }>(
      "select r.id, r.name from operator_assignment a join role r on r.id = a.role_id where a.operator_id = $1",
      [person.operatorId],
    )
  ).rows[0]!;
const choose = (codes: readonly ShownCode[], version: number, roleId = role) =>
  house.ask(setRoleIndicators, { as: chief }, { body: { roleId, codes: [...codes], version } });
const seenBy = async (as: Person) =>
  (await house.did(indicators, { as })).filter((i) => i.shown).map((i) => i.code);
const without = (...codes: ShownCode[]) => SHOWN_CODES.filter((code) => !codes.includes(code));

beforeAll(async () => {
  chief = await house.person({ permits: ["138.query", "138.edit"], name: "总部" });
  manager = await house.person({ permits: ["139.query"] });
  ({ id: role, name: named } = await roleOf(manager));
});

describe("the figures of a role", () => {
  test("are all of them until somebody chooses, then those chosen in their order, with who did it in the log", async () => {
    expect(await seenBy(manager)).toEqual(SHOWN_CODES);
    const [mine] = (await house.did(indicatorRoles, { as: chief })).filter((r) => r.roleId === role);
    expect(mine).toMatchObject({ people: 1, version: 0, codes: SHOWN_CODES, updatedAt: null });
    expect((await choose(["collected", "occupancyRate"], 0)).body).toMatchObject({
      data: { id: role, version: 1 },
    });
    expect(await seenBy(manager)).toEqual(["collected", "occupancyRate"]);
    const { rows } = await pool.query(
      "select number, summary from business_log where kind = 'indicatorRole'",
    );
    expect(rows).toEqual([
      { number: named, summary: expect.stringContaining(`角色 ${named} 的指标：去掉空置间数、平均租金`) },
    ]);
  });

  test("cannot be none, twice the same, or unknown; a stranger's role does not exist", async () => {
    expect((await choose([], 1)).body.fields).toEqual([{ field: "codes", msg: "请至少选择一项指标" }]);
    expect((await choose(["billed", "billed"], 1)).body.fields).toEqual([
      { field: "codes", msg: "指标不能重复" },
    ]);
    expect((await choose(["fly" as never], 1)).status).toBe(400);
    const { rows } = await pool.query(
      "with e as (insert into enterprise (name) values ('别家公寓管理有限公司') returning id) insert into role (enterprise_id, name) select id, '店长' from e returning id",
    );
    expect((await choose(["billed"], 0, rows[0].id)).status).toBe(404);
    expect(
      (await house.ask(resetRoleIndicators, { as: chief }, { params: { id: rows[0].id }, query: {} })).status,
    ).toBe(404);
  });

  test("two who choose at once: one does, the other is told to look again", async () => {
    const both = await Promise.all([choose(["billed"], 1), choose(["arrears"], 1)]);
    expect(both.map((answer) => answer.status).toSorted()).toEqual([200, 409]);
    const fresh = await house.person({ permits: ["139.query"] });
    const { id } = await roleOf(fresh);
    const first = await Promise.all([choose(["billed"], 0, id), choose(["arrears"], 0, id)]);
    expect(first.map((answer) => answer.status).toSorted()).toEqual([200, 409]);
  });

  test("of several roles are the union, and all again where one of the roles is not limited", async () => {
    const both = await house.person({ permits: ["139.query"] });
    const own = await roleOf(both);
    await choose(["vacant", "billed"], 0, own.id);
    expect(await seenBy(both)).toEqual(["vacant", "billed"]);
    const add = (id: number) =>
      pool.query(
        "insert into operator_assignment (operator_id, department_id, role_id) select operator_id, department_id, $2 from operator_assignment where operator_id = $1 limit 1",
        [both.operatorId, id],
      );
    const other = await house.person({ permits: ["26.query"] });
    const more = await roleOf(other);
    await choose(["arrears", "billed"], 0, more.id);
    await add(more.id);
    expect((await seenBy(both)).toSorted()).toEqual(["arrears", "billed", "vacant"]);
    await add((await roleOf(await house.person({ permits: ["9.query"] }))).id);
    expect((await seenBy(both)).toSorted()).toEqual([...SHOWN_CODES].toSorted());
    expect(await seenBy(await house.person({ superType: "1" }))).toEqual(SHOWN_CODES);
  });

  test("go back to the default", async () => {
    const { version } = (await house.did(indicatorRoles, { as: chief })).find((r) => r.roleId === role)!;
    const reset = (v: number) =>
      house.ask(resetRoleIndicators, { as: chief }, { params: { id: role }, query: { version: v } as never });
    expect((await reset(version - 1)).status).toBe(409);
    expect((await reset(version)).status).toBe(200);
    expect((await reset(version)).status).toBe(404);
    expect(await seenBy(manager)).toEqual(SHOWN_CODES);
    await choose(without("arrears"), 0);
    await pool.query("delete from operator_assignment where role_id = $1", [role]);
    await pool.query("delete from role where id = $1", [role]);
    const { rows } = await pool.query("select 1 from indicator_role where role_id = $1", [role]);
    expect(rows).toEqual([]);
  });

  test("are chosen by who may", async () => {
    const reader = await house.person({ permits: ["138.query"] });
    const id = (await roleOf(reader)).id;
    expect(
      (
        await house.ask(
          setRoleIndicators,
          { as: reader },
          { body: { roleId: id, codes: ["billed"], version: 0 } },
        )
      ).status,
    ).toBe(403);
    expect((await house.ask(indicatorRoles, { as: manager })).status).toBe(403);
    expect((await house.ask(indicatorRules, { as: manager })).status).toBe(403);
  });
});

describe("the rule of a figure", () => {
  const body = {
    code: "arrears" as const,
    better: "less" as const,
    greenFrom: 90,
    amberFrom: 70,
    defaultTarget: 5_000_000,
    weight: 30,
    version: 0,
  };
  const set = (more: object = {}) =>
    house.ask(setIndicatorRule, { as: chief }, { body: { ...body, ...more } });

  test("is the given one until the company chooses another, which everybody sees at once", async () => {
    const before = await house.did(indicatorRules, { as: chief });
    expect(before.find((r) => r.code === "occupancyRate")).toMatchObject({
      better: "more",
      greenFrom: 98,
      amberFrom: 95,
      defaultTarget: null,
      weight: 100,
      version: 0,
    });
    expect((await set()).body).toMatchObject({ data: { version: 1 } });
    const seen = (await house.did(indicators, { as: manager })).find((i) => i.code === "arrears")!;
    expect(seen.rule).toMatchObject({ better: "less", greenFrom: 90, defaultTarget: 5_000_000 });
    const { rows } = await pool.query(
      "select summary, before_value, after_value from (select summary, before before_value, after after_value from business_log where kind = 'indicatorRule') l",
    );
    expect(rows[0]).toMatchObject({ summary: "修改欠费余额的规则", after_value: { 默认目标: "50,000.00" } });
  });

  test("says what is wrong: limits the wrong way round, a rate above 100 %, a version that is old", async () => {
    expect((await set({ version: 1, amberFrom: 90 })).body.fields).toEqual([
      { field: "amberFrom", msg: "黄色下限必须低于绿色下限" },
    ]);
    expect((await set({ code: "renewalRate", defaultTarget: 1.2 })).body.fields).toEqual([
      { field: "defaultTarget", msg: "请输入0到100之间的数" },
    ]);
    expect((await set({ version: 0 })).status).toBe(409);
    const both = await Promise.all([set({ version: 1, weight: 1 }), set({ version: 1, weight: 2 })]);
    expect(both.map((answer) => answer.status).toSorted()).toEqual([200, 409]);
    const anew = await Promise.all([set({ code: "billed", weight: 1 }), set({ code: "billed", weight: 2 })]);
    expect(anew.map((answer) => answer.status).toSorted()).toEqual([200, 409]);
  });

  test("the database refuses what must never be", async () => {
    const put = (green: number, amber: number, weight: number) =>
      pool.query(
        "insert into indicator_rule (enterprise_id, code, better, green_from, amber_from, weight) values ($1, 'collected', 'more', $2, $3, $4)",
        [house.enterpriseId, green, amber, weight],
      );
    await expect(put(90, 90, 0)).rejects.toThrow();
    await expect(put(98, 95, 101)).rejects.toThrow();
    await expect(pool.query("update indicator_role set codes = '{}'")).rejects.toThrow();
  });
});
