import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { ContractKind } from "../terms/kind.rules.ts";
import { isAttached, MOST_ATTACHED, TOO_MANY_UNITS } from "../terms/product.rules.ts";

type Unit = { id: number; kind: string };

/**
 * What is picked after a click on a room, or why it cannot be. A tenant's contract has one room to live in: another takes
 * the place of the one before. Companies and merchants pick as many as they like.
 */
export function pickedAfter(
  of: ContractKind,
  picked: readonly Unit[],
  unit: Unit,
): { ids: number[] } | { refused: string } {
  const ids = picked.map((p) => p.id);
  if (ids.includes(unit.id)) return { ids: ids.filter((id) => id !== unit.id) };
  if (of !== "renter") return { ids: [...ids, unit.id] };
  const attached = picked.filter((p) => isAttached(p.kind)).map((p) => p.id);
  if (!isAttached(unit.kind)) return { ids: [unit.id, ...attached] };
  return attached.length < MOST_ATTACHED ? { ids: [...ids, unit.id] } : { refused: TOO_MANY_UNITS };
}

/** What the picker is narrowed to; a room whose price is agreed on lies in no range. */
export type Sieve = { orientation?: string | undefined; least?: Fen | undefined; most?: Fen | undefined };

export function sieved(
  { orientation, least, most }: Sieve,
  room: { orientation: string; price: Fen | null },
) {
  if (orientation && room.orientation !== orientation) return false;
  if (least === undefined && most === undefined) return true;
  return room.price !== null && room.price >= (least ?? 0) && room.price <= (most ?? Infinity);
}

export const TAKEN_AS = { lease: "租用", reservation: "占用", block: "锁房" } as const;
/** Who has a room for some days. `aside`: gives it to the contract that is drawn up. */
export type Stretch = {
  from: Day;
  to: Day | null;
  kind: keyof typeof TAKEN_AS;
  label: string;
  aside: boolean;
};

/** How a room stands over a term: taken by somebody else, waiting for this very contract, or free. */
export function heldSaid(
  timeline: readonly Stretch[],
  { start, end }: { start: Day; end: Day },
): { text: string; taken: boolean } {
  const within = timeline.filter((t) => t.from <= end && (t.to === null || t.to >= start));
  const clash = within.find((t) => !t.aside);
  if (clash) return { text: `${clash.from} 起被 ${clash.label} ${TAKEN_AS[clash.kind]}`, taken: true };
  const [own] = within;
  if (!own) return { text: "租期内空闲", taken: false };
  const text = own.kind === "lease" ? `承接 ${own.label} 的租期` : `${own.label} 为该客户预订，签约时转入`;
  return { text, taken: false };
}
