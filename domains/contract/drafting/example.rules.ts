import { planBills } from "../schedule/bills.rules.ts";
import { contractMonths } from "../schedule/months.rules.ts";
import { sentences } from "../schedule/sentence.rules.ts";
import type { ContractForm } from "../terms/terms.contract.ts";
import { scheduleOf, termsOf } from "../terms/terms.rules.ts";

/** How this contract's own first partial month is charged: 首月 2026-12-11 ~ 12-31 共 21 天：3,500.00 × 21 ÷ 31 = 2,370.97. */
export function chargeSentence(form: ContractForm, area: string | null): string | undefined {
  const [room] = form.rooms;
  if (!form.start || !form.end || form.end < form.start || !room || !(room.monthlyRent > 0 || room.unitPrice))
    return undefined;
  const terms = {
    ...termsOf(form),
    stepRule: null,
    steps: [],
    fees: [],
    deposit: { mode: "months", months: "0" },
  } as const;
  try {
    const rooms = [{ ...room, unitPrice: room.unitPrice ?? null, area }];
    const input = scheduleOf({
      start: form.start,
      end: form.end,
      terms: { ...terms, steps: [], fees: [] },
      rooms,
    });
    const lines = planBills(input).bills.flatMap((b) => b.lines);
    for (const line of lines) {
      if (line.explain.rule !== "rent") continue;
      const n = line.explain.parts.findIndex((part) => part.months === 0);
      if (n < 0) continue;
      const part = line.explain.parts[n]!;
      const month = contractMonths(input).find((m) => m.to >= line.from && m.days < m.monthDays) ?? {
        from: line.from,
        to: line.to,
      };
      const first = line.from > month.from ? line.from : month.from;
      return `${first} ~ ${month.to.slice(5)} 共 ${part.days} 天：${sentences(line.explain).rows[n]}`;
    }
  } catch {
    return undefined;
  }
  return undefined;
}
