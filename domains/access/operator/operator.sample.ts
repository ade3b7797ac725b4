import { counter } from "../../../platform/server/database/counter.sample.ts";
import { actOf } from "../../../platform/server/pipeline/pipeline.ts";
import { nobody } from "../../../platform/server/pipeline/act.ts";
import type { TestHouse } from "../../../platform/server/process/house.sample.ts";
import { insertOperator, type NewOperator } from "./operator.service.ts";

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
