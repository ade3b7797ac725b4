import { randomUUID } from "node:crypto";
import type { Call, Sent } from "../../../platform/kernel/call.ts";
import { counter } from "../../../platform/server/database/counter.sample.ts";
import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { addAccount } from "../account/account.service.ts";
import { bookLines } from "../corporate/line.service.ts";
import { addSheet, confirmSheet, getSheet } from "./income.contract.ts";
import { addPartner } from "./third-party.contract.ts";

export const THIRD_PARTY =
  "252.query 252.get 252.add 252.edit 252.delete 252.enable 252.disable 252.export 252.import #25201".split(
    " ",
  );

const next = counter();

/** A partner of some stores, 60% at 9%, unless told otherwise. */
export const aPartner = (
  house: TestHouse,
  as: Person,
  villageIds: number[],
  more: Partial<Sent<typeof addPartner>["body"]> = {},
): Promise<{ id: number }> =>
  house.did(
    addPartner,
    { as },
    {
      body: {
        name: `顺达停车${next()}`,
        kind: "parking",
        villageIds,
        startDate: "2026-01-01",
        shareMode: "percent",
        percent: "60",
        taxRate: "9",
        ...more,
      },
    },
  );

export const sheetOf = (house: TestHouse, as: Person, id: number) =>
  house.did(getSheet, { as }, { params: { id } });

/** An act on a sheet as it stands now. */
export async function onSheet<C extends Call>(
  house: TestHouse,
  as: Person,
  call: C,
  id: number,
  body: object = {},
  params: object = {},
) {
  const { version } = await sheetOf(house, as, id);
  const sent = {
    params: { id, ...params },
    body: { version, ...body },
    ...(call.method === "DELETE" && { body: undefined, query: { version } }),
  };
  return house.ask(call, { as, key: randomUUID() }, sent as unknown as Sent<C> as never);
}

/** What a partner took in a month, confirmed. */
export async function aConfirmed(
  house: TestHouse,
  as: Person,
  of: { villageId: number; month: string; thirdPartyId: number; gross: number },
): Promise<number> {
  const { id } = await house.did(addSheet, { as }, { body: of });
  await onSheet(house, as, confirmSheet, id);
  return id;
}

/** A line of a company account in claim mode, with its account. */
export async function aBankLine(
  house: TestHouse,
  of: { amount: number; day: string; counterName?: string },
): Promise<{ id: number; accountId: number }> {
  const { db, pool } = house.database;
  const n = next();
  const accountId = await addAccount(
    { tx: db },
    {
      enterpriseId: house.enterpriseId,
      name: `对公账户${n}`,
      kind: "bank",
      statementMode: "claim",
      bankAccountNo: `6222${n}`,
    },
  );
  const { rows } = await pool.query<{ id: number }>(
    `insert into statement (statement_no, merchant_account_id, format, file_name, sha256, encoding, date_from, date_to,
       line_count, new_count, sum_in, sum_out, sum_fee)
     values ($1, $2, 'bank', '流水.csv', $1, 'UTF-8', $3, $3, 1, 1, $4, 0, 0) returning id`,
    [`DZ${n}`, accountId, of.day, of.amount],
  );
  await pool.query(
    `insert into statement_line (statement_id, merchant_account_id, line_no, row_key, occurred_at, day, direction, amount,
       counter_name, raw) values ($1, $2, 1, '1', $3::date, $3, 'in', $4, $5, '[]')`,
    [rows[0]!.id, accountId, of.day, of.amount, of.counterName ?? "顺达停车"],
  );
  await acting(house, (act) => bookLines(act, rows[0]!.id));
  const line = await db
    .selectFrom("bankLine")
    .select("id")
    .where("merchantAccountId", "=", accountId)
    .executeTakeFirstOrThrow();
  return { id: line.id, accountId };
}
