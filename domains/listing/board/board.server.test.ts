import { beforeAll, describe, expect, test } from "vitest";
import { addDays } from "../../../platform/kernel/day.ts";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { aVillage } from "../village/village.sample.ts";
import { boardChanges, roomBoard, searchRooms, type Cell } from "./board.contract.ts";
import { aFullVillage, MIX } from "../status/full-village.sample.ts";
import { boardSummary } from "../status/overview.contract.ts";
import { CONDITION_KEYS, OCCUPANCY_KEYS } from "../status/status.rules.ts";
import jobs from "../status/village-day.job.ts";

const TODAY = "2026-11-20";
const house = await testHouse();
let villageId: number, clerk: Person;

beforeAll(async () => {
  house.setClock(`${TODAY}T09:15:00+08:00`);
  ({ villageId } = await aFullVillage(house, { today: TODAY }));
  clerk = await house.person({ permits: ["3.query", "16.query"], villages: [villageId] });
}, 120_000);

const board = async (day?: string) =>
  house.did(roomBoard, { as: clerk }, { query: { villageId, ...(day && { day }) } });
const summary = async (day?: string) =>
  (await house.did(boardSummary, { as: clerk }, { query: day ? { day } : {} })).list[0]!;
const tally = (rows: Cell[], at: number, keys: readonly string[]) =>
  Object.fromEntries(keys.map((k) => [k, rows.filter((r) => r[at] === k).length]));
const figures = (rows: Cell[]) => ({
  base: rows.filter((r) => r[15] & 1).length,
  let: rows.filter((r) => r[15] & 2).length,
});

describe("a village of five thousand rooms", () => {
  test("shows each state as often as it stands, on every axis five thousand in all", async () => {
    const { rows } = await board();
    expect(rows).toHaveLength(5000);
    expect(tally(rows, 12, OCCUPANCY_KEYS)).toEqual({
      occupied: 4420,
      expiring: 180,
      holdingOver: 20,
      leaving: 30,
      toMoveIn: 40,
      reserved: 60,
      vacant: 250,
    });
    const conditions = tally(rows, 13, CONDITION_KEYS);
    expect(conditions).toEqual({ rentable: 4850, dirty: 60, maintenance: 36, offline: 18, selfUse: 36 });
    expect(Object.values(conditions).reduce((a, b) => a + b)).toBe(5000);
    expect(figures(rows)).toEqual({ base: 4910, let: 4655 });
  });

  test("the overview says the same, with 空置率 5.19 %", async () => {
    const row = await summary();
    expect(row).toMatchObject({
      inStock: 5000,
      base: 4910,
      let: 4655,
      vacant: 250,
      expiring: MIX.expiring,
      dirty: 60,
      offline: 18,
    });
    expect((row.vacancyRate! * 100).toFixed(2)).toBe("5.19");
  });

  test("a past day reads the same from its board, its roll-up and day by day from the contracts", async () => {
    const day = addDays(TODAY, -1);
    const { rows } = await board(day);
    const live = await summary(day);
    await perform(house, jobs[0]!, {}, "test");
    const kept = await summary(day);
    expect(kept).toEqual(live);
    expect({
      ...tally(rows, 12, OCCUPANCY_KEYS),
      ...tally(rows, 13, CONDITION_KEYS),
      ...figures(rows),
    }).toEqual(
      Object.fromEntries(
        [...OCCUPANCY_KEYS, ...CONDITION_KEYS, "base", "let"].map((k) => [k, kept[k as "base"]]),
      ),
    );
    const { rows: naive } = await house.database.pool.query<{ taken: number }>(
      `select count(distinct room_id) taken from (
         select r.room_id from contract c join contract_room r on r.contract_id = c.id
         where c.village_id = $1 and c.signed_on is not null and $2::date between c.start_date and coalesce(c.leave_date, c.end_date)
         union select r.room_id from contract c join contract_room r on r.contract_id = c.id
         where c.village_id = $1 and c.handover_on <= $2 and c.leave_date is null and c.end_date < $2 and c.state = 'expired') x`,
      [villageId, day],
    );
    expect(kept.let).toBe(naive[0]!.taken);
  });

  test("is answered within half a second and 150 KB", async () => {
    const millis = [];
    let size = 0;
    for (let i = 0; i < 3; i++) {
      const begun = performance.now();
      const answer = await house.app.inject({
        url: `${roomBoard.path}?villageId=${villageId}`,
        headers: { authorization: clerk.token, "accept-encoding": "br" },
      });
      millis.push(Math.round(performance.now() - begun));
      expect(answer.headers["content-encoding"]).toBe("br");
      size = answer.rawPayload.length;
    }
    console.info(`board of 5,000 rooms: ${millis.join(", ")} ms, ${Math.round(size / 1024)} KB compressed`);
    expect(size).toBeLessThan(150 * 1024);
    expect(Math.min(...millis)).toBeLessThan(500);
  });
});

