import { counter } from "../../../platform/server/database/counter.sample.ts";
import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { addApplication, approveApplication, getApplication } from "./application.contract.ts";

/** What the front desk and its reviewer hold. */
export const DESK = ["236.query", "236.get", "236.add", "236.edit", "236.export", "#23601"];

const next = counter();
type Place = { villageId: number; roomId: number };

/** A person who wants a room for a year from the first of April 2026. */
export const anApplication = ({ villageId, roomId }: Place, more: object = {}) => ({
  partyType: "renter" as const,
  name: "林晓",
  phone: `136${String(30_000_000 + next())}`,
  villageId,
  roomIds: [roomId],
  wantStart: "2026-04-01",
  wantMonths: 12,
  ...more,
});

export const applied = (house: TestHouse, as: Person, place: Place, more: object = {}) =>
  house.did(addApplication, { as }, { body: anApplication(place, more) });

export const applicationOf = (house: TestHouse, as: Person, id: number) =>
  house.did(getApplication, { as }, { params: { id } });

/** One that was reviewed and may become a contract. */
export async function anApproved(house: TestHouse, as: Person, place: Place, more: object = {}) {
  const made = await applied(house, as, place, more);
  await house.did(approveApplication, { as }, { params: { id: made.id }, body: { version: 1 } });
  return made;
}
