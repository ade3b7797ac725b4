import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { rowsOf } from "../../system/download/download.sample.ts";
import { correctSales, exportSales, listSales, turnoverMonths } from "./statement.contract.ts";
import { aTurnoverDesk, BANDS } from "./turnover.sample.ts";

const house = await testHouse();
const { shop, as, aLease, declare, confirm, version } = await aTurnoverDesk(house);
const list = (query: object) => house.did(listSales, { as }, { query });

test("what shops declared is listed with what it costs; what was corrected counts no more", async () => {
  const lease = await aLease({ ...BANDS, rentKind: "higherOf" });
  const march = await declare(lease, 3, 12_000_000);
  await confirm(march);
  const april = await declare(lease, 4, 9_000_000, { refunds: 1_000_000 });
  const { list: rows, sums, total } = await list({});
  expect(total).toBe(2);
  // example E18
  expect(rows).toMatchObject([
    { id: april, month: "2026-04", gross: 9_000_000, net: 8_000_000, state: "submitted", topUp: null },
    {
      ...{ id: march, month: "2026-03", net: 12_000_000, state: "billed", growth: null },
      ...{ baseRent: 1_000_000, turnoverRent: 1_140_000, topUp: 140_000 },
    },
  ]);
  expect(rows[0]!.growth).toBeCloseTo(-1 / 3);
  expect(rows[1]!.billNo).toMatch(/\d/);
  expect(sums).toEqual({ net: 20_000_000, turnoverRent: 1_140_000, topUp: 140_000 });

  const body = { reason: "收银数据有误", version: await version(march) };
  await house.did(correctSales, { as }, { params: { id: march }, body });
  const after = await list({ monthTo: "2026-03-31" });
  expect(after.list.map((r) => r.state).toSorted()).toEqual(["corrected", "draft"]);
  expect(after.sums).toMatchObject({ net: 12_000_000, topUp: 0 });
});

test("state, source, month and words narrow it", async () => {
  const found = async (query: object) => (await list(query)).list.map((r) => r.month);
  expect(await found({ state: "submitted" })).toEqual(["2026-04"]);
  expect(await found({ monthFrom: "2026-04-01" })).toEqual(["2026-04"]);
  expect(await found({ source: "estimated" })).toEqual([]);
  const [row] = (await list({ state: "submitted" })).list;
  expect(await found({ keyword: row!.contractNo })).toHaveLength(3);
  expect(await found({ keyword: row!.partyName })).toHaveLength(3);
  expect(await found({ keyword: "13700000001" })).toHaveLength(3);
  expect(await found({ keyword: "没有这家" })).toEqual([]);
  expect(await found({ partyId: row!.partyId })).toHaveLength(3);
  expect(await found({ partyId: row!.partyId + 1 })).toEqual([]);
  const file = await house.ask(exportSales, { as }, {
    query: { columns: "month,partyName,net", state: "submitted" },
  } as never);
  expect(await rowsOf(file.raw)).toContainEqual(["2026-04", row!.partyName, 80_000]);
});

test("the months of one contract are read without the merchant's own page, and only where the store is one's own", async () => {
  const own = await aLease(BANDS);
  await aLease(BANDS);
  await declare(own, 3, 12_000_000);
  const clerk = await house.person({ permits: ["107.get"], villages: [shop.villageId] });
  const query = { contractId: own };
  const shops = await house.did(turnoverMonths, { as: clerk }, { query });
  expect(shops.map((s) => s.contractId)).toEqual([own]);
  expect(shops[0]!.months.find((m) => m.month === "2026-03")).toMatchObject({
    declared: 12_000_000,
    state: "submitted",
  });
  const asked = async (permits: string[], villages: number[], sent: object = query) =>
    (await house.ask(turnoverMonths, { as: await house.person({ permits, villages }) }, { query: sent }))
      .status;
  expect(await asked(["107.get"], [])).toBe(404);
  expect(await asked(["9.get"], [shop.villageId])).toBe(403);
  expect(await asked(["107.get"], [shop.villageId], {})).toBe(400);
});

test("another store's statements are not there, another page's code opens nothing", async () => {
  const elsewhere = await house.person({ permits: ["107.query"], villages: [] });
  expect((await house.did(listSales, { as: elsewhere }, { query: {} })).total).toBe(0);
  const renters = await house.person({ permits: ["9.query"], villages: [shop.villageId] });
  expect((await house.ask(listSales, { as: renters }, { query: {} })).status).toBe(403);
});
