import { sql } from "kysely";
import { addDays, type Day } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { countsOn } from "../../listing/status/status.service.ts";
import type { Occupancy } from "../../listing/status/status.rules.ts";
import { LEGEND } from "./workbench.rules.ts";

type Villages = readonly number[];
type Pair = { value: number; before: number };

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
  kinds: readonly string[],
  day: Day,
): Promise<{ signed: Pair; movedIn: Pair & { due: number } }> {
  const before = addDays(day, -1);
  const { rows } = await sql<Record<"signed" | "signedBefore" | "movedIn" | "movedInBefore" | "due", number>>`
    select count(*) filter (where signed_on = ${day} and source = 'new') signed,
      count(*) filter (where signed_on = ${before} and source = 'new') signed_before,
      count(*) filter (where handover_on = ${day}) moved_in,
      count(*) filter (where handover_on = ${before}) moved_in_before,
      count(*) filter (where start_date = ${day} and state not in ('draft', 'approving', 'signing')) due
    from contract
    where village_id = ${anyOf(villages)} and kind = any(${[...kinds]}) and state <> 'voided'
      and source not in ('renewal', 'import')
      and (signed_on in (${day}, ${before}) or handover_on in (${day}, ${before}) or start_date = ${day})`.execute(
    read.replica,
  );
  const r = rows[0]!;
  return {
    signed: { value: r.signed, before: r.signedBefore },
    movedIn: { value: r.movedIn, before: r.movedInBefore, due: r.due },
  };
}

/** Arrears at the end of a day and of the one before. */
export async function arrearsOn(read: Read, villages: Villages, day: Day): Promise<Pair> {
  const { rows } = await sql<Pair>`
    select coalesce(sum(fen), 0)::bigint "value",
      coalesce(sum(fen) filter (where day <= ${addDays(day, -1)}::date), 0)::bigint before
    from arrears_day where village_id = ${anyOf(villages)} and day <= ${day}::date`.execute(read.replica);
  return rows[0]!;
}

type Counted = Record<Occupancy | "base" | "let", number>;

/** Rooms at a day over all of some villages, as the room board counts them. */
export async function roomsOn(read: Read, villages: Villages, day: Day): Promise<Counted> {
  const counts = await countsOn(read, day, villages);
  const sum = (key: keyof Counted) => counts.reduce((all, village) => all + village[key], 0);
  const keys = [...LEGEND.map(([occupancy]) => occupancy), "base", "let"] as const;
  return Object.fromEntries(keys.map((key) => [key, sum(key)])) as Counted;
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
