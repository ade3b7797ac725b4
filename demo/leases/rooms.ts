import { addDays, addMonths, maxDay, type Day } from "../../platform/kernel/day.ts";
import { endAfter } from "../../domains/contract/schedule/months.rules.ts";
import type { Company } from "../company.ts";
import { makeLease } from "./lease.ts";
import type { Lease, LeasePlan, Then } from "./lease-plan.ts";
import { roundTo, type DemoRoom } from "../stores/stores.ts";
import { giveUpRenewal } from "./succession.ts";

const TERMS = [
  [12, 62],
  [6, 20],
  [24, 14],
  [3, 4],
] as const;
/** Who renews, renews for a year. */
const RENEWED_TERMS = [
  [12, 70],
  [6, 25],
  [24, 5],
] as const;
const RISES = [0, 0, 0.02, 0.03, 0.05] as const;

/** How long a room is empty between two tenants, and how long somebody who moves within the store finds it so. */
const EMPTY_DAYS = [5, 90] as const;
const MOST_EMPTY = 80;
/** A change of the lease is signed so many days before its day. */
const CHANGED_AHEAD = [9, 14] as const;
/** Who looks after a lease begins to speak of its end. */
const WINDOW = 60;

/** How a room stands that was left lately: some are shown to nobody for weeks, most wait for the next tenant. */
const LATELY_DAYS = 150;

/** Of the leases that end, so many are renewed; of those that run for a while, some go on elsewhere or with somebody else. */
const RENEWED = 0.6;
const CHANGED = { room: 0.035, tenant: 0.01 };
/** A renewal is signed so many days before the end at most. */
const RENEWED_AHEAD = 45;

/** A tenant who would move into another room of the store from a day on, if one is free then. */
type Mover = { from: Day; room: DemoRoom; goes: (next: Then) => Promise<Lease>; stays: () => Promise<void> };

/** What happened in a store, room by room, from its first day until today. */
export async function liveInStore(co: Company, rooms: readonly DemoRoom[], firstDay: Day): Promise<void> {
  const movers: Mover[] = [];
  for (const room of rooms) {
    const free = addDays(firstDay, co.chance.int(0, 60));
    await liveThrough(co, room, { firstDay, free, movers });
  }
  // no room was free for them
  for (let mover = movers.shift(); mover; mover = movers.shift()) await mover.stays();
}

type Life = { firstDay: Day; free: Day; movers: Mover[] };

/** What happened to one room since it was free, lease after lease, and how it stands now. */
async function liveThrough(co: Company, room: DemoRoom, life: Life): Promise<void> {
  const { chance, today } = co;
  const { free, firstDay, movers } = life;
  const i = movers.findIndex(
    (m) => free < m.from && m.from <= addDays(free, MOST_EMPTY) && m.room.kind === room.kind,
  );
  if (i >= 0) return moveIn(co, room, life, movers.splice(i, 1)[0]!);
  const start = addDays(free, chance.int(...EMPTY_DAYS));
  const plan = nextLease(co, room, start, firstDay);
  if (start > today) return comeNext(co, plan, addDays(free, 1));
  return goOn(co, plan, life);
}

async function moveIn(co: Company, room: DemoRoom, life: Life, mover: Mover): Promise<void> {
  const next: Then = {
    id: co.ids("contract"),
    kind: "changeRoom",
    signedOn: addDays(mover.from, -co.chance.int(...CHANGED_AHEAD)),
    start: mover.from,
    last: addDays(mover.from, -1),
  };
  const lease = await mover.goes(next);
  const { rent } = nextLease(co, room, mover.from, life.firstDay);
  // what is held of the deposit goes over as a whole
  const plan = {
    ...followUp(lease, next),
    room,
    end: lease.end,
    rent: Math.max(rent, lease.rooms[0]!.monthlyRent),
  };
  return goOn(co, plan, life);
}

type Begun = Omit<LeasePlan, "fate">;
const followUp = (lease: Lease, { id, kind, signedOn, start }: Then) => ({
  ...{ room: lease.room, start, signedOn, cycleMonths: lease.terms.cycleMonths },
  after: { lease, kind, id },
});

