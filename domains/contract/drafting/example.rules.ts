import { planBills } from "../schedule/bills.rules.ts";
import { sentences } from "../schedule/sentence.rules.ts";
import { firstRent } from "../schedule/steps.rules.ts";
import type { ContractForm } from "../terms/terms.contract.ts";
import { scheduleOf, termsOf } from "../terms/terms.rules.ts";

/** How this contract's own first partial month is charged: 首月 2026-12-11 ~ 12-31 共 21 天：3,500.00 × 21 ÷ 31 = 2,370.97. */
export function chargeSentence(form: ContractForm, area: string | null): string | undefined {
  const [room] = form.rooms;
  if (!form.start || !form.end || !room) return undefined;
  // of the rent alone, so that what is still being typed elsewhere hides nothing
  const deposit = { mode: "months", months: "0" } as const;
  const terms = { ...termsOf(form), stepRule: null, steps: [], fees: [], deposit };
  try {
    const rooms = [{ ...room, unitPrice: room.unitPrice ?? null, area }];
    const input = scheduleOf({ start: form.start, end: form.end, terms, rooms });
    if (!(firstRent(input, input.rooms[0]!) > 0)) return undefined;
    for (const { explain, slices } of planBills(input).bills.flatMap((bill) => bill.lines)) {
      if (explain.rule !== "rent") continue;
      const n = explain.parts.findIndex((part) => part.months === 0);
      if (n < 0) continue;
      // a line has a slice for each month, and its whole months in a row are one part
      const { from, to } = slices[explain.parts.slice(0, n).reduce((sum, part) => sum + part.months, 0)]!;
      return `${from} ~ ${to.slice(5)} 共 ${explain.parts[n]!.days} 天：${sentences(explain).rows[n]}`;
    }
  } catch {
    return undefined;
  }
  return undefined;
}
