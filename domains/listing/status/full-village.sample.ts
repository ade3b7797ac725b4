import { sql } from "kysely";
import { addDays, type Day } from "../../../platform/kernel/day.ts";
import type { TestHouse } from "../../../platform/server/process/house.sample.ts";
import { createApartments } from "../apartment/apartment.service.ts";
import { roomsOf } from "../room/divide.rules.ts";
import { createBuildings, createFloors, createUnits } from "../building/building.service.ts";
import { acting, aVillage } from "../village/village.sample.ts";

/** How many rooms are in which state; the rest is vacant. Parts are counted inside their whole. */
export type Mix = {
  occupied: number;
  expiring: number;
  holdingOver: number;
  /** Notice given, of which some have left and wait for their settlement. */
  leaving: number;
  left: number;
  /** Signed, of which some began without a move-in. */
  toMoveIn: number;
  begun: number;
  reserved: number;
  /** Out of the vacant ones. */
  blocked: number;
  dirty: number;
};
export const MIX: Mix = {
  occupied: 4420,
  expiring: 180,
  holdingOver: 20,
  leaving: 30,
  left: 5,
  toMoveIn: 40,
  begun: 10,
  reserved: 60,
  blocked: 90,
  dirty: 60,
};

const SURNAMES = "陈林王赵何李吴高孙徐马朱胡郭罗梁宋郑谢韩唐冯曹邓彭叶程苏蒋沈";
const GIVEN = "嘉禾晓彤一鸣思源静怡沐阳子涵远博文若曦晨曦婉清俊杰晓东佳宁志远雨桐浩然文静雪";
const nameOf = (i: number) =>
  SURNAMES[i % SURNAMES.length]! +
  GIVEN[(i * 7) % GIVEN.length]! +
  (i % 3 ? GIVEN[(i * 11 + 3) % GIVEN.length]! : "");

type Contract = {
  room: number;
  start: Day;
  end: Day;
  signed: Day | null;
  handover: Day | null;
  left: Day | null;
  state: string;
  kind: "lease" | "reservation";
};

/** The contract that puts the n-th room into its state today, or nothing for a vacant one. */
function contractOf(room: number, n: number, mix: Mix, today: Day): Contract | undefined {
  const lease = (start: Day, end: Day, more: Partial<Contract> = {}): Contract => ({
    room,
    start,
    end,
    signed: addDays(start, -3),
    handover: start,
    left: null,
    state: "effective",
    kind: "lease",
    ...more,
  });
  const ago = (days: number) => addDays(today, -days);
  const steps: [keyof Mix, (i: number) => Contract][] = [
    ["occupied", (i) => lease(ago(20 + (i % 280)), addDays(today, 31 + (i % 300)))],
    ["expiring", (i) => lease(ago(350 - (i % 20)), addDays(today, i % 31))],
    ["holdingOver", (i) => lease(ago(380), ago(1 + (i % 15)), { state: "expired" })],
    [
      "leaving",
      (i) =>
        i < mix.left
          ? lease(ago(200), addDays(today, 100), { left: ago(2) })
          : lease(ago(200), addDays(today, 60 + i)),
    ],
    [
      "toMoveIn",
      (i) =>
        i < mix.begun
          ? lease(ago(2), addDays(today, 362), { handover: null })
          : lease(addDays(today, 3 + (i % 20)), addDays(today, 380), { handover: null, signed: ago(1) }),
    ],
    [
      "reserved",
      (i) =>
        lease(addDays(today, 2 + (i % 10)), addDays(today, 367), {
          kind: "reservation",
          signed: null,
          handover: null,
          state: "signing",
        }),
    ],
  ];
  let from = 0;
  for (const [key, make] of steps) {
    if (n < from + mix[key]) return make(n - from);
    from += mix[key];
  }
  return undefined;
}

/** A village of many rooms in known states, written in bulk. Rooms of one state lie scattered over the buildings. */
export async function aFullVillage(
  house: TestHouse,
  {
    rooms = 5000,
    mix = MIX,
    today,
    perFloor = 20,
    floors = 25,
  }: { rooms?: number; mix?: Mix; today: Day; perFloor?: number; floors?: number },
): Promise<{ villageId: number; roomIds: number[] }> {
  const villageId = await aVillage(house);
  const perBuilding = floors * perFloor;
  const roomIds = await acting(house, async (act) => {
    const ids: number[] = [];
    for (let b = 0; b * perBuilding < rooms; b++) {
      const [buildingId] = await createBuildings(act, [
        { villageId, name: `${b + 1}栋`, floorsAbove: floors, floorsBelow: 0 },
      ]);
      const unitIds = await createUnits(
        act,
        [1, 2].map((n) => ({ buildingId: buildingId!, name: `${n}单元` })),
      );
      const here = Math.min(floors, Math.ceil((rooms - b * perBuilding) / perFloor));
      for (const unitId of unitIds) {
        const numbers = Array.from({ length: here }, (_, i) => i + 1);
        const floorIds = await createFloors(
          act,
          numbers.map((number) => ({ buildingId: buildingId!, unitId, number })),
        );
        const flats = numbers.flatMap((number, f) =>
          Array.from({ length: perFloor / 2 }, (_, i) => {
            const flat = {
              name: `${number}${String(i + 1).padStart(2, "0")}`,
              rentMode: "whole" as const,
              wholeToo: false,
              grossArea: 38.5 + (i % 4) * 6,
            };
            const given = [{ name: flat.name, area: flat.grossArea, listPrice: 300_000 + (i % 5) * 20_000 }];
            return {
              villageId,
              buildingId: buildingId!,
              unitId,
              floorId: floorIds[f]!,
              bedrooms: 1 + (i % 2),
              halls: 1,
              baths: 1,
              orientation: "南",
              ...flat,
              rooms: roomsOf(flat, given, { firstDay: "2024-01-01", tags: i % 7 ? [] : ["朝南", "近地铁"] }),
            };
          }),
        );
        ids.push(...(await createApartments(act, flats)).flatMap((f) => f.roomIds));
      }
    }
    return ids.slice(0, rooms);
  });
  await fill(house, villageId, roomIds, mix, today);
  return { villageId, roomIds };
}

