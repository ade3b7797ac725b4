import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { rowsOf } from "../../system/download/download.sample.ts";
import { aPng, sendFile } from "../../system/file/file.sample.ts";
import { aBuilding, aFlat, aLease, aVillage } from "../village/village.sample.ts";
import { apartment, editApartment } from "../apartment/apartment.contract.ts";
import { roomPrices, setRoomPrice } from "../pricing/room-price.contract.ts";
import {
  addRoom,
  deleteRoom,
  disableRoom,
  editRoom,
  editRooms,
  enableRoom,
  retireRoom,
  room,
  exportRooms,
  rooms,
} from "./room.contract.ts";
import { OCCUPANCIES } from "../status/status.rules.ts";

const house = await testHouse();
house.setClock("2026-11-20T10:00:00+08:00");
const villageId = await aVillage(house);
const at = await aBuilding(house, villageId);
const permits = ["6.add", "6.edit", "6.delete", "6.query", "6.get", "6.enable", "6.disable"] as const;
const as = await house.person({ permits: [...permits, "#601"], villages: [villageId] });
const stranger = await house.person({ permits: [...permits] });
const flat = await aFlat(house, at, { name: "1203", rooms: ["A", "B"] });
const a = flat.roomIds[0]!;

test("a stranger finds none of it", async () => {
  const params = { id: a };
  for (const [call, more] of [
    [room, {}],
    [roomPrices, {}],
    [enableRoom, { body: {} }],
    [disableRoom, { body: { reason: "停用一下" } }],
    [deleteRoom, { query: { version: 1 } }],
    [setRoomPrice, { body: { listPrice: 100, effectiveDay: "2026-12-01" } }],
  ] as const)
    expect(
      (await house.ask(call as typeof room, { as: stranger }, { params, ...more })).status,
      call.path,
    ).toBe(404);
  const batch = await house.ask(editRooms, { as: stranger }, { body: { ids: [a] } });
  expect(batch.status).toBe(404);
});

test("names are unique in the flat, also for two people at once", async () => {
  const body = { apartmentId: flat.id, name: "C", area: 11, capacity: 1, listPrice: 150_000 };
  const twice = await Promise.all([1, 2].map(() => house.ask(addRoom, { as }, { body })));
  expect(twice.map((answer) => answer.status).toSorted()).toEqual([200, 400]);
  expect(twice.find((answer) => answer.status === 400)!.body.fields).toEqual([
    { field: "name", msg: "同一房源下房间名已存在" },
  ]);
  const edit = await house.ask(
    editRoom,
    { as },
    { params: { id: a }, body: { name: "B", area: 15, capacity: 2, version: 1 } },
  );
  expect(edit.body.fields).toEqual([{ field: "name", msg: "同一房源下房间名已存在" }]);
});

test("beds stand in a room that nobody has had; then only the beds can be let", async () => {
  const shared = await aFlat(house, at, { name: "1204", rooms: ["A", "B"] });
  const bed = { apartmentId: shared.id, parentRoomId: shared.roomIds[0]!, name: "1", area: 5, capacity: 1 };
  const { id } = await house.did(addRoom, { as }, { body: bed });
  expect(await house.did(room, { as }, { params: { id } })).toMatchObject({
    fullName: "滨江店·3栋·1单元·1204-A-1",
    kind: "bed",
  });
  expect(await house.did(room, { as }, { params: { id: shared.roomIds[0]! } })).toMatchObject({
    isLeaf: false,
    occupancy: null,
  });
  await aLease(house, shared.roomIds[1]!, "2026-01-01", "2026-06-30");
  const late = await house.ask(addRoom, { as }, { body: { ...bed, parentRoomId: shared.roomIds[1]! } });
  expect(late.body.message).toBe("该房间已有占用记录，不能再分床位，请变更出租方式");
  await house.did(deleteRoom, { as }, { params: { id }, query: { version: 1 } });
  expect((await house.did(room, { as }, { params: { id: shared.roomIds[0]! } })).isLeaf).toBe(true);
});

