import { randomUUID } from "node:crypto";
import { signMany, type ManySigned } from "../domains/contract/signing/many.service.ts";
import { DEFAULT_TERMS } from "../domains/contract/terms/plans.rules.ts";
import { endAfter } from "../domains/contract/schedule/months.rules.ts";
import { addDays, dayInZone } from "../platform/kernel/day.ts";
import { openHouse } from "../platform/server/process/house.ts";
import { actOf } from "../platform/server/pipeline/pipeline.ts";
import type { Who } from "../platform/server/pipeline/act.ts";
import type { Place } from "./place.ts";
import { median, percentile } from "./rounds.ts";

export type SigningMeasure = {
  contracts: number;
  bills: number;
  billsPerSecond: number[];
  median: number;
  worst: number;
};

const BATCH = 100;

/** One-year monthly contracts on rooms far in the future, signed in bulk and committed by the hundred. */
export async function measureSigning(
  place: Place,
  contracts: number,
  rounds: number,
): Promise<SigningMeasure> {
  const { database } = place;
  const house = await openHouse({ ...place.settings, LOG_LEVEL: "silent" }, { database, work: false });
  const rooms = await database.pool.query<{ id: number; village_id: number; party: number }>(
    `select r.id, r.village_id, (select min(party_id) from party_village where village_id = r.village_id) party
     from room r where is_leaf and not exists (
       select from occupancy_row o where o.room_id = r.id and upper_inf(o.period)) order by id limit $1`,
    [contracts],
  );
  const today = dayInZone(new Date());
  // behind whatever an earlier run has signed
  const { rows: last } = await database.pool.query<{ day: string }>(
    "select greatest(max(upper(period)), current_date + 4000)::text as day from occupancy_row where not upper_inf(period)",
  );
  const who: Who = {
    operatorId: 1,
    sessionId: 0,
    name: "-",
    phone: "",
    enterpriseId: 1,
    superType: "0",
    villages: [],
    permits: new Set(),
    mustChangePassword: false,
    mustEnrol: false,
  };
  const rates: number[] = [];
  let bills = 0;
  for (let round = 0; round < rounds; round++) {
    const start = addDays(last[0]!.day, round * 400);
    const all = rooms.rows.map((r): ManySigned => ({
      ...DEFAULT_TERMS,
      cycleMonths: 1,
      villageId: r.village_id,
      partyId: r.party,
      start,
      end: endAfter(start, 12),
      rooms: [{ roomId: r.id, monthlyRent: 300_000 }],
      signedOn: today,
      remark: "",
    }));
    bills = 0;
    const before = performance.now();
    for (let i = 0; i < all.length; i += BATCH)
      await database.db.transaction().execute(async (tx) => {
        const act = actOf(house, tx, who, { requestId: randomUUID(), ip: "", userAgent: "bench" });
        bills += (await signMany(act, all.slice(i, i + BATCH))).bills;
      });
    rates.push(Math.round((bills * 1000) / (performance.now() - before)));
  }
  await house.app.close();
  return { contracts, bills, billsPerSecond: rates, median: median(rates), worst: Math.min(...rates) };
}

export type CallMeasure = { calls: number; p50: number; p95: number; worst: number };
export const spread = (times: readonly number[]): CallMeasure => ({
  calls: times.length,
  p50: Math.round(percentile(times, 50) * 10) / 10,
  p95: Math.round(percentile(times, 95) * 10) / 10,
  worst: Math.round(Math.max(...times) * 10) / 10,
});
