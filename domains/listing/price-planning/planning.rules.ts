import { maxDay, type Day } from "../../../platform/kernel/day.ts";
import type { PlanForm } from "../price-change/change.contract.ts";

/** What the address asks for: a draft by id, a copy or the way back of another change, or rooms of the board. */
export type Asked = {
  id?: number | undefined;
  copy?: number | undefined;
  undo?: number | undefined;
  villageId?: number | undefined;
  roomIds: readonly number[];
};
export type Origin = {
  id: number;
  number: string;
  reason: string;
  plan: Omit<PlanForm, "reason" | "checked">;
};
/** A draft as it stands on the server. */
export type Kept = { id: number; number: string; version: number };

/** What the form begins with. A day that has passed becomes today. */
export function asForm(asked: Asked, origin: Origin | undefined, today: Day): Partial<PlanForm> {
  const fresh = {
    mode: "percent",
    applyTo: "list",
    round: "yuan",
    effectiveDay: today,
    skip: [],
    edits: [],
    asProduct: false,
    checked: false,
  } as const;
  if (!origin)
    return {
      ...fresh,
      skip: [],
      edits: [],
      villageIds: asked.villageId ? [asked.villageId] : [],
      ...(asked.roomIds.length && { roomIds: [...asked.roomIds] }),
    };
  if (asked.undo)
    return {
      ...fresh,
      skip: [],
      edits: [],
      villageIds: origin.plan.villageIds,
      mode: "undo",
      applyTo: "both",
      round: "fen",
      undoOf: origin.id,
      reason: `回滚 ${origin.number}`,
    };
  const effectiveDay = maxDay(origin.plan.effectiveDay, today);
  return {
    ...origin.plan,
    effectiveDay,
    checked: false,
    ...(asked.id && { self: asked.id, reason: origin.reason }),
  };
}

/** Leaves a room out, or takes it in again. */
export const skipping = (skip: readonly number[], roomId: number): number[] =>
  skip.includes(roomId) ? skip.filter((id) => id !== roomId) : [...skip, roomId];

type Edit = NonNullable<PlanForm["edits"]>[number];

/** Sets one price of a room by hand; without a price, the rule counts again for both of its prices. */
export function editing(
  edits: readonly Edit[],
  roomId: number,
  key: "list" | "lowest",
  fen: number | undefined,
): Edit[] {
  const before = edits.find((e) => e.roomId === roomId);
  const others = edits.filter((e) => e.roomId !== roomId);
  return fen === undefined ? others : [...others, { ...before, roomId, [key]: fen }];
}
