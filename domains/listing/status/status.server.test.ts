import { beforeAll, describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aLease, aParty, type LeaseGiven } from "../occupancy/occupancy.sample.ts";
import { release, take } from "../occupancy/occupancy.service.ts";
import { aBuilding, acting, aFlat, aVillage, type BuildingMade } from "../village/village.sample.ts";

const TODAY = "2026-11-20";
const house = await testHouse();
const { db, pool } = { db: house.database.db, pool: house.database.pool };
let villageId: number;
let at: BuildingMade;
let door = 0;

beforeAll(async () => {
  villageId = await aVillage(house);
  at = await aBuilding(house, villageId);
});

const onDay = (day: string) => house.setClock(`${day}T10:00:00+08:00`);
const aRoom = async () => {
  onDay(TODAY);
  return (await aFlat(house, at, { name: `d${++door}` })).roomIds[0]!;
};
const lease = (roomId: number, more: Partial<LeaseGiven> = {}) =>
  aLease(house, { villageId, roomId, ...more });

type Status = Record<string, unknown> & { occupancy: string; condition: string };
/** The status of a room at a day, seen from today. */
async function status(roomId: number, day = TODAY): Promise<Status> {
  const { rows } = await pool.query<Status>(
    "select * from room_status_at($1, $2, array[$3::bigint]) where room_id = $4",
    [day, TODAY, villageId, roomId],
  );
  return rows[0]!;
}

