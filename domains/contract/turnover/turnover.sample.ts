import { counter } from "../../../platform/server/database/counter.sample.ts";
import type { TestHouse } from "../../../platform/server/process/house.sample.ts";
import { signed } from "../contract/contract.sample.ts";
import { contractBills } from "../contract/detail.contract.ts";
import { aFirmShop, aMerchantForm, aShopRoom } from "../contract/firm.sample.ts";
import { USUAL_RULE, type TurnoverRule } from "../terms/terms.contract.ts";
import { confirmSales, declareSales, previewSales, turnoverMonths } from "./statement.contract.ts";

/** 8 % to 50,000.00, 10 % to 100,000.00, 12 % above, or the base if that is higher. */
export const BANDS: TurnoverRule = {
  ...USUAL_RULE,
  bands: [
    { upTo: 5_000_000, rate: "8" },
    { upTo: 10_000_000, rate: "10" },
    { upTo: null, rate: "12" },
  ],
};

const next = counter();

/** A merchant's village, and whoever may do everything with its turnover; the year of its leases is over. */
export async function aTurnoverDesk(house: TestHouse) {
  const { db } = house.database;
  house.setClock("2026-01-01T10:00:00+08:00");
  const shop = await aFirmShop(house, { permits: ["#10711", "#10712"] });
  const as = shop.clerk;
  const aRoom = () => aShopRoom(house, shop, `S${next()}`);
  const version = async (id: number) =>
    (await db.selectFrom("salesStatement").select("version").where("id", "=", id).executeTakeFirstOrThrow())
      .version;
  return {
    shop,
    as,
    aRoom,
    version,
    /** A year's lease of a shop from January 2026 at a base, with a rule. */
    aLease: async (turnover: TurnoverRule, rent = 1_000_000, more: object = {}) => {
      house.setClock("2026-01-01T10:00:00+08:00");
      const form = aMerchantForm(shop, await aRoom(), { start: "2026-01-01", rent, turnover, ...more });
      const { id } = await signed(house, as, form, "2026-01-01");
      house.setClock("2027-01-05T10:00:00+08:00");
      return id;
    },
    declare: async (contractId: number, monthNo: number, gross: number, more: object = {}) =>
      (await house.did(declareSales, { as }, { body: { contractId, monthNo, gross, ...more } })).id,
    confirm: async (id: number, audited?: { gross: number }) => {
      const preview = await house.did(previewSales, { as }, { params: { id }, body: { audited } });
      const body = { audited, previewHash: preview.hash, version: await version(id) };
      return { preview, ...(await house.did(confirmSales, { as }, { params: { id }, body })) };
    },
    topUps: async (contractId: number) =>
      (await house.did(contractBills, { as }, { params: { id: contractId } })).filter((b) =>
        b.title.includes("营业额"),
      ),
    monthsOf: async (contractId: number) =>
      (await house.did(turnoverMonths, { as }, { query: { merchantId: shop.merchantId } })).find(
        (c) => c.contractId === contractId,
      )!,
  };
}
