import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { aCompany, aMerchant } from "../../customer/firm/firm.sample.ts";
import { someFlats } from "../../listing/village/village.sample.ts";
import { aForm, aRoom, aShop, type Shop } from "./contract.sample.ts";

/** Everything about contracts of firms but overriding, and registering the firms themselves. */
export const FIRM_LEASING = [11, 107].flatMap((code) => [
  ...["query", "get", "add", "edit", "delete", "export"].map((action) => `${code}.${action}`),
  `#${code}01`,
  `#${code}02`,
]);
export const FIRM_RECORDS = [113, 106].flatMap((code) => [
  `${code}.add`,
  `${code}.query`,
  `${code}.get`,
  `${code}.edit`,
  `${code}.delete`,
]);

export type FirmShop = Shop & { companyId: number; merchantId: number };

/** A village whose clerk signs with tenants, companies and merchants alike; one company, one merchant. */
export async function aFirmShop(
  house: TestHouse,
  more: { permits?: string[]; creditLimit?: number; village?: string } = {},
): Promise<FirmShop> {
  const permits = [...new Set([...FIRM_LEASING, ...FIRM_RECORDS, ...(more.permits ?? [])])];
  const shop = await aShop(house, { permits, ...(more.village && { village: more.village }) });
  const contacts = [{ name: "钱经理", phone: "13700000001", main: true, getsBills: true }];
  const companyId = await aCompany(house, shop.clerk, shop.villageId, { contacts });
  const merchantId = await aMerchant(house, shop.clerk, shop.villageId, { contacts, legalName: "陈晨光" });
  if (more.creditLimit !== undefined)
    await house.database.db
      .updateTable("company")
      .set({ creditLimit: more.creditLimit })
      .where("id", "=", companyId)
      .execute();
  return { ...shop, companyId, merchantId };
}

/** So many new rooms of a building, by name. */
export async function someRooms(house: TestHouse, shop: Shop, names: readonly string[]): Promise<number[]> {
  const flats = await someFlats(
    house,
    shop.building,
    names.map((name) => ({ name, listPrice: 280_000 })),
  );
  return flats.map((flat) => flat.roomIds[0]!);
}

/** A new shop of so many square metres. */
export async function aShopRoom(house: TestHouse, shop: Shop, name: string, area = "45.00"): Promise<number> {
  const roomId = await aRoom(house, shop.building, name, 560_000);
  await house.database.db.updateTable("room").set({ kind: "shop", area }).where("id", "=", roomId).execute();
  return roomId;
}

/** A company's year over rooms at one rent each, paid by the month, from 1 November 2026. */
export const aCompanyForm = (
  shop: FirmShop,
  roomIds: readonly number[],
  { rent = 280_000, ...more }: Parameters<typeof aForm>[1] = {},
) =>
  aForm(
    { ...shop, partyId: shop.companyId, roomId: roomIds[0]! },
    {
      kind: "company",
      start: "2026-11-01",
      cycleMonths: 1,
      rooms: roomIds.map((roomId) => ({ roomId, monthlyRent: rent })),
      ...more,
    },
  );

export const aMerchantForm = (shop: FirmShop, roomId: number, more: Parameters<typeof aForm>[1] = {}) =>
  aForm(
    { ...shop, partyId: shop.merchantId, roomId },
    { kind: "merchant", start: "2026-11-01", cycleMonths: 1, rent: 560_000, ...more },
  );

/** Somebody of the same village with these permits alone. */
export const aColleague = (house: TestHouse, shop: Shop, permits: string[]): Promise<Person> =>
  house.person({ permits, villages: [shop.villageId] });
