import { beforeAll, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { aLead } from "../../customer/lead/lead.sample.ts";
import { aLease } from "../../listing/occupancy/occupancy.sample.ts";
import { aBuilding, aFlat, aVillage } from "../../listing/village/village.sample.ts";
import { overviewFunnel, overviewVacancy, overviewWaterfall } from "./overview.contract.ts";

const house = await testHouse();
const { pool } = house.database;
let villageId: number, as: Person, rooms: number[];
const november = { from: "2026-11-01", to: "2026-11-30" };

beforeAll(async () => {
  house.setClock("2026-11-20T10:00:00+08:00");
  villageId = await aVillage(house);
  const at = await aBuilding(house, villageId);
  rooms = [];
  for (let n = 1; n <= 8; n++) rooms.push((await aFlat(house, at, { name: `120${n}` })).roomIds[0]!);
  as = await house.person({ permits: ["139.query"], villages: [villageId] });
  const lease = (room: number, start: string, end: string, more: object = {}) =>
    aLease(house, { villageId, roomId: rooms[room]!, start, end, ...more });
  // two all along, one of them renewed; one left on the 10th; two came; one signed for next month
  await lease(0, "2026-01-01", "2026-12-31");
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

test("start, came and went make the end, room by room", async () => {
  const seen = await house.did(overviewWaterfall, { as }, { query: november });
  expect(seen).toEqual({
    from: "2026-10-31",
    to: "2026-11-20",
    start: 3,
    came: 2,
    went: 1,
    end: 4,
    renewed: 0,
  });
});

test("empty rooms are told apart by why and since when, and add up to those that could be let and are not", async () => {
  const { rooms: all, why, days } = await house.did(overviewVacancy, { as }, { query: {} });
  // left on the 10th: ten days; the others were never let
  expect(all).toBe(4);
  expect(why).toEqual([
    { key: "free", rooms: 2 },
    { key: "promised", rooms: 1 },
    { key: "dirty", rooms: 1 },
  ]);
  expect(days.map((d) => d.rooms)).toEqual([0, 1, 0, 3]);
});

test("200 leads of a month, 24 of them signed: 12.00 %, as in the funnel of leads", async () => {
  const writer = await house.person({ permits: ["15.query", "15.add"], villages: [villageId] });
  const first = await aLead(house, writer, villageId);
  await pool.query(
    `insert into lead (number, enterprise_id, name, phone, source, village_ids, level, state, owner_id, created_at, created_by,
       following_at, viewed_at, reserved_at, signed_at)
     select 'KYT' || n, l.enterprise_id, '客户' || n, '136' || lpad(n::text, 8, '0'), l.source, l.village_ids, l.level,
       case when n <= 24 then 'signed' else 'new' end, l.owner_id, l.created_at, l.created_by,
       case when n <= 150 then l.created_at end, case when n <= 80 then l.created_at end,
       case when n <= 30 then l.created_at end, case when n <= 24 then l.created_at end
     from lead l, generate_series(1, 199) n where l.id = $1`,
    [first],
  );
  const { steps, whole, sources } = await house.did(overviewFunnel, { as }, { query: november });
  expect(steps.map((s) => s.count)).toEqual([200, 150, 80, 30, 24]);
  expect(((whole ?? 0) * 100).toFixed(2)).toBe("12.00");
  // by where they came from they are the same leads
  expect(sources).toEqual([expect.objectContaining({ created: 200, signed: 24, rate: 0.12 })]);
});

test("another store's rooms and leads count nowhere", async () => {
  const stranger = await house.person({ permits: ["139.query"], villages: [await aVillage(house)] });
  expect((await house.did(overviewVacancy, { as: stranger }, { query: {} })).rooms).toBe(0);
  const asked = { query: { ...november, villageIds: String(villageId) } } as never;
  expect((await house.ask(overviewWaterfall, { as: stranger }, asked)).status).toBe(404);
});
