import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { signed } from "../contract/contract.sample.ts";
import { aFirmShop, aMerchantForm, aShopRoom } from "../contract/firm.sample.ts";
import { USUAL_RULE } from "../terms/terms.contract.ts";
import { declareSales } from "./statement.contract.ts";
import { declareOn } from "./statement.rules.ts";
import { followTurnover } from "./turnover.job.ts";

const house = await testHouse();
const { db } = house.database;

test("a month is declared on a day of the month after it", () => {
  expect(declareOn({ to: "2026-10-31" }, 5)).toBe("2026-11-05");
  expect(declareOn({ to: "2026-11-14" }, 5)).toBe("2026-12-05");
  expect(declareOn({ to: "2026-11-14" }, 15)).toBe("2026-11-15");
});

test("whoever forgets is reminded once, then the month is estimated; the declaration takes its place", async () => {
  house.setClock("2026-09-01T10:00:00+08:00");
  const shop = await aFirmShop(house);
  const as = shop.clerk;
  const roomId = await aShopRoom(house, shop, "S1");
  const rule = { ...USUAL_RULE, missing: "avg3" as const };
  const form = aMerchantForm(shop, roomId, { start: "2026-09-01", turnover: rule });
  const { id: contractId } = await signed(house, as, form, "2026-09-01");
  const follow = (day: string) => {
    house.setClock(`${day}T08:40:00+08:00`);
    return acting(house, followTurnover);
  };
  const messages = () =>
    db.selectFrom("message").select("title").where("onceKey", "like", "turnover.%").execute();
  const statements = () =>
    db
      .selectFrom("salesStatement")
      .select(["monthNo", "net", "source", "state"])
      .where("contractId", "=", contractId)
      .orderBy("id")
      .execute();

  expect(await follow("2026-10-04")).toBe(0);
  await follow("2026-10-05");
  await follow("2026-10-06");
  expect(await messages()).toEqual([{ title: "晨光早餐店 2026-09 营业额待申报" }]);
  expect(await follow("2026-10-10")).toBe(1);
  expect(await follow("2026-10-11")).toBe(0);
  expect(await statements()).toEqual([{ monthNo: 1, net: 0, source: "estimated", state: "submitted" }]);

  await house.did(declareSales, { as }, { body: { contractId, monthNo: 1, gross: 4_300_000 } });
  expect(await statements()).toEqual([
    { monthNo: 1, net: 0, source: "estimated", state: "corrected" },
    { monthNo: 1, net: 4_300_000, source: "declared", state: "submitted" },
  ]);
});
