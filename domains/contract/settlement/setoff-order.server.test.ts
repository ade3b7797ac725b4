import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { setBilling } from "../../finance/setting/setting.service.ts";
import { settlementActs } from "./settlement.contract.ts";
import { aSettler, everythingOf } from "./settlement.sample.ts";

const house = await testHouse();
const { shop, as, db, pool, lease, preview, row, agreed, confirm, sound } = await aSettler(house);

/**
 * The worked example: deposit 3,500.00, rent and fee not used 4,645.16; charges 332.40 and a penalty of 3,500.00. What the refund of
 * 4,312.76 gives back of the deposit and of the prepaid balance, and what the deposit has paid.
 */
async function settled() {
  const contract = await lease();
  house.setClock("2026-08-05T10:00:00+08:00");
  const before = await everythingOf(pool, contract.id);
  const ready = await agreed(contract.id);
  expect((await preview(ready.id)).net).toBe(431_276);
  expect((await confirm(ready)).body).toMatchObject({ code: 200, data: { state: "toPay" } });
  const { refundId, version } = await row(ready.id);
  const { rows } = await pool.query<{ account: string; fen: number }>(
    `select l.account, sum(l.debit - l.credit)::int fen from journal_line l join journal_entry e on e.id = l.entry_id
      where e.event = 'E12' and e.source_type = 'refund' and e.source_id = $1 group by 1 order by 1`,
    [refundId],
  );
  const { rows: paid } = await pool.query<{ fen: number }>(
    `select coalesce(sum(a.amount), 0)::int fen from allocation_standing a join bill b on b.id = a.bill_id
      where b.contract_id = $1 and a.kind = 'deposit'`,
    [contract.id],
  );
  expect(await sound()).toEqual([]);
  // taken back it is as it was, whichever paid first
  const sent = { params: { id: ready.id }, body: { version, reason: "租客改变主意" } };
  expect((await house.ask(settlementActs.undo, { as, key: randomUUID() }, sent)).status).toBe(200);
  expect(await everythingOf(pool, contract.id)).toEqual(before);
  expect(await sound()).toEqual([]);
  return { back: rows.map(({ account, fen }) => [account, fen]), byDeposit: paid[0]!.fen };
}

test("the deposit pays first unless the store sets that prepaid money does: the same refund, out of other balances", async () => {
  expect(await settled()).toEqual({
    back: [
      ["2202", -431_276],
      ["2203", 431_276],
    ],
    byDeposit: 350_000,
  });
  await setBilling({ tx: db }, { enterpriseId: house.enterpriseId, villageId: shop.villageId } as never, {
    setoffOrder: "prepaidFirst",
  });
  expect(await settled()).toEqual({
    back: [
      ["2202", -431_276],
      ["2203", 81_276],
      ["2241", 350_000],
    ],
    byDeposit: 0,
  });
});
