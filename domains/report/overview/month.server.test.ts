import { beforeAll, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { listBills } from "../../finance/bill-list/bill.contract.ts";
import { checkLedger } from "../../finance/check/check.service.ts";
import { exampleMonth, type ExampleMonth } from "../../finance/summary/month.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { overviewCards } from "./overview.contract.ts";

const house = await testHouse();
let m: ExampleMonth;
beforeAll(async () => {
  m = await exampleMonth(house);
}, 120_000);

test("what a deposit pays is settled, not less billed: 应收 is that of the list of bills", async () => {
  const villageIds = `${m.a.villageId},${m.b.villageId}`;
  const as = await house.person({
    permits: ["139.query", "26.query"],
    villages: [m.a.villageId, m.b.villageId],
  });
  const march = { from: "2026-03-01", to: "2026-03-31" };
  const { figures } = await house.did(overviewCards, { as }, { query: { ...march, villageIds } });
  const shown = Object.fromEntries(figures.map((f) => [f.code, f.value]));
  const { sums } = await house.did(
    listBills,
    { as },
    {
      query: {
        tab: "all",
        direction: "receivable",
        status: "unpaid,partial,paid",
        dueFrom: march.from,
        dueTo: march.to,
      } as never,
    },
  );
  expect(shown["billed"]).toBe(2_275_130);
  expect(shown["billed"]).toBe(sums!.amount);
  // 21,100.00 in money, 320.50 out of the deposit
  expect(shown["collectionRate"]).toBe(sums!.settled / sums!.amount);
  expect(sums!.settled).toBe(2_110_000 + 32_050);
  const { results } = await acting(house, (act) => checkLedger(act, "manual"));
  expect(results.find((r) => r.code === "C11")).toMatchObject({ breaks: 0 });
});
