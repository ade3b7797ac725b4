import { addDays, maxDay, type Day } from "../platform/kernel/day.ts";
import { endAfter } from "../domains/contract/schedule/months.rules.ts";
import type { Company } from "./company.ts";
import { makeLease, type LeasePlan } from "./lease.ts";
import { roundTo, type DemoRoom } from "./stores.ts";

const TERMS = [
  [12, 62],
  [6, 20],
  [24, 14],
  [3, 4],
] as const;

/** How a room stands that was left lately: some are shown to nobody for weeks, most wait for the next tenant. */
const LATELY_DAYS = 120;

/** What happened to one room from its first day until today, lease after lease, and how it stands now. */
export async function liveThrough(co: Company, room: DemoRoom, firstDay: Day): Promise<void> {
  const { chance, today } = co;
  let free = addDays(firstDay, chance.int(0, 60));
  for (;;) {
    const start = addDays(free, chance.int(2, 34));
    const plan = nextLease(co, room, start, firstDay);
    if (start > today) return comeNext(co, plan, addDays(free, 1));
    const end = endAfter(start, plan.months);
    if (end < today) {
      const overstayed = end >= addDays(today, -21) && chance.yes(0.5);
      await makeLease(co, { ...plan, fate: overstayed ? "overstayed" : "past" });
      if (overstayed) return;
      free = end;
      if (end >= addDays(today, -LATELY_DAYS) && chance.yes(0.55))
        return standEmpty(co, room, addDays(end, 1));
      continue;
    }
    await makeLease(co, { ...plan, fate: "running" });
    if (end <= addDays(today, 40) && chance.yes(0.2)) {
      const next = addDays(end, chance.int(2, 6));
      await makeLease(co, {
        ...nextLease(co, room, next, firstDay),
        signedOn: addDays(today, -chance.int(0, 5)),
        fate: "coming",
      });
    }
    return;
  }
}

function nextLease(co: Company, room: DemoRoom, start: Day, firstDay: Day): Omit<LeasePlan, "fate"> {
  const { chance } = co;
  const signedOn = addDays(start, -chance.int(1, 12));
  return {
    room,
    start,
    months: chance.weighted(TERMS),
    cycleMonths: chance.weighted(co.options.cycles),
    rent: Math.max(room.lowestPrice, roundTo(room.listPrice * (0.94 + chance.next() * 0.08), 1000)),
    signedOn: signedOn < firstDay ? firstDay : signedOn,
  };
}

/** The next lease would start after today: signed already, waiting for a signature, or not found yet. */
async function comeNext(co: Company, plan: Omit<LeasePlan, "fate">, freeFrom: Day): Promise<void> {
  const { chance, today } = co;
  const signedOn = addDays(today, -chance.int(0, 4));
  const fate = chance.yes(0.45) ? "coming" : chance.yes(0.3) ? "signing" : undefined;
  if (!fate) return standEmpty(co, plan.room, maxDay(freeFrom, addDays(today, -chance.int(1, 20))));
  // who left in the last days left dust behind, though somebody waits for the room
  if (freeFrom > addDays(today, -5) && chance.yes(0.7)) await soil(co, plan.room, freeFrom);
  return makeLease(co, { ...plan, signedOn, fate });
}

async function standEmpty(co: Company, room: DemoRoom, since: Day): Promise<void> {
  const { chance, today } = co;
  if (chance.yes(0.2)) return block(co, room, since);
  if (since > addDays(today, -8) || chance.yes(0.18)) await soil(co, room, since);
  const idea = {
    ...nextLease(co, room, addDays(today, chance.int(3, 15)), since),
    signedOn: addDays(today, -chance.int(0, 3)),
  };
  const fate = chance.weighted([
    ["none", 50],
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
