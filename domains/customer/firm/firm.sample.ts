import { counter } from "../../../platform/server/database/counter.sample.ts";
import type { z } from "zod";
import { creditCheckCharacter } from "../../../platform/kernel/texts/certificate.ts";
import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { aBuilding, aFlat, aVillage } from "../../listing/village/village.sample.ts";
import { take } from "../../listing/occupancy/occupancy.service.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aBill, aLine, type Store } from "../../finance/bill/bill.sample.ts";
import { addCompany, type companyInput } from "../company/company.contract.ts";
import { addMerchant, type merchantInput } from "../merchant/merchant.contract.ts";

const next = counter();

/** A right credit code of its own. */
export function aCreditCode(): string {
  const first17 = `91330108MA2${String(next()).padStart(6, "0")}`;
  return first17 + creditCheckCharacter(first17);
}

export const aContactTyped = { name: "钱经理", phone: "13700000001", main: true, getsBills: true };

type CompanyTyped = z.input<typeof companyInput>;
export const typedCompany = (
  villageId: number,
  ownerId: number,
  more: Partial<CompanyTyped> = {},
): CompanyTyped => ({
  name: "云栖软件有限公司",
  creditCode: aCreditCode(),
  ownerId,
  homeVillageId: villageId,
  contacts: [aContactTyped],
  ...more,
});

type MerchantTyped = z.input<typeof merchantInput>;
export const typedMerchant = (villageId: number, more: Partial<MerchantTyped> = {}): MerchantTyped => ({
  subject: "company",
  name: "晨光早餐店",
  creditCode: aCreditCode(),
  category: "餐饮",
  homeVillageId: villageId,
  contacts: [aContactTyped],
  ...more,
});

const ofPage = (code: number) =>
  "query get add edit delete import export".split(" ").map((action) => `${code}.${action}`);
const PERMITS = [...ofPage(113), ...ofPage(106), "#11301", "#11302", "#10601", "#1602"];

/** Two stores of one enterprise with somebody at each who may do everything with firms. */
export async function twoFirmStores(house: TestHouse) {
  const [a, b] = [await aVillage(house), await aVillage(house)];
  const clerk = await house.person({ permits: PERMITS, villages: [a], name: "周敏" });
  const stranger = await house.person({ permits: PERMITS, villages: [b], name: "李四" });
  return { a, b, clerk, stranger };
}

export const aCompany = async (
  house: TestHouse,
  as: Person,
  villageId: number,
  more: Partial<CompanyTyped> = {},
): Promise<number> =>
  (await house.did(addCompany, { as }, { body: typedCompany(villageId, as.operatorId, more) })).id;

export const aMerchant = async (
  house: TestHouse,
  as: Person,
  villageId: number,
  more: Partial<MerchantTyped> = {},
): Promise<number> => (await house.did(addMerchant, { as }, { body: typedMerchant(villageId, more) })).id;

/** A contract in force of a firm over so many new rooms at one rent, on the timeline. */
export async function aFirmContract(
  house: TestHouse,
  given: {
    villageId: number;
    partyId: number;
    kind: "company" | "merchant";
    rooms: number;
    rent: number;
    start?: string;
    end?: string;
    state?: string;
  },
): Promise<{ id: number; no: string; roomIds: number[] }> {
  const { db } = house.database;
  const { villageId, partyId, kind, rent, start = "2026-09-01", end = "2027-08-31" } = given;
  const building = await aBuilding(house, villageId, `${next()}号楼`);
  const roomIds: number[] = [];
  for (let i = 1; i <= given.rooms; i++)
    roomIds.push((await aFlat(house, building, { name: String(100 + i) })).roomIds[0]!);
  const no = `HT20260901-${String(next()).padStart(6, "0")}`;
  const { id } = await db
    .insertInto("contract")
    .values({
      contractNo: no,
      kind,
      state: given.state ?? "effective",
      enterpriseId: house.enterpriseId,
      villageId,
      partyId,
      startDate: start,
      endDate: end,
      signedOn: start,
      previewHash: "-",
      monthlyRent: rent * given.rooms,
      roomNames: roomIds.map((_, i) => String(101 + i)).join("、"),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await db
    .insertInto("contractRoom")
    .values(roomIds.map((roomId) => ({ contractId: id, roomId, joinDate: start, monthlyRent: rent })))
    .execute();
  await acting(house, (act) =>
    take(
      act,
      roomIds.map((roomId) => ({ roomId, from: start, to: end, contractId: id, kind: "lease" as const })),
    ),
  );
  return { id, no, roomIds };
}

/** A month's rent of a firm as one bill over its rooms, a line for each. */
export const aFirmBill = (
  house: TestHouse,
  store: Store,
  partyId: number,
  contract: { id: number; roomIds: readonly number[] },
  { dueDate, rent, subject = "rent" }: { dueDate: string; rent: number; subject?: string },
): Promise<number> =>
  aBill(house, { ...store, roomId: contract.roomIds[0]! }, partyId, {
    contractId: contract.id,
    title: "月租金",
    dueDate,
    lines: contract.roomIds.map((roomId) => aLine(subject, rent, { roomId })),
  });