test("out of use is a block on the timeline: no lease overlaps it, and it ends when lifted", async () => {
  const { roomIds } = await aFlat(house, at, { name: "1301", floor: 13, rooms: ["A", "B"], wholeToo: true });
  const [whole, one] = roomIds as [number, number];
  const { number } = await house.did(
    disableRoom,
    { as },
    { params: { id: whole }, body: { reason: "漏水待修" } },
  );
  const state = async (id: number) =>
    (await house.did(rooms, { as }, { query: { keyword: "1301" } })).list.find((r) => r.id === id)!.condition;
  expect(await state(one)).toBe("offline");
  await expect(aLease(house, one, "2027-01-01", "2027-12-31")).rejects.toMatchObject({
    message: `滨江店·3栋·1单元·1301-A 在 2026-11-20 至 未定 已被 ${number} 占用`,
  });
  expect((await house.ask(enableRoom, { as }, { params: { id: one }, body: {} })).body.message).toBe(
    "该房间随 滨江店·3栋·1单元·1301 一起停用，请在整套上启用",
  );
  await house.did(enableRoom, { as }, { params: { id: whole }, body: {} });
  expect(await state(one)).toBe("rentable");
  expect((await house.ask(enableRoom, { as }, { params: { id: whole }, body: {} })).body.message).toBe(
    "房间未停用",
  );
  await aLease(house, one, "2027-01-01", "2027-12-31");
  const refused = await house.ask(disableRoom, { as }, { params: { id: one }, body: { reason: "装修一下" } });
  expect([refused.status, refused.body.reason]).toEqual([409, "roomTaken"]);
});

test("a retired room leaves the list and cannot be let, whoever is quicker", async () => {
  const { roomIds } = await aFlat(house, at, { name: "1501", floor: 15, rooms: ["A", "B"] });
  const id = roomIds[0]!;
  const body = { day: "2026-12-01", reason: "改作储藏", version: 1 };
  const [retired, leased] = await Promise.allSettled([
    house.did(retireRoom, { as }, { params: { id }, body }),
    aLease(house, id, "2026-12-01", "2027-11-30"),
  ]);
  expect([retired.status, leased.status].toSorted()).toEqual(["fulfilled", "rejected"]);
  const later = await house.ask(retireRoom, { as }, { params: { id: roomIds[1]! }, body });
  expect(later.status).toBe(200);
  house.setClock("2026-12-02T10:00:00+08:00");
  const names = async (stock: "in" | "retired") =>
    (await house.did(rooms, { as }, { query: { keyword: "1501", stock } })).list.map((r) => r.name);
  expect(await names("retired")).toContain("B");
  expect(await names("in")).not.toContain("B");
  house.setClock("2026-11-20T10:00:00+08:00");
});

test("a flat goes with the last of its rooms, in whatever order they are retired; what is gone is not edited", async () => {
  const { id: apartmentId, roomIds } = await aFlat(house, at, { name: "1502", floor: 15, rooms: ["A", "B"] });
  const [first, last] = roomIds as [number, number];
  const retire = (id: number, day: string) =>
    house.did(retireRoom, { as }, { params: { id }, body: { day, reason: "改作储藏", version: 1 } });
  await retire(last, "2026-12-31");
  await retire(first, "2026-12-01");
  const seen = await house.did(apartment, { as }, { params: { id: apartmentId } });
  expect(seen.retiredDay).toBe("2026-12-31");
  house.setClock("2026-12-02T10:00:00+08:00");
  const { name, area, capacity, version } = await house.did(room, { as }, { params: { id: first } });
  const edit = { name, area, capacity, version };
  const gone = await house.ask(editRoom, { as }, { params: { id: first }, body: edit });
  expect(gone.body).toMatchObject({ code: 409, message: "滨江店·3栋·1单元·1502-A 已注销" });
  house.setClock("2026-12-31T10:00:00+08:00");
  const { fullName: _, ...facts } = seen;
  const flatGone = await house.ask(editApartment, { as }, { params: { id: apartmentId }, body: facts });
  expect(flatGone.body).toMatchObject({ code: 409, message: "房源已注销" });
  house.setClock("2026-11-20T10:00:00+08:00");

  const other = await aFlat(house, at, { name: "1503", floor: 15, rooms: ["A", "B"] });
  await Promise.all(other.roomIds.map((id) => retire(id, "2026-12-01")));
  const both = await house.did(apartment, { as }, { params: { id: other.id } });
  expect(both.retiredDay).toBe("2026-12-01");
});

