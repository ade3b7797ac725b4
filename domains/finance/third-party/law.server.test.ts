import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../../platform/checks/cases.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aStore } from "../bill/bill.sample.ts";
import { checkLedger } from "../check/check.service.ts";
import { someAccounts } from "../flow/flow.sample.ts";
import * as income from "./income.contract.ts";
import { aBankLine, aPartner, onSheet, sheetOf, THIRD_PARTY } from "./third-party.sample.ts";

const house = await testHouse({ poolSize: 6 });
house.setClock("2026-03-31T10:00:00+08:00");
const a = await aStore(house);
const accounts = await someAccounts(house, a);
const clerk = await house.person({ permits: [...THIRD_PARTY, "#10202"], villages: [a.villageId] });
const holds = async () =>
  expect((await acting(house, (act) => checkLedger(act, "manual"))).breaks).toEqual([]);
const cash = (amount: number) => ({
  by: "receipt" as const,
  amount,
  channel: "cash" as const,
  merchantAccountId: accounts.cash,
  paidAt: "2026-03-31T09:00:00+08:00",
});

test("law: whatever is confirmed, settled, undone and reversed, 1131 is what is open", async () => {
  const { id: thirdPartyId } = await aPartner(house, clerk, [a.villageId]);
  const line = await aBankLine(house, { amount: 500_000, day: "2026-03-20" });
  const months = ["2026-01", "2026-02", "2026-03"];
  const acts = fc.record({
    month: fc.constantFrom(...months),
    what: fc.constantFrom("add", "confirm", "cash", "line", "undo", "reverse"),
    amount: fc.integer({ min: 1, max: 200_000 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(acts, { minLength: 8, maxLength: 16 }), async (steps) => {
      for (const { month, what, amount } of steps) {
        const { list } = await house.did(
          income.listSheets,
          { as: clerk },
          { query: { month, thirdPartyId } as never },
        );
        const sheet = list.find((s) => s.state !== "reversed");
        if (what === "add" && !sheet)
          await house.did(
            income.addSheet,
            { as: clerk },
            {
              body: { villageId: a.villageId, month, thirdPartyId, gross: amount },
            },
          );
        if (!sheet) continue;
        const on = (call: Parameters<typeof onSheet>[2], body: object = {}, params: object = {}) =>
          onSheet(house, clerk, call, sheet.id, body, params);
        if (what === "confirm") await on(income.confirmSheet);
        if (what === "cash") await on(income.settleSheet, cash(amount));
        if (what === "line") await on(income.settleSheet, { by: "line", lineId: line.id, amount });
        if (what === "reverse") await on(income.reverseSheet, { reason: "重新登记" });
        const standing = (await sheetOf(house, clerk, sheet.id)).settlements.find((s) => !s.undoneAt);
        if (what === "undo" && standing)
          await on(income.undoSettlement, { reason: "认错流水" }, { settlementId: standing.id });
      }
      await holds();
    }),
    cases(4),
  );
}, 120_000);
