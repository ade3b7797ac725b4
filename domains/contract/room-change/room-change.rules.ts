import type { Day } from "../../../platform/kernel/day.ts";
import { type Fen, halfUp, ratio, times } from "../../../platform/kernel/fen.ts";
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

/** What is wrong with a return of rooms, or nothing. */
export function returnErrors(
  { rooms, terms, start, end }: Held,
  { roomIds, effectiveOn }: ReturnDraft,
): FieldError | undefined {
  const staying = rooms.filter((r) => !r.leaveDate);
  const going = staying.filter((r) => roomIds.includes(r.roomId));
  if (going.length < roomIds.length) return { field: "roomIds", msg: "请选择合同内在租的房间" };
  if (going.length === staying.length) return { field: "roomIds", msg: "退最后一间房请办理退房结算" };
  if (effectiveOn < start) return { field: "effectiveOn", msg: `退房日不能早于起租日 ${start}` };
  if (effectiveOn > end) return { field: "effectiveOn", msg: `退房日不能晚于到期日 ${end}` };
  const last = lastChargedDay(effectiveOn, terms.leaveDayCharged);
  const late = going.find((r) => last < (r.joinDate ?? start));
  if (late)
    return { field: "effectiveOn", msg: `${late.name} 自 ${late.joinDate ?? start} 起租，退房日须在其后` };
  return undefined;
}

export type DepositOf = {
  /** What was paid for the rooms, and what was agreed. */
  paid: Fen;
  agreed: Fen;
  open: Line[];
};

/** What of the deposit the rooms have: their own lines, or, of one sum for all rooms, their share by rent. */
export function depositOf(
  rooms: readonly HeldRoom[],
  roomIds: readonly number[],
  bills: readonly Bill[],
  isDeposit: (subjectId: number) => boolean,
): DepositOf {
  const going = new Set(roomIds);
  const lines = bills.flatMap((b) => b.lines.filter((l) => isPayable(l) && isDeposit(l.feeSubjectId)));
  const own = lines.filter((l) => l.roomId !== null && going.has(l.roomId));
  const common = lines.filter((l) => l.roomId === null);
  const rent = (of: readonly HeldRoom[]) => of.reduce((sum, r) => sum + r.monthlyRent, 0);
  const staying = rooms.filter((r) => !r.leaveDate);
  const share = (sum: Fen) =>
    halfUp(times(ratio(sum), ratio(rent(staying.filter((r) => going.has(r.roomId))), rent(staying) || 1)));
  const sum = (of: readonly Line[], pick: (l: Line) => Fen) => of.reduce((total, l) => total + pick(l), 0);
  return {
    paid: sum(own, (l) => l.settled) + share(sum(common, (l) => l.settled)),
    agreed: sum(own, netOf) + share(sum(common, netOf)),
    open: own.filter((l) => l.outstanding > 0),
  };
}