test("names are cut to the first character for who may not see renters", async () => {
  const blind = await house.person({ permits: ["3.query"], villages: [villageId] });
  const { rows } = await house.did(roomBoard, { as: blind }, { query: { villageId } });
  for (const row of rows) expect(row[18] === null || /^.\*$/.test(row[18]!), String(row[18])).toBe(true);
});

test("rooms kept for others are seen as each may see them, and a tenant's new name at once", async () => {
  const blind = await house.person({ permits: ["3.query"], villages: [villageId] });
  const namesFor = async (as: Person) =>
    (await house.did(roomBoard, { as }, { query: { villageId } })).rows.map((row) => row[18]);
  const names = await namesFor(clerk);
  const at = names.findIndex((name) => name !== null);
  expect((await namesFor(blind))[at]).toBe(`${names[at]!.slice(0, 1)}*`);
  expect((await namesFor(clerk))[at]).toBe(names[at]);
  const { rows } = await house.did(roomBoard, { as: clerk }, { query: { villageId } });
  await house.database.pool.query(
    `update party set name = '欧阳明月', updated_at = clock_timestamp()
     where id = (select party_id from contract where id = $1)`,
    [rows[at]![20]],
  );
  expect((await namesFor(clerk))[at]).toBe("欧阳明月");
  expect((await namesFor(blind))[at]).toBe("欧*");
});

test("a store that closes is out of use on its board and in its counts at once", async () => {
  const turn = (state: string, closedDay: string | null) =>
    house.database.pool.query(
      "update village set state = $2, closed_day = $3, version = version + 1 where id = $1",
      [villageId, state, closedDay],
    );
  const offline = async () => [
    (await board()).rows.filter((row) => row[13] === "offline").length,
    (await summary()).offline,
  ];
  expect(await offline()).toEqual([18, 18]);
  await turn("closed", TODAY);
  expect(await offline()).toEqual([5000, 5000]);
  await turn("open", null);
  expect(await offline()).toEqual([18, 18]);
});

test("finds rooms by the tenant's phone and by the number of the contract", async () => {
  const { rows } = await board();
  const some = rows.find((r) => r[12] === "occupied")!;
  const { rows: found } = await house.database.pool.query<{ phone: string; contract_no: string }>(
    "select p.phone, c.contract_no from contract c join party p on p.id = c.party_id where c.id = $1",
    [some[20]],
  );
  for (const keyword of [found[0]!.phone, found[0]!.contract_no])
    expect(await house.did(searchRooms, { as: clerk }, { query: { villageId, keyword } })).toEqual({
      roomIds: [some[0]],
    });
});

test("a day before the opening or more than a year ahead is refused", async () => {
  for (const day of ["2023-12-31", "2027-11-21"])
    expect((await house.ask(roomBoard, { as: clerk }, { query: { villageId, day } })).body.message).toBe(
      "日期超出可查询范围",
    );
  expect((await board("2027-11-20")).kind).toBe("future");
});

test("a village outside the scope is not there", async () => {
  const other = await aVillage(house);
  for (const answer of [
    await house.ask(roomBoard, { as: clerk }, { query: { villageId: other } }),
    await house.ask(boardChanges, { as: clerk }, { query: { villageId: other, since: 0 } }),
    await house.ask(searchRooms, { as: clerk }, { query: { villageId: other, keyword: "1203" } }),
    await house.ask(boardSummary, { as: clerk }, { query: { villageIds: String(other) } }),
  ])
    expect(answer.status).toBe(404);
});