async function fill(
  house: TestHouse,
  villageId: number,
  roomIds: number[],
  mix: Mix,
  today: Day,
): Promise<void> {
  // 1709 shares no factor with 5000: every room gets one place in the row of states, neighbours get distant ones.
  const placed = roomIds.map((_, i) => roomIds[(i * 1709) % roomIds.length]!);
  const now = placed.flatMap((room, n) => contractOf(room, n, mix, today) ?? []);
  const before: Contract[] = roomIds.map((room) => ({
    room,
    start: "2024-02-01",
    end: "2025-01-31",
    signed: "2024-01-20",
    handover: "2024-02-01",
    left: "2025-01-31",
    state: "ended",
    kind: "lease",
  }));
  const all = [...before, ...now].map((c, i) => ({ ...c, name: nameOf(i), n: i, until: c.left ?? c.end }));
  const { db } = house.database;
  await sql`
    with given as materialized (select * from json_to_recordset(${JSON.stringify(all)}::json) as g(room bigint, start date, "end" date, signed date,
        handover date, "left" date, state text, kind text, name text, n int, until date)),
    parties as (insert into party (enterprise_id, kind, name, phone, pinyin)
      select ${house.enterpriseId}, 'renter', name, '137' || lpad((n + ${villageId} * 100000)::text, 8, '0'), 'x' from given order by n returning id, phone),
    whole as (select g.*, p.id party_id from given g join parties p on p.phone = '137' || lpad((g.n + ${villageId} * 100000)::text, 8, '0')),
    contracts as (insert into contract (contract_no, kind, state, enterprise_id, village_id, party_id, start_date, end_date, signed_on, handover_on,
        leave_date, preview_hash, monthly_rent, party_name, remark)
      select 'HT' || ${villageId}::text || '-' || lpad(n::text, 6, '0'), 'renter', state, ${house.enterpriseId}, ${villageId}, party_id, start, "end", signed,
        handover, "left", '-', 300000, name, room::text from whole returning id, contract_no, remark),
    done as (select w.*, c.id contract_id from whole w join contracts c on c.contract_no = 'HT' || ${villageId}::text || '-' || lpad(w.n::text, 6, '0')),
    rooms as (insert into contract_room (contract_id, room_id, join_date, monthly_rent) select contract_id, room, start, 300000 from done)
    insert into occupancy_row (room_id, let_room_id, village_id, kind, period, contract_id, taken_on)
    select room, room, ${villageId}, kind, daterange(start, until + 1), contract_id, coalesce(signed, ${today}::date) from done`.execute(
    db,
  );
  const leaving = placed.slice(mix.occupied + mix.expiring + mix.holdingOver).slice(0, mix.leaving);
  await sql`insert into room_leaving (room_id, let_room_id, village_id, contract_id, applied_on)
    select o.room_id, o.let_room_id, o.village_id, o.contract_id, ${addDays(today, -5)}::date from occupancy_row o join contract c on c.id = o.contract_id
    where o.room_id = any(${leaving}::bigint[]) and c.state = 'effective'`.execute(db);
  const vacant = placed.slice(now.length);
  const blocked = vacant.slice(0, mix.blocked);
  const reasons = ["maintenance", "fitOut", "offline", "selfUse", "sample"];
  for (const [i, reason] of reasons.entries()) {
    const mine = blocked.filter((_, n) => n % reasons.length === i);
    const { id } = await db
      .insertInto("roomBlock")
      .values({
        number: `FF${villageId}-${i}`,
        villageId,
        reason,
        fromDay: addDays(today, -15),
        note: "样例",
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await sql`insert into occupancy_row (room_id, let_room_id, village_id, kind, period, block_id, taken_on)
      select id, id, ${villageId}, 'block', daterange(${addDays(today, -15)}::date, null), ${id}, ${addDays(today, -15)}::date from unnest(${mine}::bigint[]) id`.execute(
      db,
    );
  }
  const dirty = vacant.slice(mix.blocked, mix.blocked + mix.dirty);
  await sql`insert into turnover (room_id, village_id, opened_day, source) select id, ${villageId}, ${addDays(today, -4)}::date, 'manual' from unnest(${dirty}::bigint[]) id`.execute(
    db,
  );
  // the sample is no more than a few of the tables: their owner counts all of them anew
  await house.database.owner.query("analyze");
}
