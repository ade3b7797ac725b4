import { decimal, halfUp, ratio, times, type Fen } from "../../../platform/kernel/fen.ts";
import type { Explain, Line } from "./line.rules.ts";
import { firstRent } from "./steps.rules.ts";
import type { ScheduleInput } from "./terms.rules.ts";

/** Months of the first rent before discounts and steps, or a sum; deposits in kind (keys, cards) besides. Never prorated. */
export function depositLines(input: ScheduleInput): Line[] {
  const { start, end, deposit, rooms } = input;
  const termsVersion = input.termsVersion ?? 1;
  const lines: Line[] = [];
  const put = (roomId: number | null, amount: Fen, explain: Explain, item: number | null = null) => {
    const feeKey = item === null ? ("deposit" as const) : input.fees[item]!.feeId;
    if (amount > 0)
      lines.push({
        kind: "deposit",
        feeKey,
        roomId,
        item,
        periodNo: 0,
        from: start,
        to: end,
        amount,
        slices: [],
        explain,
      });
  };
  if (deposit.mode === "months")
    for (const room of rooms) {
      const price = firstRent(input, room);
      const why = {
        rule: "depositMonths" as const,
        rounding: "halfUp" as const,
        formula: "首月月租 × 押金月数",
      };
      const explain = { ...why, termsVersion, price, months: deposit.months };
      put(room.roomId, halfUp(times(ratio(price), decimal(deposit.months))), explain);
    }
  else {
    const why = {
      rule: "depositAmount" as const,
      rounding: "none" as const,
      formula: "约定金额",
      termsVersion,
    };
    const perRoom = rooms.length > 1 && rooms.every((r) => r.depositAmount != null);
    if (perRoom) for (const r of rooms) put(r.roomId, r.depositAmount!, { ...why, price: r.depositAmount! });
    else put(rooms.length === 1 ? rooms[0]!.roomId : null, deposit.amount, { ...why, price: deposit.amount });
  }
  input.fees.forEach((fee, item) => {
    const why = {
      rule: "depositAmount" as const,
      rounding: "none" as const,
      formula: "约定金额",
      termsVersion,
    };
    if (fee.kind === "depositInKind")
      put(fee.roomId ?? null, fee.amount, { ...why, price: fee.amount }, item);
  });
  return lines;
}
