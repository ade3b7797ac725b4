import { sql } from "kysely";
import { allows } from "../../../platform/kernel/call.ts";
import { type Day, addDays } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { registeredOn } from "../../customer/booking/waiting.service.ts";
import { type Counted, vacancyRate } from "../../listing/status/status.rules.ts";
import { countsOn } from "../../listing/status/status.service.ts";
import type { Occupancy } from "../../listing/status/status.rules.ts";
import { FIGURE_KEYS, type FigureKey, figureOf } from "../indicator/figure.rules.ts";
import { ruling } from "../indicator/indicator.queries.ts";
import { ofThem } from "../indicator/indicator.rules.ts";
import { type ContractKind, LEGEND, contractKinds } from "./workbench.rules.ts";

type Villages = readonly number[];
type Pair = { value: number; before: number };
type OfKind = { kind: ContractKind; count: number };

/** What was taken on each day from one to another: the daily collection report, summed. */
export async function takings(read: Read, villages: Villages, from: Day, to: Day): Promise<Map<Day, number>> {
  const { rows } = await sql<{ day: Day; fen: number }>`
    select day, sum(amount)::bigint fen from collected(${from}, ${to}, ${villages as number[]}::bigint[])
    group by 1`.execute(read.replica);
  return new Map(rows.map((r) => [r.day, r.fen]));
}

/** Contracts signed, and handed over, on a day and on the one before. */
export async function contractsOn(
  read: Read,
  villages: Villages,
  kinds: readonly ContractKind[],
  day: Day,
): Promise<{ signed: Pair & { kinds: OfKind[] }; movedIn: Pair & { due: number } }> {
  const before = addDays(day, -1);
  type Count = Record<"signed" | "signedBefore" | "movedIn" | "movedInBefore" | "due", number>;
  const { rows } = await sql<Count & { kind: ContractKind }>`
    select kind, count(*) filter (where signed_on = ${day} and source = 'new') signed,
      count(*) filter (where signed_on = ${before} and source = 'new') signed_before,
      count(*) filter (where handover_on = ${day}) moved_in,
      count(*) filter (where handover_on = ${before}) moved_in_before,
      count(*) filter (where start_date = ${day} and state not in ('draft', 'approving', 'signing')) due
    from contract
    where village_id = ${anyOf(villages)} and kind = any(${[...kinds]}) and state <> 'voided'
      and source not in ('renewal', 'import')
      and (signed_on in (${day}, ${before}) or handover_on in (${day}, ${before}) or start_date = ${day})
    group by kind`.execute(read.replica);
  const sum = (key: keyof Count) => rows.reduce((all, row) => all + row[key], 0);
  return {
    signed: {
      value: sum("signed"),
      before: sum("signedBefore"),
      kinds: kinds.map((kind) => ({ kind, count: rows.find((row) => row.kind === kind)?.signed ?? 0 })),
    },
    movedIn: { value: sum("movedIn"), before: sum("movedInBefore"), due: sum("due") },
  };
}

export async function arrearsOn(read: Read, villages: Villages, day: Day): Promise<Pair> {
  const { rows } = await sql<Pair>`
    select coalesce(sum(fen), 0)::bigint "value",
      coalesce(sum(fen) filter (where day <= ${addDays(day, -1)}::date), 0)::bigint before
    from arrears_day where village_id = ${anyOf(villages)} and day <= ${day}::date`.execute(read.replica);
  return rows[0]!;
}

type CountedRooms = Record<Occupancy | "base" | "let", number>;

/** Rooms at a day over all of some villages, as the room board counts them. */
export async function roomsOn(read: Read, villages: Villages, day: Day): Promise<CountedRooms> {
  const counts = await countsOn(read, day, villages);
  const sum = (key: keyof CountedRooms) => counts.reduce((all, village) => all + village[key], 0);
  const keys = [...LEGEND.map(([occupancy]) => occupancy), "base", "let"] as const;
  return Object.fromEntries(keys.map((key) => [key, sum(key)])) as CountedRooms;
}

/** Rooms that count, and those let, from one past day to another: as the nightly roll-up kept them. */
export async function keptDays(
  read: Read,
  villages: Villages,
  from: Day,
  to: Day,
): Promise<Map<Day, { base: number; let: number }>> {
  const { rows } = await sql<{ day: Day; base: number; let: number }>`
    select day, sum(base) base, sum(let) "let" from village_day
    where village_id = ${anyOf(villages)} and day between ${from} and ${to} group by 1`.execute(read.replica);
  return new Map(rows.map((r) => [r.day, r]));
}

type Value = { value: number | null; before: number | null; of: number | null; kinds?: OfKind[] };

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
  return keys.flatMap((key) => (values[key] ? [{ key, kinds: null, ...values[key] }] : []));
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