/** A lease that began by today, and whatever comes after it in its room. */
async function goOn(co: Company, plan: Begun, life: Life): Promise<void> {
  const { chance, today } = co;
  const { room, end } = plan;
  // shops go to merchants, and change hands by themselves
  const home = room.kind !== "shop" && room.kind !== "parking";
  const renews = chance.yes(RENEWED) && room.kind !== "shop";
  const renewedOn = addDays(end, -chance.int(3, RENEWED_AHEAD));
  const from = chance.yes(CHANGED.room + CHANGED.tenant) && home ? changeDay(co, plan) : undefined;
  const run = async (next?: Then) => {
    const fate = end < today || (next && next.start <= today) ? "past" : "running";
    return makeLease(co, { ...plan, fate, ...(next && { next }) });
  };
  const stay = async (): Promise<void> => {
    if (renews && renewedOn <= today)
      return renew(co, await run(following(co, "renewal", addDays(end, 1), renewedOn)), life);
    if (end < today) return leave(co, plan, life);
    const lease = await run();
    if (end > addDays(today, WINDOW)) return;
    await hear(co, lease, renews);
    if (renews || !chance.yes(0.35)) return;
    const start = addDays(end, chance.int(2, 6));
    const signedOn = addDays(today, -chance.int(0, 5));
    await makeLease(co, { ...nextLease(co, room, start, life.firstDay), signedOn, fate: "coming" });
  };
  if (!from) return stay();
  if (chance.yes(CHANGED.tenant / (CHANGED.room + CHANGED.tenant))) {
    const next = following(co, "changeTenant", from, addDays(from, -chance.int(...CHANGED_AHEAD)));
    const lease = await run(next);
    return goOn(co, { ...followUp(lease, next), end, rent: lease.rooms[0]!.monthlyRent }, life);
  }
  life.movers.push({
    from,
    room,
    goes: async (next) => {
      const lease = await run(next);
      await liveThrough(co, room, { ...life, free: next.last });
      return lease;
    },
    stays: stay,
  });
}

const following = (co: Company, kind: Then["kind"], start: Day, signedOn: Day): Then => ({
  ...{ id: co.ids("contract"), kind, start, signedOn, last: addDays(start, -1) },
});

/** The first day of a later billing period that lies behind today: nothing of it was due when the change was signed. */
function changeDay(co: Company, { start, end, cycleMonths }: Begun): Day | undefined {
  const days: Day[] = [];
  for (let n = cycleMonths || 99; ; n += cycleMonths) {
    const day = addMonths(start, n);
    if (day >= end || day > addDays(co.today, -LATELY_DAYS)) break;
    if (n > 1) days.push(day);
  }
  return days.length ? co.chance.pick(days) : undefined;
}

async function renew(co: Company, lease: Lease, life: Life): Promise<void> {
  const { chance, today } = co;
  const next = lease.next!;
  const rent = lease.rooms[0]!.monthlyRent;
  const plan = {
    ...followUp(lease, next),
    end: endAfter(next.start, chance.weighted(RENEWED_TERMS)),
    rent: roundTo(rent * (1 + chance.pick(RISES)), 1000),
  };
  if (next.start <= today) return goOn(co, plan, life);
  await makeLease(co, { ...plan, fate: "coming" });
}

/** Nobody renewed: the tenant leaves, or stays on without a word. */
async function leave(co: Company, plan: Begun, life: Life): Promise<void> {
  const { chance, today } = co;
  const { room, end } = plan;
  const overstayed = end >= addDays(today, -21) && chance.yes(0.5);
  const lease = await makeLease(co, { ...plan, fate: overstayed ? "overstayed" : "past" });
  if (overstayed) return;
  if (chance.yes(0.04)) await giveUpRenewal(co, lease, addDays(end, -chance.int(2, 14)));
  if (end >= addDays(today, -LATELY_DAYS) && chance.yes(0.8)) return standEmpty(co, room, addDays(end, 1));
  return liveThrough(co, room, { ...life, free: end });
}

const HEARD = {
  willing: ["有意续租，等新的租金方案", "住得习惯，准备再租一年", "愿意续租，希望租金不变"],
  open: ["工作地点未定，下周再联系", "在比较周边房源，尚未决定"],
  leaving: ["买了房子，到期搬走", "换到外地工作，到期退房"],
} as const;

