import { counter } from "../../../platform/server/database/counter.sample.ts";
import { nobody } from "../../../platform/server/pipeline/act.ts";
import { actOf } from "../../../platform/server/pipeline/pipeline.ts";
import { hashOf, newToken } from "../../../platform/server/pipeline/session.ts";
import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { addOperator, editOperator, getOperator } from "./operator.contract.ts";
import { type NewOperator, insertOperator } from "./operator.service.ts";

const next = counter();

/** An operator of the house's enterprise who can sign in. */
export async function anOperator(
  house: TestHouse,
  more: Partial<NewOperator> = {},
): Promise<{ id: number; account: string; phone: string }> {
  const n = String(next()).padStart(4, "0");
  const operator = {
    enterpriseId: house.enterpriseId,
    account: `person${n}`,
    realName: "陈嘉禾",
    phone: `1390571${n}`,
    password: "Qing2026!",
    ...more,
  };
  const id = await house.database.db
    .transaction()
    .execute((tx) =>
      insertOperator(actOf(house, tx, nobody, { requestId: "sample", ip: "", userAgent: "" }), operator),
    );
  return { id, account: operator.account, phone: operator.phone };
}

/** Villages by name alone, for tests of what needs no more than a scope. */
export async function twoVillages(house: TestHouse): Promise<[number, number]> {
  const { pool } = house.database;
  const manager = await house.person();
  const one = async (text: string, values: unknown[]) =>
    (await pool.query<{ id: number }>(`${text} returning id`, values)).rows[0]!.id;
  const district = await one("insert into district (enterprise_id, name, level) values ($1, $2, 'city')", [
    house.enterpriseId,
    `区域${manager.operatorId}`,
  ]);
  const village = (name: string) =>
    one(
      `insert into village (enterprise_id, code, name, mode, district_id, address, manager_id, phone, opening_day)
       values ($1, $2, $3, 'centralised', $4, '江南大道 1 号', $5, '057188880000', '2024-01-01')`,
      [
        house.enterpriseId,
        `v${manager.operatorId}-${name.length}`,
        `${name}${manager.operatorId}`,
        district,
        manager.operatorId,
      ],
    );
  return [await village("滨江店"), await village("城西中心店")];
}

/** Two villages and a department. */
export async function aScopeOf(
  house: TestHouse,
): Promise<{ here: number; there: number; departmentId: number }> {
  const [here, there] = await twoVillages(house);
  const { rows } = await house.database.pool.query<{ id: number }>(
    "insert into department (enterprise_id, name) values ($1, '运营部') returning id",
    [house.enterpriseId],
  );
  return { here, there, departmentId: rows[0]!.id };
}

/** A department with two roles, its head and an administrator, and ways to add people, sign them in and change them. */
export async function aStaff(house: TestHouse) {
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
          password: "Ruzhu2026!",
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
  /** A session of theirs, as after a log-in with a password of their own. */
  async function signedIn(id: number): Promise<Person> {
    const token = newToken();
    await pool.query("update operator set must_change_password = false where id = $1", [id]);
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
  return { here, there, departmentId, boss, head, looking, cashier, added, versionOf, signedIn, edited };
}
