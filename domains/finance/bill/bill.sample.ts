import type { TestHouse } from "../../../platform/server/process/house.sample.ts";
import { aBuilding, acting, aFlat, aVillage } from "../../listing/village/village.sample.ts";
import { seedSubjects } from "../subject/subject.service.ts";
import { makeBills, type NewBill, type NewLine } from "./bill.service.ts";

export type Store = { villageId: number; roomId: number };

/** A village with one room, whose enterprise has its fee subjects. */
export async function aStore(house: TestHouse): Promise<Store> {
  const villageId = await aVillage(house);
  const building = await aBuilding(house, villageId);
  const flat = await aFlat(house, building);
  await seedSubjects({ tx: house.database.db }, house.enterpriseId);
  return { villageId, roomId: flat.roomIds[0]! };
}

/** Somebody who can be billed. */
export async function aParty(
  house: TestHouse,
  name = "张三",
  more: { kind?: string; phone?: string; villageId?: number } = {},
): Promise<number> {
  const { db } = house.database;
  const { id } = await db
    .insertInto("party")
    .values({
      enterpriseId: house.enterpriseId,
      kind: more.kind ?? "renter",
      name,
      phone: more.phone ?? "13812345678",
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  if (more.villageId)
    await db
      .insertInto("partyVillage")
      .values({ partyId: id, villageId: more.villageId, because: "contract", firstDay: "2026-01-01" })
      .execute();
  return id;
}

/** A contract in force, enough to hang bills and a deposit on. */
export async function aContract(
  house: TestHouse,
  store: Store,
  partyId: number,
  more: { no?: string; start?: string; end?: string } = {},
): Promise<number> {
  const { db } = house.database;
  const { kind } = await db
    .selectFrom("party")
    .select("kind")
    .where("id", "=", partyId)
    .executeTakeFirstOrThrow();
  const { id } = await db
    .insertInto("contract")
    .values({
      contractNo: more.no ?? `HT20260101-${String(partyId).padStart(6, "0")}`,
      kind,
      state: "effective",
      enterpriseId: house.enterpriseId,
      villageId: store.villageId,
      partyId,
      startDate: more.start ?? "2026-01-01",
      endDate: more.end ?? "2026-12-31",
      previewHash: "-",
      roomNames: "1203",
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** One charge of a month. */
export const aLine = (subject: string, amount: number, more: Partial<NewLine> = {}): NewLine => ({
  subject,
  amount,
  periodStart: "2026-03-01",
  periodEnd: "2026-03-31",
  slices: amount ? [{ from: "2026-03-01", to: "2026-03-31", amount }] : [],
  explain: { rule: "manual", quantity: "1", price: amount },
  ...more,
});

/** A bill of March rent, 3,000.00 due on 1 March, unless told otherwise. */
export const aNewBill = (store: Store, partyId: number, more: Partial<NewBill> = {}): NewBill => ({
  villageId: store.villageId,
  roomId: store.roomId,
  contractId: null,
  partyId,
  title: "3月租金",
  dueDate: "2026-03-01",
  periodStart: "2026-03-01",
  periodEnd: "2026-03-31",
  source: "schedule",
  graceDays: 3,
  lateFeeRate: "0.0005",
  lateFeeCap: "1",
  lines: [aLine("rent", 300_000)],
  ...more,
});

export async function aBill(
  house: TestHouse,
  store: Store,
  partyId: number,
  more: Partial<NewBill> = {},
): Promise<number> {
  const [made] = await acting(house, (act) => makeBills(act, [aNewBill(store, partyId, more)]));
  return made!.id;
}

/** Σ debit − Σ credit of an account, the way a balance is read from the journal. */
export async function bookBalance(
  house: TestHouse,
  account: string,
  villageId?: number | null,
): Promise<number> {
  const { rows } = await house.database.pool.query<{ fen: number }>(
    `select coalesce(sum(debit - credit), 0)::bigint fen from journal_line
     where account = $1 and ($2::bigint is null or village_id = $2)`,
    [account, villageId ?? null],
  );
  return rows[0]!.fen;
}
