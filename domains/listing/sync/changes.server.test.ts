import { expect, test } from "vitest";
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

test("each change is looked at once, one that commits late too, and all of them after the database was restored", async () => {
  const [early, late, next] = roomIds as [number, number, number];
  const { seenXact: begun } = await looked("0");
  expect(await looked(begun)).toMatchObject({ flats: [] });
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
  expect((await looked(second.seenXact)).flats).toEqual([]);
  await pool.query(CHANGE, [next, villageId]);
  expect((await looked(second.seenXact)).flats).toEqual([await flatOf(next)]);
  expect((await looked(String(BigInt(second.seenXact) + 1_000_000n))).flats).toHaveLength(3);
});
