import { describe, expect, test } from "vitest";
import { yuan } from "../../../platform/kernel/fen.ts";
import { testHouse } from "../../../platform/server/house.sample.ts";
import { aForm, aShop, signed } from "../contract/contract.sample.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const shop = await aShop(house);

describe("signing", () => {
  test("makes the bills of 押一付三 at 3,500.00 from 15 March 2026", async () => {
    const { id, bills } = await signed(house, shop.clerk, aForm(shop), "2026-03-12");
    expect(bills).toBe(5);
    const rows = await house.database.db
      .selectFrom("bill")
      .select(["title", "periodStart", "periodEnd", "dueDate", "amount"])
      .where("contractId", "=", id)
      .orderBy("id")
      .execute();
    expect(rows.map((b) => [b.periodStart, b.periodEnd, b.dueDate, yuan(b.amount)])).toEqual([
      ["2026-03-15", "2027-03-14", "2026-03-12", "3,500.00"],
      ["2026-03-15", "2026-06-14", "2026-03-12", "10,500.00"],
      ["2026-06-15", "2026-09-14", "2026-06-08", "10,500.00"],
      ["2026-09-15", "2026-12-14", "2026-09-08", "10,500.00"],
      ["2026-12-15", "2027-03-14", "2026-12-08", "10,500.00"],
    ]);
  });
});
