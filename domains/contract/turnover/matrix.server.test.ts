import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { listSales, salesMatrix } from "./statement.contract.ts";
import { ratioTone } from "./statement.rules.ts";
import { aTurnoverDesk, BANDS } from "./turnover.sample.ts";

const house = await testHouse();
const { shop, aLease, declare, confirm } = await aTurnoverDesk(house);
const as = await house.person({ permits: ["107.query"], villages: [shop.villageId] });

test("twelve months of all shops, and of each what the rent is of its sales: of confirmed months, as the list sums them", async () => {
  const [one, two] = [await aLease(BANDS), await aLease(BANDS)];
  await confirm(await declare(one, 1, 12_000_000));
  await confirm(await declare(one, 2, 5_000_000));
  await declare(one, 3, 4_000_000);
  await confirm(await declare(two, 1, 2_000_000));
  const shown = await house.did(salesMatrix, { as }, { query: {} });
  expect(shown.months.map((m) => m.month)).toEqual(
    Array.from({ length: 12 }, (_, i) => `2026-${String(i + 1).padStart(2, "0")}`),
  );
  expect(shown.months[0]).toEqual({ month: "2026-01", net: 14_000_000, base: 2_000_000, share: 1_300_000 });
  expect(shown.months[2]).toEqual({ month: "2026-03", net: 4_000_000, base: null, share: null });
  expect(shown.total).toBe(2);
  // 11,400.00 of 120,000.00, then the base of 10,000.00 of 50,000.00; what waits counts as sold alone
  expect(shown.shops[0]).toMatchObject({
    contractId: one,
    net: 21_000_000,
    rent: 2_140_000,
    ratio: 2_140_000 / 17_000_000,
    cells: [
      { month: "2026-01", net: 12_000_000, ratio: 0.095 },
      { month: "2026-02", net: 5_000_000, ratio: 0.2 },
      { month: "2026-03", net: 4_000_000, ratio: null },
    ],
  });
  const { sums } = await house.did(listSales, { as }, { query: {} });
  expect(shown.months.reduce((sum, m) => sum + m.net, 0)).toBe(sums!.net);

  const earlier = await house.did(salesMatrix, { as }, { query: { until: "2026-01" } });
  expect(earlier.months.reduce((sum, m) => sum + m.net, 0)).toBe(14_000_000);
  const none = await house.person({ permits: ["107.query"], villages: [] });
  expect(await house.did(salesMatrix, { as: none }, { query: {} })).toMatchObject({ total: 0, shops: [] });
});

test("a heavier rent reads heavier", () => {
  expect([null, 0.1, 0.11, 0.2, 0.3, 0.31].map(ratioTone)).toEqual([
    undefined,
    "green",
    "gold",
    "gold",
    "orange",
    "red",
  ]);
});
