import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { bookBalance } from "../../finance/bill/bill.sample.ts";
import { march2026 } from "../../finance/check/march.sample.ts";
import { reverseFlow } from "../../finance/flow/allocate.service.ts";
import { take } from "../../finance/flow/flow.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { owingReport, owingSummary } from "./owing.contract.ts";

const house = await testHouse();
const { a, b, bills, accounts } = await march2026(house);
const as = await house.person({ superType: "1" });
const query = { day: "2026-03-31" };
/** Without the late fee that is only expected: it is in no balance, and follows the money's own day whenever that is known. */
const march = async () => ({
  party: await house.did(owingReport, { as }, { query }).then(({ list, ...rest }) => ({
    ...rest,
    list: list.map(({ lateFee: _, ...row }) => row),
  })),
  subject: await house.did(owingReport, { as }, { query: { ...query, mode: "subject" } }),
  picture: await house.did(owingSummary, { as }, { query }),
});

test("whatever comes after the lock, even money of March, a closed month stays as it was", async () => {
  const before = await march();
  expect(before.party.sums!.owed).toBe(165_130);
  house.setClock("2026-04-02T10:00:00+08:00");
  for (const { villageId } of [a, b])
    for (const month of ["2026-01", "2026-02", "2026-03"])
      await house.database.db.insertInto("periodLock").values({ villageId, month, side: "income" }).execute();

  const { rows } = await house.database.pool.query<{ id: number }>(
    "select id from flow where village_id = $1 and paid_on = '2026-03-26'",
    [a.villageId],
  );
  await acting(house, (act) => reverseFlow(act, rows[0]!.id, "退票"));
  expect(await march()).toEqual(before);

  const { partyId } = await house.database.db
    .selectFrom("bill")
    .select("partyId")
    .where("id", "=", bills["liSi"]!)
    .executeTakeFirstOrThrow();
  const paidAt = "2026-03-30T09:00:00+08:00";
  await take(house, a, accounts.a, partyId, {
    amount: 100_000,
    paidAt,
    channel: "cash",
    bills: [bills["liSi"]!],
  });
  expect(await march()).toEqual(before);

  const today = (await house.did(owingReport, { as }, { query: {} })).sums!.owed;
  expect(today).not.toBe(before.party.sums!.owed);
  expect(await bookBalance(house, "1122")).toBe(today);
});
