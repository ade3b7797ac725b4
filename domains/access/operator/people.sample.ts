import type { TestHouse, Person } from "../../../platform/server/process/house.sample.ts";
import { hashOf, newToken } from "../../../platform/server/pipeline/session.ts";
import { addOperator } from "./operator.contract.ts";
import { aScopeOf } from "./operator.sample.ts";
import { editOperator, getOperator } from "./people.contract.ts";

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
