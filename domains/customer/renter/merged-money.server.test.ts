import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aBill, aLine } from "../../finance/bill/bill.sample.ts";
import { aCounter } from "../../finance/flow/flow.sample.ts";
import { openOfParty, payers } from "../../finance/payer/payer.contract.ts";
import { mergeRenters } from "./acts.contract.ts";
import { listRenters } from "./renter.contract.ts";
import { aRenter } from "./renter.sample.ts";

const house = await testHouse();
house.setClock("2026-03-02T10:00:00+08:00");
const { pool } = house.database;
const at = await aCounter(house);
const { store, cashier, receipt, taken, bill } = at;

test("of two renters merged with an open bill each, both are collected and nothing is rewritten", async () => {
  const phone = "13911112222";
  const keepId = await aRenter(house, store.villageId, { name: "罗子墨", phone });
  const goneId = await aRenter(house, store.villageId, {
    name: "罗小墨",
    certType: null,
    certNo: null,
    phone,
  });
  const of = { dueDate: "2026-03-01" };
  const kept = await aBill(house, store, keepId, { ...of, lines: [aLine("rent", 300_000)] });
  const gone = await aBill(house, store, goneId, { ...of, lines: [aLine("rent", 120_000)] });
  const merger = await house.person({
    permits: ["16.query", "16.get", "16.edit", "#1602"],
    villages: [store.villageId],
  });
  await house.did(
    mergeRenters,
    { as: merger },
    { body: { keepId, keepVersion: 1, goneId, goneVersion: 1, take: [], reason: "同一人" } },
  );

  const found = async (query: object) =>
    (await house.did(payers, { as: cashier }, { query })).map((p) => [p.id, p.mergedInto, p.owed]);
  // under the name that was kept both are offered, the merged one as such
  expect(await found({ keyword: "罗子墨" })).toEqual([
    [keepId, "", 300_000],
    [goneId, "罗子墨", 120_000],
  ]);
  expect(await found({ keyword: "罗小墨" })).toEqual([[goneId, "罗子墨", 120_000]]);
  expect(await found({ billId: gone })).toEqual([[goneId, "罗子墨", 120_000]]);
  expect(await found({ ids: String(keepId) })).toEqual([[keepId, "", 300_000]]);
  // nothing new is written for a merged record
  expect(await found({ keyword: "罗子墨", standing: "1" })).toEqual([[keepId, "", 300_000]]);

  const open = await house.did(
    openOfParty,
    { as: cashier },
    { params: { type: "renter", id: goneId }, query: {} },
  );
  expect(open.villages[0]!.lines.map((l) => l.owed)).toEqual([120_000]);

  // the list counts one person who owes both, whether its filter is empty or keeps everybody
  const totals = async (query: object) =>
    await house.did(listRenters, { as: merger }, { query: { want: "totals", ...query } });
  const all = await totals({});
  expect(all.sums!.arrears).toBeGreaterThanOrEqual(420_000);
  expect(await totals({ createdFrom: "2000-01-01" })).toEqual(all);
  expect((await totals({ keyword: "罗子墨" })).sums!.arrears).toBe(420_000);

  await taken({ ...(await receipt([kept], 300_000)), partyId: keepId });
  await taken({ ...(await receipt([gone], 120_000)), partyId: goneId });
  expect([await bill(kept), await bill(gone)]).toMatchObject([
    { partyId: keepId, outstanding: 0, status: "paid" },
    { partyId: goneId, outstanding: 0, status: "paid" },
  ]);
  const flows = await pool.query("select party_id, amount from flow where party_id = any($1) order by id", [
    [keepId, goneId],
  ]);
  expect(flows.rows).toEqual([
    { party_id: keepId, amount: 300_000 },
    { party_id: goneId, amount: 120_000 },
  ]);
  // with nothing left to pay the merged record is no longer offered
  expect(await found({ keyword: "罗子墨" })).toEqual([[keepId, "", 0]]);
});
