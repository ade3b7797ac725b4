import { counter } from "../../../platform/server/database/counter.sample.ts";
import { addDays, addMonths, type Day } from "../../../platform/kernel/day.ts";
import type { TestHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../village/village.sample.ts";
import { take } from "./occupancy.service.ts";

const next = counter();

/** Somebody who rents, by name alone. */
export async function aParty(house: TestHouse, villageId: number, name = "李沐阳"): Promise<number> {
  const { db } = house.database;
  const { id } = await db
    .insertInto("party")
    .values({
      enterpriseId: house.enterpriseId,
      kind: "renter",
      name,
      phone: `139${String(next()).padStart(8, "0")}`,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await db
    .insertInto("partyVillage")
    .values({ partyId: id, villageId, because: "contract", firstDay: "2020-01-01" })
    .execute();
  return id;
}

export type LeaseGiven = {
  villageId: number;
  roomId: number;
  partyId?: number;
  start?: Day;
  end?: Day;
  /** Absent: signed the day before it starts; null: submitted, not signed. */
  signedOn?: Day | null;
  /** Absent: on the first day; null: not moved in. */
  handoverOn?: Day | null;
  leaveDate?: Day | null;
  state?: string;
  rent?: number;
  previousId?: number;
};

/** A contract over one room with its place on the timeline, as signing leaves it. */
export async function aLease(
  house: TestHouse,
  given: LeaseGiven,
): Promise<{ id: number; no: string; partyId: number }> {
  const { db } = house.database;
  const start = given.start ?? "2026-03-01";
  const end = given.end ?? addDays(addMonths(start, 12), -1);
  const signedOn = given.signedOn === undefined ? addDays(start, -1) : given.signedOn;
  const partyId = given.partyId ?? (await aParty(house, given.villageId));
  const no = `HT${start.replaceAll("-", "")}-${String(next()).padStart(6, "0")}`;
  const rent = given.rent ?? 300_000;
  const { id } = await db
    .insertInto("contract")
    .values({
      contractNo: no,
      kind: "renter",
      state: given.state ?? (signedOn ? "effective" : "signing"),
      enterpriseId: house.enterpriseId,
      villageId: given.villageId,
      partyId,
      startDate: start,
      endDate: end,
      signedOn,
      handoverOn: given.handoverOn === undefined ? (signedOn ? start : null) : given.handoverOn,
      leaveDate: given.leaveDate ?? null,
      previewHash: "-",
      monthlyRent: rent,
      partyName: "李沐阳",
      payText: "押一付一",
      source: given.previousId ? "renewal" : "new",
      previousId: given.previousId ?? null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  if (given.previousId)
    await db.updateTable("contract").set({ nextId: id }).where("id", "=", given.previousId).execute();
  await db
    .insertInto("contractRoom")
    .values({ contractId: id, roomId: given.roomId, joinDate: start, monthlyRent: rent })
    .execute();
  await acting(house, (act) =>
    take(act, [
      {
        roomId: given.roomId,
        from: start,
        to: given.leaveDate ?? end,
        contractId: id,
        kind: signedOn ? "lease" : "reservation",
      },
    ]),
  );
  return { id, no, partyId };
}
