import { addDays, type Day } from "../../../platform/kernel/day.ts";
import { allows } from "../../../platform/kernel/call.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { vacancyRate, type Counted } from "../../listing/status/status.rules.ts";
import { ruling } from "../indicator/indicator.queries.ts";
import { ofThem } from "../indicator/indicator.rules.ts";
import { registeredOn } from "../../customer/lead/waiting.service.ts";
import { arrearsOn, contractsOn, keptDays, roomsOn, takings } from "./day.queries.ts";
import { contractKinds, FIGURE_KEYS, figureOf, LEGEND, type FigureKey } from "./workbench.rules.ts";

type Value = { value: number | null; before: number | null; of: number | null };

/** 出租率 = 1 − 空置率, by the board's own formula. */
const rateOf = (counted: Counted): number | null => {
  const vacancy = vacancyRate(counted);
  return vacancy === null ? null : 1 - vacancy;
};

/** The figures of the caller, in the order of the caller's roles: each needs its permit, too. */
async function shownOf(read: Read): Promise<FigureKey[]> {
  const { shown } = await ruling(read);
  return ofThem(shown, FIGURE_KEYS).filter((key) => allows(read.who.permits, figureOf(key).need));
}

/** Figures of a day, each beside the day before. What the operator may not see is neither read nor answered. */
export async function figuresOf(read: Read, villages: readonly number[], day: Day) {
  const keys = await shownOf(read);
  const may = (...some: FigureKey[]) => some.some((key) => keys.includes(key));
  const kinds = may("newContracts", "movedIn") ? contractKinds((need) => allows(read.who.permits, need)) : [];
  const yesterday = addDays(day, -1);
  const [taken, contracts, arrears, rooms, kept, leads] = await Promise.all([
    may("collected") ? takings(read, villages, yesterday, day) : undefined,
    kinds.length ? contractsOn(read, villages, kinds, day) : undefined,
    may("arrears") ? arrearsOn(read, villages, day) : undefined,
    may("occupancyRate", "vacant") ? roomsOn(read, villages, day) : undefined,
    may("occupancyRate", "vacant") ? keptDays(read, villages, yesterday, yesterday) : undefined,
    may("newLeads") ? registeredOn(read, villages, [yesterday, day]) : undefined,
  ]);
  const before = kept?.get(yesterday);
  const values: Record<FigureKey, Value | undefined> = {
    collected: taken && { value: taken.get(day) ?? 0, before: taken.get(yesterday) ?? 0, of: null },
    newContracts: contracts && { ...contracts.signed, of: null },
    movedIn: contracts && {
      value: contracts.movedIn.value,
      before: contracts.movedIn.before,
      of: contracts.movedIn.due,
    },
    occupancyRate: rooms && { value: rateOf(rooms), before: before ? rateOf(before) : null, of: null },
    vacant: rooms && {
      value: rooms.base - rooms.let,
      before: before ? before.base - before.let : null,
      of: rooms.base,
    },
    arrears: arrears && { ...arrears, of: null },
    newLeads: leads && { value: leads.get(day) ?? 0, before: leads.get(yesterday) ?? 0, of: null },
  };
  return keys.flatMap((key) => (values[key] ? [{ key, ...values[key] }] : []));
}

/** Thirty days up to a day, and how the rooms stand on it. */
export async function trendOf(read: Read, villages: readonly number[], day: Day) {
  const keys = await shownOf(read);
  const may = (key: FigureKey) => keys.includes(key);
  // the ring of rooms is the board's own, whatever the roles see of its rate
  const board = allows(read.who.permits, figureOf("vacant").need);
  const first = addDays(day, -29);
  const [taken, rooms, kept] = await Promise.all([
    may("collected") ? takings(read, villages, first, day) : undefined,
    board ? roomsOn(read, villages, day) : undefined,
    may("occupancyRate") ? keptDays(read, villages, first, addDays(day, -1)) : undefined,
  ]);
  return {
    days: Array.from({ length: 30 }, (_, i) => {
      const at = addDays(first, i);
      const standing = !may("occupancyRate") ? undefined : at === day ? rooms : kept?.get(at);
      return {
        day: at,
        rate: standing ? rateOf(standing) : null,
        collected: taken ? (taken.get(at) ?? 0) : null,
      };
    }),
    rooms: rooms ? LEGEND.map(([occupancy]) => ({ occupancy, count: rooms[occupancy] })) : null,
  };
}
