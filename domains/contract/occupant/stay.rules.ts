import { type Day, addDays, maxDay } from "../../../platform/kernel/day.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import type { companyRooms } from "./occupant.contract.ts";

/** A room of a company's contract in force; `to` is open while nobody has settled a contract that ran out. */
export type Place = {
  contractId: number;
  roomId: number;
  roomName: string;
  capacity: number;
  /** Who may live there. */
  gender: "any" | "male" | "female";
  from: Day;
  to: Day | null;
};

/** Somebody in a room, both days included. `leaves` is the last day of who is to leave before the room does. */
export type Stay = {
  id: number;
  contractId: number;
  roomId: number;
  from: Day;
  to: Day | null;
  leaves?: Day | null;
};

/** What is asked for one person: to live in a room, or nowhere any more. Without a stay they come from outside. */
export type Wish = {
  row: number;
  gender: "male" | "female" | null;
  stay?: Stay | undefined;
  to: Place | null;
};
export type Wrong = { row: number; field: "roomId" | "gender" | "certNo"; msg: string };
/** What becomes of a wish: `last` ends the stay, null leaves none of it; `place` begins one. */
export type Change<W extends Wish> = {
  wish: W;
  last?: Day | null;
  place?: { roomId: number; contractId: number; from: Day; to: Day | null };
};

type Held = Pick<Stay, "contractId" | "roomId" | "from" | "to">;
const keyOf = (at: { contractId: number; roomId: number }) => `${at.contractId} ${at.roomId}`;
const there = (stay: Held, day: Day) => stay.from <= day && (stay.to === null || stay.to >= day);

/** Most people at once on a day or later; it only ever rises where somebody comes. */
export function mostAt(stays: readonly Held[], day: Day): number {
  const days = [day, ...stays.map((s) => s.from).filter((from) => from > day)];
  return Math.max(...days.map((d) => stays.filter((s) => there(s, d)).length));
}

const WHO = { male: "男性", female: "女性" } as const;

export function placeError(place: Place, wish: Wish, day: Day): Wrong | undefined {
  const { row, gender } = wish;
  const { roomName } = place;
  if (day < place.from || (place.to !== null && day > place.to))
    return { row, field: "roomId", msg: `${roomName} 的租期为 ${place.from} ~ ${place.to ?? "未定"}` };
  if (wish.stay && keyOf(wish.stay) === keyOf(place))
    return { row, field: "roomId", msg: `已住在 ${roomName}` };
  if (place.gender === "any" || place.gender === gender) return undefined;
  const msg = `${roomName} 仅限${WHO[place.gender]}入住`;
  return { row, field: "gender", msg: gender ? msg : `${msg}，请填写性别` };
}

/** The last day of a stay that ends before its room does: somebody said so. */
export const leavesOn = ({ to }: Pick<Stay, "to">, place: Pick<Place, "to"> | undefined): Day | null =>
  to !== null && place && (place.to === null || to < place.to) ? to : null;

/** Who is gone by the day is neither moved nor let leave once more: their bed may be somebody else's by then. */
function goneError({ row, stay, to }: Wish, day: Day): Wrong | undefined {
  if (!stay?.to || (stay.to >= addDays(day, -1) && !(to && stay.leaves && stay.leaves < day)))
    return undefined;
  return { row, field: "roomId", msg: `入住到 ${stay.to} 为止` };
}

/**
 * How people live from a day on when everything asked for is done at once, so that two may swap full rooms. Those who leave
 * have their last night on the day before. Rows that do not fit are named; then nothing may be done.
 */
export function planStays<W extends Wish>(
  stays: readonly Stay[],
  wishes: readonly W[],
  day: Day,
): { wrong: Wrong[]; changes: Change<W>[] } {
  const wrong: Wrong[] = [];
  const changes: Change<W>[] = [];
  const asked = new Set(wishes.flatMap((w) => (w.stay ? [w.stay.id] : [])));
  const left = stays.filter((s) => !asked.has(s.id));
  const living = Map.groupBy<string, Held>(left, keyOf);
  const before = new Map([...living].map(([key, held]) => [key, mostAt(held, day)]));
  const seen = new Set<number>();
  for (const wish of wishes) {
    const { stay, to, row } = wish;
    if (stay && seen.has(stay.id)) {
      wrong.push({ row, field: "certNo", msg: "同一人只能出现一次" });
      continue;
    }
    if (stay) seen.add(stay.id);
    const gone = goneError(wish, day);
    if (gone) {
      wrong.push(gone);
      continue;
    }
    const last = stay && (stay.from >= day ? null : addDays(day, -1));
    if (!to) {
      changes.push({ wish, ...(last !== undefined && { last }) });
      continue;
    }
    const misplaced = placeError(to, wish, day);
    if (misplaced) {
      wrong.push(misplaced);
      continue;
    }
    const { contractId, roomId } = to;
    const until = stay?.leaves && (to.to === null || stay.leaves < to.to) ? stay.leaves : to.to;
    const place = { contractId, roomId, from: stay ? maxDay(day, stay.from) : day, to: until };
    const key = keyOf(to);
    const held = [...(living.get(key) ?? []), place];
    if (mostAt(held, day) > to.capacity) {
      const full = (before.get(key) ?? 0) >= to.capacity;
      wrong.push({ row, field: "roomId", msg: full ? "该房间已住满" : `超过可住人数 ${to.capacity} 人` });
      continue;
    }
    living.set(key, held);
    changes.push({ wish, ...(last !== undefined && { last }), place });
  }
  return { wrong, changes };
}

export type CompanyRoom = Reply<typeof companyRooms>[number];
export type Occupant = CompanyRoom["people"][number] & { roomName: string };

/** Everybody in some rooms, with the room. */
export const placed = (rooms: readonly CompanyRoom[]): Occupant[] =>
  rooms.flatMap((room) => room.people.map((p) => ({ ...p, roomName: room.roomName })));

type At = Pick<Occupant, "id" | "roomId">;

/** Two people of different rooms change places; anybody else cannot. */
export function swapOf(chosen: readonly At[]): { why?: string; moves: { id: number; roomId: number }[] } {
  const [a, b, more] = chosen;
  if (!a || !b || more) return { why: "请勾选两位入住人", moves: [] };
  if (a.roomId === b.roomId) return { why: "两位入住人住在同一房间", moves: [] };
  return {
    moves: [
      { id: a.id, roomId: b.roomId },
      { id: b.id, roomId: a.roomId },
    ],
  };
}
