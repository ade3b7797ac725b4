import { beforeAll, describe, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { aLease } from "../../listing/occupancy/occupancy.sample.ts";
import { aBuilding, aFlat, aVillage } from "../../listing/village/village.sample.ts";
import {
  overviewCards,
  overviewEmpty,
  overviewEnding,
  overviewExpiry,
  overviewMoved,
  overviewVacancy,
  overviewWaterfall,
} from "./overview.contract.ts";
import { daysOf, MOVE_KEYS } from "./overview.rules.ts";

const house = await testHouse();
const { pool } = house.database;
let villageId: number, as: Person, rooms: number[];
const november = { from: "2026-11-01", to: "2026-11-30" };

beforeAll(async () => {
  house.setClock("2026-11-20T10:00:00+08:00");
  villageId = await aVillage(house);
  const at = await aBuilding(house, villageId);
  rooms = [];
  for (let n = 1; n <= 9; n++) rooms.push((await aFlat(house, at, { name: `120${n}` })).roomIds[0]!);
  as = await house.person({ permits: ["139.query", "16.query"], villages: [villageId] });
  const lease = (room: number, start: string, end: string, more: object = {}) =>
    aLease(house, { villageId, roomId: rooms[room]!, start, end, ...more });
  // one renewed within the month, one all along, one left on the 10th, two came, one signed for next month
  const first = await lease(0, "2025-11-16", "2026-11-15", { state: "renewed", leaveDate: "2026-11-15" });
  await lease(0, "2026-11-16", "2027-11-15", { previousId: first.id, signedOn: "2026-11-02" });
  await lease(1, "2026-05-01", "2027-04-30");
  await lease(2, "2026-01-01", "2026-11-10", { leaveDate: "2026-11-10", state: "ended" });
  await lease(3, "2026-11-05", "2027-11-04");
  await lease(4, "2026-11-15", "2027-11-14");
  await lease(5, "2026-12-01", "2027-11-30", { handoverOn: null });
  await pool.query(
    `insert into turnover (room_id, village_id, opened_day, source) values ($1, $2, '2026-11-18', 'manual')`,
    [rooms[6], villageId],
  );
});

describe("the records behind a figure are as many as it says", () => {
  test("let rooms at both ends, who came, who went, whose lease was renewed", async () => {
    const figures = await house.did(overviewWaterfall, { as }, { query: november });
    expect(figures).toMatchObject({ start: 3, came: 2, went: 1, end: 4, renewed: 1 });
    for (const part of MOVE_KEYS) {
      const { list, total } = await house.did(overviewMoved, { as }, { query: { ...november, part } });
      expect(total, part).toBe(figures[part]);
      expect(list, part).toHaveLength(figures[part]);
    }
    const { list } = await house.did(overviewMoved, { as }, { query: { ...november, part: "went" } });
    expect(list[0]).toMatchObject({
      id: rooms[2],
      partyName: "李沐阳",
      endDate: "2026-11-10",
    });
  });

  test("empty rooms by reason and by days", async () => {
    const figures = await house.did(overviewVacancy, { as }, { query: {} });
    const all = await house.did(overviewEmpty, { as }, { query: {} });
    expect(all.total).toBe(figures.rooms);
    for (const { key, rooms: count } of figures.why)
      expect((await house.did(overviewEmpty, { as }, { query: { why: key } })).total, key).toBe(count);
    for (const [i, { title, rooms: count }] of figures.days.entries()) {
      const { from: daysFrom, to: daysTo } = daysOf(i);
      const { total } = await house.did(overviewEmpty, { as }, { query: { daysFrom, daysTo } });
      expect(total, title).toBe(count);
    }
    // the longest empty first
    expect(all.list.map((r) => r.days)).toEqual(all.list.map((r) => r.days).toSorted((a, b) => b - a));
  });

  test("contracts that end: of the period for 续租率, of a month for its bar", async () => {
    const { figures } = await house.did(overviewCards, { as }, { query: november });
    const ending = async (query: object) =>
      (await house.did(overviewEnding, { as }, { query: { ...november, ...query } })).total!;
    const rate = figures.find((f) => f.code === "renewalRate")!.value!;
    expect(await ending({})).toBe(2);
    expect((await ending({ part: "renewed" })) / (await ending({}))).toBe(rate);
    // as of a past day nothing counts that was signed after it
    const november27 = async (asOf: string) =>
      (await house.did(overviewExpiry, { as }, { query: { asOf } })).find((m) => m.month === "2027-11")!;
    expect(await november27("2026-11-04")).toMatchObject({ open: 2 });
    expect(await november27("2026-11-14")).toMatchObject({ open: 3 });
    const months = await house.did(overviewExpiry, { as }, { query: {} });
    const april = months.find((m) => m.month === "2027-04")!;
    expect(april).toEqual({ month: "2027-04", renewed: 0, open: 1 });
    expect(await ending({ from: "2027-04-01", to: "2027-04-30", part: "open" })).toBe(april.open);
  });

  test("page by page, each record once", async () => {
    const seen: number[] = [];
    for (let pageNo = 1; pageNo <= 4; pageNo++) {
      const query = { ...november, part: "end" as const, pageNo, pageSize: 1 };
      const { list, total } = await house.did(overviewMoved, { as }, { query });
      expect(total).toBe(4);
      seen.push(...list.map((r) => r.id));
    }
    expect(new Set(seen).size).toBe(4);
  });
});

test("names are cut to the first character for who may not see tenants", async () => {
  const clerk = await house.person({ permits: ["139.query"], villages: [villageId] });
  const { list } = await house.did(overviewMoved, { as: clerk }, { query: { ...november, part: "came" } });
  expect(list.map((r) => r.partyName)).toEqual(["李*", "李*"]);
  const ending = await house.did(overviewEnding, { as: clerk }, { query: november });
  expect(ending.list[0]!.partyName).toBe("李*");
});

test("another store's records do not exist", async () => {
  const stranger = await house.person({ permits: ["139.query"], villages: [await aVillage(house)] });
  const asked = { query: { ...november, part: "came", villageIds: String(villageId) } } as never;
  expect((await house.ask(overviewMoved, { as: stranger }, asked)).status).toBe(404);
  expect((await house.did(overviewEmpty, { as: stranger }, { query: {} })).total).toBe(0);
});

test("a contract leads to the list of its kind, and a wrong number is told in Chinese", async () => {
  const { list } = await house.did(overviewMoved, { as }, { query: { ...november, part: "end" } });
  expect(list.map((row) => [row.kind, row.contractId !== null])).toEqual(list.map(() => ["renter", true]));
  const { status, body } = await house.ask(overviewEmpty, { as }, { query: { daysFrom: -1 } });
  expect([status, body.fields]).toEqual([400, [{ field: "daysFrom", msg: "参数 daysFrom 不能小于 0" }]]);
});
