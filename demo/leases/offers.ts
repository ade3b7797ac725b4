import { sql } from "kysely";
import { activityBody, type ActivityBody } from "../../domains/contract/activity/activity.contract.ts";
import { activitySeen } from "../../domains/contract/activity/activity.queries.ts";
import {
  addActivity,
  disableActivity,
  enableActivity,
  endOver,
} from "../../domains/contract/activity/activity.service.ts";
import { namedDiscounts, takeUses } from "../../domains/contract/activity/use.service.ts";
import { endAfter } from "../../domains/contract/schedule/months.rules.ts";
import { signMany } from "../../domains/contract/signing/many.service.ts";
import { DEFAULT_TERMS } from "../../domains/contract/terms/plans.rules.ts";
import { addDays, addMonths, type Day } from "../../platform/kernel/day.ts";
import type { Fen } from "../../platform/kernel/fen.ts";
import type { Cipher } from "../../platform/server/secrets/cipher.ts";
import type { Database } from "../../platform/server/database/database.ts";
import { recordById } from "../../domains/contract/contract/record.queries.ts";
import { weighStored } from "../../domains/contract/preview/preview.service.ts";
import { discountOf } from "../../domains/contract/activity/activity.rules.ts";
import type { Terms } from "../../domains/contract/terms/terms.contract.ts";
import { acting } from "../acting.ts";
import type { Company } from "../company.ts";
import type { LeasePlan } from "./lease-plan.ts";

type Place = Pick<Database, "pool" | "db"> & { cipher: Cipher };
type Seed = { offer: Partial<ActivityBody>; state: "draft" | "enabled" | "disabled" | "ended" };

const seeds = (today: Day): Seed[] => [
  {
    state: "enabled",
    offer: {
      name: "年租首月免租",
      kind: "firstMonths",
      months: 1,
      minTermMonths: 12,
      quota: 50,
      perPartyLimit: 1,
      priority: 10,
    },
  },
  {
    state: "enabled",
    offer: {
      name: "新租半年 95 折",
      kind: "percent",
      percent: 5,
      monthTo: 6,
      budget: 2_000_000,
      priority: 20,
    },
  },
  {
    state: "enabled",
    offer: {
      name: "季付立减 200",
      kind: "amount",
      amount: 20_000,
      cycles: ["3"],
      stackGroup: "付款",
      priority: 30,
    },
  },
  {
    state: "enabled",
    offer: {
      name: "年付九折",
      kind: "percent",
      percent: 10,
      cycles: ["12", "0"],
      stackGroup: "付款",
      quota: 20,
      priority: 30,
    },
  },
  {
    state: "disabled",
    offer: {
      name: "企业整租优惠",
      kind: "amount",
      amount: 10_000,
      everyMonth: true,
      contractKinds: ["company"],
      quota: 100,
    },
  },
  { state: "draft", offer: { name: "续租立减", kind: "amount", amount: 30_000, sources: ["renewal"] } },
  {
    state: "ended",
    offer: {
      name: "毕业季免半月租",
      kind: "percent",
      percent: 50,
      monthTo: 1,
      signFrom: addMonths(today, -5),
      signTo: addMonths(today, -2),
    },
  },
];

/** The offer that leases of the last weeks were signed by: its place among those above. */
const USUAL = 1;
const GIVEN = { days: 25, every: 2, most: 6 };
/** Stands for the offer's id until it is made. */
const LATER = 1;

/** What a lease of the last weeks is signed by: now and then an offer, which `makeOffers` counts. */
export function offerOf(co: Company, { room, signedOn, fate, next }: LeasePlan): Pick<Terms, "discounts"> {
  const isRecent = signedOn >= addDays(co.today, -GIVEN.days) && signedOn <= co.today;
  const isSigned = fate === "running" || fate === "coming";
  if (!isRecent || !isSigned || next || !["whole", "room"].includes(room.kind)) return {};
  if (co.offers.recent++ % GIVEN.every || co.offers.given >= GIVEN.most) return {};
  co.offers.given += 1;
  const { offer } = seeds(co.today)[USUAL]!;
  const { name = "", kind = "percent", percent, monthTo, priority = 1 } = offer;
  const content = {
    kind,
    percent,
    monthTo,
    monthFrom: 1,
    everyMonth: false,
    appliesTo: "rent",
    feeIds: [],
  } as const;
  const discount = { ...discountOf(content, priority), feeIds: [] };
  return { discounts: [{ ...discount, activityId: LATER, activityVersion: 1, name, reason: "" }] };
}

export type Free = { roomId: number; villageId: number; partyId: number; rent: Fen };

