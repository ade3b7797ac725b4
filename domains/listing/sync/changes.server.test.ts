import { expect, test, vi } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../village/village.sample.ts";
import { changedFlats } from "./evaluate.service.ts";
import { anOpenStore } from "./sync.sample.ts";

const house = await testHouse({ poolSize: 6 });
const { pool } = house.database;
const { villageId, roomIds } = await anOpenStore(house, 3);
const flatOf = async (roomId: number) =>
  (await pool.query<{ id: number }>("select apartment_id id from room where id = $1", [roomId])).rows[0]!.id;
const CHANGE = "insert into room_change (room_id, village_id) values ($1, $2)";
const looked = (seenXact: string) =>
  acting(house, (act) => changedFlats(act, { villageIds: [villageId], seenXact }));

/** From where on nothing is left to look at: whatever other databases of the same server have under way keeps it back. */
const lookedThrough = (seenXact: string) =>
  vi.waitFor(
    async () => {
      const { flats, seenXact: seen } = await looked(seenXact);
      seenXact = seen;
      expect(flats).toEqual([]);
      return seen;
    },
    { timeout: 30_000, interval: 100 },
  );

test("each change is looked at once, one that commits late too, and all of them after the database was restored", async () => {
  const [early, late, next] = roomIds as [number, number, number];
  const begun = await lookedThrough("0");
  const slow = await pool.connect();
  await slow.query("begin");
  await slow.query(CHANGE, [late, villageId]);
  await pool.query(CHANGE, [early, villageId]);
  const first = await looked(begun);
  expect(first.flats).toEqual([await flatOf(early)]);
  await slow.query("commit");
  slow.release();
  const second = await looked(first.seenXact);
  expect(second.flats).toContain(await flatOf(late));
  const through = await lookedThrough(second.seenXact);
  await pool.query(CHANGE, [next, villageId]);
  expect((await looked(through)).flats).toEqual([await flatOf(next)]);
  expect((await looked(String(BigInt(through) + 1_000_000n))).flats).toHaveLength(3);
});