describe("occupancy, the first that holds", () => {
  test("an empty room is vacant since its last tenant left, or since its first day", async () => {
    const room = await aRoom();
    expect(await status(room)).toMatchObject({
      occupancy: "vacant",
      vacant_since: "2024-01-01",
      is_let: false,
      is_base: true,
    });
    await lease(room, {
      start: "2025-01-01",
      end: "2025-12-31",
      leaveDate: "2025-10-15",
      state: "terminated",
    });
    expect(await status(room)).toMatchObject({
      occupancy: "vacant",
      vacant_since: "2025-10-16",
      party_id: null,
    });
    expect(await status(room, "2025-10-15")).toMatchObject({ occupancy: "occupied", is_let: true });
  });

  test("a submitted contract holds the room: reserved, 签约中; signing makes it 待入住", async () => {
    const room = await aRoom();
    onDay("2026-11-18");
    const held = await lease(room, { start: "2026-12-01", signedOn: null });
    expect(await status(room)).toMatchObject({
      occupancy: "reserved",
      signing: true,
      is_let: false,
      contract_id: held.id,
    });
    expect(await status(room, "2026-11-17")).toMatchObject({ occupancy: "vacant", signing: false });
    await db
      .updateTable("contract")
      .set({ state: "effective", signedOn: TODAY })
      .where("id", "=", held.id)
      .execute();
    await db.updateTable("occupancyRow").set({ kind: "lease" }).where("contractId", "=", held.id).execute();
    expect(await status(room)).toMatchObject({ occupancy: "toMoveIn", signing: false, until: "2027-11-30" });
    expect(await status(room, "2026-11-19")).toMatchObject({ occupancy: "reserved", signing: true });
  });

  test("a hold that fell is gone today and still there on the days it stood", async () => {
    const room = await aRoom();
    onDay("2026-11-10");
    const held = await lease(room, { start: "2026-12-01", signedOn: null });
    onDay("2026-11-15");
    await acting(house, (act) => release(act, { contractId: held.id }));
    expect(await status(room)).toMatchObject({ occupancy: "vacant" });
    for (const [day, occupancy] of [
      ["2026-11-09", "vacant"],
      ["2026-11-10", "reserved"],
      ["2026-11-14", "reserved"],
      ["2026-11-15", "vacant"],
    ] as const)
      expect((await status(room, day)).occupancy, day).toBe(occupancy);
  });

  test("a lease that began without a move-in is 待入住 and counts as let; handing over makes it 在租", async () => {
    const room = await aRoom();
    const made = await lease(room, { start: "2026-11-15", handoverOn: null });
    expect(await status(room)).toMatchObject({ occupancy: "toMoveIn", is_let: true });
    await db.updateTable("contract").set({ handoverOn: "2026-11-19" }).where("id", "=", made.id).execute();
    expect(await status(room, "2026-11-18")).toMatchObject({ occupancy: "toMoveIn" });
    expect(await status(room, "2026-11-19")).toMatchObject({
      occupancy: "occupied",
      is_let: true,
      party_id: made.partyId,
    });
  });

  test("the last thirty days are 即将到期 unless a renewal was signed by then", async () => {
    const room = await aRoom();
    const made = await lease(room, { start: "2025-12-21", end: "2026-12-20" });
    expect((await status(room)).occupancy).toBe("expiring");
    expect((await status(room, "2026-11-19")).occupancy).toBe("occupied");
    onDay("2026-11-18");
    const renewal = await lease(room, {
      start: "2026-12-21",
      end: "2027-12-20",
      signedOn: "2026-11-18",
      handoverOn: "2026-12-21",
      previousId: made.id,
      partyId: made.partyId,
    });
    expect(await status(room)).toMatchObject({
      occupancy: "occupied",
      contract_id: made.id,
      next_kind: "lease",
      next_from: "2026-12-21",
      next_contract_id: renewal.id,
    });
  });

  test("a renewed contract gives way to the next, and never holds over after it", async () => {
    const room = await aRoom();
    const first = await lease(room, { start: "2024-11-01", end: "2025-10-31", state: "renewed" });
    await lease(room, {
      start: "2025-11-01",
      end: "2026-10-31",
      signedOn: "2025-10-01",
      handoverOn: "2025-11-01",
      previousId: first.id,
      partyId: first.partyId,
      leaveDate: "2026-10-31",
      state: "ended",
    });
    expect((await status(room, "2025-10-31")).occupancy).toBe("occupied");
    expect(await status(room)).toMatchObject({ occupancy: "vacant", vacant_since: "2026-11-01" });
  });

  test("who stays past the end holds over: let, unsettled; the next tenant waits", async () => {
    const room = await aRoom();
    await lease(room, { start: "2025-11-16", end: "2026-11-15", state: "expired" });
    const next = await lease(room, { start: "2026-11-18", end: "2027-11-17", handoverOn: null });
    expect(await status(room)).toMatchObject({
      occupancy: "holdingOver",
      is_let: true,
      unsettled: true,
      next_kind: "lease",
      next_from: "2026-11-18",
      next_contract_id: next.id,
    });
    expect(await status(room, "2026-11-15")).toMatchObject({ occupancy: "expiring", unsettled: false });
  });

  test("notice given is 退租中 until the room is freed, also after the person left", async () => {
    const room = await aRoom();
    const made = await lease(room, { start: "2026-01-01", end: "2026-12-31" });
    const { id } = await db
      .insertInto("roomLeaving")
      .values({ roomId: room, letRoomId: room, villageId, contractId: made.id, appliedOn: "2026-11-10" })
      .returning("id")
      .executeTakeFirstOrThrow();
    expect(await status(room)).toMatchObject({ occupancy: "leaving", is_let: true, unsettled: false });
    expect((await status(room, "2026-11-09")).occupancy).toBe("occupied");
    await db.updateTable("contract").set({ leaveDate: "2026-11-15" }).where("id", "=", made.id).execute();
    await pool.query("update occupancy_row set period = '[2026-01-01,2026-11-16)' where contract_id = $1", [
      made.id,
    ]);
    expect(await status(room)).toMatchObject({
      occupancy: "leaving",
      is_let: false,
      unsettled: true,
      contract_id: made.id,
    });
    await db.updateTable("roomLeaving").set({ endedOn: "2026-11-19" }).where("id", "=", id).execute();
    expect(await status(room)).toMatchObject({
      occupancy: "vacant",
      vacant_since: "2026-11-16",
      unsettled: true,
    });
    await db.updateTable("roomLeaving").set({ closedOn: "2026-11-20" }).where("id", "=", id).execute();
    expect((await status(room)).unsettled).toBe(false);
    expect(await status(room, "2026-11-18")).toMatchObject({ occupancy: "leaving" });
  });

  test("a future day reads the timeline alone", async () => {
    const room = await aRoom();
    await lease(room, { start: "2026-01-01", end: "2026-12-31" });
    await lease(room, { start: "2027-02-01", end: "2028-01-31", signedOn: "2026-11-01", handoverOn: null });
    const seen = async (day: string) => (await status(room, day)).occupancy;
    expect(await seen("2026-12-31")).toBe("expiring");
    expect(await seen("2027-01-05")).toBe("toMoveIn");
    expect(await seen("2027-02-01")).toBe("occupied");
    expect(await status(room, "2028-02-01")).toMatchObject({
      occupancy: "vacant",
      arrears: false,
      unsettled: false,
    });
  });

  test("letting a whole flat takes every leaf below it", async () => {
    onDay(TODAY);
    const flat = await aFlat(house, at, { name: "w1", wholeToo: true, rooms: ["A", "B"] });
    const [whole, a, b] = flat.roomIds;
    await lease(whole!);
    expect(await status(whole!)).toBeUndefined();
    for (const leaf of [a!, b!])
      expect(await status(leaf)).toMatchObject({ occupancy: "occupied", let_room_id: whole });
    await expect(
      acting(house, (act) =>
        take(act, [{ roomId: b!, from: TODAY, to: null, kind: "lease", contractId: 1 }]),
      ),
    ).rejects.toMatchObject({ code: "roomTaken" });
  });
});

