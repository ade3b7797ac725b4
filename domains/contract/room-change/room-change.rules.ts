import type { Day } from "../../../platform/kernel/day.ts";
import { type Fen, decimal, halfUp, ratio, times } from "../../../platform/kernel/fen.ts";
import type { FieldError } from "../../../platform/kernel/refusal.ts";
import { type Bill, type Line, isPayable, netOf } from "../../finance/bill/bill.rules.ts";
import type { Changed, HeldRoom } from "../recut/joining.rules.ts";
import { lastChargedDay } from "../schedule/carry.rules.ts";
import type { Terms } from "../terms/terms.contract.ts";
import type { AddDraft, ReturnDraft } from "./room-change.contract.ts";

type Held = { terms: Terms; rooms: HeldRoom[]; start: Day; end: Day };
/** A room as it stands on the day it joins. */
type Fact = Pick<HeldRoom, "name" | "kind" | "capacity" | "listPrice" | "lowestPrice" | "area">;

/** The contract with the rooms that join it, as they stand on their first day. */
export function joined(held: Held, draft: AddDraft, facts: readonly Fact[]): Changed {
  const rooms = draft.rooms.map(({ roomId, monthlyRent }, i): HeldRoom => {
    const { name, kind, area, capacity, listPrice, lowestPrice } = facts[i]!;
    return {
      roomId,
      name,
      kind,
      role: "main",
      monthlyRent,
      unitPrice: null,
      area,
      capacity,
      joinDate: draft.effectiveOn,
      leaveDate: null,
      listPrice,
      lowestPrice,
    };
  });
  const [only] = held.rooms;
  const { deposit } = held.terms;
  // a rent that was agreed while there was one room is that room's
  const steps =
    held.rooms.length === 1
      ? held.terms.steps.map((s) =>
          s.roomId == null && s.mode === "table" ? { ...s, roomId: only!.roomId } : s,
        )
      : held.terms.steps;
  const more = draft.rooms.reduce((sum, r) => sum + (r.deposit ?? 0), 0);
  const terms = {
    ...held.terms,
    steps,
    ...(deposit.mode === "amount" && more && { deposit: { ...deposit, amount: deposit.amount + more } }),
  };
  return { terms, rooms: [...held.rooms, ...rooms], end: held.end };
}

/** The contract with the last charged day of the rooms that leave it. */
export const left = (held: Held, roomIds: readonly number[], last: Day): Changed => ({
  terms: held.terms,
  end: held.end,
  rooms: held.rooms.map((r) => (roomIds.includes(r.roomId) ? { ...r, leaveDate: last } : r)),
});

/** How many rooms a contract may have at once. */
const MOST = 2000;

/** Whether more rooms would join than a contract may have: those that were given back, or go with the same act, count no more. */
export const tooMany = (
  rooms: readonly Pick<HeldRoom, "roomId" | "leaveDate">[],
  joining: number,
  leaving: readonly number[] = [],
): boolean => rooms.filter((r) => !r.leaveDate && !leaving.includes(r.roomId)).length + joining > MOST;

/** What is wrong with a return of rooms, or nothing. */
export function returnErrors(held: Held, { roomIds, effectiveOn }: ReturnDraft): FieldError | undefined {
  const { rooms, terms, start, end } = held;
  const staying = rooms.filter((r) => !r.leaveDate);
  const last = lastChargedDay(effectiveOn, terms.leaveDayCharged);
  const wrong = leavingErrors(held, roomIds, last);
  if (wrong?.field === "roomIds") return wrong;
  if (roomIds.length === staying.length) return { field: "roomIds", msg: "退最后一间房请办理退房结算" };
  if (effectiveOn < start) return { field: "effectiveOn", msg: `退房日不能早于起租日 ${start}` };
  if (effectiveOn > end) return { field: "effectiveOn", msg: `退房日不能晚于到期日 ${end}` };
  return wrong;
}

/** What is wrong with rooms that are to leave after a day, or nothing. */
export function leavingErrors(
  { rooms, start }: Held,
  roomIds: readonly number[],
  last: Day,
): FieldError | undefined {
  const going = rooms.filter((r) => !r.leaveDate && roomIds.includes(r.roomId));
  if (going.length < roomIds.length) return { field: "roomIds", msg: "请选择合同内在租的房间" };
  const late = going.find((r) => last < (r.joinDate ?? start));
  if (!late) return undefined;
  const from = late.joinDate ?? start;
  return { field: "effectiveOn", msg: `${late.name} 自 ${from} 起租，须在其后办理` };
}

export type DepositOf = {
  /** What was paid for the rooms, and what was agreed. */
  paid: Fen;
  agreed: Fen;
  open: Line[];
};

/**
 * What of the deposit the rooms have: their own lines, and their share of what was given for no room that is still let: one sum for
 * all rooms, shared by rent, or what went over from rooms before, shared by what the rooms' own lines leave open of the months agreed.
 */
export function depositOf(
  of: {
    rooms: readonly HeldRoom[];
    deposit: Terms["deposit"];
    roomIds: readonly number[];
    bills: readonly Bill[];
    isDeposit: (subjectId: number) => boolean;
  },
  /** Of the whole contract. */
  { held, agreed }: { held: Fen; agreed: Fen },
): DepositOf {
  const going = new Set(of.roomIds);
  const staying = of.rooms.filter((r) => !r.leaveDate);
  const now = new Set(staying.map((r) => r.roomId));
  const lines = of.bills.flatMap((b) => b.lines.filter((l) => isPayable(l) && of.isDeposit(l.feeSubjectId)));
  const own = lines.filter((l) => l.roomId !== null && now.has(l.roomId));
  const gone = own.filter((l) => going.has(l.roomId!));
  const sum = (of: readonly Line[], pick: (l: Line) => Fen) => of.reduce((total, l) => total + pick(l), 0);
  const open = (room: HeldRoom): Fen => {
    if (of.deposit.mode !== "months") return room.monthlyRent;
    const whole = halfUp(times(ratio(room.monthlyRent), decimal(of.deposit.months)));
    return Math.max(
      0,
      whole -
        sum(
          own.filter((l) => l.roomId === room.roomId),
          netOf,
        ),
    );
  };
  const weight = (rooms: readonly HeldRoom[]) => rooms.reduce((total, r) => total + open(r), 0);
  const part = ratio(weight(staying.filter((r) => going.has(r.roomId))), weight(staying) || 1);
  const common = (whole: Fen, pick: (l: Line) => Fen) =>
    halfUp(times(ratio(Math.max(0, whole - sum(own, pick))), part));
  return {
    paid: sum(gone, (l) => l.settled) + common(held, (l) => l.settled),
    agreed: sum(gone, netOf) + common(agreed, netOf),
    open: gone.filter((l) => l.outstanding > 0),
  };
}
