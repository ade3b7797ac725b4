import { beforeAll, describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aLease, aParty } from "../occupancy/occupancy.sample.ts";
import { aBuilding, aFlat, aVillage, type BuildingMade } from "../village/village.sample.ts";

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
const lease = (roomId: number) => aLease(house, { villageId, roomId });

type Status = Record<string, unknown> & { occupancy: string; condition: string };
/** The status of a room at a day, seen from today. */
async function status(roomId: number, day = TODAY): Promise<Status> {
  const { rows } = await pool.query<Status>(
    "select * from room_status_at($1, $2, array[$3::bigint]) where room_id = $4",
    [day, TODAY, villageId, roomId],
  );
  return rows[0]!;
}

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