/** Rooms that have been free since a day, in stores where enough others stay free, each with somebody who rents nothing now. */
export async function lettable(
  { db }: Place,
  since: Day,
  today: Day,
  count: number,
  kept: number,
): Promise<Free[]> {
  const { rows } = await sql<Free>`
    with free as (
      select r.id, r.village_id, row_number() over (partition by r.village_id order by r.id desc) n,
        count(*) over (partition by r.village_id) whole,
        coalesce((select q.list_price from room_price q where q.room_id = r.id and q.effective_day <= ${today}::date
          order by q.effective_day desc limit 1), 300000)::int rent
      from room r join room_status_at(${today}::date, ${today}::date,
        (select array_agg(id) from village)) s on s.room_id = r.id
      where s.occupancy = 'vacant' and s.condition = 'rentable' and s.next_kind is null and r.kind in ('whole', 'room')
        and not exists (select 1 from occupancy_row o where o.room_id = r.id and upper(o.period) > ${since}::date)),
    people as (
      select p.id, v.village_id, row_number() over (partition by v.village_id order by p.id) n
      from party p join renter t on t.id = p.id join party_village v on v.party_id = p.id
      where t.merged_into_id is null and not exists (
        select from contract c where c.party_id = p.id and (in_force(c.state) or c.state in ('draft', 'signing'))))
    select f.id "roomId", f.village_id "villageId", p.id "partyId", f.rent
    from free f join people p on p.village_id = f.village_id and p.n = f.n
    where f.whole >= ${kept} + f.n order by f.n, f.village_id limit ${count}`.execute(db);
  return rows;
}

/** So many contracts use offers; a store keeps so many free rooms for everybody else. */
const CONTRACTS = 4;
const KEPT = 8;

/** Offers in several states, and contracts of the last days that used them. */
export async function makeOffers(place: Place, adminId: number, clerkId: number, today: Day): Promise<void> {
  const at = (day: Day, time: string) => new Date(`${day}T${time}:00+08:00`);
  const { rows: stores } = await sql<{ id: number; enterpriseId: number }>`
    select id, enterprise_id "enterpriseId" from village order by id`.execute(place.db);
  const usual = {
    appliesTo: "rent",
    contractKinds: ["renter"],
    sources: ["new"],
    villageIds: stores.map((v) => v.id),
    signFrom: addMonths(today, -1),
    signTo: addMonths(today, 3),
  } as const;
  const made: number[] = [];
  for (const { offer, state } of seeds(today)) {
    const body = activityBody.parse({ ...usual, ...offer });
    const began = addDays(body.signFrom, -2);
    const id = await acting(place, adminId, at(began, "09:30"), async (act) => {
      const { id } = await addActivity(act, body);
      if (state !== "draft") await enableActivity(act, id, 1);
      return id;
    });
    made.push(id);
    if (state === "disabled")
      await acting(place, adminId, at(addDays(today, -6), "17:10"), async (act) => {
        const { version } = await activitySeen(act, id);
        await disableActivity(act, id, version);
      });
  }
  await acting(place, adminId, at(addDays(today, -1), "00:05"), endOver);
  const { rows: given } = await sql<{ id: number; signedOn: Day }>`
    select id, signed_on "signedOn" from contract
    where jsonb_path_exists(terms, '$.discounts[*].activityId') and signed_on is not null order by id`.execute(
    place.db,
  );
  for (const { id, signedOn } of given) {
    await sql`update contract set terms = jsonb_set(terms, '{discounts,0,activityId}', to_jsonb(${made[USUAL]!}::bigint))
      where id = ${id}`.execute(place.db);
    await acting(place, clerkId, at(signedOn, "15:20"), async (act) => {
      const contract = (await recordById(act, id))!;
      const { plan } = weighStored(act, contract);
      await takeUses(act, { ...contract, partyId: contract.partyId! }, plan, signedOn);
    });
  }
  const rooms = await lettable(place, addDays(today, -12), today, CONTRACTS, KEPT);
  for (const [i, { roomId, villageId, partyId, rent }] of rooms.entries()) {
    const signedOn = addDays(today, -2 - 2 * i);
    const start = addDays(signedOn, 1);
    const cycleMonths = i % 2 ? 1 : 3;
    const chosen = i % 2 ? [made[1]!] : [made[0]!, made[2]!];
    const discounts = chosen.map((activityId) => ({
      activityId,
      name: "",
      kind: "amount" as const,
      value: "0",
      order: 0,
      reason: "",
    }));
    await acting(place, clerkId, at(signedOn, "15:20"), async (act) => {
      const terms = await namedDiscounts(act, stores[0]!.enterpriseId, {
        ...DEFAULT_TERMS,
        cycleMonths,
        discounts,
      });
      await signMany(act, [
        {
          ...terms,
          villageId,
          partyId,
          start,
          end: endAfter(start, 12),
          rooms: [{ roomId, monthlyRent: rent }],
          signedOn,
          managerId: clerkId,
          signerId: clerkId,
          remark: "",
        },
      ]);
    });
  }
}