test("many rooms are changed together or not at all", async () => {
  const { roomIds } = await aFlat(house, at, { name: "1601", floor: 16, rooms: ["A", "B"] });
  const file = (await sendFile(house, as, { name: "a.png", bytes: aPng() }, "image10M")).body.data;
  const done = await house.did(
    editRooms,
    { as },
    {
      body: {
        ids: roomIds,
        tags: { mode: "add", values: ["朝南", "阳台"] },
        facilities: { mode: "replace", values: ["空调", "床"] },
        pictures: { mode: "add", values: [file.id] },
      },
    },
  );
  expect(done.map((d) => d.ok)).toEqual([true, true]);
  const { list } = await house.did(rooms, { as }, { query: { tag: "阳台" } });
  expect(list.map((r) => [r.name, r.tags, r.pictures, r.missing])).toEqual([
    ["A", ["朝南", "阳台"], 1, ["产品"]],
    ["B", ["朝南", "阳台"], 1, ["产品"]],
  ]);
  const wrong = await house.ask(
    editRooms,
    { as },
    { body: { ids: [...roomIds, 999_999], tags: { mode: "replace", values: [] } } },
  );
  expect(wrong.status).toBe(404);
  expect((await house.did(room, { as }, { params: { id: roomIds[0]! } })).tags).toEqual(["朝南", "阳台"]);
});

test("many rooms of which one would have too many pictures are refused by its name", async () => {
  const { roomIds } = await aFlat(house, at, { name: "1602", floor: 16, rooms: ["A", "B"] });
  const files: number[] = [];
  for (let i = 0; i < 21; i++)
    files.push((await sendFile(house, as, { name: `${i}.png`, bytes: aPng() }, "image10M")).body.data.id);
  const add = (ids: readonly number[], values: readonly number[]) =>
    house.ask(editRooms, { as }, { body: { ids: [...ids], pictures: { mode: "add", values: [...values] } } });
  expect((await add(roomIds.slice(1), files.slice(0, 20))).status).toBe(200);
  expect((await add(roomIds, files.slice(20))).body.fields).toEqual([
    { field: "pictures", msg: "滨江店·3栋·1单元·1602-B 的图片将超过20张" },
  ]);
});

test("lists are filtered by status, price and what is missing; sums tie to the rows", async () => {
  const query = { villageIds: String(villageId), pageSize: 200 };
  const all = await house.did(rooms, { as }, { query });
  expect(all.list).toHaveLength(all.total!);
  const leaves = all.list.filter((r) => r.isLeaf);
  expect(all.sums).toEqual({
    rooms: leaves.length,
    area: leaves.reduce((sum, r) => sum + r.area, 0),
    listPrice: leaves.reduce((sum, r) => sum + (r.listPrice ?? 0), 0),
  });
  for (const occupancy of ["vacant", "toMoveIn"] as const) {
    const some = await house.did(rooms, { as }, { query: { ...query, occupancy } });
    expect(some.total).toBe(all.list.filter((r) => r.occupancy === occupancy).length);
    expect(some.total).toBeGreaterThan(0);
  }
  const dear = await house.did(
    rooms,
    { as },
    { query: { ...query, priceFrom: 300_000, sort: "listPrice", order: "desc" } },
  );
  expect(dear.total).toBe(all.list.filter((r) => (r.listPrice ?? 0) >= 300_000).length);
  expect(dear.list[0]!.listPrice).toBe(Math.max(...all.list.map((r) => r.listPrice ?? 0)));
  const incomplete = await house.did(rooms, { as }, { query: { ...query, incomplete: "1" } });
  expect(incomplete.total).toBe(all.list.filter((r) => r.missing.length).length);
});

