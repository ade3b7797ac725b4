import { actOf } from "../../../platform/server/pipeline.ts";
import { nobody } from "../../../platform/server/act.ts";
import type { TestHouse } from "../../../platform/server/house.sample.ts";
import { insertOperator, type NewOperator } from "./operator.service.ts";

let serial = 0;

/** An operator of the house's enterprise who can sign in. */
export async function anOperator(
  house: TestHouse,
  more: Partial<NewOperator> = {},
): Promise<{ id: number; account: string; phone: string }> {
  const n = String(++serial).padStart(4, "0");
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
