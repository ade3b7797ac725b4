import type { TestHouse } from "../../../platform/server/process/house.sample.ts";
import { runAccrual } from "../../finance/accrual/accrual.service.ts";
import { type March, march2026 } from "../../finance/check/march.sample.ts";
import { credit, debit } from "../../finance/journal/journal.rules.ts";
import { post } from "../../finance/journal/journal.service.ts";
import { aBuilding, aFlat, acting } from "../../listing/village/village.sample.ts";
import { aLease } from "../../listing/occupancy/occupancy.sample.ts";
import { take } from "../../listing/occupancy/occupancy.service.ts";
import { rollUp } from "../../listing/status/status.service.ts";
import { addDays } from "../../../platform/kernel/day.ts";
import { seedIndicators } from "./budget-indicator.service.ts";

/**
 * The example month to its end: the parking partner's share, the income recognised, and the rooms of A as they were let.
 * Rents of shops count as rent. Today is 2 April.
 */
export async function budgetMarch(house: TestHouse): Promise<March> {
  const m = await march2026(house);
  const { db, pool } = house.database;
  await seedIndicators({ tx: db }, house.enterpriseId);
  await pool.query(
    `update budget_indicator i set source = jsonb_set(i.source, '{parts,0,subjectIds}', i.source #> '{parts,0,subjectIds}' || to_jsonb(s.id))
     from fee_subject s where s.enterprise_id = $1 and s.code = 'shopRent' and i.enterprise_id = $1
       and i.code in ('rentIncome', 'otherIncome')`,
    [house.enterpriseId],
  );
  house.setClock("2026-04-02T10:00:00+08:00");
  await acting(house, async (act) => {
    await post(act, [
      {
        event: "E27",
        sourceType: "thirdPartyIncome",
        sourceId: 1,
        businessDate: "2026-03-31",
        legs: [
          debit("1131", m.a.villageId, 300_000),
          credit("6053", m.a.villageId, 275_229),
          credit("2222", m.a.villageId, 24_771),
        ],
      },
    ]);
    await runAccrual(act, { villageIds: [m.a.villageId, m.b.villageId], month: "2026-03" });
  });
  await lettable(house, m.a.villageId, m.a.roomId);
  await acting(house, async (act) => {
    for (let day = "2026-03-01"; day <= "2026-03-31"; day = addDays(day, 1))
      await rollUp(act, day, [m.a.villageId]);
  });
  return m;
}

/** 101 let from the 10th, 102 and 103 before, 104 from the 12th, 105 empty, 106 out of use. */
async function lettable(house: TestHouse, villageId: number, first: number): Promise<void> {
  const building = await aBuilding(house, villageId, "5栋");
  const { roomIds } = await aFlat(house, building, { rooms: ["102", "103", "104", "105", "106"] });
  const rooms = roomIds.slice(-5);
  const starts = ["2026-03-10", "2026-02-20", "2026-02-25", "2026-03-12"];
  for (const [i, roomId] of [first, ...rooms].slice(0, 4).entries())
    await aLease(house, { villageId, roomId, start: starts[i]! });
  const { rows } = await house.database.pool.query<{ id: number }>(
    `insert into room_block (number, village_id, reason, from_day, note) values ($1, $2, 'offline', '2026-01-01', '改造') returning id`,
    [`FF-${villageId}`, villageId],
  );
  await acting(house, (act) =>
    take(act, [{ roomId: rooms[4]!, from: "2026-01-01", to: null, blockId: rows[0]!.id, kind: "block" }]),
  );
}
