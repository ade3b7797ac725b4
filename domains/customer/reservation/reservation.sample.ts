import { counter } from "../../../platform/server/database/counter.sample.ts";
import { randomUUID } from "node:crypto";
import { beforeEach } from "vitest";
import { type Person, type TestHouse, testHouse } from "../../../platform/server/process/house.sample.ts";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { checkLedger } from "../../finance/check/check.service.ts";
import { someAccounts, type Accounts } from "../../finance/flow/flow.sample.ts";
import { seedSubjects } from "../../finance/subject/subject.service.ts";
import {
  aBuilding,
  acting,
  aFlat,
  aVillage,
  type BuildingMade,
} from "../../listing/village/village.sample.ts";
import {
  type cancelReservation,
  type forfeitReservation,
  payReservation,
} from "../reservation-acts/acts.contract.ts";
import { addReservation, getReservation } from "./reservation.contract.ts";
import jobs from "../reservation-acts/reservation.job.ts";

export const RESERVING = [
  "15.query",
  "15.get",
  "15.add",
  "15.edit",
  "16.query",
  "16.get",
  "102.add",
  "9.add",
];

export type Desk = {
  villageId: number;
  building: BuildingMade;
  roomId: number;
  accounts: Accounts;
  clerk: Person;
  boss: Person;
  stranger: Person;
  room: (name: string, listPrice?: number) => Promise<number>;
};

/** A store with room 1203 at 3,000.00, its accounts, a consultant, a head who may forfeit and pay, and a stranger. */
export async function aDesk(
  house: TestHouse,
  more: { permits?: string[]; village?: string } = {},
): Promise<Desk> {
  const villageId = await aVillage(house, more.village ? { name: more.village } : {});
  const building = await aBuilding(house, villageId);
  await seedSubjects({ tx: house.database.db }, house.enterpriseId);
  const room = async (name: string, listPrice = 300_000) =>
    (await aFlat(house, building, { name, listPrice })).roomIds[0]!;
  const roomId = await room("1203");
  const accounts = await someAccounts(house, { villageId, roomId });
  const permits = [...new Set([...RESERVING, ...(more.permits ?? [])])];
  const clerk = await house.person({ permits, villages: [villageId], name: "赵思源" });
  const boss = await house.person({
    permits: [
      ...new Set([...permits, "15.export", "#1501", "#1502", "#1503", "108.get", "#24401", "#24402"]),
    ],
    villages: [villageId],
    name: "陈嘉禾",
  });
  const elsewhere = await aVillage(house, more.village ? { name: `${more.village}之外` } : {});
  const stranger = await house.person({ permits, villages: [elsewhere] });
  return { villageId, building, roomId, accounts, clerk, boss, stranger, room };
}

/** A house with such a store, where every test begins in the morning of the same day. */
export async function aReservingHouse(
  options: Parameters<typeof testHouse>[0] = {},
  more: Parameters<typeof aDesk>[1] = {},
) {
  const house = await testHouse(options);
  const NOW = "2026-11-20T09:00:00+08:00";
  house.setClock(NOW);
  beforeEach(() => house.setClock(NOW));
  return { house, NOW, desk: await aDesk(house, more) };
}

const next = counter();
/** What the form sends: 1,000.00 of 定金 on a room for a year. */
export const typedReservation = (desk: Pick<Desk, "villageId" | "roomId">, more: object = {}) => ({
  name: "沈知夏",
  phone: `137${String(20_000_000 + next())}`,
  villageId: desk.villageId,
  roomId: desk.roomId,
  moveInDay: "2026-12-01",
  plannedEndDay: "2027-11-30",
  rent: 300_000,
  payPlan: "1-1" as const,
  holdUntil: "2026-11-25",
  earnestKind: "定金" as const,
  earnest: 100_000,
  ...more,
});

export const aReservation = (house: TestHouse, desk: Desk, more: object = {}) =>
  house.did(addReservation, { as: desk.clerk, key: randomUUID() }, { body: typedReservation(desk, more) });

export const reservationOf = (house: TestHouse, desk: Desk, id: number) =>
  house.did(getReservation, { as: desk.clerk }, { params: { id } });

/** What the head does with a reservation as it stands. */
export const actingOn =
  (house: TestHouse, desk: Desk, reason: string) =>
  async (call: typeof cancelReservation | typeof forfeitReservation, id: number, more: object = {}) => {
    const { version } = await reservationOf(house, desk, id);
    const body = { version, reason, ...more } as never;
    return house.ask(call, { as: desk.boss, key: randomUUID() }, { params: { id }, body });
  };

/** Takes the earnest money in cash. */
export const paying = (
  house: TestHouse,
  desk: Desk,
  id: number,
  amount = 100_000,
  key: string = randomUUID(),
) =>
  house.ask(
    payReservation,
    { as: desk.clerk, key },
    { params: { id }, body: { channel: "cash", merchantAccountId: desk.accounts.cash, amount } },
  );

/** One that is paid and held. */
export async function aHeldReservation(
  house: TestHouse,
  desk: Desk,
  more: { earnest?: number; [key: string]: unknown } = {},
) {
  const made = await aReservation(house, desk, more);
  const paid = await paying(house, desk, made.id, more.earnest ?? 100_000);
  if (paid.status !== 200) throw new Error(paid.body.message);
  return made;
}

/** The minute's run of the job that lets overdue ones go. */
export const lapsing = (house: TestHouse) =>
  perform(
    house,
    jobs.find((j) => j.name === "reservation.lapse")!,
    {},
    randomUUID(),
  );

/** What an account of the ledger holds, on its credit side. */
export async function bookOf(house: TestHouse, account: string): Promise<number> {
  const { rows } = await house.database.pool.query<{ fen: string }>(
    "select coalesce(sum(credit - debit), 0) fen from journal_line where account = $1",
    [account],
  );
  return Number(rows[0]!.fen);
}

/** The nightly check of the whole ledger: what it finds wrong. */
export const ledgerBreaks = async (house: TestHouse) =>
  (await acting(house, (act) => checkLedger(act, "manual"))).breaks;