describe("arrears", () => {
  const bill = async (contractId: number, roomId: number | null, dueDate: string, amount: number) => {
    const partyId = await aParty(house, villageId);
    const { id } = await db
      .insertInto("bill")
      .values({
        billNo: `ZD${contractId}-${roomId}-${dueDate}`,
        villageId,
        contractId,
        roomId,
        partyId,
        title: "租金",
        dueDate,
        issueDate: dueDate,
        issuedAt: `${dueDate}T00:00:00Z`,
        source: "schedule",
        amount,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return id;
  };

  test("late bills of the room flag it; a bill of the whole contract counts once", async () => {
    onDay(TODAY);
    const flat = await aFlat(house, at, { name: "w2", wholeToo: true, rooms: ["A", "B"] });
    const [whole, a, b] = flat.roomIds;
    const made = await lease(whole!);
    await bill(made.id, whole!, "2026-11-19", 100_00);
    await bill(made.id, null, "2026-11-01", 7_00);
    await bill(made.id, whole!, "2026-11-20", 900_00); // due today is not late
    expect(await status(a!)).toMatchObject({ arrears: true, arrears_fen: 107_00 });
    expect(await status(b!)).toMatchObject({ arrears: true, arrears_fen: 0 });
    expect(await status(a!, "2026-11-19")).toMatchObject({ arrears_fen: 7_00 });
    expect(await status(a!, "2026-11-01")).toMatchObject({ arrears: false, arrears_fen: 0 });
  });

  test("a past day counts what was paid by then, whatever was paid since", async () => {
    const room = await aRoom();
    const made = await lease(room);
    const id = await bill(made.id, room, "2026-11-01", 300_00);
    await pool.query(
      `with e as (insert into journal_entry (entry_no, event, side, date, business_date, source_type, source_id)
         values ('arrears', 'E05', 'none', '2026-11-10', '2026-11-10', 'flow', 1) returning id, date)
       insert into journal_line (entry_id, seq, date, village_id, account, debit, credit, bill_id)
       select e.id, l.seq, e.date, $1, l.account, l.debit, l.credit, $2 from e,
         (values (1, '1002', 30000, 0), (2, '1122', 0, 30000)) l(seq, account, debit, credit)`,
      [villageId, id],
    );
    await db.updateTable("bill").set({ settled: 300_00 }).where("id", "=", id).execute();
    expect(await status(room)).toMatchObject({ arrears: false });
    expect(await status(room, "2026-11-09")).toMatchObject({ arrears: true, arrears_fen: 300_00 });
    expect(await status(room, "2026-11-10")).toMatchObject({ arrears: false });
  });
});
