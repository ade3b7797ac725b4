import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { decideExamine, getExamine } from "../../approval/examine/examine.contract.ts";
import { aModule, asking } from "../../approval/module/module.sample.ts";
import { getChange, withdrawChange } from "../price-change/change.contract.ts";
import { aPlan, handedIn } from "../price-change/price-change.sample.ts";
import { aLease } from "../occupancy/occupancy.sample.ts";
import { rooms } from "../room-acts/room.contract.ts";
import { aBuilding, aFlat, aVillage } from "../village/village.sample.ts";
import { boardChanges, roomBoard, type Cell } from "../board/board.contract.ts";
import { listRoomStatus } from "../board/list.contract.ts";
import { tileOf } from "../board/board.rules.ts";
import { roomDetail } from "../room-detail/detail.contract.ts";
import { flagsOf } from "./status.rules.ts";

const house = await testHouse({ poolSize: 6 });
const on = (day: string) => house.setClock(`${day}T10:00:00+08:00`);
on("2026-11-20");
const villageId = await aVillage(house);
const at = await aBuilding(house, villageId);
const roomId = (await aFlat(house, at, { name: "1201" })).roomIds[0]!;
const beside = (await aFlat(house, at, { name: "1202" })).roomIds[0]!;
const permits = ["3.query", "3.get", "6.query", "6.get", "6.add", "6.edit", "#601"];
const head = await house.person({ permits, villages: [villageId], name: "沈岚" });
const clerk = await house.person({ permits: ["3.query", "3.get", "6.query"], villages: [villageId] });
const manager = await house.person({ permits: ["6.query"], villages: [villageId], name: "陈嘉禾" });
const admin = await house.person({ superType: "1", name: "许承锦" });
await aModule(house, admin, {
  moduleType: "priceChange",
  name: "调价审批",
  villageIds: [villageId],
  fallback: admin,
  processes: [{ name: "全部", conditions: [], nodes: [asking("店长", [manager])] }],
});

const marksOf = (rows: readonly Cell[]) =>
  rows.map(tileOf).flatMap((tile) => (flagsOf(tile.flags).includes("approval") ? [tile.id] : []));
const marked = async (day?: string) =>
  marksOf((await house.did(roomBoard, { as: clerk }, { query: { villageId, ...(day && { day }) } })).rows);
const listed = async () => [
  (await house.did(rooms, { as: clerk }, { query: { flag: "approval" } })).list.map((r) => [r.id, r.flags]),
  (await house.did(listRoomStatus, { as: clerk }, { query: { villageId, flag: "approval" } })).list.map(
    (r) => r.id,
  ),
];
const reasonFor = async (as = clerk) =>
  (await house.did(roomDetail, { as }, { params: { roomId }, query: {} })).flags;

test("a room whose price waits for approval is marked on the board, in both lists and in its drawer, until it is decided", async () => {
  const { seq } = await house.did(roomBoard, { as: clerk }, { query: { villageId } });
  expect(await marked()).toEqual([]);
  const made = await handedIn(house, head, aPlan([villageId], { roomIds: [roomId], value: 8 }));
  expect(await marked()).toEqual([roomId]);
  expect(await listed()).toEqual([[[roomId, ["approval"]]], [roomId]]);
  // others' boards hear of it by their next question
  const { rows: changed } = await house.did(
    boardChanges,
    { as: clerk },
    { query: { villageId, since: seq } },
  );
  expect(marksOf(changed)).toEqual([roomId]);
  const { examineId, examineNo } = await house.did(getChange, { as: head }, { params: { id: made.id } });
  const text = expect.stringContaining("1/1 店长 待审批") as string;
  // the number leads there only for who may open it
  expect(await reasonFor()).toEqual([{ value: "approval", reason: { text, link: null } }]);
  expect(await reasonFor(head)).toEqual([
    { value: "approval", reason: { text, link: { kind: "examine", id: examineId, number: examineNo } } },
  ]);

  on("2026-11-22");
  const { version } = await house.did(getExamine, { as: manager }, { params: { id: examineId! } });
  await house.did(
    decideExamine,
    { as: manager },
    { params: { id: examineId! }, body: { decision: "approve", comment: "同意", version } },
  );
  expect(await marked()).toEqual([]);
  expect(await listed()).toEqual([[], []]);
  expect(await reasonFor()).toEqual([]);
  // a look back shows it on the days on which it waited
  expect(await marked("2026-11-19")).toEqual([]);
  expect(await marked("2026-11-20")).toEqual([roomId]);
  expect(await marked("2026-11-21")).toEqual([roomId]);
  // of a day to come nothing waits
  expect(await marked("2026-11-23")).toEqual([]);
});

test("a board hears of what is newer than its last question, and a minute long of what was committed late", async () => {
  const { pool } = house.database;
  const { seq } = await house.did(roomBoard, { as: clerk }, { query: { villageId } });
  const elsewhere = await aVillage(house);
  const [foreign] = (await aFlat(house, await aBuilding(house, elsewhere))).roomIds;
  await pool.query("insert into room_change (room_id, village_id) values ($1, $2)", [foreign, elsewhere]);
  const told = async (since: number) => {
    const { rows, gone } = await house.did(boardChanges, { as: clerk }, { query: { villageId, since } });
    expect(gone).toEqual([]);
    return rows.map((row) => row[0]);
  };
  const age = (seconds: number, room: number) =>
    pool.query("update room_change set at = now() - $1 * interval '1 second' where room_id = $2", [
      seconds,
      room,
    ]);
  for (const room of [roomId, beside]) await age(61, room);
  expect(await told(seq)).toEqual([]);
  expect(await told(seq - 1)).toEqual([roomId]);
  await age(50, roomId);
  expect(await told(seq)).toEqual([roomId]);
});

test("one that is withdrawn marks nothing any more", async () => {
  const made = await handedIn(house, head, aPlan([villageId], { roomIds: [beside], value: 5 }));
  expect(await marked()).toEqual([beside]);
  const { version } = await house.did(getChange, { as: head }, { params: { id: made.id } });
  await house.did(withdrawChange, { as: head }, { params: { id: made.id }, body: { version } });
  expect(await marked()).toEqual([]);
});

test("what waits of a contract, or of its bill that names no room, marks the rooms of the contract", async () => {
  const { db, pool } = house.database;
  const lease = await aLease(house, { villageId, roomId: beside });
  const { partyId } = await db
    .selectFrom("contract")
    .select("partyId")
    .where("id", "=", lease.id)
    .executeTakeFirstOrThrow();
  const bill = await db
    .insertInto("bill")
    .values({
      billNo: "ZD-WAITING",
      villageId,
      contractId: lease.id,
      partyId: partyId!,
      title: "租金",
      dueDate: "2026-12-01",
      issueDate: "2026-11-20",
      source: "schedule",
      amount: 300_000,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const roomsOf = async (kind: string, id: number) =>
    (await pool.query("select * from examine_rooms($1, $2)", [kind, id])).rows;
  const itsRoom = [{ room_id: beside, village_id: villageId }];
  expect(await roomsOf("contract", lease.id)).toEqual(itsRoom);
  expect(await roomsOf("bill", bill.id)).toEqual(itsRoom);
  expect(await roomsOf("company", bill.id)).toEqual([]);
});
