import { expect, test } from "vitest";
import { addDays, firstOf, lastOf, type Day } from "../../platform/kernel/day.ts";
import { nobody } from "../../platform/server/pipeline/act.ts";
import { testHouse } from "../../platform/server/process/house.sample.ts";
import { actOf } from "../../platform/server/pipeline/pipeline.ts";
import { addBlock } from "../../domains/listing/block/block.contract.ts";
import { rollUp } from "../../domains/listing/status/overview.queries.ts";
import { overviewCards } from "../../domains/report/overview/overview.contract.ts";
import { demoCompany } from "../demo.sample.ts";

const today = "2026-11-20";
const MONTHS = ["2026-04", "2026-08", "2026-10"];
const house = await testHouse({ template: await demoCompany(120, today) });
house.setClock(`${today}T10:00:00+08:00`);
const { pool, db } = house.database;

type Room = { id: number; from: Day; retired: Day | null };
/** A stay that was signed: the days it was let for, and how it really ended. */
type Stay = {
  room: number;
  signed: Day;
  start: Day;
  end: Day;
  handed: Day | null;
  left: Day | null;
  next: Day | null;
};
type Block = { room: number; from: Day; to: Day | null };

const rooms = async () =>
  (
    await pool.query<Room>(
      `select id, first_day::text "from", retired_day::text retired from room where is_leaf`,
    )
  ).rows;
const stays = async () =>
  (
    await pool.query<Stay>(
      `select r.room_id room, c.signed_on::text signed, c.start_date::text start, c.end_date::text "end",
         c.handover_on::text handed, coalesce(r.leave_date, c.leave_date)::text "left",
         (select n.start_date::text from contract n where n.id = c.next_id and n.state <> 'voided' and n.signed_on is not null) "next"
       from contract c join contract_room r on r.contract_id = c.id
       where c.signed_on is not null and c.state <> 'voided'`,
    )
  ).rows;
const blocks = async () =>
  (
    await pool.query<Block>(
      `select o.room_id room, lower(o.period)::text "from", (upper(o.period) - 1)::text "to"
       from occupancy_row o where o.kind = 'block'`,
    )
  ).rows;

const isLet = (s: Stay, d: Day) =>
  s.signed <= d &&
  // let for the day and not given back, or lived in past the end
  ((s.start <= d && d <= (s.left ?? s.end) && d <= s.end) ||
    (s.handed !== null &&
      s.handed <= d &&
      s.end < d &&
      (!s.left || s.left >= d) &&
      !(s.next && s.next <= d)));

test("the vacancy rate of a month is what somebody finds who goes through it day by day and room by room", async () => {
  // a room that stood empty in October is out of use for ten days of it
  house.setClock("2026-10-05T10:00:00+08:00");
  const villages = (await pool.query<{ id: number }>("select id from village")).rows.map((v) => v.id);
  const as = await house.person({ permits: ["139.query", "3.edit"], villages });
  const all = await rooms();
  const { rows: empty } = await pool.query<{ id: number }>(
    `select id from room r where is_leaf and not exists (select 1 from occupancy_row o
       where o.room_id = r.id and o.period && daterange('2026-10-01', null)) order by village_id limit 1`,
  );
  await house.did(
    addBlock,
    { as },
    {
      body: { roomIds: empty.map((r) => r.id), reason: "fitOut", fromDay: "2026-10-08", toDay: "2026-10-17" },
    },
  );
  house.setClock(`${today}T10:00:00+08:00`);
  const request = { requestId: "test", ip: "", userAgent: "" };
  const act = actOf(house, db, nobody, request);
  const [lived, closed] = [await stays(), await blocks()];
  expect(empty.length).toBeGreaterThan(0);
  for (const month of MONTHS) {
    let base = 0;
    let taken = 0;
    for (let d = firstOf(month); d <= lastOf(month); d = addDays(d, 1)) {
      await rollUp(act, d, villages);
      for (const room of all) {
        if (room.from > d || (room.retired && room.retired <= d)) continue;
        if (lived.some((s) => s.room === room.id && isLet(s, d))) taken++;
        if (!closed.some((b) => b.room === room.id && b.from <= d && (!b.to || d <= b.to))) base++;
      }
    }
    const { figures } = await house.did(
      overviewCards,
      { as },
      { query: { from: firstOf(month), to: lastOf(month) } },
    );
    const rate = figures.find((f) => f.code === "occupancyRate")!.value!;
    expect([month, rate.toFixed(6)]).toEqual([month, (taken / base).toFixed(6)]);
    expect(base).toBeGreaterThan(3000);
  }
}, 120_000);