test("an export has the rows of the list in its order, with their status of today", async () => {
  const taking = await house.person({ permits: ["6.query", "6.export", "#601"], villages: [villageId] });
  const order = { sort: "listPrice", order: "desc" } as const;
  const { list } = await house.did(rooms, { as: taking }, { query: order });
  const { rawPayload } = await house.app.inject({
    url: exportRooms.path,
    headers: { authorization: taking.token },
    query: { ...order, columns: "listPrice,occupancy,fullName", usage: "盘点房源" },
  });
  const [, head, ...rows] = await rowsOf(rawPayload);
  expect(head).toEqual(["标价", "入住状态", "房间"]);
  expect(list.length).toBeGreaterThan(2);
  const shown = rows
    .slice(0, list.length)
    .map(([price, state, name]) => [name, price ?? null, state ?? null]);
  expect(shown).toEqual(
    list.map((r) => [
      r.fullName,
      r.listPrice === null ? null : r.listPrice / 100,
      r.occupancy && OCCUPANCIES[r.occupancy][0],
    ]),
  );
});

test("the last room of a flat is not deleted, also where the others were retired or go at the same moment", async () => {
  const remove = (id: number) => house.ask(deleteRoom, { as }, { params: { id }, query: { version: 1 } });
  const pair = await aFlat(house, at, { name: "2001", rooms: ["A", "B"] });
  const both = await Promise.all(pair.roomIds.map(remove));
  expect(both.map((answer) => answer.status).toSorted()).toEqual([200, 409]);
  const other = await aFlat(house, at, { name: "2002", rooms: ["A", "B"] });
  const body = { day: "2026-11-20", reason: "改作储藏", version: 1 };
  await house.did(retireRoom, { as }, { params: { id: other.roomIds[0]! }, body });
  expect((await remove(other.roomIds[1]!)).body).toMatchObject({
    code: 409,
    message: "房源的其他房间都已注销，请注销该房间或房源",
  });
});

test("a flat that may be let whole leaves the stock with the last of its parts, and that one is not deleted", async () => {
  const { pool } = house.database;
  const made = async (name: string) => {
    const { id } = await aFlat(house, at, { name, rooms: ["A", "B"], wholeToo: true });
    const { rows } = await pool.query<{ id: number }>(
      "select id from room where apartment_id = $1 and is_leaf order by id",
      [id],
    );
    return { id, parts: rows.map((row) => row.id) as [number, number] };
  };
  const retire = (id: number, day: string) =>
    house.did(retireRoom, { as }, { params: { id }, body: { day, reason: "改作储藏", version: 1 } });
  const remove = (id: number) => house.ask(deleteRoom, { as }, { params: { id }, query: { version: 1 } });
  const stands = async (id: number) => {
    const { rows } = await pool.query(
      `select r.retired_day "whole", r.is_leaf leaf, a.retired_day flat from room r join apartment a on a.id = r.apartment_id
       where a.id = $1 and r.kind = 'whole'`,
      [id],
    );
    return rows[0];
  };

  const one = await made("2101");
  await retire(one.parts[0], "2026-12-20");
  expect(await stands(one.id)).toEqual({ whole: null, leaf: false, flat: null });
  await retire(one.parts[1], "2026-12-10");
  expect(await stands(one.id)).toEqual({ whole: "2026-12-20", leaf: false, flat: "2026-12-20" });

  const other = await made("2102");
  await retire(other.parts[0], "2026-12-20");
  expect((await remove(other.parts[1])).body).toMatchObject({
    code: 409,
    message: "房源的其他房间都已注销，请注销该房间或房源",
  });

  // where none was retired, the flat without parts is let as one
  const third = await made("2103");
  for (const id of third.parts) expect((await remove(id)).status).toBe(200);
  expect(await stands(third.id)).toEqual({ whole: null, leaf: true, flat: null });
});