/** What was heard of a tenant whose lease ends soon. */
async function hear(
  { chance, sink, today, by, clerkOf }: Company,
  lease: Lease,
  renews: boolean,
): Promise<void> {
  if (!chance.yes(0.5)) return;
  const intent = chance.yes(0.35) ? "open" : renews ? "willing" : "leaving";
  const clerk = clerkOf(lease.room.villageId);
  await sink.add("renewal_follow", {
    ...{ contractId: lease.id, intent, note: chance.pick(HEARD[intent]) },
    nextOn: intent === "open" ? addDays(today, chance.int(1, 9)) : null,
    ...{ followedAt: by(addDays(today, -chance.int(1, 12)), 15), followedBy: clerk },
  });
}

function nextLease(co: Company, room: DemoRoom, start: Day, firstDay: Day): Begun {
  const { chance } = co;
  const signedOn = addDays(start, -chance.int(1, 12));
  return {
    room,
    start,
    end: endAfter(start, chance.weighted(TERMS)),
    cycleMonths: chance.weighted(co.options.cycles),
    rent: Math.max(room.lowestPrice, roundTo(room.listPrice * (0.94 + chance.next() * 0.08), 1000)),
    signedOn: signedOn < firstDay ? firstDay : signedOn,
  };
}

/** The next lease would start after today: signed already, waiting for a signature, or not found yet. */
async function comeNext(co: Company, plan: Begun, freeFrom: Day): Promise<void> {
  const { chance, today } = co;
  const signedOn = addDays(today, -chance.int(0, 4));
  const fate = chance.yes(0.45) ? "coming" : chance.yes(0.5) ? "signing" : undefined;
  if (!fate) return standEmpty(co, plan.room, maxDay(freeFrom, addDays(today, -chance.int(1, 20))));
  // who left in the last days left dust behind, though somebody waits for the room
  if (freeFrom > addDays(today, -5) && chance.yes(0.7)) await soil(co, plan.room, freeFrom);
  await makeLease(co, { ...plan, signedOn, fate });
}

async function standEmpty(co: Company, room: DemoRoom, since: Day): Promise<void> {
  const { chance, today } = co;
  if (chance.yes(0.16)) return block(co, room, since);
  if (since > addDays(today, -8) || chance.yes(0.18)) await soil(co, room, since);
  const idea = {
    ...nextLease(co, room, addDays(today, chance.int(3, 15)), since),
    signedOn: addDays(today, -chance.int(0, 3)),
  };
  const fate = chance.weighted([
    ["none", 65],
    ["signing", 20],
    ["coming", 16],
    ["draft", 8],
    ["voided", 6],
  ] as const);
  if (fate !== "none") await makeLease(co, { ...idea, fate });
}

const soil = ({ sink, ids, clerkOf }: Company, room: DemoRoom, since: Day) =>
  sink.add("turnover", {
    id: ids("turnover"),
    roomId: room.id,
    villageId: room.villageId,
    openedDay: since,
    source: "manual",
    createdBy: clerkOf(room.villageId),
  });

const REASONS = [
  ["maintenance", 5, "卫生间渗水维修"],
  ["fitOut", 3, "翻新装修"],
  ["offline", 1, "消防整改停用"],
  ["sample", 1, "样板间"],
] as const;

async function block(co: Company, room: DemoRoom, since: Day): Promise<void> {
  const { chance, today } = co;
  const [reason, , note] = chance.weighted(REASONS.map((r) => [r, r[1]] as const));
  const id = co.ids("room_block");
  const toDay = reason === "sample" ? null : addDays(today, chance.int(5, 40));
  await co.sink.add("room_block", {
    id,
    number: co.numbers.next("FF", since),
    villageId: room.villageId,
    reason,
    fromDay: since,
    toDay,
    note,
    createdBy: co.clerkOf(room.villageId),
  });
  await co.sink.add("occupancy_row", {
    id: co.ids("occupancy_row"),
    roomId: room.id,
    letRoomId: room.id,
    villageId: room.villageId,
    kind: "block",
    period: `[${since},${toDay ? addDays(toDay, 1) : ""})`,
    contractId: null,
    blockId: id,
    takenOn: since,
  });
}
