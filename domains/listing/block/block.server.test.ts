import { beforeAll, beforeEach, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { getFile } from "../../system/file/file.contract.ts";
import { aPng, sendFile } from "../../system/file/file.sample.ts";
import { aLease } from "../occupancy/occupancy.sample.ts";
import { finishRooms, finishTurnover, addTurnovers } from "../turnover/turnover.contract.ts";
import { boardChanges, roomBoard } from "../board/board.contract.ts";
import { aBuilding, aFlat, aVillage, type BuildingMade } from "../village/village.sample.ts";
import { addBlock, editBlock, getBlock, liftBlock, liftRooms } from "./block.contract.ts";

const house = await testHouse();
const { db } = house.database;
let villageId: number, clerk: Person, at: BuildingMade, room: number;
let door = 0;

const onDay = (day: string) => house.setClock(`${day}T10:00:00+08:00`);
const aRoom = async () => (await aFlat(house, at, { name: `d${++door}` })).roomIds[0]!;
const body = (more: object = {}) => ({
  roomIds: [room],
  reason: "maintenance" as const,
  fromDay: "2026-11-20",
  ...more,
});

beforeAll(async () => {
  onDay("2026-11-20");
  villageId = await aVillage(house);
  at = await aBuilding(house, villageId);
  clerk = await house.person({ permits: ["3.query", "3.get", "3.edit"], villages: [villageId] });
});
beforeEach(async () => {
  onDay("2026-11-20");
  room = await aRoom();
});

async function tile(id: number, day?: string) {
  const { fields, rows } = await house.did(
    roomBoard,
    { as: clerk },
    { query: { villageId, ...(day && { day }) } },
  );
  const row = rows.find((r) => r[0] === id)!;
  return Object.fromEntries(fields.map((name, i) => [name, row[i]]));
}

test("pictures of a block open for colleagues of the store; a stranger's cannot be taken", async () => {
  const others = { permits: ["3.query", "3.get", "3.edit"], villages: [villageId] };
  const [colleague, away] = [await house.person(others), await house.person({ permits: ["3.get"] })];
  const uploaded = async (as: Person) =>
    (await sendFile(house, as, { name: "a.png", bytes: aPng() }, "image10M")).body.data.id;
  const foreign = [await uploaded(colleague), 999_999];
  for (const id of foreign)
    expect((await house.ask(addBlock, { as: clerk }, { body: body({ fileIds: [id] }) })).status).toBe(404);
  const id = await uploaded(clerk);
  await house.did(addBlock, { as: clerk }, { body: body({ fileIds: [id] }) });
  const opened = (as: Person) => house.ask(getFile, { as }, { params: { id } });
  expect([(await opened(colleague)).status, (await opened(away)).status]).toEqual([200, 404]);
});

test("a block takes the room out of letting, and lifting it gives the room back today", async () => {
  const { id, number } = await house.did(
    addBlock,
    { as: clerk },
    { body: body({ fromDay: "2026-11-18", toDay: "2026-12-08" }) },
  );
  expect(number).toMatch(/^FF20261120-\d{6}$/);
  expect(await tile(room)).toMatchObject({
    occupancy: "vacant",
    condition: "maintenance",
    counts: 0,
    blockedUntil: "2026-12-08",
  });
  expect(await tile(room, "2026-11-17")).toMatchObject({ condition: "rentable", counts: 1 });
  const changes = await house.did(boardChanges, { as: clerk }, { query: { villageId, since: 0 } });
  expect(changes.rows.some((r) => r[0] === room)).toBe(true);
  await house.did(liftBlock, { as: clerk }, { params: { id }, body: { dirty: true, version: 1 } });
  expect(await tile(room)).toMatchObject({ condition: "dirty", counts: 1 });
  expect(await tile(room, "2026-11-19")).toMatchObject({ condition: "maintenance" });
  expect(await house.did(getBlock, { as: clerk }, { params: { id } })).toMatchObject({
    liftedDay: "2026-11-20",
    rooms: [{ id: room }],
  });
  const log = await db
    .selectFrom("businessLog")
    .select("action")
    .where("kind", "=", "room")
    .where("recordId", "=", room)
    .orderBy("id")
    .execute();
  expect(log.map((l) => l.action)).toEqual(["封房", "待保洁", "解除封房"]);
});

test("a room that is let or held is not blocked; the sentence says from when it is taken", async () => {
  const lease = await aLease(house, { villageId, roomId: room, start: "2026-12-01", handoverOn: null });
  const late = await house.ask(addBlock, { as: clerk }, { body: body() });
  expect(late).toMatchObject({ status: 409, body: { reason: "roomTaken" } });
  expect(late.body.message).toContain("2026-12-01 起有租约，封房截止日须早于该日");
  await house.did(addBlock, { as: clerk }, { body: body({ toDay: "2026-11-30" }) });
  const busy = await house.ask(addBlock, { as: clerk }, { body: body({ fromDay: "2027-01-01" }) });
  expect(busy.body.message).toContain(`已被 ${lease.no} 占用，不能封房`);
});

test("a person who has not left stands against a block although the lease is over", async () => {
  await aLease(house, { villageId, roomId: room, start: "2025-11-01", end: "2026-10-31", state: "expired" });
  expect((await house.ask(addBlock, { as: clerk }, { body: body() })).body.message).toContain(
    "到期未退，请先登记退房",
  );
});

test("many rooms are blocked all or none, and each that stands in the way is named", async () => {
  const [free, other] = [room, await aRoom()];
  await aLease(house, { villageId, roomId: other });
  const refused = await house.ask(addBlock, { as: clerk }, { body: body({ roomIds: [free, other] }) });
  expect(refused.body.data).toMatchObject({ refused: [{ roomId: other }] });
  expect(await tile(free)).toMatchObject({ condition: "rentable" });
});

test("some rooms of a block can be lifted before the others", async () => {
  const second = await aRoom();
  const { id } = await house.did(
    addBlock,
    { as: clerk },
    { body: body({ roomIds: [room, second], fromDay: "2026-11-10" }) },
  );
  expect(await house.did(liftRooms, { as: clerk }, { body: { roomIds: [room] } })).toEqual({ rooms: 1 });
  expect(await tile(room)).toMatchObject({ condition: "rentable" });
  expect(await tile(second)).toMatchObject({ condition: "maintenance" });
  expect(await house.did(getBlock, { as: clerk }, { params: { id } })).toMatchObject({ liftedDay: null });
  await house.did(
    editBlock,
    { as: clerk },
    { params: { id }, body: { toDay: "2026-11-25", note: "", version: 2 } },
  );
  expect(await tile(second)).toMatchObject({ blockedUntil: "2026-11-25" });
  expect(await tile(room)).toMatchObject({ condition: "rentable" });
  expect((await house.ask(liftRooms, { as: clerk }, { body: { roomIds: [room] } })).body.message).toContain(
    "未封房",
  );
});

test("a block that has not begun is cancelled", async () => {
  const { id } = await house.did(addBlock, { as: clerk }, { body: body({ fromDay: "2026-12-01" }) });
  await house.did(liftBlock, { as: clerk }, { params: { id }, body: { version: 1 } });
  expect(await tile(room, "2026-12-05")).toMatchObject({ condition: "rentable" });
  expect(
    (await house.ask(liftBlock, { as: clerk }, { params: { id }, body: { version: 2 } })).body.message,
  ).toBe("封房已结束，无需解除");
});

test("a block's end moves until it is over, to yesterday at the earliest", async () => {
  const { id } = await house.did(
    addBlock,
    { as: clerk },
    { body: body({ fromDay: "2026-11-10", toDay: "2026-11-20" }) },
  );
  const end = async (toDay: string, version: number) =>
    (await house.ask(editBlock, { as: clerk }, { params: { id }, body: { toDay, note: "", version } })).body;
  expect((await end("2026-11-09", 1)).fields).toEqual([{ field: "toDay", msg: "截止日不能早于开始日" }]);
  expect((await end("2026-11-18", 1)).fields).toEqual([{ field: "toDay", msg: "截止日不能早于昨天" }]);
  expect((await end("2026-11-19", 1)).code).toBe(200);
  expect(await tile(room)).toMatchObject({ condition: "rentable" });
  expect((await end("2026-11-25", 2)).message).toBe("封房已结束，不能修改");
});

test("a block that begins today is cancelled as if it had never been, and may still leave dirt", async () => {
  const { id } = await house.did(addBlock, { as: clerk }, { body: body() });
  await house.did(liftBlock, { as: clerk }, { params: { id }, body: { dirty: true, version: 1 } });
  expect(await house.did(getBlock, { as: clerk }, { params: { id } })).toMatchObject({ liftedDay: null });
  expect(await tile(room)).toMatchObject({ condition: "dirty" });
});

test("what a form gets wrong stands under its field", async () => {
  const fields = async (more: object) =>
    (await house.ask(addBlock, { as: clerk }, { body: body(more) })).body.fields;
  expect(await fields({ toDay: "2026-11-19" })).toEqual([{ field: "toDay", msg: "截止日不能早于开始日" }]);
  expect(await fields({ reason: "offline" })).toEqual([{ field: "note", msg: "请填写停用原因" }]);
});

test("a closed month takes no block", async () => {
  await db.insertInto("periodLock").values({ villageId, month: "2026-09", side: "income" }).execute();
  const refused = await house.ask(addBlock, { as: clerk }, { body: body({ fromDay: "2026-09-30" }) });
  expect(refused).toMatchObject({ status: 409, body: { message: "2026-09 已关账，请使用开放月份的日期" } });
});

test("cleaning: put to dirty, done on a sensible day, once", async () => {
  await house.did(addTurnovers, { as: clerk }, { body: { roomIds: [room], note: "看房后杂乱" } });
  expect(await tile(room)).toMatchObject({ condition: "dirty", counts: 1 });
  expect(
    (await house.ask(addTurnovers, { as: clerk }, { body: { roomIds: [room] } })).body.message,
  ).toContain("已是待保洁");
  const { id } = await db
    .selectFrom("turnover")
    .select("id")
    .where("roomId", "=", room)
    .executeTakeFirstOrThrow();
  const done = (doneDay: string) =>
    house.ask(finishTurnover, { as: clerk }, { params: { id }, body: { doneDay } });
  expect((await done("2026-11-21")).body.fields).toEqual([{ field: "doneDay", msg: "完成日期不正确" }]);
  expect((await done("2026-11-19")).body.fields).toEqual([{ field: "doneDay", msg: "完成日期不正确" }]);
  expect((await done("2026-11-20")).status).toBe(200);
  expect((await done("2026-11-20")).status).toBe(409);
  expect(await tile(room)).toMatchObject({ condition: "rentable" });
  const lived = await aRoom();
  await aLease(house, { villageId, roomId: lived });
  expect(
    (await house.ask(addTurnovers, { as: clerk }, { body: { roomIds: [lived] } })).body.message,
  ).toContain("有人居住");
  expect(
    (await house.ask(finishRooms, { as: clerk }, { body: { roomIds: [lived], doneDay: "2026-11-20" } })).body
      .message,
  ).toContain("没有待完成的保洁");
});

test("rooms of another village do not exist", async () => {
  const stranger = await house.person({ permits: ["3.query", "3.edit"], villages: [await aVillage(house)] });
  const { id } = await house.did(addBlock, { as: clerk }, { body: body() });
  const asked = [
    house.ask(addBlock, { as: stranger }, { body: body() }),
    house.ask(liftBlock, { as: stranger }, { params: { id }, body: { version: 1 } }),
    house.ask(liftRooms, { as: stranger }, { body: { roomIds: [room] } }),
    house.ask(addTurnovers, { as: stranger }, { body: { roomIds: [room] } }),
    house.ask(roomBoard, { as: stranger }, { query: { villageId } }),
    house.ask(boardChanges, { as: stranger }, { query: { villageId, since: 0 } }),
  ];
  for (const answer of await Promise.all(asked))
    expect(answer).toMatchObject({ status: 404, body: { message: "记录不存在" } });
});

test("a block that puts rooms out of use keeps its reason when its end moves", async () => {
  const out = body({ fromDay: "2026-12-10", toDay: "2026-12-20", reason: "offline", note: "屋顶漏水" });
  const { id } = await house.did(addBlock, { as: clerk }, { body: out });
  const end = async (note: string) =>
    (
      await house.ask(
        editBlock,
        { as: clerk },
        { params: { id }, body: { toDay: "2026-12-25", note, version: 1 } },
      )
    ).body;
  expect((await end("")).fields).toEqual([{ field: "note", msg: "请填写停用原因" }]);
  expect((await end("屋顶漏水，月底修好")).code).toBe(200);
});
