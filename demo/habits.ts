import { addDays, minDay, type Day } from "../platform/kernel/day.ts";
import type { Chance } from "./random.ts";

/** How a tenant pays. Most pay around the due day; some late and with a fee; a few have stopped. */
export type Habit = { kind: "good" | "late" | "stopped"; stoppedOn: Day };

export const habitOf = (chance: Chance, today: Day): Habit => ({
  kind: chance.weighted([
    ["good", 91],
    ["late", 6],
    ["stopped", 3],
  ]),
  stoppedOn: addDays(today, -chance.int(10, 120)),
});

/** The day on which a bill is paid, or nothing while it is not. */
export function payDay(chance: Chance, habit: Habit, due: Day, signedOn: Day, today: Day): Day | undefined {
  // even who stops paying has paid to get in
  if (habit.kind === "stopped" && due >= habit.stoppedOn && due > addDays(signedOn, 20)) return undefined;
  const slip = habit.kind === "late" ? chance.int(5, 24) : chance.int(-4, 2);
  const day = addDays(due, slip);
  const from = day < signedOn ? signedOn : day;
  return from > today ? undefined : minDay(from, today);
}

export const CHANNELS = [
  ["wechat", 46],
  ["alipay", 22],
  ["bankTransfer", 20],
  ["pos", 8],
  ["cash", 4],
] as const;
